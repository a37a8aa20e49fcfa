"""The documented phrases: steps that are understood without an author's binding.

A phrase fits a step word by word or not at all; what it makes claims no more than the step says. A step
that says more than the phrase stays partly bound. docs/openspec.md has the table.
"""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import SequenceMatcher

from mcpgen.openspec.lower.step_definitions.actions import ACTIONS
from mcpgen.openspec.lower.step_definitions.assertions import CLAIMS
from mcpgen.openspec.lower.step_definitions.step_definition import (
    StepContext,
    StepDefinition,
    StepMatch,
    ToolArguments,
    normalize_step,
)
from mcpgen.openspec.model.requirements import Role, Scenario, Step

__all__ = [
    "PHRASES",
    "StepContext",
    "StepDefinition",
    "StepMatch",
    "ToolArguments",
    "doing",
    "likest",
    "match_step",
    "past",
]

PHRASES = (*ACTIONS, *CLAIMS)
"""Every phrase, in the order of the documentation; names are unique."""


SIMILAR = 0.4
"""The ratio of common words from which an example shows how to write a step."""


def match_step(step: Step, around: StepContext) -> StepMatch | None:
    """A step as the first phrase that fits it, or None."""
    text = normalize_step(step.text)
    premised = step.role in (Role.GIVEN, Role.WHEN)
    for phrase in ACTIONS if premised else CLAIMS:
        found = phrase.read(text, around, step.at)
        if found:
            return found
    return None


def doing(scenario: Scenario, around: StepContext, *, has_fixture: bool) -> StepMatch | None:
    """What a scenario does in the words of a phrase; None unless it has one WHEN, which is understood,
    and every GIVEN is left to a fixture."""
    whens = [step for step in scenario.steps if step.role is Role.WHEN]
    if not has_fixture and any(step.role is Role.GIVEN for step in scenario.steps):
        return None
    found = match_step(whens[0], around) if len(whens) == 1 else None
    return found if found and found.action else None


def past(step: Step, around: StepContext) -> StepContext:
    """What the next step stands in: it may speak of the tools that this one names."""
    spoken = set(re.findall(r"[A-Za-z0-9_.-]+", step.text))
    named = tuple(name for name in around.tools if name in spoken)
    return replace(around, named=named or around.named)


def likest(text: str, *, premised: bool) -> StepDefinition | None:
    """The phrase whose example is most like the text of a step; None where no example has enough
    of its words, and where the step already has the words of the example. `text` begins with the
    keyword of the step; `premised` tells that the step is a GIVEN or a WHEN."""
    words = normalize_step(text)[:200].split()[1:]
    phrases = ACTIONS if premised else CLAIMS
    ratios = [
        (SequenceMatcher(None, words, phrase.example.split()).ratio(), phrase) for phrase in phrases
    ]
    ratio, phrase = max(ratios, key=lambda row: row[0])
    return phrase if SIMILAR <= ratio < 1 else None
