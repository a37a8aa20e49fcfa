"""From which level on clients read what is logged for them."""

from touchstone_mcp._runtime.server.log_level import LogLevels

LOG_LEVELS = LogLevels()
