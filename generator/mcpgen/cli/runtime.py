"""`mcpgen runtime` and `mcpgen outdated`: the runtime as a package, and copies with known defects."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mcpgen.cli.console import Format, echo, echo_json
from mcpgen.cli.options import FORMAT, count

runtime = typer.Typer(name="runtime", no_args_is_help=True, rich_markup_mode=None)


@runtime.callback()
def group() -> None:
    """The runtime of generated servers as a package."""


@runtime.command()
def wheel(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder that the wheel is written to.")
    ] = Path("dist"),
) -> None:
    """Make the wheel of mcpgen-runtime, for your own package index."""
    from mcpgen.pipeline.runtime_package import write_runtime_wheel

    echo(str(write_runtime_wheel(output)))


def outdated(
    folder: Annotated[str, typer.Argument(help="Folder with the projects.")] = ".",
    advisories: Annotated[
        Path | None,
        typer.Option(help="JSON file with advisories; the list of this mcpgen by default."),
    ] = None,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """List servers that carry a runtime with known defects."""
    from mcpgen.pipeline.runtime_package import read_advisories, runtime_copies

    copies = runtime_copies(folder, read_advisories(advisories))
    affected = [copy for copy in copies if copy.advisories]
    if format is Format.JSON:
        echo_json({"projects": [asdict(copy) for copy in copies]})
    else:
        for copy in affected:
            for advisory in copy.advisories:
                echo(
                    f"{copy.folder}: mcpgen-runtime {copy.version} has {advisory.id}, fixed in "
                    f"{advisory.fixed}: {advisory.summary}"
                )
        echo(
            f"{count(len(copies), 'project')}: {count(len(affected), 'project')} with known defects"
        )
        if affected:
            echo(f"next: mcpgen build --all {folder}")
    raise typer.Exit(1 if affected else 0)
