"""`mcpgen bind`: drafts or updates the companion of requirements."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpgen.cli.console import Format, echo, echo_json, say, shows_color
from mcpgen.cli.options import FORMAT, OPENAPI, count
from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.render import diagnostic_as_json, show

if TYPE_CHECKING:
    from mcpgen.openspec.bind import BindResult
    from mcpgen.openspec.bind.proposals import ScenarioProposal


def bind(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC", help="A spec.md, or an OpenSpec folder.", show_default=False
        ),
    ],
    change: Annotated[
        str,
        typer.Option(
            metavar="ID", help="Read the spec as if this change were archived.", show_default=False
        ),
    ] = "",
    capability: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Use only these specs of the folder, separated by commas (a,b).",
            show_default=False,
        ),
    ] = "",
    openapi: Annotated[str, OPENAPI] = "",
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCENARIO",
            help="Mark the binding of this scenario as up to date after its text changed; may be repeated.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Write nothing; end with exit code 1 if mcp.yaml is incomplete or out of date.",
        ),
    ] = False,
    interactive: Annotated[
        bool,
        typer.Option(
            "--interactive",
            "-i",
            help="Ask for the action and the assertions of every unbound step; without a terminal, "
            "print a worksheet.",
        ),
    ] = False,
    against: Annotated[
        str,
        typer.Option(
            metavar="URL|COMMAND",
            help="With -i or --export: read the tools of this running server, and run each bound scenario on it.",
            show_default=False,
        ),
    ] = "",
    export: Annotated[
        bool,
        typer.Option(
            "--export", help="Print a prompt that asks a language model to bind the unbound steps."
        ),
    ] = False,
    import_: Annotated[
        str,
        typer.Option(
            "--import",
            metavar="FILE",
            help="Add the usable entries of the model's answer to the prompt of --export (- for standard input).",
            show_default=False,
        ),
    ] = "",
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Draft the mcp.yaml of requirements, or update the file.

    An update adds entries for new requirements and scenarios, and changes no existing entry. With -i,
    --export or --import the unbound steps are bound by hand afterwards.

    Exit codes: 0 fine, 1 errors (with --check: or something new or stale), 2 wrong usage or
    environment, 3 a bug in mcpgen.
    """
    from mcpgen.openspec.bind import bind_all

    by_hand = [interactive, export, bool(import_)]
    if sum(by_hand) > 1 or (any(by_hand) and (check or format is Format.JSON)):
        raise typer.BadParameter(
            "-i, --export, --import, --check and --format json exclude each other"
        )

    results = bind_all(
        spec,
        change=change,
        capability=capability,
        accept=accept or (),
        check=check,
        openapi=openapi,
    )
    codes = [
        int(result.failed or (check and bool(result.changed or result.stale))) for result in results
    ]
    code = max(codes)
    if format is Format.JSON:
        trees = [_binding_as_json(bound, own) for bound, own in zip(results, codes, strict=True)]
        several = {"version": 1, "command": "bind", "exit_code": code, "files": trees}
        echo_json(trees[0] if len(trees) == 1 else several)
        raise typer.Exit(code)
    for bound in results:
        places = bound.places
        findings = [
            finding for finding in bound.diagnostics if finding.severity is not Severity.NOTE
        ]
        text = show(findings, places.position, places.line, color=shows_color(sys.stderr))
        if text:
            say(text)
        summary = _binding_summary(spec, bound, check)
        (say if any(by_hand) else echo)(summary)
    if any(by_hand) and not any(bound.failed for bound in results):
        code = _bind_by_hand(spec, change, capability, against, export, import_)
    raise typer.Exit(code)


def _bind_by_hand(
    spec: str, change: str, capability: str, against: str, export: bool, import_: str
) -> int:
    """Binds unbound steps; returns the exit code: 1 for an import with unusable entries."""
    from mcpgen.conformance.exchange import printable
    from mcpgen.openspec.against.live_server import ServerAddress
    from mcpgen.openspec.against.run import AgainstOptions, ServerUnusable, list_server_tools
    from mcpgen.openspec.bind.exchange import export_prompt, import_answer
    from mcpgen.openspec.bind.interactive import converse, render_worksheet
    from mcpgen.openspec.bind.session import CannotBind, open_session
    from mcpgen.openspec.scenarios import scenarios_against

    def perform(proposal: ScenarioProposal) -> str:
        options = AgainstOptions(line=proposal.line)
        bound_spec = scenarios_against(spec, against, options, change=change, capability=capability)
        rows = bound_spec.matrix.rows if bound_spec.matrix else ()
        return "; ".join(f"{row.spoken}: {row.told}" if row.told else row.spoken for row in rows)

    try:
        tools = (lambda: list_server_tools(ServerAddress(against))) if against else None
        session = open_session(spec, change=change, capability=capability, list_tools=tools)
        if export:
            echo(export_prompt(session))
            return 0
        if import_:
            answer = sys.stdin.buffer.read() if import_ == "-" else Path(import_).read_bytes()
            text = answer.decode("utf-8-sig").replace("\r\n", "\n")
            added, refused = import_answer(session, text)
            for key, reason in refused.items():
                say(f"not taken: {printable(key)}: {printable(reason, 400)}")
            echo(f"{session.path}: {count(len(added), 'scenario')} added")
            return 1 if refused else 0
        if not sys.stdin.isatty():
            echo(render_worksheet(session))
            return 0
        bound = converse(session, _ask, echo, perform if against else None)
        echo(f"{session.path}: {count(bound, 'scenario')} bound")
    except (CannotBind, ServerUnusable, UnicodeDecodeError) as error:
        raise typer.BadParameter(str(error)) from error
    return 0


def _ask(question: str) -> str:
    """Returns a line of the user, `q` at the end of the input."""
    try:
        return input(question)
    except EOFError:
        return "q"


def _binding_as_json(bound: BindResult, code: int) -> dict[str, Any]:
    rows = [diagnostic_as_json(finding, bound.places.position) for finding in bound.diagnostics]
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


def _binding_summary(spec: str, bound: BindResult, check: bool) -> str:
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
