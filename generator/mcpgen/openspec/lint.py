"""Reports steps of scenarios without a binding, with suggestions for the wording."""

from __future__ import annotations

from functools import partial

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.lower.step_definitions import most_similar_definition
from mcpgen.openspec.model.bound_scenarios import Binding, BoundScenario, BoundScenarios, BoundStep
from mcpgen.openspec.model.requirements import Role


def lint_steps(scenarios: BoundScenarios, diagnostics: Diagnostics) -> None:
    """Adds a diagnostic for every step without a binding and without a complete step definition."""
    for _, scenario in scenarios.every:
        if not scenario.manual:
            _lint(scenario, diagnostics)


def _lint(scenario: BoundScenario, diagnostics: Diagnostics) -> None:
    unbound_action = False
    unbound_given = 0
    for step in scenario.steps:
        tell = partial(diagnostics.add, at=step.at, number=step.number, name=scenario.name)
        if step.has_companion_assertions:
            # `unchecked` of an entry names the words that the author left out.
            continue
        if step.binding is Binding.PARTLY:
            tell(codes.PARTLY_UNDERSTOOD, unchecked=step.open_part)
        elif step.binding is not Binding.PENDING:
            continue
        elif scenario.actions and step.is_given_or_when:
            tell(codes.UNFOUNDED_STEP, text=step.text)
        elif scenario.actions or step.is_given_or_when:
            tell(codes.UNBOUND_STEP, text=step.text, way=_way(step, unbound_given))
            unbound_action |= step.is_given_or_when
            if step.role is Role.GIVEN:
                unbound_given = unbound_given or step.number
        elif not unbound_action:
            # One diagnostic per scenario: no later step can be checked before there is an action.
            tell(codes.STEP_WITHOUT_ACTION, text=step.text)
            return


def _way(step: BoundStep, unbound_given: int) -> str:
    """Returns the end of a hint, with the example of a similar step definition if available.

    `unbound_given` is the number of the first GIVEN before the step without a fixture, or 0. No
    step definition matches a WHEN after such a GIVEN.
    """
    if unbound_given and step.role is Role.WHEN:
        return f", or name a fixture for step {unbound_given} under `given`: no WHEN is read without it"
    definition = most_similar_definition(step.text, is_premise=step.is_given_or_when)
    if definition is None:
        return "; `mcpgen scenarios` prints an entry to paste"
    return f", or say it as in: {definition.example}"
