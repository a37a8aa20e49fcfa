"""The assertions that the facts of a step amount to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mcpgen.ir.source import Json
from mcpgen.lower.openspec.facts import Fact, Kind

Claim = Mapping[str, Json]


def _exactly(fact: Fact) -> list[Claim]:
    return [{"tools": {"exactly": list(fact.names)}}]


def _without(fact: Fact) -> list[Claim]:
    return [{"tools": {"exclude": list(fact.names)}}] if fact.names else []


def _of(fact: Fact) -> Json:
    return list(fact.tools) or "every"


def _taken(fact: Fact) -> list[Claim]:
    return [{"arguments": {"of": _of(fact), "include": list(fact.names)}}]


def _not_taken(fact: Fact) -> list[Claim]:
    return [{"arguments": {"of": _of(fact), "exclude": list(fact.names)}}]


def _code(fact: Fact) -> list[Claim]:
    return [{"is_error": True}, {"path": "**", "contains": fact.names[0]}]


def _hint(fact: Fact) -> list[Claim]:
    return [{"path": f"**.{name}", "equals": value} for name, value in fact.values.items()]


CLAIMS: Mapping[Kind, tuple[Callable[[Fact], list[Claim]], bool]] = {
    Kind.EXACT_TOOLS: (_exactly, True),
    Kind.FORBIDDEN_TOOLS: (_without, True),
    Kind.ARGUMENT: (_taken, True),
    Kind.FORBIDDEN_ARGUMENT: (_not_taken, True),
    Kind.ERROR_CODE: (_code, False),
    Kind.HINT: (_hint, False),
}
"""What each kind asserts, and whether that is sure: where a code stands, the text does not say."""


def claims_of(facts: Sequence[Fact]) -> tuple[list[Claim], bool]:
    """The claims of the facts of one step, each once, and whether all of them are sure."""
    claims: list[Claim] = []
    sure = True
    for fact in facts:
        if fact.kind not in CLAIMS or (fact.kind is Kind.ARGUMENT and not fact.demanded):
            continue
        made, certain = CLAIMS[fact.kind]
        claims += [claim for claim in made(fact) if claim not in claims]
        sure = sure and certain
    return claims, sure
