"""Titles and descriptions of tools, and the instructions of a server."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Api, Operation
from mcpgen.lower.flatten.describe import clean
from mcpgen.lower.text import cut, ended, sentences

_LONGEST_TITLE = 80
_MOST_SENTENCES = 4
INSTRUCTIONS = 2048
"""The most characters of a server's instructions that hosts read."""


def title(operation: Operation, name: str, diagnostics: Diagnostics) -> str:
    """A short human title: the summary, or the tool's name in words."""
    told = operation.extension.title or operation.summary
    text = clean(told, operation.at, diagnostics).rstrip(".")
    return cut(text, _LONGEST_TITLE) if text else humanised(name)


def humanised(name: str) -> str:
    """A snake_case name in words."""
    spoken = name.replace("_", " ")
    return f"{spoken[0].upper()}{spoken[1:]}"


def description(operation: Operation, name: str, limit: int, diagnostics: Diagnostics) -> str:
    """What the tool does, in the first sentences of the document's words; never empty.

    An author's own `x-mcp` description is taken whole.
    """
    own = operation.extension.description
    text = clean(own, operation.at, diagnostics) if own else _told(operation, diagnostics)
    text = text or f"{humanised(name)}: {operation.key}"
    told = f"Deprecated. {ended(text)}" if operation.deprecated else ended(text)
    short = cut(told, limit)
    if short != told:
        diagnostics.add(codes.CUT_DESCRIPTION, operation.at, name=name, limit=limit)
    return short


def _told(operation: Operation, diagnostics: Diagnostics) -> str:
    """The summary and the first sentences of the description, nothing said twice."""
    summary = clean(operation.summary, operation.at, diagnostics)
    said = sentences(clean(operation.description, operation.at, diagnostics))[:_MOST_SENTENCES]
    if said and (not summary or said[0].lower().startswith(summary.lower().rstrip("."))):
        return " ".join(said)
    return " ".join([ended(summary), *said]).strip()


def instructions(api: Api, server_title: str, diagnostics: Diagnostics) -> str:
    """What a host is told about the whole server: what the API is, in its own first sentences."""
    said = sentences(clean(api.description, api.at, diagnostics))[:_MOST_SENTENCES]
    text = " ".join([ended(f"Tools of the API {server_title}"), *said])
    return cut(ended(text), INSTRUCTIONS)
