"""Drafts the entries of a companion for new tools and scenarios as lines of YAML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from mcpgen.ir.source import Json
from mcpgen.openspec.bind.yaml_insert import WIDTH, flow, yaml_comment, yaml_scalar
from mcpgen.openspec.lower.drafted_tools import description_of, inputs_of
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.lower.step_definitions import (
    StepContext,
    after,
    doing,
    match_step,
    past,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    DeclaredTool,
    ScenarioAction,
)
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
    if assertion.subject in BESIDE:
        return {assertion.subject.value: assertion.name, **assertion.claims}
    if assertion.subject in BELOW:
        return {assertion.subject.value: dict(assertion.claims)}
    (value,) = assertion.claims.values()
    return {assertion.subject.value: value}


def action_entry(action: ScenarioAction) -> Claim:
    """Renders the action of a step definition in the companion's syntax."""
    headers: dict[str, Json] = {"headers": dict(action.headers)} if action.headers else {}
    if action.doing is ActionKind.CALL:
        return {"call": {"tool": action.name, "arguments": action.value, **headers}}
    if action.doing is ActionKind.HTTP:
        return {"http": {"method": action.name, "path": action.path, **headers}}
    return {"request": {"method": action.name, **headers}}


GUESSED = "# guessed"
LONGEST_KEY = 1_000
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
    scenario: Scenario,
    own: Sequence[Fact],
    around: StepContext,
    guessed: Collection[str],
) -> list[str]:
    """Returns the lines of a scenario entry: digest, action and assertions.

    Steps without a complete match of a step definition become comments, and so do calls of tools in
    `guessed`: an entry overrides step definitions and counts as the whole step, so a guess there
    could pass a test nobody has confirmed. `own` are the facts of the scenario's steps.
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
        around = after(found, around)
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
    """Returns whether a step is a precondition or an action (Given, When), not an expectation."""
    return step.role in (Role.GIVEN, Role.WHEN)


def _step_text(step: Step) -> str:
    return f"{step.number}. {step.keyword} {step.text}".replace("  ", " ")


def _action(own: Sequence[Fact], scenario: Scenario, known: Collection[str]) -> list[str]:
    """Returns the line of the guessed action, or an empty list without a guess."""
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
    """Yields the lines of a step: text as a comment, then assertions.

    Assertions are commented out if the step definition matches only part of the step or the
    scenario has no action yet.
    """
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
    """Yields the first requirement with the tool's name, as a comment."""
    for fact in facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL):
        if name in fact.names:
            yield yaml_comment(fact.sentence.requirement)
            return
