"""Extracts facts of the protocol: error codes, hints, sizes, statuses, upstream requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from re import Match, Pattern

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import SNAKE
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence

_CODE = rf"({SNAKE}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"
_UNITS = {"bytes": 1, "kb": 1000, "kib": 1024, "mb": 1000**2, "mib": 1024**2}
_REASONS = "Unauthorized|Forbidden|Not Found|Bad Request|Conflict|Too Many Requests|OK|Created"

_Made = tuple[str, dict[str, Json]]


def _name(match: Match[str]) -> _Made:
    return match[1], {}


def _hint(match: Match[str]) -> _Made:
    return match[1], {match[1]: match[2]}


def _size_limit(match: Match[str]) -> _Made:
    number = float(match[1].replace(",", "").replace("_", ""))
    return str(round(number * _UNITS[match[2].lower()])), {}


def _route(match: Match[str]) -> _Made:
    return f"{match[1]} {match[2].rstrip('.,;:')}", {}


PATTERNS: tuple[tuple[FactKind, Pattern[str], Callable[[Match[str]], _Made]], ...] = tuple(
    (kind, re.compile(pattern), made)
    for kind, pattern, made in (
        (FactKind.ERROR_CODE, rf"(?<![\w.]){_CODE}`? (?:errors?\b|error code\b)", _name),
        (FactKind.ERROR_CODE, rf"\b(?:error|code|errors) (?:code )?(?:of |is )?`{_CODE}`", _name),
        (FactKind.ERROR_CODE, rf"\btyped `{_CODE}` (?=[1-5]\d\d\b)", _name),
        (
            FactKind.HINT,
            r"\b(retry_with|next_step|next_tool|retry_after)`?:\s*\"([^\"`]+)\"",
            _hint,
        ),
        (FactKind.BYTES, r"(?<![\w.])(\d[\d,_]*(?:\.\d+)?) ?(bytes|KiB|KB|MiB|MB)\b", _size_limit),
        (FactKind.STATUS, rf"\btyped `{_CODE}` ([45]\d\d)\b", lambda match: (match[2], {})),
        (FactKind.STATUS, rf"(?<![\w.])`?([1-5]\d\d)`? (?:{_REASONS})\b", _name),
        (FactKind.STATUS, r"\b(?:HTTP|status|status code)(?: status)? `?([1-5]\d\d)\b", _name),
        (
            FactKind.ROUTE,
            r"\b(GET|POST|PUT|PATCH|DELETE|HEAD) (/[^\s`\"')]*)",
            _route,
        ),
    )
)
"""Pattern and extraction function per kind."""


def extract_protocol_facts(sentences: Sequence[Sentence]) -> Iterator[Fact]:
    """Yields the facts of all sentences, without duplicates per sentence."""
    for sentence in sentences:
        keys = set()
        for kind, pattern, read in PATTERNS:
            for match in pattern.finditer(sentence.text):
                name, values = read(match)
                if (kind, name) not in keys:
                    keys.add((kind, name))
                    yield Fact(kind, (name,), sentence, match.span(), values=values)
