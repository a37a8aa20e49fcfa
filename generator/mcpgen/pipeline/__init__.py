"""Runs all stages from a specification to a checked project; the only package with imports of every
stage."""

from mcpgen.diagnostics.render import SourceMap
from mcpgen.pipeline.build_project import build
from mcpgen.pipeline.check_target import (
    STDIO,
    check,
    check_project,
    check_server,
    has_project,
    is_stdio,
    is_url,
)
from mcpgen.pipeline.lint import lint_target
from mcpgen.pipeline.load_spec import cache_folder
from mcpgen.pipeline.load_tools import LoadedTools, TargetKind, TargetUnreadable, load_tools
from mcpgen.pipeline.result import BuildOptions, BuildResult, BuildStatus
from mcpgen.pipeline.scaffold import new
from mcpgen.pipeline.write_project import eject_project_files, project_of

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
    "has_project",
    "is_stdio",
    "is_url",
    "lint_target",
    "load_tools",
    "new",
    "project_of",
]
