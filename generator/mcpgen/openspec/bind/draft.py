"""Drafts the entries of a companion for new tools and scenarios as lines of YAML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.bind.client_actions import TODO, Claim, outside_reason, unseen_reason
from mcpgen.openspec.bind.guessed_assertions import (
    gives_answer,
    guess_claims,
    may_fail,
    unchecked_clauses,
)
from mcpgen.openspec.bind.guesses import (
    action_entry,
    fixture_name,
    guess_action,
    guess_required_action,
    guess_several_actions,
    has_action,
    state_steps,
)
from mcpgen.openspec.bind.yaml_insert import WIDTH, flow, yaml_comment, yaml_scalar
from mcpgen.openspec.companion.assertions import CALL
from mcpgen.openspec.lower.drafted_tools import description_of, inputs_of
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.lower.step_definitions import (
    StepContext,
    context_after_action,
    match_action,
    match_step,
    next_context,
)
from mcpgen.openspec.lower.step_definitions.call_arguments import has_placeholder
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    DeclaredTool,
    ScenarioAction,
)
from mcpgen.openspec.model.requirements import Requirement, Role, Scenario, Step


def _exactly(fact: Fact) -> list[Claim]:
    return [{"tools": {"exactly": list(fact.names)}}]


def _absence_claims(fact: Fact) -> list[Claim]:
    return [{"tools": {"exclude": list(fact.names)}}] if fact.names else []


def _fact_value(fact: Fact) -> Json:
    return list(fact.tools) or "every"


def _inclusion_claims(fact: Fact) -> list[Claim]:
    return [{"arguments": {"of": _fact_value(fact), "include": list(fact.names)}}]


def _exclusion_claims(fact: Fact) -> list[Claim]:
    return [{"arguments": {"of": _fact_value(fact), "exclude": list(fact.names)}}]


def _code_claims(fact: Fact) -> list[Claim]:
    return [{"is_error": True}, {"path": "**", "contains": fact.names[0]}]


def _hint(fact: Fact) -> list[Claim]:
    return [{"path": f"**.{name}", "equals": value} for name, value in fact.values.items()]


CLAIMS: Mapping[FactKind, Callable[[Fact], list[Claim]]] = {
    FactKind.EXACT_TOOLS: _exactly,
    FactKind.FORBIDDEN_TOOLS: _absence_claims,
    FactKind.ARGUMENT: _inclusion_claims,
    FactKind.FORBIDDEN_ARGUMENT: _exclusion_claims,
    FactKind.ERROR_CODE: _code_claims,
    FactKind.HINT: _hint,
}
"""Assertions per kind of fact. `**`: the text does not say where an error code stands."""


def claims_of(facts: Sequence[Fact]) -> list[Claim]:
    """Returns the claims drafted from the facts of a step, without duplicates."""
    claims: list[Claim] = []
    for fact in facts:
        if fact.kind not in CLAIMS or (fact.kind is FactKind.ARGUMENT and not fact.demanded):
            continue
        claims += [claim for claim in CLAIMS[fact.kind](fact) if claim not in claims]
    return claims


BESIDE = frozenset({AssertionTarget.PATH, AssertionTarget.HEADER, AssertionTarget.BYTES})
"""Subjects with claims beside the subject's name."""

BELOW = frozenset(
    {
        AssertionTarget.TEXT,
        AssertionTarget.TOOLS,
        AssertionTarget.ARGUMENTS,
        AssertionTarget.UPSTREAM,
    }
)
"""Subjects with claims below the subject; all remaining subjects have only a value."""


def asserting(assertion: Assertion) -> Claim:
    """Renders an assertion about the last action in the companion's syntax."""
    place: Claim = {CALL: assertion.call} if assertion.call else {}
    if assertion.subject in BESIDE:
        return {assertion.subject.value: assertion.name, **assertion.claims, **place}
    if assertion.subject in BELOW:
        return {assertion.subject.value: dict(assertion.claims), **place}
    (value,) = assertion.claims.values()
    return {assertion.subject.value: value, **place}


GUESSED = "# guessed"
REVIEW = "  guessed: true  # review the entry, then delete this line"
MAX_KEY = 1_000
"""Characters of a key written on a line with its colon; YAML allows 1,024."""


def operation_lines(tool: DeclaredTool, reason: str) -> list[str]:
    """Returns the lines of a tool entry with the operation that the text names, and the evidence."""
    lines = [f"{yaml_scalar(tool.name)}:", f"  {yaml_comment(reason)}"]
    lines.append(f"  description: {yaml_scalar(tool.description or tool.name.replace('_', ' '))}")
    if tool.upstream:
        upstream = {"openapi": tool.upstream.document, "operation": tool.upstream.operation}
        lines.append(f"  upstream: {flow(upstream)}")
    return [*lines, "  guessed: true"]


