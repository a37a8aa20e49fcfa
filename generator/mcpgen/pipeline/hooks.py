"""The tools that a project's own `hooks.py` overrides."""

from __future__ import annotations

from pathlib import Path

from mcpgen import write
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.server import Server

NAME = "hooks.py"


def report_unknown_hooks(
    server: Server, folder: Path, folder_name: str, package: str, diagnostics: Diagnostics
) -> None:
    """Finds the literal keys of `HOOKS` that are no tool of the server, without running the file.

    `package` is the folder of `hooks.py` in the project's folder, which messages call `folder_name`.
    Adds UNKNOWN_HOOK.
    """
    from mcpgen.smoke_test.inspect_project import hook_keys

    found = server.discovery.tools if server.discovery else ()
    names = [tool.name for tool in (*server.tools, *server.builtin_tools, *found)]
    file = write.file_name(folder_name, f"{package}/{NAME}")
    for key in hook_keys(folder / package / NAME):
        if key.name not in names:
            hint = closest_match(key.name, names) or "remove the entry"
            at = Location(file, (), key.line, key.column)
            diagnostics.add(codes.UNKNOWN_HOOK, at, name=key.name, hint=hint)
