"""Lets a project follow a change of its requirements that `openspec archive` has archived."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mcpgen import config as configs
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.bind.archived_change import archived_companions, without_change
from mcpgen.pipeline.result import BuildOptions
from mcpgen.pipeline.workspace import Workspace, open_workspace


def follow_archived_change(
    space: Workspace, spec: str, options: BuildOptions, diagnostics: Diagnostics
) -> tuple[Workspace, BuildOptions]:
    """Writes the companions of an archived change beside their specs and removes `change`.

    Returns the workspace and options to build with: unchanged if no archived change is named, with
    `--check`, or if another companion is in the place. Adds MG784. Raises OSError if a file cannot
    be written.
    """
    change = options.change or space.config.change
    moved = archived_companions(spec, change) if change and not options.check else None
    if moved is None or moved.conflicts:
        return space, options
    for path, text in {**moved.texts, **moved.schemas}.items():
        Path(path).write_text(text, encoding="utf-8", newline="")
    line, column = configs.toml_position(space.config_text or "", ("change",))
    at = Location(space.config_name, ("change",), line, column)
    if space.config_text is not None and space.config.change == change:
        mended = without_change(space.config_text, line)
        space.config_path.write_text(mended, encoding="utf-8", newline="")
        space = open_workspace(space.name, options, Diagnostics())
    if space.config.change:
        return space, options
    files = ", ".join(f"`{path}`" for path in moved.texts)
    done = f"{files} now holds what its `mcp.yaml` said, and " if files else ""
    diagnostics.add(codes.FOLLOWED_CHANGE, at, name=change, folder=moved.folder, done=done)
    return space, replace(options, change="")
