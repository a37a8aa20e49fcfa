"""The sentences of requirements: of their bodies, and of their steps, each with what is around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.openspec.model.requirements import (
    Requirement,
    RequirementChange,
    Requirements,
    Role,
    Scenario,
)

_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•|>]|\d+\.)\s)")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])")
_EMPHASIS = re.compile(r"\*\*|__|^\s*(?:[-*•>]|\d+\.)\s+")
_LONGEST = 2_000
"""Characters of a sentence that are looked at; the text is somebody else's."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence on one line. `at` is the place of its step or, in a body, of the paragraph or the
    entry of a list that it stands in.
    `about` are the words around it: the requirement's name, and in a step the scenario's and what it
    does. `scenario` and `step` are `""` and 0 in a body."""

    text: str
    at: Location
    about: str
    requirement: str
    scenario: str = ""
    step: int = 0
    role: Role = Role.NONE


def sentences_of(requirements: Requirements) -> list[Sentence]:
    """Every sentence of what has to hold, in the order of the text."""
    kept = (one for one in requirements.requirements if one.change is not RequirementChange.REMOVED)
    return [sentence for requirement in kept for sentence in _sentences(requirement)]


def _sentences(requirement: Requirement) -> Iterator[Sentence]:
    name = requirement.name
    for block, at in _blocks(requirement):
        line = " ".join(_EMPHASIS.sub("", block).split())
        for sentence in _END.split(line):
            if sentence:
                yield Sentence(sentence[:_LONGEST], at, name, name)
    for scenario in requirement.scenarios:
        about = f"{name}. {scenario.name}. {_doing(scenario)}"
        for step in scenario.steps:
            text = " ".join(step.text.split())[:_LONGEST]
            yield Sentence(text, step.at, about, name, scenario.name, step.number, step.role)


def _blocks(requirement: Requirement) -> Iterator[tuple[str, Location]]:
    """The paragraphs and list entries of a body, each with the place of its first line."""
    text = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), requirement.text)
    start = 0
    for end, behind in [*(found.span() for found in _BLOCKS.finditer(text)), (len(text), 0)]:
        block = text[start:end]
        number = text[:end].count("\n") - block.lstrip("\n").count("\n")
        lines = requirement.lines
        yield block, lines[number] if number < len(lines) else requirement.at
        start = behind


def _doing(scenario: Scenario) -> str:
    """What a scenario does, in its words."""
    return " ".join(step.text for step in scenario.steps if step.role is Role.WHEN)
