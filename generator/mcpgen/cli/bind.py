"""`mcpgen bind`: drafts or updates the companion of requirements."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpgen.cli.console import Format, coloured, echo, echo_json, say
from mcpgen.cli.options import FORMAT, OPENAPI, count
from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.render import diagnostic_as_json, show

if TYPE_CHECKING:
    from mcpgen.openspec.bind import BindResult


def bind(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC", help="A spec.md, or an OpenSpec folder.", show_default=False
        ),
    ],
    change: Annotated[
        str,
        typer.Option(metavar="ID", help="The spec as this change makes it.", show_default=False),
    ] = "",
    capability: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Which specs of the folder (a,b).", show_default=False),
    ] = "",
    openapi: Annotated[str, OPENAPI] = "",
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCENARIO",
            help="Take this scenario's binding for current; may be repeated.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if something is new or stale.")
    ] = False,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Draft the mcp.yaml of requirements, or update the file.

    An update adds entries for new requirements and scenarios, and changes no existing entry.

    Exit codes: 0 fine, 1 errors (with --check: or something new or stale), 2 wrong usage or
    environment, 3 a bug in mcpgen.
    """
    from mcpgen.openspec.bind import bind_all

    results = bind_all(
        spec,
        change=change,
        capability=capability,
        accept=accept or (),
        check=check,
        openapi=openapi,
    )
    codes = [int(one.failed or (check and bool(one.changed or one.stale))) for one in results]
    code = max(codes)
    if format is Format.JSON:
        trees = [_tree(bound, own) for bound, own in zip(results, codes, strict=True)]
        several = {"version": 1, "command": "bind", "exit_code": code, "files": trees}
        echo_json(trees[0] if len(trees) == 1 else several)
        raise typer.Exit(code)
    for bound in results:
        places = bound.places
        told = [one for one in bound.diagnostics if one.severity is not Severity.NOTE]
        text = show(told, places.position, places.line, colour=coloured(sys.stderr))
        if text:
            say(text)
        echo(_summary(spec, bound, check))
    raise typer.Exit(code)


def _tree(bound: BindResult, code: int) -> dict[str, Any]:
    rows = [diagnostic_as_json(one, bound.places.position) for one in bound.diagnostics]
    return {
        "version": 1,
        "command": "bind",
        "exit_code": code,
        "file": bound.path,
        "written": bound.written,
        "tools": list(bound.tools),
        "scenarios": list(bound.scenarios),
        "stale": list(bound.stale),
        "diagnostics": [{"code": row.pop("id"), **row} for row in rows],
    }


def _summary(spec: str, bound: BindResult, check: bool) -> str:
    """Returns the last line: the number of additions and the file, or the reason for no additions."""
    name = bound.path or spec
    if bound.failed and not bound.written:
        return f"{name}: not written, because of the errors above"
    if not bound.changed:
        stale = f"; {count(len(bound.stale), 'stale binding')}" if bound.stale else ""
        return f"{name}: nothing new{stale}"
    new = [
        count(len(names), word)
        for names, word in ((bound.tools, "tool"), (bound.scenarios, "scenario"))
        if names
    ]
    verb = "would get" if check else "got"
    return f"{name} {verb} {' and '.join(new) or 'new digests'}"
