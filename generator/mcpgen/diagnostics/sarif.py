"""Findings as SARIF 2.1.0, which code hosts show beside the code.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mcpgen.diagnostics.diagnostic import Code, Diagnostic, Severity
from mcpgen.diagnostics.render import Locate, diagnostic_as_json, escape_invisible

LINK = re.compile(r"[\\\[\]]")
"""What begins and ends an embedded link in a message."""

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def diagnostics_as_sarif(
    findings: Sequence[Diagnostic], locate: Locate, command: str
) -> dict[str, Any]:
    """The findings as a SARIF log with one run, of the tool `command`.

    The fingerprint of a finding stays the same while lines move: it is made of the code, the path of
    keys and the words.
    """
    codes = {found.code.id: found.code for found in findings}
    places = {id: index for index, id in enumerate(codes)}
    before: Counter[str] = Counter()
    results = []
    for found in findings:
        print_ = _fingerprint(found)
        result = _result(found, places[found.code.id], locate)
        result["partialFingerprints"] = {"mcpgenFinding/v1": f"{print_}:{before[print_]}"}
        before[print_] += 1
        results.append(result)
    driver = {"name": command, "rules": [_rule(code) for code in codes.values()]}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": "".join(part.capitalize() for part in code.name.split("-")),
        "shortDescription": {"text": code.name.replace("-", " ")},
        "fullDescription": {"text": code.explanation},
        "help": {"text": code.explanation},
        "defaultConfiguration": {"level": LEVELS[code.severity]},
    }


def _result(found: Diagnostic, index: int, locate: Locate) -> dict[str, Any]:
    told = diagnostic_as_json(found, locate)
    region = {"startLine": told["line"] or 1}
    if told["column"]:
        region["startColumn"] = told["column"]
    hint = f" Hint: {found.hint}." if found.hint else ""
    location = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(found.at.file)},
            "region": region,
        },
        "logicalLocations": [{"fullyQualifiedName": found.at.pointer or "/"}],
    }
    return {
        "ruleId": found.code.id,
        "ruleIndex": index,
        "level": LEVELS[found.severity],
        # Brackets would be a link, https://docs.oasis-open.org/sarif/sarif/v2.1.0/ §3.11.6.
        "message": {"text": LINK.sub(r"\\\g<0>", escape_invisible(f"{found.message}.{hint}"))},
        "locations": [location],
    }


def _fingerprint(found: Diagnostic) -> str:
    parts = (found.code.id, found.at.file, found.at.pointer, found.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
