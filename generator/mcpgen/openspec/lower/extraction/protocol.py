"""Extracts facts of errors: error codes and hints how to retry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import Pattern

from mcpgen.openspec.lower.extraction.calls import SNAKE
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence

_CODE = rf"({SNAKE}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"

PATTERNS: tuple[tuple[FactKind, Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (FactKind.ERROR_CODE, rf"(?<![\w.]){_CODE}`? (?:errors?\b|error code\b)"),
        (FactKind.ERROR_CODE, rf"\b(?:error|code|errors) (?:code )?(?:of |is )?`{_CODE}`"),
        (FactKind.ERROR_CODE, rf"\btyped `{_CODE}` (?=[1-5]\d\d\b)"),
        (FactKind.HINT, r"\b(retry_with|next_step|next_tool|retry_after)`?:\s*\"([^\"`]+)\""),
    )
)
"""Patterns per kind: the first group is the name, the second the value of a hint."""


def extract_protocol_facts(sentences: Sequence[Sentence]) -> Iterator[Fact]:
    """Yields the facts of all sentences, without duplicates per sentence."""
    for sentence in sentences:
        keys = set()
        for kind, pattern in PATTERNS:
            for match in pattern.finditer(sentence.text):
                name = match[1]
                values = {name: match[2]} if kind is FactKind.HINT else {}
                if (kind, name) not in keys:
                    keys.add((kind, name))
                    yield Fact(kind, (name,), sentence, match.span(), values=values)
