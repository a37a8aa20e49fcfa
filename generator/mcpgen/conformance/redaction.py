"""A report without the secrets that it took to make it.

A server may say back what it was sent, in an error text or a tool's result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote, quote_plus

from mcpgen.conformance.model import Report
from mcpgen.conformance.strict_json import Json

HIDDEN = "[redacted]"
SHORTEST = 4
"""Characters of a secret; what is shorter stands in every second word, and is no secret."""


def redact_report(report: Report, secrets: Iterable[str]) -> Report:
    """The report with `[redacted]` for each secret, also where a text was cut in the middle of one."""
    pattern = _pattern(secrets)
    if pattern is None:
        return report
    outcomes = tuple(
        replace(
            outcome,
            expected=pattern.sub(HIDDEN, outcome.expected),
            saw=pattern.sub(HIDDEN, outcome.saw),
            tool=pattern.sub(HIDDEN, outcome.tool),
        )
        for outcome in report.outcomes
    )
    return replace(
        report,
        target=pattern.sub(HIDDEN, report.target),
        outcomes=outcomes,
        notes=tuple(pattern.sub(HIDDEN, note) for note in report.notes),
        tools=tuple(_cleaned(tool, pattern) for tool in report.tools),
    )


def redact_text(text: str, secrets: Iterable[str]) -> str:
    """The text with `[redacted]` for each secret."""
    pattern = _pattern(secrets)
    return text if pattern is None else pattern.sub(HIDDEN, text)


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """Every spelling of the secrets, the longest first; a beginning of one counts before an
    ellipsis, because there a text was cut."""
    spellings = {
        spelling
        for secret in secrets
        if len(secret) >= SHORTEST
        for spelling in (
            secret,
            quote(secret, safe=""),
            quote_plus(secret),
            json.dumps(secret)[1:-1],
        )
    }
    if not spellings:
        return None
    longest_first = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    cut = [
        f"{re.escape(spelling[:length])}(?=…)"
        for spelling in longest_first
        for length in range(len(spelling) - 1, SHORTEST - 1, -1)
    ]
    return re.compile("|".join([*map(re.escape, longest_first), *cut]))


def _cleaned(value: Json, pattern: re.Pattern[str]) -> Json:
    """A JSON value whose texts and keys hold no secret."""
    if isinstance(value, str):
        return pattern.sub(HIDDEN, value)
    if isinstance(value, list):
        return [_cleaned(one, pattern) for one in value]
    if isinstance(value, dict):
        return {pattern.sub(HIDDEN, key): _cleaned(one, pattern) for key, one in value.items()}
    return value
