"""Leaves out of bound scenarios everything that a test against a running server cannot do or see."""

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

_NEEDS_PROJECT = {
    ActionKind.FILE: "a file of the project is read",
    ActionKind.COMMAND: "a module of the project is run",
}
"""The kinds of action that need the files of a generated project, with the reason in a message."""


def reduce_to_observable(
    scenarios: BoundScenarios, *, is_http: bool, prepared: Collection[str]
) -> BoundScenarios:
    """Returns the scenarios with pending steps in place of steps that cannot be done or seen.

    `prepared` are the fixtures whose state the user has brought about on the server. `is_http` is
    false for a server over stdio: the environment of a fixture can be set for its command, but
    there are no statuses, headers and HTTP requests.
    """
    unavailable = {
        fixture.name: content
        for fixture in scenarios.fixtures
        if fixture.name not in prepared and (content := _unavailable_content(fixture, is_http))
    }
    requirements = tuple(
        replace(
            requirement,
            scenarios=tuple(
                _reduce_scenario(scenario, unavailable, is_http=is_http)
                for scenario in requirement.scenarios
            ),
        )
        for requirement in scenarios.requirements
    )
    fixtures = tuple(
        replace(fixture, exchanges=(), app="", values={}) for fixture in scenarios.fixtures
    )
    return BoundScenarios(requirements, fixtures)


def _unavailable_content(fixture: Fixture, is_http: bool) -> str:
    """Returns the content of a fixture that a test cannot bring about, in words; `""` for none."""
    if fixture.app or fixture.exchanges:
        return "the answers of its upstream"
    if fixture.environment and is_http:
        return "variables of the server's environment"
    return "headers of HTTP" if fixture.headers and not is_http else ""


def _reduce_scenario(
    scenario: BoundScenario, unavailable: Mapping[str, str], *, is_http: bool
) -> BoundScenario:
    """Makes all steps pending if the scenario cannot be performed, else drops the assertions that
    cannot be seen."""
    reason = _scenario_obstacle(scenario, unavailable, is_http)
    if reason:
        steps = tuple(_pending_step(step, reason) for step in scenario.steps)
        return replace(scenario, setup=(), actions=(), given=(), steps=steps)
    return replace(
        scenario, steps=tuple(_observable_step(step, is_http) for step in scenario.steps)
    )


def _scenario_obstacle(
    scenario: BoundScenario, unavailable: Mapping[str, str], is_http: bool
) -> str:
    """Returns the reason why a scenario cannot be performed against a running server, or `""`."""
    for name in ("default", *scenario.given):
        if name in unavailable:
            return (
                f"the fixture `{name}` has {unavailable[name]}: prepare this state on the server, "
                f"then add `--given {name}`"
            )
    for action in (*scenario.setup, *scenario.actions):
        if reason := _NEEDS_PROJECT.get(action.kind) or _transport_obstacle(action, is_http):
            return reason
    return ""


def _transport_obstacle(action: ScenarioAction, is_http: bool) -> str:
    """Returns the reason why an action cannot be sent over the transport, or `""`."""
    if action.version:
        return "the revision is negotiated with the server"
    if not is_http and (action.kind is ActionKind.HTTP or action.headers):
        return "stdio has no HTTP requests"
    return ""


def _pending_step(step: BoundStep, reason: str) -> BoundStep:
    """Returns the step as pending; a manual step stays manual, since no test performs the step."""
    if step.binding is Binding.MANUAL:
        return step
    return replace(step, binding=Binding.PENDING, assertions=(), unchecked="", open_reason=reason)


def _observable_step(step: BoundStep, is_http: bool) -> BoundStep:
    """Returns the step without assertions that cannot be seen; a step that loses some is partly
    bound, a step that loses all is pending."""
    observable = tuple(item for item in step.assertions if _is_observable(item, is_http))
    if len(observable) == len(step.assertions):
        return step
    return replace(
        step,
        binding=Binding.PARTLY if observable else Binding.PENDING,
        assertions=observable,
        unchecked="",
        open_reason="requests to the upstream, and HTTP over stdio, cannot be seen",
    )


def _is_observable(assertion: Assertion, is_http: bool) -> bool:
    if assertion.subject is AssertionTarget.UPSTREAM:
        return False
    return is_http or assertion.subject not in (AssertionTarget.STATUS, AssertionTarget.HEADER)
