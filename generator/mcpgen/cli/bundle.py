"""`mcpgen bundle`: makes the file that desktop hosts install with a click."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mcpgen.cli.console import echo, say
from mcpgen.cli.options import count


def bundle(
    folder: Annotated[
        str,
        typer.Argument(metavar="[PROJECT]", help="The project's folder.", show_default=False),
    ] = ".",
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write; by default the package's name with .mcpb.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Make the bundle of a project that desktop hosts install.

    The bundle holds the package and a manifest, by which the host asks for credentials; uv installs the packages.

    Exit codes: 0 written, 1 errors in the description, 2 the project cannot be bundled, 3 a bug in mcpgen.
    """
    from mcpgen.cli.load_target import exit_with_errors, load_target
    from mcpgen.diagnostics import Diagnostics
    from mcpgen.pipeline import BuildOptions
    from mcpgen.pipeline.bundle import CannotBundle, bundle_name, write_bundle
    from mcpgen.pipeline.load_tools import TargetKind
    from mcpgen.pipeline.workspace import open_workspace

    options = BuildOptions(keep_going=True)
    loaded_tools = load_target(folder, options)
    if loaded_tools.kind is not TargetKind.PROJECT:
        raise typer.BadParameter(f"{folder} is {loaded_tools.kind}; a bundle is made of a project.")
    if loaded_tools.server is None:
        exit_with_errors(loaded_tools)
    config = open_workspace(folder, options, Diagnostics()).config
    path = Path(output or bundle_name(loaded_tools.server))
    if path.suffix != ".mcpb":
        raise typer.BadParameter("hosts know bundles by the suffix .mcpb.")
    try:
        files = write_bundle(Path(folder), loaded_tools.server, path, config.deployment.lock)
    except CannotBundle as error:
        raise typer.BadParameter(f"{error}.") from error
    echo(str(path))
    say(f"{count(len(files), 'file')}, {path.stat().st_size:,} bytes")
