"""Drafts the entries of a companion for new tools and scenarios as lines of YAML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from mcpgen.ir.source import Json
from mcpgen.openspec.bind.yaml_insert import WIDTH, flow, yaml_comment, yaml_scalar
from mcpgen.openspec.companion.keys import ARGUMENT_NAME
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.lower.step_definitions import StepContext, doing, match_step, past
from mcpgen.openspec.model.companion import ActionKind, Assertion, AssertionTarget, ScenarioAction
from mcpgen.openspec.model.requirements import Role, Scenario, Step

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


GUESSED = "# guessed"
LONGEST_KEY = 1_000
"""Characters of a key that fits on a line with its colon; YAML takes 1,024."""


def tool_lines(name: str, facts: Facts) -> list[str]:
    """The entry of a tool that the text names: the arguments it mentions, with what it says of each."""
    lines = [f"{yaml_scalar(name)}:"]
    lines += [f"  {where}" for where in _said_at(name, facts)]
    lines.append(f"  description: {yaml_scalar(' '.join(name.replace('_', ' ').split()))}")
    inputs = inputs_of(name, facts)
    if inputs:
        lines.append("  input:")
        lines += [f"    {yaml_scalar(key)}: {flow(schema)}" for key, schema in inputs.items()]
    return [*lines, "  guessed: true"]


def inputs_of(name: str, facts: Facts) -> Mapping[str, Mapping[str, Json]]:
    """The arguments that the text gives a tool, by name, each with what is known of its schema.

    A type that nobody says is a text; what the text forbids is left out.
    """
    concerned = [
        fact
        for fact in facts.of(FactKind.ARGUMENT, FactKind.CALL)
        if name in fact.tools or (not fact.tools and fact.kind is FactKind.ARGUMENT)
    ]
    forbidden = {
        argument
        for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT)
        if not fact.tools or name in fact.tools
        for argument in fact.names
    }
    found: dict[str, dict[str, Json]] = {}
    for fact in concerned:
        for argument in fact.names:
            if argument in forbidden or not ARGUMENT_NAME[0](argument):
                continue
            known = found.setdefault(argument, {})
            if not known:
                known |= fact.schemas.get(argument, {})
            if argument in fact.required:
                known["required"] = True
    return {argument: {"type": "string"} | schema for argument, schema in found.items()}


def scenario_lines(
    key: str,
    scenario: Scenario,
    own: Sequence[Fact],
    around: StepContext,
    guessed: Collection[str],
) -> list[str]:
    """The entry of a scenario: its digest, and what it does and asserts where a phrase reads that.

    What no phrase reads to the end is only a comment, whatever is known of it, and so is a call of
    a tool whose arguments are `guessed`: an entry goes before phrases and counts as all that its
    step says, so that a guess in it could make something green that nobody has shown. `own` are the
    facts of its steps.
    """
    name = yaml_scalar(key)
    lines = [f"{name}:"] if len(name) < LONGEST_KEY else [f"? {name}", ":"]
    # A digest of digits alone would be read as a number.
    lines.append(f'  of: "{scenario.digest}"')
    lines += [f"  {yaml_comment(_step_text(step))}" for step in scenario.steps if _leads(step)]
    found = doing(scenario, around, has_fixture=False)
    acts = False
    if found and found.action:
        written = flow(action_entry(found.action))[1:-1]
        calls = found.action.doing is ActionKind.CALL
        acts = "${" not in written and not (calls and found.action.name in guessed)
        lines.append(f"  {'' if acts else '# '}{written}  {GUESSED} from {found.phrase}")
        around = replace(around, action=found.action)
    else:
        lines += [f"  # {line}  {GUESSED}" for line in _action(own, scenario, around.tools)]
    bound: list[str] = []
    for step in scenario.steps:
        if not _leads(step):
            bound += _step(step, own, around, acts)
        around = past(step, around)
    if any(not line.lstrip().startswith("#") for line in bound):
        lines.append("  then:")
        lines += [f"    {line}" for line in bound]
    else:
        lines += [f"  {line}" for line in bound]
    return lines


def _leads(step: Step) -> bool:
    """Whether a step says what is there and what is done, and not what has to hold."""
    return step.role in (Role.GIVEN, Role.WHEN)


def _step_text(step: Step) -> str:
    return f"{step.number}. {step.keyword} {step.text}".replace("  ", " ")


def _action(own: Sequence[Fact], scenario: Scenario, known: Collection[str]) -> list[str]:
    """The line of what might be the action, in a list that is empty where nothing is told."""
    leading = [fact for fact in own if fact.sentence.role in (Role.GIVEN, Role.WHEN)]
    calls = [fact for fact in leading if fact.kind is FactKind.CALL]
    tools = {name for fact in leading if fact.kind is FactKind.TOOL for name in fact.names}
    words = " ".join(step.text for step in scenario.steps if step.role is Role.WHEN)
    if calls:
        written = {"tool": calls[0].tools[0], "arguments": dict(calls[0].values)}
        return [f"call: {flow(written)}"]
    if len(tools.intersection(known)) == 1:
        (name,) = tools.intersection(known)
        return [f"call: {flow({'tool': name, 'arguments': {}})}"]
    if "tools/list" in words and not tools:
        return ["request: {method: tools/list}"]
    return []


def _step(step: Step, own: Sequence[Fact], around: StepContext, acts: bool) -> Iterator[str]:
    """The lines of a step: its text as a comment, and what it asserts; as a comment, too, where no
    phrase reads all of it or there is no action yet to look at."""
    yield yaml_comment(_step_text(step))
    found = match_step(step, around) if around.action else None
    if found and not found.rest:
        claims = [asserting(one) for one in found.assertions]
        made = list(_asserted(step, claims, f"  {GUESSED} from {found.phrase}"))
        yield from made if acts else [f"#   {line}" for line in made]
        return
    claims = claims_of([fact for fact in own if fact.sentence.step == step.number])
    if claims:
        yield f"#   - {_line(step, claims)}  {GUESSED}"


def _asserted(step: Step, claims: Sequence[Claim], guessed: str) -> Iterator[str]:
    line = f"- {_line(step, claims)}"
    if len(line) <= WIDTH:
        yield f"{line}{guessed}"
    else:
        yield f"- step: {step.number}{guessed}"
        yield "  assert:"
        yield from (f"    - {flow(claim)}" for claim in claims)


def _line(step: Step, claims: Sequence[Claim]) -> str:
    asserted = flow(claims[0] if len(claims) == 1 else list(claims))
    return f"{{step: {step.number}, assert: {asserted}}}"


def _said_at(name: str, facts: Facts) -> Iterator[str]:
    """The requirement that first names a tool, as a comment."""
    for fact in facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL):
        if name in fact.names:
            yield yaml_comment(fact.sentence.requirement)
            return