def tool_lines(name: str, facts: Facts) -> list[str]:
    """Returns the lines of a tool entry with the arguments and schemas mentioned in the text."""
    lines = [f"{yaml_scalar(name)}:"]
    lines += [f"  {where}" for where in _said_at(name, facts)]
    description = description_of(name, facts) or " ".join(name.replace("_", " ").split())
    lines.append(f"  description: {yaml_scalar(description)}")
    inputs = inputs_of(name, facts)
    if inputs:
        lines.append("  input:")
        lines += [f"    {yaml_scalar(key)}: {flow(schema)}" for key, schema in inputs.items()]
    return [*lines, "  guessed: true"]


def scenario_lines(
    key: str,
    requirement: Requirement,
    scenario: Scenario,
    own: Sequence[Fact],
    context: StepContext,
    guessed: Collection[str],
) -> list[str]:
    """Returns the lines of a scenario entry: digest, action and assertions.

    Steps without a complete match of a step definition become comments, and so do calls of tools in
    `guessed`: an entry overrides step definitions and counts as the whole step, so a guess there
    could pass a test nobody has confirmed. Without an action by a step definition the whole entry is
    guessed and marked so. `own` are the facts of the scenario's steps.
    """
    name = yaml_scalar(key)
    lines = [f"{name}:"] if len(name) < MAX_KEY else [f"? {name}", ":"]
    # A digest of digits alone would be read as a number.
    lines.append(f'  of: "{scenario.digest}"')
    premises = [f"  {yaml_comment(_step_text(step))}" for step in scenario.steps if _leads(step)]
    match = match_action(scenario, context, has_fixture=False)
    if match and match.action:
        entry = flow(action_entry(match.action))[1:-1]
        calls = match.action.kind is ActionKind.CALL
        acts = "${" not in entry and not (calls and match.action.name in guessed)
        call = f"  {'' if acts else '# '}{entry}  {GUESSED} from {match.phrase}"
        return [
            *lines,
            *premises,
            call,
            *_then(scenario, own, context_after_action(match, context), acts),
        ]
    if several := _several_actions(own, scenario, context):
        return [*lines, *_guessed_lines(scenario, own, context, premises, several)]
    action = _guess_action(own, scenario, context)
    if action and "${" not in flow(action):
        single = _GuessedActions((action,), tuple(state_steps(scenario)))
        return [*lines, *_guessed_lines(scenario, own, context, premises, single)]
    if reason := outside_reason(scenario, context):
        manual = f"  manual: {yaml_scalar(f'The scenario is about {reason}.')}"
        return [*lines, REVIEW, *premises, manual]
    action = guess_required_action(requirement, scenario, context)
    if action and "${" not in flow(action):
        single = _GuessedActions((action,), tuple(state_steps(scenario, acts=has_action(scenario))))
        return [*lines, *_guessed_lines(scenario, own, context, premises, single)]
    return [*lines, *premises, *_then(scenario, own, context, acts=False)]


@dataclass(frozen=True, slots=True)
class _GuessedActions:
    """The guessed actions of a scenario, and the steps of its state.

    `turns` are the numbers of the steps that begin the second and later actions, for a scenario with
    several turns of WHEN and THEN. Without turns a THEN is about every action.
    """

    actions: tuple[Claim, ...]
    state: tuple[Step, ...] = ()
    turns: tuple[int, ...] = ()

    def about(self, step: Step) -> list[int]:
        """Returns the indices of the actions that a THEN is about."""
        if self.turns:
            return [sum(step.number > turn for turn in self.turns)]
        return [*range(len(self.actions))]


def _several_actions(
    own: Sequence[Fact], scenario: Scenario, context: StepContext
) -> _GuessedActions | None:
    """Returns the actions of a scenario with alternatives, or with several turns of WHEN and THEN."""
    turns = _turns(scenario)
    if not turns:
        actions = guess_several_actions(scenario, context)
        is_clear = actions and not any("${" in flow(action) for action in actions)
        return _GuessedActions(actions, tuple(state_steps(scenario))) if is_clear else None
    parts = [
        replace(scenario, steps=tuple(scenario.steps[start:end]))
        for start, end in pairwise((0, *turns, len(scenario.steps)))
    ]
    guessed: list[Claim] = []
    for part in parts:
        action = _guess_action(
            [fact for fact in own if fact.sentence.step in {step.number for step in part.steps}],
            part,
            context,
        )
        whens = [step for step in part.steps if step.role is Role.WHEN]
        if action is None or len(whens) > 1 or "${" in flow(action):
            return None
        guessed.append(action)
        if "call" in action:
            context = replace(context, subject=str(action["call"]["tool"]))
    numbers = tuple(scenario.steps[turn].number for turn in turns)
    return _GuessedActions(tuple(guessed), tuple(state_steps(parts[0])), numbers)


