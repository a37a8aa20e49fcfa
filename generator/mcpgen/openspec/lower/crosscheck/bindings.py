"""The bindings of the companion against the scenarios of the text."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.lower.selectors import closest_match
from mcpgen.openspec.lower.crosscheck.paths import check_paths
from mcpgen.openspec.lower.scenario_lookup import (
    Pair,
    ScenarioMatch,
    ScenarioNames,
    all_scenarios,
    binding_name,
    full_name,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    AssertionTarget,
    Companion,
    ScenarioAction,
    ScenarioBinding,
)
from mcpgen.openspec.model.requirements import Requirements


def check_bindings(
    requirements: Requirements, companion: Companion, diagnostics: Diagnostics
) -> None:
    """Tells of bindings that fit no scenario or several, of steps that are not there, of calls and
    paths that cannot be, and of bindings whose scenario has changed."""
    changed = bool(companion.sha256) and companion.sha256 != requirements.sha256
    names = ScenarioNames.of(requirements)
    bound: set[int] = set()
    for binding in companion.scenarios:
        found = names.meant(binding)
        if len(found) != 1:
            _tell_unmatched(requirements, binding, found, diagnostics)
            continue
        match = ScenarioMatch(*found[0], binding)
        if id(match.scenario) in bound:
            diagnostics.add(codes.SCENARIO_BOUND_TWICE, binding.at, name=match.scenario.name)
        bound.add(id(match.scenario))
        _check_steps(match, diagnostics)
        _tell_stale(match, changed, diagnostics)
        if not expects_refusal(binding):
            for action in binding.actions:
                _check_call(action, companion, diagnostics)
        check_paths(binding, companion, diagnostics)


def expects_refusal(binding: ScenarioBinding) -> bool:
    """Whether a binding says that what it does is refused, so that a strange call is meant so."""
    claims = [one for step in binding.steps for one in step.assertions]
    return any(
        one.subject is AssertionTarget.CODE
        or (one.subject is AssertionTarget.IS_ERROR and one.claims.get("equals") is True)
        for one in claims
    )


def _tell_unmatched(
    requirements: Requirements,
    binding: ScenarioBinding,
    found: Sequence[Pair],
    diagnostics: Diagnostics,
) -> None:
    name = binding_name(binding)
    if found:
        full = [f"`{full_name(*one)}`" for one in found]
        distinct = len(set(full)) == len(full)
        hint = f"write {' or '.join(full)}" if distinct else "give them different names in the text"
        diagnostics.add(
            codes.AMBIGUOUS_SCENARIO, binding.at, name=name, count=len(found), full=hint
        )
        return
    every = list(all_scenarios(requirements))
    known = [full_name(*one) for one in every] if binding.requirement else []
    hint = closest_match(name, [*known, *(scenario.name for _, scenario in every)])
    hint = hint or "delete it, or write its scenario"
    diagnostics.add(codes.UNKNOWN_SCENARIO, binding.at, name=name, nearest=hint)


def _check_steps(match: ScenarioMatch, diagnostics: Diagnostics) -> None:
    count = len(match.scenario.steps)
    for step in match.binding.steps:
        if step.step > count:
            diagnostics.add(
                codes.UNKNOWN_STEP,
                step.at / "step",
                name=match.scenario.name,
                step=step.step,
                count=count,
            )


def _tell_stale(match: ScenarioMatch, changed: bool, diagnostics: Diagnostics) -> None:
    name, at = match.scenario.name, match.scenario.at
    if match.stale:
        where = f"{at.file}:{at.line}" if at.line else at.file
        diagnostics.add(codes.STALE_BINDING, match.binding.at, name=name, where=where)
    elif changed and not match.binding.digest:
        diagnostics.add(codes.UNSTAMPED_BINDING, match.binding.at, name=name)


def _check_call(action: ScenarioAction, companion: Companion, diagnostics: Diagnostics) -> None:
    if action.doing is not ActionKind.CALL:
        return
    tools = {tool.name: tool for tool in companion.tools}
    if action.name not in tools:
        hint = closest_match(action.name, list(tools)) or "declare it under `tools`"
        diagnostics.add(codes.UNDECLARED_CALL, action.at, name=action.name, nearest=hint)
        return
    inputs = tools[action.name].inputs
    if inputs is None or not isinstance(action.value, dict):
        return
    known = [one.name for one in inputs]
    for name in action.value:
        if name not in known:
            hint = closest_match(name, known) or "declare it under `input`"
            diagnostics.add(
                codes.UNDECLARED_CALL_ARGUMENT,
                action.at / "arguments" / name,
                name=name,
                tool=action.name,
                nearest=hint,
            )
