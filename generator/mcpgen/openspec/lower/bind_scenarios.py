"""Binds scenarios by entries and step definitions of the companion, and other steps by phrases."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Json
from mcpgen.lower.name_words import name_words, unique
from mcpgen.openspec.lower.companion_steps import (
    CompanionPremises,
    definition_assertions,
    fixture_actions,
    fixture_arguments,
    match_definition,
    match_premises,
)
from mcpgen.openspec.lower.scenario_lookup import ScenarioMatch, all_scenarios, match_bindings
from mcpgen.openspec.lower.step_definitions import (
    StepContext,
    StepMatch,
    ToolLike,
    context_after_action,
    is_established,
    match_action,
    match_step,
    next_context,
    subject_of,
    tool_arguments,
    written_prefixes,
)
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
    BoundStep,
)
from mcpgen.openspec.model.companion import (
    Assertion,
    AssertionTarget,
    Capability,
    Companion,
    CompanionDefinition,
    Fixture,
    ScenarioAction,
    ScenarioBinding,
    StepBinding,
)
from mcpgen.openspec.model.requirements import (
    Requirement,
    RequirementChange,
    Requirements,
    Role,
    Scenario,
    Step,
)

_MAX_NAME = 70
"""Maximum characters of a test name or module name."""


def bind_capabilities(
    capabilities: Sequence[Capability], tools: Sequence[ToolLike], diagnostics: Diagnostics
) -> BoundScenarios:
    """Binds the scenarios of all capabilities of a server. Adds MG785.

    With several capabilities, names of fixtures begin with the capability, because each companion
    has fixtures of its own, and `default` becomes a fixture of every scenario of its capability.
    """
    used: dict[str, int] = {}
    if len(capabilities) == 1:
        only = capabilities[0]
        return bind_requirements(only.requirements, only.companion, tools, diagnostics, used)
    requirements: list[BoundRequirement] = []
    fixtures: list[Fixture] = []
    for capability in capabilities:
        name, companion = capability.name, capability.companion
        bound = bind_requirements(
            capability.requirements, companion, tools, diagnostics, used, f"{name} "
        )
        own = {fixture.name: f"{name}: {fixture.name}" for fixture in bound.fixtures}
        fixtures += (replace(fixture, name=own[fixture.name]) for fixture in bound.fixtures)
        implied = (own["default"],) if "default" in own else ()
        for requirement in bound.requirements:
            scenarios = tuple(
                replace(
                    scenario,
                    given=(
                        *implied,
                        *(
                            own[fixture_name]
                            for fixture_name in scenario.given
                            if fixture_name in own
                        ),
                    ),
                )
                for scenario in requirement.scenarios
            )
            requirements.append(replace(requirement, scenarios=scenarios, capability=name))
    return BoundScenarios(tuple(requirements), tuple(fixtures))


def bind_requirements(
    requirements: Requirements,
    companion: Companion | None,
    tools: Sequence[ToolLike],
    diagnostics: Diagnostics,
    used: dict[str, int] | None = None,
    prefix: str = "",
) -> BoundScenarios:
    """Binds the scenarios of all current requirements, step by step. Adds MG785.

    `used` are module names in use; `prefix` begins the names of new modules.
    """
    used = {} if used is None else used
    bindings = match_bindings(requirements, companion) if companion else []
    by_scenario = {id(match.scenario): match for match in bindings}
    arguments = {tool.name: tool_arguments(tool) for tool in tools}
    steps = (step.text for _, scenario in all_scenarios(requirements) for step in scenario.steps)
    context = StepContext(
        arguments,
        companion.glossary if companion else {},
        companion.budgets if companion else {},
        prefixes=written_prefixes(arguments.values(), steps),
    )
    fixtures = companion.fixtures if companion else ()
    shared = _Shared(fixtures, companion.definitions if companion else ())
    bound_requirements = []
    for requirement in requirements.requirements:
        if requirement.change is not RequirementChange.REMOVED and requirement.scenarios:
            module = _unused_python_name(f"{prefix}{requirement.name}", "requirement", used)
            scenarios = _bind_scenarios_of(requirement, by_scenario, context, shared)
            bound_requirements.append(
                BoundRequirement(requirement.name, module, scenarios, requirement.at)
            )
            _report_idle(scenarios, diagnostics)
    return BoundScenarios(tuple(bound_requirements), fixtures)


def _report_idle(scenarios: Sequence[BoundScenario], diagnostics: Diagnostics) -> None:
    """Reports scenarios with assertions but without an action."""
    for scenario in scenarios:
        asserted = [step for step in scenario.steps if step.assertions]
        if asserted and not scenario.actions and not scenario.manual:
            diagnostics.add(codes.NOTHING_PERFORMED, asserted[0].at, name=scenario.name)


DEFAULT = "default"
"""The fixture of every scenario, if declared."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """The parts of a companion that belong to several scenarios."""

    fixtures: tuple[Fixture, ...] = ()
    definitions: tuple[CompanionDefinition, ...] = ()

    def has_guess(self, names: Collection[str]) -> bool:
        return any(fixture.guessed and fixture.name in names for fixture in self.fixtures)


def _bind_scenarios_of(
    requirement: Requirement,
    bindings: Mapping[int, ScenarioMatch],
    context: StepContext,
    shared: _Shared,
) -> tuple[BoundScenario, ...]:
    used: dict[str, int] = {}
    return tuple(
        _bind_scenario(
            scenario,
            _unused_python_name(scenario.name, "scenario", used),
            bindings.get(id(scenario)),
            replace(context, subject=subject_of(requirement, scenario, context.tools)),
            shared,
        )
        for scenario in requirement.scenarios
    )


_GUESSED = "drafted by `mcpgen bind`: review the entry, then delete `guessed`"


def _as_guessed(scenario: BoundScenario) -> BoundScenario:
    """Returns a scenario of a guessed entry: nothing is performed, and bound steps count as guessed."""
    steps = tuple(
        replace(
            step,
            binding=Binding.PENDING,
            assertions=(),
            manual="",
            unchecked="",
            open_reason=_GUESSED if is_guessed else "",
            is_guessed=is_guessed,
        )
        for step in scenario.steps
        for is_guessed in [bool(scenario.manual) or step.binding is not Binding.PENDING]
    )
    return replace(scenario, given=(), actions=(), setup=(), steps=steps, manual="", phrase="")


def _bind_scenario(
    scenario: Scenario,
    test: str,
    match: ScenarioMatch | None,
    context: StepContext,
    shared: _Shared,
) -> BoundScenario:
    """Binds a scenario by its entry, then by the companion's step definitions, then by phrases."""
    binding = match.binding if match else None
    reading = _read_actions(scenario, binding, context, shared)
    if binding and binding.guessed:
        without_entry = _read_actions(scenario, None, context, shared)
        # A guessed entry never hides the action that a step definition or a phrase reads.
        if without_entry.actions or without_entry.manual:
            binding, reading = None, without_entry
    actions, phrase, context = reading.actions, reading.phrase, reading.context
    entries: dict[int, list[StepBinding]] = {}
    for entry in binding.steps if binding else ():
        entries.setdefault(entry.step, []).append(entry)
    context = replace(context, action=actions[0] if len(actions) == 1 else None)
    established = reading.established
    # Without an action there is nothing to assert, and no step definition applies to the scenario.
    definitions = [definition for definition in shared.definitions if actions or definition.manual]
    steps = []
    for step in scenario.steps:
        of_step = entries.pop(step.number, [])
        steps.append(_bind_step(step, of_step, step.number in established, context, definitions))
        context = next_context(step, context)
    steps += [
        _bind_by_companion(number, "(not in the text any more)", of_step, context)
        for number, of_step in entries.items()
    ]
    bound_scenario = BoundScenario(
        name=scenario.name,
        test=test,
        text=scenario.text,
        digest=scenario.digest,
        given=reading.given,
        actions=actions,
        steps=tuple(steps),
        at=scenario.at,
        manual=binding.manual if binding and binding.manual else reading.manual,
        is_stale=bool(match and match.stale),
        phrase=phrase,
        has_entry=binding is not None,
        setup=tuple(fixture_actions((DEFAULT, *reading.given), shared.fixtures)) if actions else (),
    )
    has_guess = (binding and binding.guessed) or shared.has_guess(reading.given)
    return _as_guessed(bound_scenario) if has_guess else bound_scenario


