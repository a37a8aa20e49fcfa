"""Applies the step definitions of a companion to the steps of scenarios."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from mcpgen.ir.source import Json, texts_in
from mcpgen.openspec.lower.step_definitions import StepContext
from mcpgen.openspec.lower.step_definitions.step_definition import normalize_step, value
from mcpgen.openspec.model.companion import (
    HEADER_VALUE_PATTERN,
    ActionKind,
    Assertion,
    AssertionTarget,
    CompanionDefinition,
    Fixture,
    ScenarioAction,
)
from mcpgen.openspec.model.requirements import Role, Scenario, Step
from mcpgen.openspec.model.step_pattern import match_pattern

_NAMED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

_SEARCHES = frozenset({"contains", "lacks", "matches"})
"""Claims that hold for any text if the operand is empty."""

_TEXTS = frozenset({AssertionTarget.TEXT, AssertionTarget.HEADER})
"""Subjects whose values are texts."""


@dataclass(frozen=True, slots=True)
class CompanionPremises:
    """The GIVEN and WHEN steps of a scenario that the companion's step definitions bind.

    `numbers` are the steps, `given` their fixtures, and `actions` their actions, in the order of the
    text. `manual` is the reason of the first definition for a manual check. `rest` is the scenario
    without these steps. `is_performed`: an action is of a WHEN, or there is no WHEN.
    """

    numbers: frozenset[int]
    given: tuple[str, ...]
    actions: tuple[ScenarioAction, ...]
    rest: Scenario
    manual: str = ""
    is_performed: bool = True


def match_premises(
    scenario: Scenario, definitions: Sequence[CompanionDefinition], context: StepContext
) -> CompanionPremises:
    """Matches the GIVEN and WHEN steps of a scenario with the companion's step definitions.

    A call of an unknown tool matches nothing: the step stays pending.
    """
    numbers: list[int] = []
    fixtures: list[str] = []
    actions: list[ScenarioAction] = []
    manual = ""
    is_performed = not any(step.role is Role.WHEN for step in scenario.steps)
    for step in scenario.steps:
        match = match_definition(step, definitions)
        if step.role not in (Role.GIVEN, Role.WHEN) or match is None or match[0].assertions:
            continue
        definition, values = match
        performed = [_fill_action(action, values, context) for action in definition.actions]
        if any(action is None for action in performed):
            continue
        numbers.append(step.number)
        fixtures += definition.given
        actions += [action for action in performed if action]
        manual = manual or definition.manual
        is_performed = is_performed or (step.role is Role.WHEN and bool(performed))
    other_steps = tuple(step for step in scenario.steps if step.number not in numbers)
    rest = replace(scenario, steps=other_steps)
    unique = tuple(dict.fromkeys(fixtures))
    return CompanionPremises(frozenset(numbers), unique, tuple(actions), rest, manual, is_performed)


def match_definition(
    step: Step, definitions: Sequence[CompanionDefinition]
) -> tuple[CompanionDefinition, Mapping[str, str]] | None:
    """Returns the first definition with the words of a step, and the texts of its placeholders."""
    text = normalize_step(step.text)
    for definition in definitions:
        values = match_pattern(definition.pattern, text)
        if values is not None:
            return definition, values
    return None


def definition_assertions(
    definition: CompanionDefinition, values: Mapping[str, str]
) -> tuple[Assertion, ...]:
    """Returns the assertions of a definition with the texts of its placeholders.

    Empty if a text in an operand is empty, so that the claim holds for any value.
    """
    for assertion in definition.assertions:
        searched = [operand for key, operand in assertion.claims.items() if key in _SEARCHES]
        names = (match[1] for text in texts_in(searched) for match in _NAMED.finditer(text))
        if any(not values.get(name, name).strip() for name in names):
            return ()
    return tuple(
        replace(
            assertion,
            name=str(_fill(assertion.name, values, str)),
            claims={
                key: _fill(operand, values, _reader(assertion.subject, key))
                for key, operand in assertion.claims.items()
            },
        )
        for assertion in definition.assertions
    )


def _reader(subject: AssertionTarget, claim: str) -> Callable[[str], Json]:
    """Returns the function that reads a text in an operand of a claim."""
    if claim == "matches":
        return re.escape
    if subject in _TEXTS:
        return str
    return _text_or_number if claim in _SEARCHES else value


def _text_or_number(text: str) -> Json:
    """Returns a number if its spelling is the text, so that a search finds either; else the text."""
    number = value(text)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return number if is_number and str(number) == text else text


def fixture_actions(names: Sequence[str], fixtures: Sequence[Fixture]) -> list[ScenarioAction]:
    """Returns the actions of fixtures in the order of `names`, each fixture once."""
    by_name = {fixture.name: fixture for fixture in fixtures}
    return [
        action for name in dict.fromkeys(names) if name in by_name for action in by_name[name].setup
    ]


def fixture_arguments(names: Sequence[str], fixtures: Sequence[Fixture]) -> dict[str, Json]:
    """Returns the arguments of fixtures; of several fixtures the later wins."""
    by_name = {fixture.name: fixture.arguments for fixture in fixtures}
    return {key: value for name in names for key, value in by_name.get(name, {}).items()}


def _fill_action(
    action: ScenarioAction, values: Mapping[str, str], context: StepContext
) -> ScenarioAction | None:
    """Returns an action with the texts of placeholders; None for a call of an unknown tool.

    None also for a text that a header or a path cannot carry. In a path, texts are percent-encoded.
    A call without arguments that its tool requires gets the arguments of the fixtures.
    """
    quoted = {name: quote(text, safe="") for name, text in values.items()}
    filled = replace(
        action,
        name=str(_fill(action.name, values, str)),
        value=_fill(action.value, values),
        path=str(_fill(action.path, quoted, str)),
        input=str(_fill(action.input, values, str)),
        headers={key: str(_fill(text, values, str)) for key, text in action.headers.items()},
    )
    if not all(re.fullmatch(HEADER_VALUE_PATTERN, text) for text in filled.headers.values()):
        return None
    if _dot_segments(filled.path) > _dot_segments(action.path):
        return None
    if filled.kind is not ActionKind.CALL:
        return filled
    if filled.name not in context.tools:
        return None
    tool = context.tools[filled.name]
    if tool is None:
        return filled
    arguments = dict(filled.value or {})
    for name, argument in dict(action.value or {}).items():
        placeholder = _NAMED.fullmatch(argument) if isinstance(argument, str) else None
        if not placeholder or placeholder[1] not in values:
            continue
        is_null = arguments[name] is None and name in tool.nullable
        if tool.types.get(name) == "string" and not is_null:
            arguments[name] = values[placeholder[1]]
    lacking = {name for name in tool.needs if name not in arguments and name in context.values}
    return replace(
        filled, value={**arguments, **{name: context.values[name] for name in sorted(lacking)}}
    )


def _dot_segments(path: str) -> int:
    """Returns the number of segments `.` and `..` of a path without its query.

    Clients remove these segments, percent-encoded ones too (RFC 3986, sections 5.2.4 and 6.2.2).
    """
    segments = path.partition("?")[0].split("/")
    return sum(unquote(segment) in (".", "..") for segment in segments)


def _fill(template: Json, values: Mapping[str, str], read: Callable[[str], Json] = value) -> Json:
    """Replaces `${name}` of the pattern.

    A text that is only a placeholder becomes the value that `read` returns, in its type.
    """
    if isinstance(template, dict):
        return {key: _fill(member, values, read) for key, member in template.items()}
    if isinstance(template, list):
        return [_fill(member, values, read) for member in template]
    if not isinstance(template, str):
        return template
    placeholder = _NAMED.fullmatch(template)
    if placeholder and placeholder[1] in values:
        return read(values[placeholder[1]])
    spell = re.escape if read is re.escape else str
    return _NAMED.sub(
        lambda match: spell(values[match[1]]) if match[1] in values else match[0], template
    )
