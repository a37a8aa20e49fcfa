"""Facts that the text of requirements states, and the sentences that state the facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.model.requirements import (
    Requirement,
    RequirementChange,
    Requirements,
    Role,
    Scenario,
)

_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•|>]|\d+\.)\s)")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])|(?<=[。！？])")
_EMPHASIS = re.compile(r"\*\*|__|^\s*(?:[-*•>]|\d+\.)\s+")
_BOLD_NAME = re.compile(r"\*\*([a-z][a-z0-9]*(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+))\*\*")
"""A name in code that the author set in bold instead of back-ticks."""
_MAX_SENTENCE = 2_000
"""Characters of a sentence that are examined; the text is untrusted input."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence on one line.

    `at` is the position of the step or, in a body, of the paragraph or list entry. `about` is the
    context: requirement name, and for a step the scenario name and the WHEN steps. `scenario` and
    `step` are `""` and 0 in a body.
    """

    text: str
    at: Location
    about: str
    requirement: str
    scenario: str = ""
    step: int = 0
    role: Role = Role.NONE


def sentences_of(requirements: Requirements) -> list[Sentence]:
    """Returns all sentences of current requirements, in text order."""
    current = (
        candidate
        for candidate in requirements.requirements
        if candidate.change is not RequirementChange.REMOVED
    )
    return [sentence for requirement in current for sentence in _sentences(requirement)]


def _sentences(requirement: Requirement) -> Iterator[Sentence]:
    name = requirement.name
    for block, at in _blocks(requirement):
        line = " ".join(_EMPHASIS.sub("", _BOLD_NAME.sub(r"`\1`", block)).split())
        for sentence in _END.split(line):
            if sentence:
                yield Sentence(sentence[:_MAX_SENTENCE], at, name, name)
    for scenario in requirement.scenarios:
        about = f"{name}. {scenario.name}. {_action_text(scenario)}"
        for step in scenario.steps:
            text = " ".join(_BOLD_NAME.sub(r"`\1`", step.text).split())[:_MAX_SENTENCE]
            yield Sentence(text, step.at, about, name, scenario.name, step.number, step.role)


def _blocks(requirement: Requirement) -> Iterator[tuple[str, Location]]:
    """Yields the paragraphs and list entries of a body, with the position of the first line."""
    text = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), requirement.text)
    start = 0
    for end, behind in [*(match.span() for match in _BLOCKS.finditer(text)), (len(text), 0)]:
        block = text[start:end]
        number = text[:end].count("\n") - block.lstrip("\n").count("\n")
        lines = requirement.lines
        yield block, lines[number] if number < len(lines) else requirement.at
        start = behind


def _action_text(scenario: Scenario) -> str:
    """Returns the text of the WHEN steps."""
    return " ".join(step.text for step in scenario.steps if step.role is Role.WHEN)


class FactKind(StrEnum):
    """Kind of a fact."""

    EXACT_TOOLS = "exact tools"
    """The list of tools has exactly these `names`."""
    FORBIDDEN_TOOLS = "forbidden tools"
    """The list of tools has no tool in `names` or matched by `phrases`."""
    TOOL = "tool"
    """A tool of this name exists."""
    ARGUMENT = "argument"
    """The `tools` take the arguments in `names`; `schemas` has known schemas by argument."""
    FORBIDDEN_ARGUMENT = "forbidden argument"
    """The `tools` take no argument in `names`."""
    CALL = "call"
    """A tool in `tools` is called with `values`."""
    ERROR_CODE = "error code"
    HINT = "retry hint"
    """An error has this member, with the value in `values`."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the text.

    `span` is the character range in the sentence. `tools` are the tools concerned, empty for every
    tool. `demanded`: the text says SHALL without a condition, so the author has to follow.
    """

    kind: FactKind
    names: tuple[str, ...]
    sentence: Sentence
    span: tuple[int, int]
    tools: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    schemas: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    values: Mapping[str, Json] = field(default_factory=dict)
    demanded: bool = False

    @property
    def at(self) -> Location:
        """Position of the sentence."""
        return self.sentence.at


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a text, in text order."""

    all: tuple[Fact, ...]

    def of(self, *kinds: FactKind) -> Iterator[Fact]:
        """Returns the facts of the given kinds."""
        return (fact for fact in self.all if fact.kind in kinds)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of mentioned, not forbidden tools, in order of first mention."""
        names = [
            name for fact in self.of(FactKind.EXACT_TOOLS, FactKind.TOOL) for name in fact.names
        ]
        forbidden = {name for fact in self.of(FactKind.FORBIDDEN_TOOLS) for name in fact.names}
        exact = {name for fact in self.of(FactKind.EXACT_TOOLS) for name in fact.names}
        allowed = (name for name in names if name in exact or (not exact and name not in forbidden))
        return tuple(dict.fromkeys(allowed))
