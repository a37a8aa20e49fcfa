"""Proposes actions and assertions for the unbound steps of scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import Json
from mcpgen.openspec.bind.client_actions import Claim
from mcpgen.openspec.bind.draft import asserting, state_text
from mcpgen.openspec.bind.guessed_assertions import guess_claims
from mcpgen.openspec.bind.guesses import actions_entry, fixture_name, guess_action, state_steps
from mcpgen.openspec.companion.scenarios import SEVERAL
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.scenario_lookup import ScenarioNames, all_scenarios, match_bindings
from mcpgen.openspec.lower.snippets import OPEN
from mcpgen.openspec.lower.step_definitions import (
    StepContext,
    ToolLike,
    match_step,
    tool_arguments,
)
from mcpgen.openspec.model.bound_scenarios import BoundScenario, BoundStep
from mcpgen.openspec.model.companion import (
    ActionKind,
    Companion,
    ScenarioAction,
    ScenarioBinding,
)
from mcpgen.openspec.model.requirements import Requirements, Role, Step


@dataclass(frozen=True, slots=True)
class StepProposal:
    """An unbound step with the proposed members of its entry: `assert` and `unchecked`, best first."""

    number: int
    text: str
    members: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class ScenarioProposal:
    """A scenario with unbound steps.

    `key` names the scenario in the companion, and `path` is the position of its entry, empty
    without an entry; `guessed`: the entry is a draft, which an answer replaces. `action` is the
    proposed action, None if the scenario has one or if no tool is clear. `bound_action` is the
    action that the scenario has, None without one, and empty for a kind of action that only the author
    writes.
    `given` are the fixtures to use, those of the draft or one to add. `state`: the words of the GIVEN
    and WHEN steps that the added fixture stands for, `""` if every fixture is declared. `line` is the
    scenario's position in the text.
    """

    key: str
    requirement: str
    digest: str
    line: int
    steps: tuple[str, ...]
    bound_action: Claim | None
    action: Claim | None
    open: tuple[StepProposal, ...]
    given: tuple[str, ...] = ()
    state: str = ""
    path: tuple[str, ...] = ()
    guessed: bool = False

    @property
    def acts(self) -> bool:
        """True if the scenario has an action."""
        return self.bound_action is not None


def propose(
    requirements: Requirements,
    companion: Companion | None,
    tools: Sequence[ToolLike],
) -> list[ScenarioProposal]:
    """Returns the scenarios with unbound steps that an entry can bind, in document order.

    Scenarios without a unique name, manual and stale scenarios, and entries with assertions of
    their own are left to the author's editor.
    """
    names = ScenarioNames.of(requirements)
    matches = match_bindings(requirements, companion) if companion else []
    bindings = {id(match.scenario): match for match in matches}
    bound = bind_requirements(requirements, companion, tools, Diagnostics())
    pairs = [pair for pair in all_scenarios(requirements) if pair[0].scenarios]
    context = StepContext({tool.name: tool_arguments(tool) for tool in tools})
    declared = {fixture.name for fixture in companion.fixtures} if companion else set()
    proposals = []
    for (requirement, scenario), (_, bound_scenario) in zip(pairs, bound.every, strict=True):
        match, key = bindings.get(id(scenario)), names.key_of(requirement, scenario)
        steps = [
            step
            for step in bound_scenario.steps
            if step.binding in OPEN and not step.is_given_or_when
        ]
        if (
            key is None
            or bound_scenario.manual
            or bound_scenario.is_stale
            or not (steps or not bound_scenario.actions)
        ):
            continue
        draft = match.binding if match and match.binding.guessed else None
        if match and match.binding.steps and not draft:
            continue
        action = None if bound_scenario.actions else guess_action(scenario, context)
        if draft and draft.actions:
            action = actions_entry(draft.actions)
        given = match.binding.given if match else ()
        states = [] if bound_scenario.actions or given else state_steps(scenario)
        if states:
            given = (fixture_name(states),)
        proposals.append(
            ScenarioProposal(
                key=key,
                requirement=requirement.name,
                digest=scenario.digest,
                line=scenario.at.line,
                steps=tuple(step.text for step in bound_scenario.steps),
                bound_action=_bound_action(bound_scenario.actions),
                action=action,
                open=tuple(
                    _propose_step(step, bound_scenario, action, context, draft) for step in steps
                ),
                given=given,
                state="" if declared.issuperset(given) else state_text(states),
                path=match.binding.at.path if match else (),
                guessed=draft is not None,
            )
        )
    return proposals


def _bound_action(actions: Sequence[ScenarioAction]) -> Claim | None:
    if not actions:
        return None
    writable = (ActionKind.CALL, ActionKind.REQUEST, ActionKind.HTTP)
    return actions_entry(actions) if all(action.kind in writable for action in actions) else {}


def _propose_step(
    step: BoundStep,
    bound_scenario: BoundScenario,
    action: Claim | None,
    outer: StepContext,
    draft: ScenarioBinding | None,
) -> StepProposal:
    keyword, _, text = step.text.partition(" ")
    members: list[Claim] = [
        {
            "assert": [asserting(assertion) for assertion in binding.assertions],
            **({"unchecked": binding.unchecked} if binding.unchecked else {}),
        }
        for binding in (draft.steps if draft else ())
        if binding.step == step.number and binding.assertions
    ]
    claims: list[Claim] = []
    for assumed in _assumed(bound_scenario, action, step):
        for is_api in (False, True):
            context = StepContext(outer.tools, action=assumed, of_api=is_api)
            match = match_step(_as_then(step, text or keyword), context)
            claims += [asserting(assertion) for assertion in match.assertions] if match else []
    claims += guess_claims(text, is_http=bool(action and "http" in action))
    members += ({"assert": [claim]} for claim in claims)
    return StepProposal(step.number, step.text, tuple(_unique(members)))


def _assumed(
    bound_scenario: BoundScenario, action: Claim | None, step: BoundStep
) -> Iterator[ScenarioAction]:
    action = action[SEVERAL][-1] if action and SEVERAL in action else action
    if bound_scenario.actions:
        yield bound_scenario.actions[-1]
    elif action and "http" in action:
        request = action["http"]
        yield ScenarioAction(
            ActionKind.HTTP, request["method"], None, step.at, path=request["path"]
        )
    elif action and "call" in action:
        yield ScenarioAction(ActionKind.CALL, action["call"]["tool"], {}, step.at)
    else:
        yield ScenarioAction(ActionKind.REQUEST, "tools/list", None, step.at)


def _as_then(step: BoundStep, text: str) -> Step:
    return Step(step.number, "THEN", Role.THEN, text, step.at)


def _unique(claims: Sequence[Claim]) -> list[Claim]:
    distinct: list[Claim] = []
    for claim in claims:
        if claim not in distinct:
            distinct.append(claim)
    return distinct


def as_entry(proposal: ScenarioProposal) -> dict[str, Json]:
    """Returns the members of an entry with the first proposal of every step, and declared fixtures."""
    given = proposal.given if not proposal.state else ()
    entry: dict[str, Json] = {"given": [*given]} if given else {}
    entry |= proposal.action or {}
    then = [{"step": step.number, **step.members[0]} for step in proposal.open if step.members]
    return {**entry, "then": then} if then else entry