@dataclass(frozen=True, slots=True)
class _Actions:
    """The actions of a scenario with their origin.

    `established` are the numbers of the GIVEN and WHEN steps that fixtures and actions show; `context`
    is the context of the steps behind.
    """

    actions: tuple[ScenarioAction, ...]
    context: StepContext
    given: tuple[str, ...] = ()
    phrase: str = ""
    manual: str = ""
    established: frozenset[int] = frozenset()


def _read_actions(
    scenario: Scenario, binding: ScenarioBinding | None, context: StepContext, shared: _Shared
) -> _Actions:
    """Returns the actions of a scenario: of the entry, of step definitions, or of a phrase.

    An entry with `given` or an action replaces the step definitions of GIVEN and WHEN steps.
    """
    fixtures = binding.given if binding else ()
    if fixtures or (binding and binding.actions):
        premises = match_premises(scenario, (), context)
    else:
        premises = match_premises(scenario, shared.definitions, context)
        # `default` may be named without being declared.
        declared = {fixture.name for fixture in shared.fixtures}
        fixtures = tuple(name for name in premises.given if name in declared)
    values = fixture_arguments((DEFAULT, *fixtures), shared.fixtures)
    context = replace(context, values=values)
    if premises.actions:
        # The calls take the arguments of the fixtures, which the steps themselves name.
        premises = match_premises(scenario, shared.definitions, context)
    has_fixture = bool(binding and binding.given)
    if binding and binding.actions:
        established = _established_steps(scenario, binding.actions, has_fixture)
        return _Actions(binding.actions, context, fixtures, established=established)
    if premises.manual:
        return _Actions((), context, fixtures, manual=premises.manual)
    if premises.actions:
        actions = premises.actions if _is_complete(premises) else ()
        established = _premised(scenario) if actions else frozenset()
        return _Actions(actions, context, fixtures, established=established)
    match = match_action(premises.rest, context, has_fixture=has_fixture)
    if match is None or match.action is None:
        return _Actions((), context, fixtures)
    established = _established_steps(premises.rest, (match.action,), has_fixture) | premises.numbers
    return _Actions(
        (match.action,),
        context_after_action(match, context),
        fixtures,
        match.phrase,
        established=established,
    )


