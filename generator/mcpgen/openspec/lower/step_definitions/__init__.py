"""Step definitions: steps understood without a binding by the author.

A step definition matches word by word or not at all, and claims no more than the step says. A step
that says more than the step definition stays partly bound. docs/site/reference.py prints the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from difflib import SequenceMatcher

from mcpgen.openspec.lower.step_definitions.actions import ACTIONS
from mcpgen.openspec.lower.step_definitions.assertions import CLAIMS as ASSERTIONS
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    EXAMPLES,
    example_of,
    read_values,
    typed_value,
)
from mcpgen.openspec.lower.step_definitions.http_actions import API_PHRASES, written_prefixes
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
    "PHRASES",
    "ListedTool",
    "StepContext",
    "StepDefinition",
    "StepMatch",
    "ToolArguments",
    "ToolLike",
    "after",
    "arguments_of_schemas",
    "doing",
    "example_of",
    "is_established",
    "likest",
    "match_step",
    "past",
    "read_values",
    "subject_of",
    "tool_arguments",
    "typed_value",
    "written_prefixes",
]

CLAIMS = (*ASSERTIONS, *OUTCOMES)
"""Step definitions of THEN steps; the first match counts."""

PHRASES = (*ACTIONS, *CLAIMS)
"""All step definitions, in the order of the documentation; names are unique."""


ESTABLISHED = re.compile(
    r"(?:[Aa]n?|[Tt]he) (?:running |connected )?(?:MCP |API |HTTP )?(?:server|client|service|host)"
    r"(?: (?:is|has been) (?:running|started|up|connected|available|reachable|initialized))?"
    r"(?: (?:to|with) the (?:MCP )?(?:server|client))?"
    r"|(?:[Aa]n?|[Aa]ny|[Tt]he) (?:authenticated|logged-in|signed-in) (?:user|client|caller|agent)"
    r"|(?:[Aa]n?|[Tt]he) (?:user|client|caller|agent) is (?:authenticated|logged in|signed in)",
    re.ASCII,
)
"""A GIVEN that every performed scenario establishes: a running server, a client with its credentials."""

SIMILAR = 0.4
"""Minimum ratio of common words for suggesting an example."""


def match_step(step: Step, context: StepContext) -> StepMatch | None:
    """Returns the match of the first step definition that fits, or None."""
    text = normalize_step(step.text)
    premised = step.role in (Role.GIVEN, Role.WHEN)
    for phrase in ACTIONS if premised else CLAIMS:
        match = phrase.read(text, context, step.at)
        if match:
            return match
    return None


def match_action(
    scenario: Scenario, context: StepContext, *, has_fixture: bool
) -> StepMatch | None:
    """Returns the action of a scenario read by a step definition, or None.

    Requires exactly one WHEN, and a fixture if there is any GIVEN.
    """
    whens = [step for step in scenario.steps if step.role is Role.WHEN]
    givens = [step for step in scenario.steps if step.role is Role.GIVEN]
    if not has_fixture and not all(is_established(step) for step in givens):
        return None
    match = match_step(whens[0], context) if len(whens) == 1 else None
    if match is None or match.action is None:
        return None
    return match if _is_complete(match, context) or _is_refused(scenario, match, context) else None


def _is_complete(match: StepMatch, context: StepContext) -> bool:
    """Returns whether the call of a match has every required argument of its tool."""
    action = match.action
    tool = context.tools.get(action.name) if action and action.kind is ActionKind.CALL else None
    return action is None or tool is None or tool.needs <= set(action.value or ())


def _is_refused(scenario: Scenario, action_match: StepMatch, before: StepContext) -> bool:
    """Returns whether a scenario expects an error of its action."""
    context = after(action_match, before)
    matches = (match_step(step, context) for step in scenario.steps if step.role is Role.THEN)
    refusals = (AssertionTarget.REFUSED, AssertionTarget.IS_ERROR)
    return any(
        assertion.subject is AssertionTarget.CODE
        or (assertion.subject in refusals and assertion.claims.get("equals") is True)
        for match in matches
        if match
        for assertion in match.assertions
    )


def after(match: StepMatch | None, context: StepContext) -> StepContext:
    """Returns the context of the steps after the action of a scenario."""
    if match is None or match.action is None:
        return context
    return replace(context, action=match.action, of_api=match.phrase in API_PHRASES)


def is_established(step: Step) -> bool:
    """Returns whether a GIVEN says no more than a running server or a connected, authenticated client."""
    return ESTABLISHED.fullmatch(normalize_step(step.text)) is not None


def subject_of(requirement: Requirement, scenario: Scenario, tools: Collection[str]) -> str:
    """Returns the only tool named by a scenario's name, else by its requirement's name, else `""`."""
    for text in (scenario.name, requirement.name):
        identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", text))
        mentions = [
            name for name in tools if name in identifiers and ("_" in name or f"`{name}`" in text)
        ]
        if mentions:
            return mentions[0] if len(mentions) == 1 else ""
    return ""


def past(step: Step, context: StepContext) -> StepContext:
    """Returns the context of the next step, including the tools named in `step`."""
    identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", step.text))
    mentions = tuple(name for name in context.tools if name in identifiers)
    return replace(context, named=mentions or context.named)


def likest(text: str, *, premised: bool) -> StepDefinition | None:
    """Returns the step definition with the example most similar to a step's text.

    None if no example has enough words in common, or the example's words are equal. `text` begins
    with the keyword of the step; `premised`: the step is a GIVEN or a WHEN.
    """
    words = normalize_step(text)[:200].split()[1:]
    phrases = ACTIONS if premised else CLAIMS
    ratios = [
        (SequenceMatcher(None, words, phrase.example.split()).ratio(), phrase) for phrase in phrases
    ]
    ratio, phrase = max(ratios, key=lambda row: row[0])
    return phrase if SIMILAR <= ratio < 1 else None
