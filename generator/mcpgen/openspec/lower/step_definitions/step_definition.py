"""A step definition: a pattern over step texts, its parts, and the values it reads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from re import Match, Pattern

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.name_patterns import NAME, SNAKE
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


CLIENT = (
    r"(?:[Aa]n?|[Tt]he) (?:(?:MCP|connected|remote|HTTP) ){0,2}"
    r"(?:client|agent|host|caller|user|model|test harness|test)"
)
"""Who does something; words that would change what is done are not among these."""

ANSWER = (
    r"(?:[Ii]t|(?:[Tt]he|[Tt]his|[Ii]ts) (?:(?:MCP|tool|JSON|HTTP|`?tools/list`?|returned|serialized) )"
    r"{0,3}(?:response|result|reply|answer|output|payload|adapter|server|endpoint|call|list|tool))"
)
"""What a step speaks of when it speaks of what came back."""

MUST = r"(?:SHALL|MUST|shall|must|will)"
NOT = rf"{MUST} (?:NOT|not)"
HAVE = r"(?:include|contain|list|hold|have|return|expose|advertise|carry)"
HAS = rf"(?:{MUST} {HAVE}|(?:includes|contains|lists|holds|has|returns|exposes|advertises|carries))"

_ITEM = r"(?:`[^`]{1,80}`|[A-Za-z][A-Za-z0-9_.-]{0,60})"
ITEMS = rf"{_ITEM}(?:(?:, (?:and |or )?| and | or ){_ITEM}){{0,40}}"
"""A list of names, in back-ticks or bare."""

TEXT = r"(?:\"[^\"]{1,200}\"|`[^`]{1,200}`)"
VALUE = r"(?:\"[^\"]{0,200}\"|-?[0-9]{1,15}(?:\.[0-9]{1,9})?|true|false|null)"
PAIR = rf"`?[a-z][a-z0-9_]{{0,60}}`?(?::| =|=) ?`?{VALUE}`?"
PAIRS = rf"{PAIR}(?:(?:, (?:and )?| and ){PAIR}){{0,20}}"
"""Names with values: `detail: "full"`."""

_ONE = re.compile(_ITEM)
_PAIR = re.compile(rf"`?([a-z][a-z0-9_]{{0,60}})`?(?::| =|=) ?`?({VALUE})`?")
_NAME = re.compile(NAME)
_SNAKE = re.compile(SNAKE)


def parse_names(listed: str, known: Collection[str] = ()) -> tuple[str, ...]:
    """The names of a list; none if one of them is a word that could be any: neither in back-ticks,
    nor made of several words, nor `known`."""
    found = []
    for item in _ONE.findall(listed):
        bare = item.strip("`")
        if item in ("and", "or"):
            continue
        if item == bare and not _SNAKE.fullmatch(bare) and bare not in known:
            return ()
        if not _NAME.fullmatch(bare):
            return ()
        found.append(bare)
    return tuple(dict.fromkeys(found))


def quoted_texts(listed: str) -> tuple[str, ...]:
    """The texts in quotes or back-ticks."""
    return tuple(each[1:-1] for each in re.findall(TEXT, listed))


def parse_pairs(listed: str) -> dict[str, Json]:
    """Names with their values."""
    return {name: value(text) for name, text in _PAIR.findall(listed)}


def value(text: str) -> Json:
    """A value as JSON; what is no JSON is a text."""
    bare = text.strip("`")
    try:
        return json.loads(bare)
    except ValueError:
        return bare
