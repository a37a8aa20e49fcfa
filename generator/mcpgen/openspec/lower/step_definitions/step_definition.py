"""A documented phrase: what a step has to say, word by word, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from re import Match, Pattern

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.model.companion import ActionKind, Assertion, AssertionTarget, ScenarioAction

LONGEST = 1_000
"""Characters of a step that phrases look at; the text is somebody else's."""


@dataclass(frozen=True, slots=True)
class ToolArguments:
    """The arguments that a tool takes, and those that it needs."""

    takes: frozenset[str]
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class StepContext:
    """What a step stands in: the tools of the server, what the author calls things, what the scenario
    does, and which tools its earlier steps name. A tool is None while nobody knows its arguments.
    """

    tools: Mapping[str, ToolArguments | None]
    glossary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    budgets: Mapping[str, int] = field(default_factory=dict)
    action: ScenarioAction | None = None
    named: tuple[str, ...] = ()

    @property
    def lists(self) -> bool:
        """Whether what is looked at is the list of tools."""
        return (
            self.action is not None
            and self.action.doing is ActionKind.REQUEST
            and self.action.name == "tools/list"
        )

    @property
    def calls(self) -> bool:
        """Whether what is looked at is the result of a call."""
        return self.action is not None and self.action.doing is ActionKind.CALL


@dataclass(frozen=True, slots=True)
class StepMatch:
    """What a step was read as. `rest` are the words of it that were not understood."""

    phrase: str
    action: ScenarioAction | None = None
    assertions: tuple[Assertion, ...] = ()
    rest: str = ""


Made = ScenarioAction | tuple[Assertion, ...] | None
"""What a phrase makes: one thing to do, claims, or nothing where the words turn out to be others."""

Make = Callable[[Match[str], StepContext], Made]


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """One documented phrase. `example` is a step that it fits, `makes` what comes of that. With `whole`
    the step must say nothing else; a phrase that does something always wants that."""

    name: str
    pattern: Pattern[str]
    make: Make
    example: str
    makes: str
    does: bool = False
    whole: bool = False

    def read(self, text: str, around: StepContext, at: Location) -> StepMatch | None:
        """The step read as this phrase, or None where it does not fit."""
        match = self.pattern.fullmatch(text)
        rest = ""
        if match is None and not (self.whole or self.does):
            match = self.pattern.match(text)
            rest = text[match.end() :] if match else ""
            if match and not _separate(rest):
                return None
        made = self.make(match, around) if match else None
        if not made:
            return None
        if isinstance(made, ScenarioAction):
            return StepMatch(self.name, replace(made, at=at))
        phrased = tuple(replace(one, at=at, phrase=self.name) for one in made)
        return StepMatch(self.name, None, phrased, rest.strip(" ,;"))


NOWHERE = Location("")
"""Stands for the place of what a phrase makes, until the step's own is put there."""

_JOINT = re.compile(r"(?:, and|;|,? and| before| without|,? so that|, so)\s", re.ASCII)
_CHANGES = re.compile(
    r"\b(?:if|when|whenever|where|unless|except|only|or|either|but|until|while|may|some|other"
    r"|than|then)\b",
    re.IGNORECASE,
)


def _separate(rest: str) -> bool:
    """Whether what stands behind a phrase is said besides, and changes nothing about it."""
    return bool(_JOINT.match(rest)) and not _CHANGES.search(rest)


def claim(subject: str, name: str = "", **claims: Json) -> Assertion:
    """An assertion of a phrase; `subject` is a word of `ir.companion.Subject`."""
    return Assertion(AssertionTarget(subject), name, claims, NOWHERE)


def compile_pattern(pattern: str) -> Pattern[str]:
    """A pattern for the text of a step."""
    return re.compile(pattern, re.ASCII)


def normalize_step(text: str) -> str:
    """The text of a step as phrases look at it: one line, without the mark at its end."""
    return " ".join(text[:LONGEST].split()).rstrip(".: ")
