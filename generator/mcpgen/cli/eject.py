"""`mcpgen eject`: ejects generated files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcpgen.cli.console import Format, echo, echo_json, say
from mcpgen.cli.options import FORMAT, count


def eject(
    files: Annotated[list[Path], typer.Argument(help="Files that mcpgen generated.")],
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Keep generated files as yours; later builds leave them alone."""
    from mcpgen import pipeline
    from mcpgen.cli import build_output

    folders = {pipeline.project_of(file) for file in files}
    folder = folders.pop()
    if folder is None or folders:
        raise typer.BadParameter("the files must belong to one project that mcpgen built.")
    paths = [file.absolute().relative_to(folder).as_posix() for file in files]
    outcome = pipeline.eject_project_files(folder, paths)
    code = 0 if outcome.status.good else 1
    if format is Format.JSON:
        echo_json(build_output.outcome_as_json(outcome, "eject", code))
    elif outcome.status.good:
        echo(f"{count(len(paths), 'file')} of {folder.name} now yours: {', '.join(paths)}")
    else:
        say(build_output.findings_as_text(outcome))
    raise typer.Exit(code)
