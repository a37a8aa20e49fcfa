"""A step definition: a pattern over step texts, with parts of patterns and value parsers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from re import Match, Pattern
from typing import Protocol

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import NAME, SNAKE
from mcpgen.openspec.model.companion import ActionKind, Assertion, AssertionTarget, ScenarioAction

MAX_LENGTH = 1_000
"""Characters of a step that patterns examine; the text is untrusted input."""


@dataclass(frozen=True, slots=True)
class ToolArguments:
    """The arguments a tool takes, and the required subset.

    `operation` is the tool's operation of the API (`GET /pets/{id}`), `""` if unknown. `types` are
    the types of arguments with a single type beside `null`; `schemas` are all known schemas.
    `nullable` arguments take `null`.
    """

    takes: frozenset[str]
    needs: frozenset[str]
    operation: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    schemas: Mapping[str, Json] = field(default_factory=dict)
    nullable: frozenset[str] = frozenset()


class ToolLike(Protocol):
    """A tool with an input schema: of a generated server, or listed by a running server."""

    @property
    def name(self) -> str: ...
    @property
    def input_schema(self) -> Mapping[str, Json]: ...
    @property
    def operation(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as a running server lists it; the schema is untrusted."""

    name: str
    input_schema: Mapping[str, Json]
    operation: str = ""


def tool_arguments(tool: ToolLike) -> ToolArguments:
    """Returns the arguments of a tool; none for a schema without usable properties."""
    properties, required = (tool.input_schema.get(key) for key in ("properties", "required"))
    schemas = properties if isinstance(properties, dict) else {}
    needs = [name for name in required or () if isinstance(name, str)]
    route = getattr(tool, "route", None)
    # The key of a declared tool is its name; the request stands in the route.
    operation = f"{route.method} {route.path}" if route else tool.operation
    return arguments_of_schemas(schemas, needs, operation)


def arguments_of_schemas(
    schemas: Mapping[str, Json], needs: Collection[str], operation: str = ""
) -> ToolArguments:
    """Returns arguments with known schemas; `needs` are the required ones."""
    kinds = {name: _schema_types(schema) for name, schema in schemas.items()}
    single = {name: sorted(types - {"null"}) for name, types in kinds.items()}
    return ToolArguments(
        takes=frozenset(schemas),
        needs=frozenset(needs),
        operation=operation,
        types={name: types[0] for name, types in single.items() if len(types) == 1},
        schemas=schemas,
        nullable=frozenset(name for name, types in kinds.items() if "null" in types),
    )


def _schema_types(schema: Json) -> frozenset[str]:
    """Returns the types of `type`, or of all alternatives of `anyOf` or `oneOf`; empty if unknown.

    An alternative of an alternative is not read: the schema of a running server is untrusted.
    """
    if not isinstance(schema, dict):
        return frozenset()
    if own := _declared_types(schema):
        return own
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    kinds = (
        [_declared_types(alternative) for alternative in alternatives]
        if isinstance(alternatives, list)
        else []
    )
    return frozenset().union(*kinds) if all(kinds) else frozenset()


def _declared_types(schema: Json) -> frozenset[str]:
    declared = schema.get("type") if isinstance(schema, dict) else None
    types = declared if isinstance(declared, list) else [declared]
    return frozenset(kind for kind in types if isinstance(kind, str))


@dataclass(frozen=True, slots=True)
class StepContext:
    """Context of a step: tools, glossary, budgets, action, and tools named in earlier steps.

    A tool is None if its arguments are unknown. `subject` is the only tool that the name of the
    requirement or of the scenario holds, `""` otherwise. `of_api`: the scenario names a request to
    the API, so a status is the API's and not the server's. `values` are the arguments of the
    scenario's fixtures, for names in the text without a value. `prefixes` begin the paths of
    operations and of requests in the text.
    """

    tools: Mapping[str, ToolArguments | None]
    glossary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    budgets: Mapping[str, int] = field(default_factory=dict)
    action: ScenarioAction | None = None
    named: tuple[str, ...] = ()
    subject: str = ""
    of_api: bool = False
    values: Mapping[str, Json] = field(default_factory=dict)
    prefixes: frozenset[str] = frozenset()

    @property
    def lists(self) -> bool:
        """Whether the response under test is the list of tools."""
        return (
            self.action is not None
            and self.action.kind is ActionKind.REQUEST
            and self.action.name == "tools/list"
        )

    @property
    def calls(self) -> bool:
        """Whether the response under test is the result of a call."""
        return self.action is not None and self.action.kind is ActionKind.CALL


@dataclass(frozen=True, slots=True)
class StepMatch:
    """The match of a step; `unchecked` are the words of the step that no assertion shows."""

    phrase: str
    action: ScenarioAction | None = None
    assertions: tuple[Assertion, ...] = ()
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class PartialMatch:
    """Assertions that show a part of a step; `unchecked` are the words of the other part."""

    assertions: tuple[Assertion, ...]
    unchecked: str


Made = ScenarioAction | PartialMatch | tuple[Assertion, ...] | None
"""Result of a match: an action, assertions, or None if the values do not fit."""

