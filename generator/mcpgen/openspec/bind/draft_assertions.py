"""What the facts and phrases of a step amount to, as the companion writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction import Fact, FactKind
from mcpgen.openspec.model.companion import ActionKind, Assertion, AssertionTarget, ScenarioAction

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


CLAIMS: Mapping[FactKind, Callable[[Fact], list[Claim]]] = {
    FactKind.EXACT_TOOLS: _exactly,
    FactKind.FORBIDDEN_TOOLS: _without,
    FactKind.ARGUMENT: _taken,
    FactKind.FORBIDDEN_ARGUMENT: _not_taken,
    FactKind.ERROR_CODE: _code,
    FactKind.HINT: _hint,
}
"""What each kind asserts; of a code the text does not say where it stands."""


def claims_of(facts: Sequence[Fact]) -> list[Claim]:
    """The claims of the facts of one step, each once."""
    claims: list[Claim] = []
    for fact in facts:
        if fact.kind not in CLAIMS or (fact.kind is FactKind.ARGUMENT and not fact.demanded):
            continue
        claims += [claim for claim in CLAIMS[fact.kind](fact) if claim not in claims]
    return claims


BESIDE = frozenset({AssertionTarget.PATH, AssertionTarget.HEADER, AssertionTarget.BYTES})
"""The subjects whose claims stand beside their name."""

BELOW = frozenset(
    {
        AssertionTarget.TEXT,
        AssertionTarget.TOOLS,
        AssertionTarget.ARGUMENTS,
        AssertionTarget.UPSTREAM,
    }
)
"""The subjects whose claims stand below them; of all others the value alone is written."""


def asserting(assertion: Assertion) -> Claim:
    """An assertion about the last action as the companion writes it."""
    if assertion.subject in BESIDE:
        return {assertion.subject.value: assertion.name, **assertion.claims}
    if assertion.subject in BELOW:
        return {assertion.subject.value: dict(assertion.claims)}
    (value,) = assertion.claims.values()
    return {assertion.subject.value: value}


def action_entry(action: ScenarioAction) -> Claim:
    """An action of a phrase as the companion writes it."""
    headers: dict[str, Json] = {"headers": dict(action.headers)} if action.headers else {}
    if action.doing is ActionKind.CALL:
        return {"call": {"tool": action.name, "arguments": action.value, **headers}}
    if action.doing is ActionKind.HTTP:
        return {"http": {"method": action.name, "path": action.path, **headers}}
    return {"request": {"method": action.name, **headers}}
