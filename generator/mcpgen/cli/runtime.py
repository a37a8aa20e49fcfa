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
    """List servers with a runtime that has known defects."""
    from mcpgen.pipeline.runtime_package import project_runtimes, read_advisories

    if not Path(folder).is_dir():
        raise typer.BadParameter(f"{folder} is no folder.")
    try:
        runtimes = project_runtimes(folder, read_advisories(advisories))
    except ValueError as error:
        raise typer.BadParameter(f"{error}.", param_hint="--advisories") from error
    affected = [runtime for runtime in runtimes if runtime.advisories]
    unknown = [runtime for runtime in runtimes if runtime.error]
    if format is Format.JSON:
        echo_json({"projects": [asdict(runtime) for runtime in runtimes]})
    else:
        for runtime in unknown:
            echo(f"{runtime.folder}: the runtime is not known: {runtime.error}")
        for runtime in affected:
            for advisory in runtime.advisories:
                version = f"mcpgen-runtime {runtime.version} has"
                admitted = f"`{runtime.requirement}` admits a version with"
                echo(
                    f"{runtime.folder}: {version if runtime.version else admitted} {advisory.id}, fixed in "
                    f"{advisory.fixed}: {advisory.summary}"
                )
        echo(
            f"{count(len(runtimes), 'project')}: {count(len(affected), 'project')} with known defects"
        )
        if any(not runtime.requirement for runtime in affected):
            echo(f"next: mcpgen build --all {folder}")
        if any(runtime.requirement for runtime in affected):
            echo("next: pip install -U mcpgen-runtime where the package is installed")
    raise typer.Exit(1 if affected or unknown else 0)
