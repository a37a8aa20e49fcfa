"""Titles, descriptions and instructions, and the characters each tool may spend."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.config import Detail
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.lower.name_words import meaning
from mcpgen.lower.sanitize_text import clean, end_sentence, sentences, truncate
from mcpgen.lower.summarize import gist, is_aside, is_fronted, operation_sentences

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


def budget(detail: Detail, operations: int) -> Budget:
    """Returns the budget per tool for a server with `operations` tools."""
    few = operations <= FEW
    return {Detail.RICH: RICH, Detail.LEAN: LEAN, Detail.AUTO: RICH if few else LEAN}[detail]


_LONGEST_TITLE = 80
_TELLING = 3
"""Fewest meaningful words of a summary that can stand alone."""

_MOST_SENTENCES = 4
_API = re.compile(r"\bapi$", re.IGNORECASE)
INSTRUCTIONS = 2048
"""Characters of server instructions that hosts read."""


def tool_title(operation: Operation, name: str, described: str, diagnostics: Diagnostics) -> str:
    """Returns a short human title in the author's words, or `""`.

    The title of `x-mcp` wins; the summary counts only if it adds to the name and description.
    """
    own = clean(operation.extension.title or "", operation.at, diagnostics)
    text = own or clean(operation.summary, operation.at, diagnostics)
    if own:
        return truncate(text.rstrip("."), _LONGEST_TITLE)
    telling = meaning(text) - meaning(name) - meaning(described)
    return text.rstrip(".") if telling and len(text) <= _LONGEST_TITLE else ""


def humanize(name: str) -> str:
    """A snake_case name in words."""
    spoken = name.replace("_", " ")
    return f"{spoken[0].upper()}{spoken[1:]}"


def tool_description(
    operation: Operation, name: str, room: int, limit: int, diagnostics: Diagnostics
) -> str:
    """Returns the description of a tool: the document's words, 1 to `limit` characters.

    A description in `x-mcp` is taken whole; the document's prose is summarized to `room`
    characters. Adds CUT_DESCRIPTION.
    """
    own = operation.extension.description
    text = clean(own, operation.at, diagnostics) if own else ""
    text = text or _summarize(operation, name, room, diagnostics)
    text = text or (humanize(name) if operation.handled else f"{humanize(name)}: {operation.key}")
    told = f"Deprecated. {end_sentence(text)}" if operation.deprecated else end_sentence(text)
    short = truncate(told, limit)
    if short != told:
        diagnostics.add(codes.CUT_DESCRIPTION, operation.at, name=name, limit=limit)
    return short


def _summarize(operation: Operation, name: str, room: int, diagnostics: Diagnostics) -> str:
    """Summarizes summary and description; falls back to the full text when every sentence was
    filtered out."""
    summary = end_sentence(clean(operation.summary, operation.at, diagnostics))
    prose = clean(operation.description, operation.at, diagnostics)
    telling = _once(operation_sentences(summary), operation_sentences(prose), meaning(name), room)
    return gist(telling or sentences(summary) or sentences(prose), room)


def _once(summary: list[str], said: list[str], known: frozenset[str], room: int) -> list[str]:
    """Returns the sentences of summary and description without repetitions.

    A first sentence longer than half of `room` yields to a meaningful summary; beside a summary
    that only repeats the tool's name, the sentence stays as long as there is room.
    """
    if not summary or not said:
        return summary + said
    short, long = meaning(summary[0]), meaning(said[0])
    if long <= short | known or (len(short) >= _TELLING and len(said[0]) > room / 2):
        return summary + said[1:]
    if short <= long or (len(short - long) == 1 and short - long <= known):
        return said
    describes = not is_aside(said[0]) and not is_fronted(said[0])
    shared = room if short <= known else room / 2
    if describes and len(summary[0]) + len(said[0]) < shared:
        return [f"{summary[0]} {said[0]}", *said[1:]]
    return summary + said


def server_instructions(api: ApiDescription, server_title: str, diagnostics: Diagnostics) -> str:
    """Returns the author's instructions, else the title and first sentences of the API's
    description."""
    if own := clean(api.instructions, api.at, diagnostics):
        return truncate(own, INSTRUCTIONS)
    said = sentences(clean(api.description, api.at, diagnostics))[:_MOST_SENTENCES]
    named = api.capability or _API.search(server_title)
    called = server_title if named else f"API {server_title}"
    text = " ".join([end_sentence(f"Tools of the {called}"), *said])
    return truncate(end_sentence(text), INSTRUCTIONS)
