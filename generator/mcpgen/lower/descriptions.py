"""Makes titles and descriptions of tools and instructions of the server from the document's texts, within
a budget of characters."""

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

MAX_RICH_TOOLS = 128
"""The largest number of tools that have rich descriptions by default.

The OpenAI API refuses a request with more tools (`conformance/hosts/facts.json`), so hosts filter a
longer list before a model reads the list.
"""


@dataclass(frozen=True, slots=True)
class DescriptionBudget:
    """Characters for the texts of one tool, by the level `descriptions.detail`; docs/configuration.md
    has the table of both levels.

    `tool`, `argument`: the document's prose about the tool and about an argument. `json_type`: the
    compact notation of the type of an argument in JSON text, beyond the levels shown whole. `is_lean`:
    leave out derived titles, titles that add no word to name and description, hints that equal the
    protocol's default or mean nothing for a tool that only reads, and words that repeat a default or
    the names of `null_fields`.
    """

    tool: int
    argument: int
    json_type: int
    is_lean: bool


RICH = DescriptionBudget(tool=300, argument=200, json_type=440, is_lean=False)
LEAN = DescriptionBudget(tool=120, argument=100, json_type=320, is_lean=True)


def description_budget(detail: Detail, tool_count: int) -> DescriptionBudget:
    """Returns the budget per tool for a server with `tool_count` tools."""
    automatic = RICH if tool_count <= MAX_RICH_TOOLS else LEAN
    return {Detail.RICH: RICH, Detail.LEAN: LEAN, Detail.AUTO: automatic}[detail]


_MAX_TITLE = 80
"""Characters of a title in the author's words."""
_MAX_DERIVED_TITLE = 40
"""Characters of a derived title: hosts show titles on a button or in a list."""
_MIN_SUMMARY_WORDS = 3
"""Fewest meaningful words of a summary that describes a tool without the first sentence of the
description."""
_MAX_API_SENTENCES = 4
"""Sentences of the API's description in the server's instructions."""
MAX_INSTRUCTIONS = 2048
"""Characters of server instructions: Claude Code cuts longer instructions
(`conformance/hosts/facts.json`)."""
_ENDS_WITH_API = re.compile(r"\bapi$", re.IGNORECASE)


def tool_title(operation: Operation, name: str, shown_text: str, diagnostics: Diagnostics) -> str:
    """Returns a short human title in the author's words, or `""`.

    The title of `x-mcp` wins. The summary counts only if a word of the summary is neither in the name
    nor in `shown_text`, which clients show beside the title.
    """
    title = sanitize(operation.extension.title or "", operation.at, diagnostics)
    if title:
        return truncate(title.rstrip("."), _MAX_TITLE)
    summary = sanitize(operation.summary, operation.at, diagnostics)
    new_words = meaning(summary) - meaning(name) - meaning(shown_text)
    return summary.rstrip(".") if new_words and len(summary) <= _MAX_TITLE else ""


def derive_title(operation: Operation, name: str) -> str:
    """Returns the title of a tool without an author's title: a short summary, else the name in words.

    Begins with a capital letter and has 1 to `_MAX_DERIVED_TITLE` characters; a longer name is cut at a
    word. `derive_title(operation, "list_pets")` gives `"List pets"`.
    """
    summary = plain_text(operation.summary).rstrip(".")
    if 0 < len(summary) <= _MAX_DERIVED_TITLE and not is_injection(summary):
        return f"{summary[0].upper()}{summary[1:]}"
    title = humanize(name)
    if len(title) <= _MAX_DERIVED_TITLE:
        return title
    return title[: _MAX_DERIVED_TITLE + 1].rpartition(" ")[0] or title[:_MAX_DERIVED_TITLE]


def humanize(name: str) -> str:
    """Returns a snake_case name in words: `list_pets` gives `List pets`."""
    words = name.replace("_", " ")
    return f"{words[0].upper()}{words[1:]}"


def tool_description(
    operation: Operation, name: str, room: int, limit: int, diagnostics: Diagnostics
) -> str:
    """Returns the description of a tool: the document's words, 1 to `limit` characters.

    A description in `x-mcp` is taken whole; the document's prose is summarized to `room`
    characters. An operation without prose is described by the name in words and by method and path,
    unless a handler answers without a request. Adds CUT_DESCRIPTION.
    """
    override = operation.extension.description
    text = sanitize(override, operation.at, diagnostics) if override else ""
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
    """Summarizes the operation's summary and description; falls back to all sentences of one of the
    two if `operation_sentences` filters every sentence out."""
    summary = end_sentence(sanitize(operation.summary, operation.at, diagnostics))
    prose = sanitize(operation.description, operation.at, diagnostics)
    relevant = _distinct_sentences(
        operation_sentences(summary), operation_sentences(prose), meaning(name), room
    )
    return summarize(relevant or sentences(summary) or sentences(prose), room)


def _distinct_sentences(
    summary: list[str], prose: list[str], tool_words: frozenset[str], room: int
) -> list[str]:
    """Returns the sentences of summary and description without repetitions.

    The first sentence of the description is dropped if it adds no word to the summary and the tool's
    name, or if it needs more than half of `room` beside a meaningful summary. Else the summary is
    dropped if it adds no word, or only one of the tool's name. Else both are joined where they are
    short enough, because `summarize` is sure to keep only one sentence.
    """
    if not summary or not prose:
        return summary + prose
    summary_words, prose_words = meaning(summary[0]), meaning(prose[0])
    is_summary_enough = len(summary_words) >= _MIN_SUMMARY_WORDS and len(prose[0]) > room / 2
    if prose_words <= summary_words | tool_words or is_summary_enough:
        return summary + prose[1:]
    own_words = summary_words - prose_words
    if not own_words or (len(own_words) == 1 and own_words <= tool_words):
        return prose
    # Beside a summary that only repeats the tool's name, the sentence may take the whole room.
    shared_room = room if summary_words <= tool_words else room / 2
    describes = not is_aside(prose[0]) and not is_fronted(prose[0])
    if describes and len(summary[0]) + len(prose[0]) < shared_room:
        return [f"{summary[0]} {prose[0]}", *prose[1:]]
    return summary + prose


def server_instructions(api: ApiDescription, server_title: str, diagnostics: Diagnostics) -> str:
    """Returns the author's instructions, else `Tools of the API TITLE.` with the first sentences of the
    API's description. At most `MAX_INSTRUCTIONS` characters."""
    if instructions := sanitize(api.instructions, api.at, diagnostics):
        return truncate(instructions, MAX_INSTRUCTIONS)
    about = sentences(sanitize(api.description, api.at, diagnostics))[:_MAX_API_SENTENCES]
    # A server made of requirements is no API, and a title may say `API` already.
    has_noun = api.capability or _ENDS_WITH_API.search(server_title)
    subject = server_title if has_noun else f"API {server_title}"
    text = " ".join([end_sentence(f"Tools of the {subject}"), *about])
    return truncate(end_sentence(text), MAX_INSTRUCTIONS)