def _turns(scenario: Scenario) -> list[int]:
    """Returns the indices of the WHEN steps that follow a THEN."""
    return [
        index
        for index, (before, step) in enumerate(pairwise(scenario.steps), 1)
        if step.role is Role.WHEN and before.role is Role.THEN
    ]


def _guessed_lines(
    scenario: Scenario,
    own: Sequence[Fact],
    outer: StepContext,
    premises: Sequence[str],
    guessed: _GuessedActions,
) -> Iterator[str]:
    """Yields the lines of an entry with guessed actions, and the fixture of its state."""
    yield REVIEW
    yield from premises
    if guessed.state:
        yield f"  given: {yaml_scalar(fixture_name(guessed.state))}"
    if len(guessed.actions) == 1:
        yield f"  {flow(guessed.actions[0])[1:-1]}"
    else:
        yield "  do:"
        yield from (f"    - {flow(action)[1:-1]}" for action in guessed.actions)
    contexts = [_assumed(action, outer) for action in guessed.actions]
    may_be_error = may_fail([scenario.name, *(step.text for step in scenario.steps)])
    bound: list[str] = []
    for step in scenario.steps:
        if not _leads(step):
            bound.append(yaml_comment(_step_text(step)))
            about = {index: contexts[index] for index in guessed.about(step)}
            bound += _guessed_step(step, own, about, len(contexts), may_be_error)
        contexts = [next_context(step, context) for context in contexts]
    if any(not line.startswith("#") for line in bound):
        yield "  then:"
        yield from (f"    {line}" for line in bound)
    else:
        yield from (f"  {line}" for line in bound)


def _assumed(action: Claim, context: StepContext) -> StepContext:
    """Returns the context of the steps after a guessed action."""
    if "call" in action:
        name = str(action["call"]["tool"])
        tool = context.tools.get(name)
        call = ScenarioAction(ActionKind.CALL, name, action["call"]["arguments"], Location(""))
        return replace(context, action=call, of_api=bool(tool and tool.operation))
    if "http" in action:
        http = action["http"]
        exchange = ScenarioAction(
            ActionKind.HTTP, str(http["method"]), None, Location(""), path=str(http["path"])
        )
        return replace(context, action=exchange)
    method = str(action["request"]["method"])
    return replace(context, action=ScenarioAction(ActionKind.REQUEST, method, None, Location("")))


def _guessed_step(
    step: Step,
    own: Sequence[Fact],
    about: Mapping[int, StepContext],
    count: int,
    may_be_error: bool,
) -> Iterator[str]:
    """Yields the assertions of a THEN, or the reason why no client sees the result.

    `about` are the contexts behind the actions that the step is about, by index of `count` actions.
    """
    claims: list[Claim] = []
    unchecked = ""
    for index, context in about.items():
        succeeds = not may_be_error and not context.lists
        guessed, unchecked = _guess_step(step, own, context, succeeds)
        place = {CALL: index + 1} if count > 1 else {}
        claims += ({**claim, **place} for claim in guessed)
    if not claims and (reason := unseen_reason(step.text)):
        manual = f"The step is about {reason}."
        yield f"- {flow({'step': step.number, 'manual': manual})}"
    if claims:
        yield from _asserted(step, claims, unchecked=unchecked)


def _guess_step(
    step: Step, own: Sequence[Fact], context: StepContext, succeeds: bool
) -> tuple[list[Claim], str]:
    """Returns assertions by the step definition, by facts, or by words of the step, and the clauses
    that say more than the assertions.

    `succeeds`: the answer of the action is no error, which the words of an answer show at least.
    """
    match = match_step(step, context)
    claims = [asserting(assertion) for assertion in match.assertions] if match else []
    claims = claims or claims_of([fact for fact in own if fact.sentence.step == step.number])
    is_http = context.action is not None and context.action.kind is ActionKind.HTTP
    if not claims or (match and match.unchecked):
        words = guess_claims(step.text, is_http=is_http)
        claims += [
            claim for claim in words if not claims or claim.keys() & {"path", "text", "header"}
        ]
    if not claims and succeeds and gives_answer(step.text):
        claims = [{"refused": False}]
    return claims, unchecked_clauses(match.unchecked if match else step.text, claims)