def _is_complete(premises: CompanionPremises) -> bool:
    """Returns whether step definitions bind every GIVEN and WHEN that needs a binding.

    A WHEN has to have an action: the assertions are about the last action.
    """
    return premises.is_performed and not any(
        step.role in (Role.GIVEN, Role.WHEN) and not is_established(step)
        for step in premises.rest.steps
    )


def _premised(scenario: Scenario) -> frozenset[int]:
    roles = (Role.GIVEN, Role.WHEN)
    return frozenset(step.number for step in scenario.steps if step.role in roles)


def _established_steps(
    scenario: Scenario, actions: Sequence[ScenarioAction], has_fixture: bool
) -> frozenset[int]:
    """Returns the numbers of GIVEN and WHEN steps established by fixtures and actions.

    A single action without a fixture establishes only the first WHEN.
    """
    premised = [step for step in scenario.steps if step.role in (Role.GIVEN, Role.WHEN)]
    if not actions:
        return frozenset()
    if has_fixture or len(actions) > 1:
        return frozenset(step.number for step in premised)
    whens = [step for step in premised if step.role is Role.WHEN] or premised
    givens = [step for step in premised if step.role is Role.GIVEN and is_established(step)]
    return frozenset(step.number for step in (*whens[:1], *givens))


def _bind_step(
    step: Step,
    entries: list[StepBinding],
    is_established: bool,
    context: StepContext,
    definitions: Sequence[CompanionDefinition],
) -> BoundStep:
    """Binds a step of the text by its `entries`, else by a step definition, else by a phrase.

    `is_established`: a fixture or an action establishes the step.
    """
    text = f"{step.keyword} {step.text}".strip()
    bound = BoundStep(step.number, text, Binding.PENDING, step.at, role=step.role)
    if entries:
        return replace(_bind_by_companion(step.number, text, entries, context), role=step.role)
    if bound.is_given_or_when:
        return replace(bound, binding=Binding.PREMISE) if is_established else bound
    definition_match = match_definition(step, definitions)
    if definition_match and (definition_match[0].assertions or definition_match[0].manual):
        definition, values = definition_match
        assertions = definition_assertions(definition, values)
        if definition.assertions and not assertions:
            return bound
        by = StepBinding(step.number, assertions, definition.at, definition.manual)
        return replace(_bind_by_companion(step.number, text, [by], context), role=step.role)
    match: StepMatch | None = match_step(step, context) if context.action else None
    if not match:
        return bound
    binding = Binding.PARTLY if match.unchecked else Binding.ASSERTED
    return replace(bound, binding=binding, assertions=match.assertions, unchecked=match.unchecked)


def _bind_by_companion(
    number: int, text: str, bindings: Sequence[StepBinding], context: StepContext
) -> BoundStep:
    """Binds a step by the entries of a scenario, or by a step definition as an entry."""
    assertions = tuple(
        _spelled_out(assertion, context) for binding in bindings for assertion in binding.assertions
    )
    manual = "; ".join(binding.manual for binding in bindings if binding.manual)
    unchecked = "; ".join(binding.unchecked for binding in bindings if binding.unchecked)
    if manual:
        kind = Binding.MANUAL
    elif not assertions:
        kind = Binding.PENDING
    else:
        kind = Binding.PARTLY if unchecked else Binding.ASSERTED
    at = bindings[0].at
    return BoundStep(
        number,
        text,
        kind,
        at,
        assertions,
        manual,
        unchecked,
        has_companion_assertions=bool(assertions),
    )


def _spelled_out(assertion: Assertion, context: StepContext) -> Assertion:
    """Replaces glossary phrases in an assertion about tools by the tool names."""
    if assertion.subject is not AssertionTarget.TOOLS:
        return assertion
    claims: dict[str, Json] = {
        claim: [name for phrase in phrases for name in context.glossary.get(phrase, (phrase,))]
        for claim, phrases in assertion.claims.items()
    }
    return replace(assertion, claims=claims)


def _unused_python_name(text: str, else_: str, used: dict[str, int]) -> str:
    """Returns a valid Python name not in `used`.

    `used` maps names to the highest suffix tried, so many equal names stay linear.
    """
    spelled = "_".join(name_words(text[:400])) or else_
    if len(spelled) > _MAX_NAME:
        head = spelled[:_MAX_NAME]
        spelled = head.rpartition("_")[0] or head
    name = unique(spelled, _MAX_NAME, used.__contains__, used.get(spelled, 1))
    used[spelled] = used.get(spelled, 0) + 1
    used.setdefault(name, 1)
    return name
