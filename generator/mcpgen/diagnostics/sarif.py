"""Diagnostics as a SARIF log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mcpgen.diagnostics.diagnostic import Code, Diagnostic, Severity
from mcpgen.diagnostics.render import Locate, diagnostic_as_json, escape_invisible
from mcpgen.sarif import (
    sarif_fingerprint,
    sarif_location,
    sarif_log,
    sarif_message,
    sarif_rule_name,
)

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def diagnostics_as_sarif(
    diagnostics: Sequence[Diagnostic], locate: Locate, command: str
) -> dict[str, Any]:
    """A SARIF log with one run, of the tool `command`: a rule per code, a result per diagnostic."""
    codes = {diagnostic.code.id: diagnostic.code for diagnostic in diagnostics}
    indexes = {id: index for index, id in enumerate(codes)}
    counts: Counter[tuple[str, ...]] = Counter()
    results = []
    for diagnostic in diagnostics:
        at = diagnostic.at
        parts = (diagnostic.code.id, at.file, at.pointer, diagnostic.message)
        result = _diagnostic_result(diagnostic, indexes[diagnostic.code.id], locate)
        result["partialFingerprints"] = sarif_fingerprint(*parts, count=counts[parts])
        counts[parts] += 1
        results.append(result)
    return sarif_log(
        {"name": command, "rules": [_code_rule(code) for code in codes.values()]}, results
    )


def _code_rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": sarif_rule_name(code.name),
        "shortDescription": {"text": code.name.replace("-", " ")},
        "fullDescription": {"text": code.explanation},
        "help": {"text": code.explanation},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _diagnostic_result(diagnostic: Diagnostic, index: int, locate: Locate) -> dict[str, Any]:
    position = diagnostic_as_json(diagnostic, locate)
    hint = f" Hint: {diagnostic.hint}." if diagnostic.hint else ""
    logical = {"fullyQualifiedName": diagnostic.at.pointer or "/"}
    line, column = int(position["line"]), int(position["column"])
    return {
        "ruleId": diagnostic.code.id,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": sarif_message(escape_invisible(f"{diagnostic.message}.{hint}")),
        "locations": [sarif_location(diagnostic.at.file, logical, line or 1, column)],
    }
