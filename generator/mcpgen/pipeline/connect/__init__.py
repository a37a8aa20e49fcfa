"""Adds servers to the configuration of clients on this machine, and removes servers."""

from mcpgen.pipeline.connect.config_file import (
    ConfigChange,
    plan_entry,
    plan_removal,
    resolve_inside,
    user_file,
)
from mcpgen.pipeline.connect.errors import ConfigUnusable, TargetNotInstalled
from mcpgen.pipeline.connect.server_entry import entry_of_project, entry_of_spec, entry_of_url

__all__ = [
    "ConfigChange",
    "ConfigUnusable",
    "TargetNotInstalled",
    "entry_of_project",
    "entry_of_spec",
    "entry_of_url",
    "plan_entry",
    "plan_removal",
    "resolve_inside",
    "user_file",
]
