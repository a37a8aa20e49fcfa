"""The words that phrases are made of: who acts, what is spoken of, lists of names, and values."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.name_patterns import NAME, SNAKE

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
