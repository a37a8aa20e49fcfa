"""From which level on clients read what is logged for them."""

from touchstone_mcp.runtime.log_level import LogLevels

LOG_LEVELS = LogLevels()