def new_fixtures(
    scenarios: Iterable[Scenario], texts: Iterable[Sequence[str]], declared: Collection[str]
) -> Iterator[list[str]]:
    """Yields the entries of fixtures that drafted scenarios name; `texts` are the scenarios' lines.

    A fixture has the words of the steps and no state, so its scenarios stay pending.
    """
    used = set(declared)
    for scenario, lines in zip(scenarios, texts, strict=True):
        first = replace(scenario, steps=scenario.steps[: next(iter(_turns(scenario)), None)])
        states = (
            state_steps(part, acts=acts) for part in (scenario, first) for acts in (True, False)
        )
        states_by_name = {fixture_name(state): state for state in states if state}
        name = next(
            (fixture for fixture in states_by_name if f"  given: {yaml_scalar(fixture)}" in lines),
            "",
        )
        if not name or name in used:
            continue
        used.add(name)
        state = states_by_name[name]
        yield fixture_lines(name, state_text(state))


def state_text(steps: Sequence[Step]) -> str:
    """Returns the words of steps that say a state, on one line."""
    return "; ".join(" ".join(step.text.split()) for step in steps)


def fixture_lines(name: str, description: str) -> list[str]:
    """Returns the lines of a fixture with the words of a state, and without the state."""
    return [f"{name}:", f"  description: {yaml_scalar(description)}", "  guessed: true"]


def _then(
    scenario: Scenario, own: Sequence[Fact], context: StepContext, acts: bool
) -> Iterator[str]:
    """Yields the steps after the action; everything is commented out unless the entry acts."""
    bound: list[str] = []
    for step in scenario.steps:
        if not _leads(step):
            bound += _draft_step(step, own, context, acts)
        context = next_context(step, context)
    if any(not line.lstrip().startswith("#") for line in bound):
        yield "  then:"
        yield from (f"    {line}" for line in bound)
    else:
        yield from (f"  {line}" for line in bound)


def _leads(step: Step) -> bool:
    """Returns whether a step is a precondition or an action (Given, When), not an expectation."""
    return step.role in (Role.GIVEN, Role.WHEN)


def _step_text(step: Step) -> str:
    return f"{step.number}. {step.keyword} {step.text}".replace("  ", " ")


def _guess_action(own: Sequence[Fact], scenario: Scenario, context: StepContext) -> Claim | None:
    """Returns the guessed action: the call written in the text, or a call of the only named tool."""
    calls = [
        fact
        for fact in own
        if fact.kind is FactKind.CALL and fact.sentence.role in (Role.GIVEN, Role.WHEN)
    ]
    if calls and calls[0].tools[0] in context.tools:
        values = {
            name: TODO if has_placeholder({name: argument}) else argument
            for name, argument in calls[0].values.items()
        }
        return {"call": {"tool": calls[0].tools[0], "arguments": values}}
    return guess_action(scenario, context)


def _draft_step(step: Step, own: Sequence[Fact], context: StepContext, acts: bool) -> Iterator[str]:
    """Yields the lines of a step: text as a comment, then assertions.

    Assertions are commented out if the step definition matches only part of the step or the
    scenario has no action yet.
    """
    yield yaml_comment(_step_text(step))
    match = match_step(step, context) if context.action else None
    if match and not match.unchecked:
        claims = [asserting(assertion) for assertion in match.assertions]
        lines = list(_asserted(step, claims, f"  {GUESSED} from {match.phrase}"))
        yield from lines if acts else [f"#   {line}" for line in lines]
        return
    claims = claims_of([fact for fact in own if fact.sentence.step == step.number])
    if claims:
        yield f"#   - {_draft_line(step, claims)}  {GUESSED}"


def _asserted(
    step: Step, claims: Sequence[Claim], remark: str = "", unchecked: str = ""
) -> Iterator[str]:
    """Yields the lines of a step; `unchecked` are the words that the assertions do not show."""
    line = f"- {_draft_line(step, claims)}"
    if len(line) <= WIDTH and not unchecked:
        yield f"{line}{remark}"
        return
    yield f"- step: {step.number}{remark}"
    if len(claims) == 1:
        yield f"  assert: {flow(claims[0])}"
    else:
        yield "  assert:"
        yield from (f"    - {flow(claim)}" for claim in claims)
    if unchecked:
        yield f"  unchecked: {yaml_scalar(' '.join(unchecked.split()))}"


def _draft_line(step: Step, claims: Sequence[Claim]) -> str:
    asserted = flow(claims[0] if len(claims) == 1 else list(claims))
    return f"{{step: {step.number}, assert: {asserted}}}"


def _said_at(name: str, facts: Facts) -> Iterator[str]:
    """Yields the first requirement with the tool's name, as a comment."""
    for fact in facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL):
        if name in fact.names:
            yield yaml_comment(fact.sentence.requirement)
            return
