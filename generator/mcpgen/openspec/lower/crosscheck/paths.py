"""Paths of assertions against what an action can bring back.

https://modelcontextprotocol.io/specification/2025-11-25/schema
"""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.result_path import Steps, is_deep, is_each, path_steps
from mcpgen.ir.source import Json
from mcpgen.lower.selectors import closest_match
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Companion,
    ScenarioAction,
    ScenarioBinding,
)

_EVERY = ("_meta", "resultType", "code", "message", "data")
"""Members that every result or error may have."""

_CACHED = ("ttlMs", "cacheScope")
_ASKING = ("inputRequests", "requestState")
"""Members of a result that asks the client before there can be another."""

_CALL = ("content", "structuredContent", "isError", *_ASKING, *_EVERY)
_REQUESTS: Mapping[str, tuple[str, ...]] = {
    "tools/call": _CALL,
    "tools/list": ("tools", "nextCursor", *_CACHED, *_EVERY),
    "initialize": ("protocolVersion", "capabilities", "serverInfo", "instructions", *_EVERY),
}
"""The members of results by method; other methods are not looked at."""

_SCALARS = frozenset({"isError", "code", "message", "resultType", "nextCursor", "protocolVersion"})
_LISTS = frozenset({"content", "tools"})


def check_paths(binding: ScenarioBinding, companion: Companion, diagnostics: Diagnostics) -> None:
    """Tells of paths at which nothing can be, but where an assertion says that nothing is."""
    for step in binding.steps:
        for assertion in step.assertions:
            action = _looked_at(binding, assertion)
            if action is None or assertion.subject is not AssertionTarget.PATH:
                continue
            if "absent" not in assertion.claims:
                _check(assertion, action, companion, diagnostics)


def _looked_at(binding: ScenarioBinding, assertion: Assertion) -> ScenarioAction | None:
    """The action that an assertion is about; None where a phrase is to give it."""
    number = assertion.call or len(binding.actions)
    return binding.actions[number - 1] if 0 < number <= len(binding.actions) else None


def _check(
    assertion: Assertion, action: ScenarioAction, companion: Companion, diagnostics: Diagnostics
) -> None:
    steps = path_steps(assertion.name)
    method = "tools/call" if action.doing is ActionKind.CALL else action.name
    members = (
        _REQUESTS.get(method) if action.doing in (ActionKind.CALL, ActionKind.REQUEST) else None
    )
    if steps is None or members is None or any(map(is_deep, steps)):
        return
    why, hint = _fault(steps, members, method)
    if why:
        diagnostics.add(
            codes.IMPOSSIBLE_PATH, assertion.at, path=assertion.name, why=why, nearest=hint
        )
        return
    output = next((tool.output for tool in companion.tools if tool.name == action.name), None)
    if action.doing is ActionKind.CALL and steps[0] == "structuredContent" and output is not None:
        why, hint = _outside(steps[1:], output)
        if why:
            # An error may have content of its own, which the schema does not describe.
            diagnostics.add(
                codes.IMPOSSIBLE_PATH,
                assertion.at,
                severity=Severity.WARNING,
                path=assertion.name,
                why=why,
                nearest=hint,
            )


def _fault(steps: Steps, members: tuple[str, ...], method: str) -> tuple[str, str]:
    """Why a result of a method has nothing at the path, and what may be meant; `""` if it may."""
    first, *rest = steps
    if first not in members:
        return f"a result of `{method}` has no member `{first}`", _near(str(first), members)
    if first in _SCALARS and rest:
        return f"`{first}` has no parts", f"look at `{first}` itself"
    if first in _LISTS and rest and not isinstance(rest[0], int) and not is_each(rest[0]):
        return f"`{first}` is a list", f"write `{first}[0]` or `{first}[*]`"
    return "", ""


def _outside(steps: Steps, schema: Json) -> tuple[str, str]:
    """Why what an output schema describes has nothing at the path; `""` where it may."""
    for step in steps:
        if not isinstance(schema, dict):
            return "", ""
        if isinstance(step, int) or is_each(step):
            if schema.get("type") == "object" and isinstance(step, int):
                return "the `output` of the tool says that there is no list", "leave the index out"
            schema = schema.get("items")
            continue
        properties = schema.get("properties")
        if schema.get("type") == "array":
            return "the `output` of the tool says that there is a list", "write `[0]` or `[*]`"
        if not isinstance(properties, dict) or {"$ref", "anyOf", "oneOf", "allOf"} & schema.keys():
            return "", ""
        if step not in properties:
            return f"the `output` of the tool has no `{step}`", _near(step, tuple(properties))
        schema = properties[step]
    return "", ""


def _near(word: str, known: tuple[str, ...]) -> str:
    return closest_match(word, list(known)) or f"it has {', '.join(f'`{name}`' for name in known)}"
