"""Runs all stages from a specification to a checked project; the only package with imports of every
stage.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.diagnostics.render import SourceMap
    from mcpgen.parse.x_mcp import extension_schema
    from mcpgen.pipeline.build_project import build
    from mcpgen.pipeline.check_target import check, check_project
    from mcpgen.pipeline.load_spec import cache_folder
    from mcpgen.pipeline.load_tools import LoadedTools, TargetKind, TargetUnreadable, lint_target
    from mcpgen.pipeline.result import BuildOptions, BuildResult, BuildStatus
    from mcpgen.pipeline.scaffold import new, write_config
    from mcpgen.pipeline.server_check import (
        STDIO,
        check_server,
        has_project,
        is_server_target,
        is_stdio_target,
    )
    from mcpgen.pipeline.write_project import eject_project_files, project_of
    from mcpgen.write.lock import lock_schema

__all__ = [
    "STDIO",
    "BuildOptions",
    "BuildResult",
    "BuildStatus",
    "LoadedTools",
    "SourceMap",
    "TargetKind",
    "TargetUnreadable",
    "build",
    "cache_folder",
    "check",
    "check_project",
    "check_server",
    "eject_project_files",
    "extension_schema",
    "has_project",
    "is_server_target",
    "is_stdio_target",
    "lint_target",
    "lock_schema",
    "new",
    "project_of",
    "write_config",
]

_HOMES = {
    "SourceMap": "mcpgen.diagnostics.render",
    "build": "mcpgen.pipeline.build_project",
    **dict.fromkeys(
        ("STDIO", "check_server", "has_project", "is_stdio_target", "is_server_target"),
        "mcpgen.pipeline.server_check",
    ),
    **dict.fromkeys(("check", "check_project"), "mcpgen.pipeline.check_target"),
    "lint_target": "mcpgen.pipeline.load_tools",
    "cache_folder": "mcpgen.pipeline.load_spec",
    **dict.fromkeys(
        ("LoadedTools", "TargetKind", "TargetUnreadable"), "mcpgen.pipeline.load_tools"
    ),
    **dict.fromkeys(("BuildOptions", "BuildResult", "BuildStatus"), "mcpgen.pipeline.result"),
    **dict.fromkeys(("new", "write_config"), "mcpgen.pipeline.scaffold"),
    "extension_schema": "mcpgen.parse.x_mcp",
    "lock_schema": "mcpgen.write.lock",
    **dict.fromkeys(("eject_project_files", "project_of"), "mcpgen.pipeline.write_project"),
}
"""The module of each public name, loaded on first use: the check of a server needs no stage of a
build, whose import takes 0.4 s.
"""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
