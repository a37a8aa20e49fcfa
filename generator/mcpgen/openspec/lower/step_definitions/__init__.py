"""Step definitions: patterns that bind a step for which the author wrote nothing in `mcp.yaml`.

A pattern of an action has to match the whole step. A pattern of an assertion may match the beginning of
a step: a further clause (", and …") stays unchecked, and the step partly bound. The assertions claim no
more than the step says. docs/site/reference.py prints the table of the patterns.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from difflib import SequenceMatcher

from mcpgen.openspec.lower.step_definitions.actions import ACTIONS
from mcpgen.openspec.lower.step_definitions.assertions import ASSERTIONS
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    EXAMPLES,
    example_of,
    read_values,
    typed_value,
)
from mcpgen.openspec.lower.step_definitions.http_actions import API_ACTION_NAMES, written_prefixes
from mcpgen.openspec.lower.step_definitions.outcomes import OUTCOMES
from mcpgen.openspec.lower.step_definitions.step_definition import (
    ListedTool,
    StepContext,
    StepDefinition,
    StepMatch,
    ToolArguments,
    ToolLike,
    arguments_of_schemas,
    normalize_step,
    tool_arguments,
)
from mcpgen.openspec.model.companion import ActionKind, AssertionTarget
from mcpgen.openspec.model.requirements import Requirement, Role, Scenario, Step

__all__ = [
    "EXAMPLES",
    "STEP_DEFINITIONS",
    "ListedTool",
    "StepContext",
    "StepDefinition",
    "StepMatch",
    "ToolArguments",
    "ToolLike",
    "arguments_of_schemas",
    "context_after_action",
    "example_of",
    "is_established",
    "match_action",
    "match_step",
    "most_similar_definition",
    "next_context",
    "read_values",
    "subject_of",
    "tool_arguments",
    "typed_value",
    "written_prefixes",
]

THEN_DEFINITIONS = (*ASSERTIONS, *OUTCOMES)
"""Step definitions of THEN steps; the first match counts. `ACTIONS` has the step
definitions of GIVEN and WHEN."""

STEP_DEFINITIONS = (*ACTIONS, *THEN_DEFINITIONS)
"""All step definitions, in the order of the documentation; names are unique."""


ESTABLISHED_GIVEN = re.compile(
    r"(?:[Aa]n?|[Tt]he) (?:running |connected )?(?:MCP |API |HTTP )?(?:server|client|service|host)"
    r"(?: (?:is|has been) (?:running|started|up|connected|available|reachable|initialized))?"
    r"(?: (?:to|with) the (?:MCP )?(?:server|client))?"
    r"|(?:[Aa]n?|[Aa]ny|[Tt]he) (?:authenticated|logged-in|signed-in) (?:user|client|caller|agent)"
    r"|(?:[Aa]n?|[Tt]he) (?:user|client|caller|agent) is (?:authenticated|logged in|signed in)",
    re.ASCII,
)
"""A GIVEN that holds in every scenario: a running server, or a client with credentials."""

MIN_SIMILARITY = 0.4
"""Smallest ratio of common words, from 0 to 1, for suggesting an example."""

MAX_COMPARED_CHARACTERS = 200
"""Characters of a step that are compared with examples; the text is untrusted input."""


def match_step(step: Step, context: StepContext) -> StepMatch | None:
    """Returns the match of the first step definition that fits, or None."""
    text = normalize_step(step.text)
    is_premise = step.role in (Role.GIVEN, Role.WHEN)
    for definition in ACTIONS if is_premise else THEN_DEFINITIONS:
        match = definition.read(text, context, step.at)
        if match:
            return match
    return None


def match_action(
    scenario: Scenario, context: StepContext, *, has_fixture: bool
) -> StepMatch | None:
    """Returns the action of a scenario read by a step definition, or None.

    Requires exactly one WHEN, and a fixture if there is a GIVEN that is not established. A call
    without a required argument counts only if the scenario expects an error.
    """
    whens = [step for step in scenario.steps if step.role is Role.WHEN]
    givens = [step for step in scenario.steps if step.role is Role.GIVEN]
    if not has_fixture and not all(is_established(step) for step in givens):
        return None
    match = match_step(whens[0], context) if len(whens) == 1 else None
    if match is None or match.action is None:
        return None
    return (
        match if _is_complete(match, context) or _expects_error(scenario, match, context) else None
    )


def _is_complete(match: StepMatch, context: StepContext) -> bool:
    """Returns whether the call of a match has every required argument of the tool. True for other
    actions, and for a tool with unknown arguments."""
    action = match.action
    tool = context.tools.get(action.name) if action and action.kind is ActionKind.CALL else None
    return action is None or tool is None or tool.needs <= set(action.value or ())


def _expects_error(
    scenario: Scenario, action_match: StepMatch, action_context: StepContext
) -> bool:
    """Returns whether a THEN of a scenario expects an error of the action."""
    context = context_after_action(action_match, action_context)
    matches = (match_step(step, context) for step in scenario.steps if step.role is Role.THEN)
    refusals = (AssertionTarget.REFUSED, AssertionTarget.IS_ERROR)
    return any(
        assertion.subject is AssertionTarget.CODE
        or (assertion.subject in refusals and assertion.claims.get("equals") is True)
        for match in matches
        if match
        for assertion in match.assertions
    )


def context_after_action(match: StepMatch | None, context: StepContext) -> StepContext:
    """Returns the context of the steps after the action of a scenario."""
    if match is None or match.action is None:
        return context
    return replace(context, action=match.action, of_api=match.phrase in API_ACTION_NAMES)


def is_established(step: Step) -> bool:
    """Returns whether a GIVEN says no more than a running server or a connected, authenticated client."""
    return ESTABLISHED_GIVEN.fullmatch(normalize_step(step.text)) is not None


def subject_of(requirement: Requirement, scenario: Scenario, tools: Collection[str]) -> str:
    """Returns the only tool in the scenario's name; without a tool there, the only tool in the
    requirement's name. `""` without a tool, and for several tools in the same name.

    A tool name without `_` may be an ordinary word, and has to be in backticks.
    """
    for text in (scenario.name, requirement.name):
        identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", text))
        mentions = [
            name for name in tools if name in identifiers and ("_" in name or f"`{name}`" in text)
        ]
        if mentions:
            return mentions[0] if len(mentions) == 1 else ""
    return ""


def next_context(step: Step, context: StepContext) -> StepContext:
    """Returns the context of the next step, including the tools named in `step`."""
    identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", step.text))
    mentions = tuple(name for name in context.tools if name in identifiers)
    return replace(context, named=mentions or context.named)


def most_similar_definition(text: str, *, is_premise: bool) -> StepDefinition | None:
    """Returns the step definition with the example that is most similar to a step's text.

    None if no example has enough words in common, or the words of the example are those of the text.
    `text` begins with the keyword of the step; `is_premise`: the step is a GIVEN or a WHEN.
    """
    words = normalize_step(text)[:MAX_COMPARED_CHARACTERS].split()[1:]  # Without the keyword.
    definitions = ACTIONS if is_premise else THEN_DEFINITIONS
    ratios = [
        (SequenceMatcher(None, words, definition.example.split()).ratio(), definition)
        for definition in definitions
    ]
    ratio, definition = max(ratios, key=lambda row: row[0])
    return definition if MIN_SIMILARITY <= ratio < 1 else None