Make = Callable[[Match[str], StepContext], Made]


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """A documented step definition.

    `example` is a matching step, `makes` describes the result for the documentation. `whole`: the
    pattern must match the complete step; always required for actions.
    """

    name: str
    pattern: Pattern[str]
    make: Make
    example: str
    makes: str
    does: bool = False
    whole: bool = False

    def read(self, text: str, context: StepContext, at: Location) -> StepMatch | None:
        """Matches a step's text; None without a match."""
        match = self.pattern.fullmatch(text)
        rest = ""
        if match is None and not (self.whole or self.does):
            match = self.pattern.match(text)
            rest = text[match.end() :] if match else ""
            if match and not _separate(rest):
                return None
        result = self.make(match, context) if match else None
        if not result:
            return None
        if isinstance(result, ScenarioAction):
            return StepMatch(self.name, replace(result, at=at))
        if isinstance(result, PartialMatch):
            rest = f"{result.unchecked}{rest}"
            result = result.assertions
        phrased = tuple(replace(assertion, at=at, phrase=self.name) for assertion in result)
        return StepMatch(self.name, None, phrased, rest.strip(" ,;"))


NOWHERE = Location("")
"""Placeholder position, replaced by the step's position."""

_JOINT = re.compile(r"(?:, and|;|,? and| before| without|,? so that|, so)\s", re.ASCII)
_CHANGES = re.compile(
    r"\b(?:if|when|whenever|where|unless|except|only|or|either|but|until|while|may|some|other"
    r"|than|then)\b",
    re.IGNORECASE,
)


def _separate(rest: str) -> bool:
    """Returns whether the text after a match is an addition without effect on the match."""
    return bool(_JOINT.match(rest)) and not _CHANGES.search(rest)


def changes_meaning(text: str) -> bool:
    """Returns whether a text holds a condition, an alternative or an exception."""
    return bool(_CHANGES.search(text))


def claim(subject: str, name: str = "", **claims: Json) -> Assertion:
    """Returns an assertion; `subject` is a value of `AssertionTarget`."""
    return Assertion(AssertionTarget(subject), name, claims, NOWHERE)


def compile_pattern(pattern: str) -> Pattern[str]:
    """Compiles an ASCII pattern for step texts."""
    return re.compile(pattern, re.ASCII)


def normalize_step(text: str) -> str:
    """Normalizes a step's text: a single line without final punctuation.

    Example: `normalize_step("The  list is empty.")` gives `'The list is empty'`.
    """
    return " ".join(text[:MAX_LENGTH].split()).rstrip(".: ")


CLIENT = (
    r"(?:(?:[Aa]n?|[Tt]he|[Aa]ny) )?(?:(?:MCP|connected|remote|HTTP|AI|API|LLM|integration|authenticated"
    r"|logged-in|signed-in) ){0,2}(?:[Cc]lients?|[Aa]gents?|[Hh]ost|[Cc]aller|[Uu]ser|[Mm]odel|[Ss]ession|[Cc]onsumer|LLM|[Aa]ssistant|test harness|test)"
)
"""Subject of an action; words that would change the action are excluded."""

ANSWER = (
    r"(?:[Ii]t|(?:[Tt]he |[Tt]his |[Ii]ts )?(?:(?:MCP|tool|JSON|HTTP|`?tools/list`?|returned|serialized) )"
    r"{0,3}(?:[Rr]esponse|[Rr]esult|[Rr]eply|[Aa]nswer|[Oo]utput|[Pp]ayload|[Aa]dapter|[Ss]erver|[Ee]ndpoint"
    r"|[Cc]all|[Ll]ist|[Tt]ool|[Ss]ystem|API|[Ss]ervice|JSON))"
)
"""Words for the response or the server."""

MUST = r"(?:SHALL|MUST|shall|must|will)"
NOT = rf"(?:{MUST}|does|do) (?:NOT|not)"
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


def parse_names(text: str, declared: Collection[str] = ()) -> tuple[str, ...]:
    """Returns the names of a list; empty if any item might be an ordinary word.

    A name is in back-ticks, contains an underscore, or is `declared`.
    """
    names = []
    for item in _ONE.findall(text):
        bare = item.strip("`")
        if item in ("and", "or"):
            continue
        if item == bare and not _SNAKE.fullmatch(bare) and bare not in declared:
            return ()
        if not _NAME.fullmatch(bare):
            return ()
        names.append(bare)
    return tuple(dict.fromkeys(names))


def quoted_texts(text: str) -> tuple[str, ...]:
    """Returns the texts in quotes or back-ticks."""
    return tuple(quoted[1:-1] for quoted in re.findall(TEXT, text))


def parse_pairs(pairs: str) -> dict[str, Json]:
    """Returns names with their values."""
    return {name: value(text) for name, text in _PAIR.findall(pairs)}


def value(text: str) -> Json:
    """Parses a value as JSON; other text, also a number that is not finite, stays a string.

    Example: `value("3")` gives `3`.
    """
    bare = text.strip("`")
    try:
        return json.loads(bare, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return bare


def _finite(spelled: str) -> float:
    number = float(spelled)
    if not math.isfinite(number):
        raise ValueError(spelled)
    return number
