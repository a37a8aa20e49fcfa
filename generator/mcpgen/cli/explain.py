"""`mcpgen explain`: explains a finding or a check, and lists the findings."""

from __future__ import annotations

from string import Formatter
from typing import Annotated

import typer

from mcpgen.cli.console import Format, echo, echo_json
from mcpgen.cli.options import FORMAT, did_you_mean
from mcpgen.diagnostics import Code


def explain(
    code: Annotated[
        str,
        typer.Argument(help="Id or name of a finding, or id of a check.", show_default=False),
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="List every finding with its severity and name.")
    ] = False,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Tell what a finding or a check means and what to do about it."""
    if bool(code) is listed:
        raise typer.BadParameter(
            "name one finding or check; `mcpgen explain --list` alone lists every finding."
        )
    if listed:
        _print_list(format)
    else:
        _print_explanation(code, format)


def _print_list(format: Format) -> None:
    from mcpgen.diagnostics.codes import TABLE

    codes = [TABLE[id] for id in sorted(TABLE)]
    if format is Format.JSON:
        rows = [{"id": code.id, "severity": code.severity, "name": code.name} for code in codes]
        echo_json({"version": 1, "command": "explain", "codes": rows})
    else:
        echo("\n".join(f"{code.id}  {code.severity:<7}  {code.name}" for code in codes))


def _print_explanation(code: str, format: Format) -> None:
    from mcpgen import conformance
    from mcpgen.diagnostics.codes import TABLE

    names = {code_entry.name: code_entry for code_entry in TABLE.values()}
    code_entry = TABLE.get(code.upper()) or names.get(code.lower())
    text = _explanation_page(code_entry) if code_entry else conformance.explain(code.lower()) or ""
    if not text:
        words = [*TABLE, *names, *(str(id) for id in conformance.TABLE)]
        raise typer.BadParameter(
            f"there is no finding or check `{code}`.{did_you_mean(code, words)}"
        )
    if format is Format.JSON:
        id = code_entry.id if code_entry else code.lower()
        echo_json({"version": 1, "command": "explain", "id": id, "text": text}, indent=None)
    else:
        echo(text.rstrip())


def _explanation_page(code: Code) -> str:
    """Returns the explanation of a diagnostic code as a page of text."""
    parts = [
        f"{code.id} {code.name} ({code.severity})",
        template_text(code.message),
        code.explanation,
        f"What to do: {remedy(code)}",
    ]
    shown = (template for template in (code.message, code.hint) if template_text(template))
    fields = [field for _, field, *_ in Formatter().parse(" ".join(shown)) if field]
    if fields:
        parts.append(explain_brackets(fields[0]))
    return "\n\n".join(part for part in parts if part)


def explain_brackets(field: str) -> str:
    """Returns the meaning of a word in angle brackets, in one sentence with `field` as the example."""
    return (
        f"A word in angle brackets, such as <{field}>, stands for a name or a value that the "
        "finding prints."
    )


def remedy(code: Code) -> str:
    """Returns what to do about a finding, as one sentence without the facts of a single finding."""
    return (
        template_text(code.hint)
        or code.remedy
        or "correct the name that the message shows; the hint of the finding has the closest name, "
        "or says what else to do"
    )


def template_text(template: str) -> str:
    """Returns the sentence of a finding with `<fact>` for every fact; `""` for a template of facts
    only. Leaves out `times`, which is empty for a single finding."""
    parsed = list(Formatter().parse(template))
    if not any(literal.strip(" ;,.:`") for literal, *_ in parsed):
        return ""
    return "".join(
        literal + (f"<{field}>" if field and field != "times" else "")
        for literal, field, *_ in parsed
    )
