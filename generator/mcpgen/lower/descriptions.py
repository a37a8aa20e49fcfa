"""Titles, descriptions and instructions, and the characters each tool may spend."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.config import Detail
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.lower.name_words import meaning
from mcpgen.lower.sanitize_text import (
    end_sentence,
    is_injection,
    plain_text,
    sanitize,
    sentences,
    truncate,
)
from mcpgen.lower.summarize import is_aside, is_fronted, operation_sentences, summarize

FEW = 128
"""Most operations with rich descriptions.

Beyond 128 tools model APIs refuse a list, so clients filter the list before a model reads it.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """Characters for one tool's descriptions.

    `tool`, `argument`: prose of the document. `type`: type notation of a JSON text argument.
    `brief`: leave out redundant text: titles equal to the description, hints with default values,
    sentences about defaults that the schema holds.
    """

    tool: int
    argument: int
    type: int
    brief: bool


RICH = Budget(tool=300, argument=200, type=440, brief=False)
LEAN = Budget(tool=120, argument=100, type=320, brief=True)


def description_budget(detail: Detail, operations: int) -> Budget:
    """Returns the budget per tool for a server with `operations` tools."""
    few = operations <= FEW
    return {Detail.RICH: RICH, Detail.LEAN: LEAN, Detail.AUTO: RICH if few else LEAN}[detail]


_MAX_TITLE = 80
_SHORT_TITLE = 40
"""Characters of a derived title: hosts show titles on a button or in a list."""
_TELLING = 3
"""Fewest meaningful words of a summary that can stand alone."""

_MAX_SENTENCES = 4
_API = re.compile(r"\bapi$", re.IGNORECASE)
MAX_INSTRUCTIONS = 2048
"""Characters of server instructions that hosts read."""


def tool_title(operation: Operation, name: str, described: str, diagnostics: Diagnostics) -> str:
    """Returns a short human title in the author's words, or `""`.

    The title of `x-mcp` wins; the summary counts only if it adds to the name and description.
    """
    own = sanitize(operation.extension.title or "", operation.at, diagnostics)
    text = own or sanitize(operation.summary, operation.at, diagnostics)
    if own:
        return truncate(text.rstrip("."), _MAX_TITLE)
    telling = meaning(text) - meaning(name) - meaning(described)
    return text.rstrip(".") if telling and len(text) <= _MAX_TITLE else ""


def derive_title(operation: Operation, name: str) -> str:
    """Returns the title of a tool whose document has none: the summary, else the name in words.

    Sentence case, 1 to `_SHORT_TITLE` characters; a longer name is cut at a word.
    `derive_title(operation, "list_pets")` gives `"List pets"`.
    """
    summary = plain_text(operation.summary).rstrip(".")
    if 0 < len(summary) <= _SHORT_TITLE and not is_injection(summary):
        return f"{summary[0].upper()}{summary[1:]}"
    title = humanize(name)
    if len(title) <= _SHORT_TITLE:
        return title
    return title[: _SHORT_TITLE + 1].rpartition(" ")[0] or title[:_SHORT_TITLE]


def humanize(name: str) -> str:
    """A snake_case name in words."""
    words = name.replace("_", " ")
    return f"{words[0].upper()}{words[1:]}"


def tool_description(
    operation: Operation, name: str, room: int, limit: int, diagnostics: Diagnostics
) -> str:
    """Returns the description of a tool: the document's words, 1 to `limit` characters.

    A description in `x-mcp` is taken whole; the document's prose is summarized to `room`
    characters. Adds CUT_DESCRIPTION.
    """
    own = operation.extension.description
    text = sanitize(own, operation.at, diagnostics) if own else ""
    text = text or _summarize(operation, name, room, diagnostics)
    text = text or (humanize(name) if operation.handled else f"{humanize(name)}: {operation.key}")
    description = (
        f"Deprecated. {end_sentence(text)}" if operation.deprecated else end_sentence(text)
    )
    short = truncate(description, limit)
    if short != description:
        diagnostics.add(codes.CUT_DESCRIPTION, operation.at, name=name, limit=limit)
    return short


def _summarize(operation: Operation, name: str, room: int, diagnostics: Diagnostics) -> str:
    """Summarizes summary and description; falls back to the full text when every sentence was
    filtered out."""
    summary = end_sentence(sanitize(operation.summary, operation.at, diagnostics))
    prose = sanitize(operation.description, operation.at, diagnostics)
    telling = _distinct_sentences(
        operation_sentences(summary), operation_sentences(prose), meaning(name), room
    )
    return summarize(telling or sentences(summary) or sentences(prose), room)


def _distinct_sentences(
    summary: list[str], description: list[str], name_words_: frozenset[str], room: int
) -> list[str]:
    """Returns the sentences of summary and description without repetitions.

    A first sentence longer than half of `room` yields to a meaningful summary; beside a summary
    that only repeats the tool's name, the sentence stays as long as there is room.
    """
    if not summary or not description:
        return summary + description
    short, long = meaning(summary[0]), meaning(description[0])
    if long <= short | name_words_ or (len(short) >= _TELLING and len(description[0]) > room / 2):
        return summary + description[1:]
    if short <= long or (len(short - long) == 1 and short - long <= name_words_):
        return description
    describes = not is_aside(description[0]) and not is_fronted(description[0])
    shared = room if short <= name_words_ else room / 2
    if describes and len(summary[0]) + len(description[0]) < shared:
        return [f"{summary[0]} {description[0]}", *description[1:]]
    return summary + description


def server_instructions(api: ApiDescription, server_title: str, diagnostics: Diagnostics) -> str:
    """Returns the author's instructions, else the title and first sentences of the API's
    description."""
    if own := sanitize(api.instructions, api.at, diagnostics):
        return truncate(own, MAX_INSTRUCTIONS)
    about = sentences(sanitize(api.description, api.at, diagnostics))[:_MAX_SENTENCES]
    named = api.capability or _API.search(server_title)
    called = server_title if named else f"API {server_title}"
    text = " ".join([end_sentence(f"Tools of the {called}"), *about])
    return truncate(end_sentence(text), MAX_INSTRUCTIONS)
