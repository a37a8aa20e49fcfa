"""Reduces bound scenarios to the part that can be performed and seen from outside of a server."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundScenario,
    BoundScenarios,
    BoundStep,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Fixture,
    ScenarioAction,
)

_OF_PROJECTS = {
    ActionKind.FILE: "a file of the project is read",
    ActionKind.COMMAND: "a module of the project is run",
}


def observable(
    scenarios: BoundScenarios, *, is_http: bool, given: Collection[str]
) -> BoundScenarios:
    """Returns the scenarios with pending steps in place of everything invisible from outside.

    `given` are the fixtures whose state the caller vouches for. Over stdio the environment of a
    fixture is set for the command, and HTTP has no status, header or request of its own.
    """
    unmet = {
        fixture.name: reason
        for fixture in scenarios.fixtures
        if fixture.name not in given and (reason := _unmet(fixture, is_http))
    }
    chapters = tuple(
        replace(
            chapter,
            proofs=tuple(_reduce(proof, unmet, is_http=is_http) for proof in chapter.proofs),
        )
        for chapter in scenarios.chapters
    )
    fixtures = tuple(
        replace(fixture, exchanges=(), app="", values={}) for fixture in scenarios.fixtures
    )
    return BoundScenarios(chapters, fixtures)


def _unmet(fixture: Fixture, is_http: bool) -> str:
    """Returns the reason why a running server may lack the state of a fixture, or `""`."""
    if fixture.app or fixture.exchanges:
        return "the answers of its upstream"
    if fixture.environment and is_http:
        return "variables of the server's environment"
    return "headers of HTTP" if fixture.headers and not is_http else ""


def _reduce(proof: BoundScenario, unmet: Mapping[str, str], *, is_http: bool) -> BoundScenario:
    reason = _obstacle(proof, unmet, is_http)
    if reason:
        steps = tuple(_pending(step, reason) for step in proof.steps)
        return replace(proof, setup=(), actions=(), given=(), steps=steps)
    return replace(proof, steps=tuple(_seen(step, is_http) for step in proof.steps))


def _obstacle(proof: BoundScenario, unmet: Mapping[str, str], is_http: bool) -> str:
    """Returns the reason why a scenario cannot be performed against a running server, or `""`."""
    for name in ("default", *proof.given):
        if name in unmet:
            return f"the fixture `{name}` has {unmet[name]}: bring the state about, then --given {name}"
    for action in (*proof.setup, *proof.actions):
        if action.doing in _OF_PROJECTS:
            return _OF_PROJECTS[action.doing]
        if reason := _unspoken(action, is_http):
            return reason
    return ""


def _unspoken(action: ScenarioAction, is_http: bool) -> str:
    if action.version:
        return "the revision is negotiated with the server"
    if not is_http and (action.doing is ActionKind.HTTP or action.headers):
        return "stdio has no HTTP requests"
    return ""


def _pending(step: BoundStep, reason: str) -> BoundStep:
    if step.binding is Binding.MANUAL:
        return step
    return replace(step, binding=Binding.PENDING, assertions=(), rest=reason)


def _seen(step: BoundStep, is_http: bool) -> BoundStep:
    """Returns the step without invisible assertions; a step that loses assertions is partly bound."""
    kept = tuple(item for item in step.assertions if _is_visible(item, is_http))
    if len(kept) == len(step.assertions):
        return step
    reason = "requests to the upstream, and HTTP over stdio, cannot be seen"
    binding = Binding.PARTLY if kept else Binding.PENDING
    return replace(step, binding=binding, assertions=kept, rest=reason)


def _is_visible(assertion: Assertion, is_http: bool) -> bool:
    if assertion.subject is AssertionTarget.UPSTREAM:
        return False
    return is_http or assertion.subject not in (AssertionTarget.STATUS, AssertionTarget.HEADER)
