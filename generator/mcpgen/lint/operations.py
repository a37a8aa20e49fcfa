"""Lint rules about operations: informative texts, and agreement of verbs with hints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lint.names import leading_verb, verb_stem
from mcpgen.lower.name_words import name_words
from mcpgen.lower.sanitize_text import plain_text, truncate

Finding = tuple[Code, dict[str, object]]
"""Code and facts of a finding; the place is the linted operation."""

FILLING = frozenset(
    {
        "a",
        "all",
        "an",
        "and",
        "api",
        "by",
        "call",
        "data",
        "details",
        "endpoint",
        "for",
        "from",
        "given",
    }
    | {"id", "in", "info", "information", "method", "new", "object", "of", "on", "one", "operation"}
    | {"request", "resource", "specific", "specified", "the", "this", "to", "with"}
)
"""Words without information about an operation."""

VERBS = {
    "GET": {"get", "list", "read", "retrieve", "fetch", "return", "show", "view"},
    "POST": {"post", "create", "add"},
    "PUT": {"put", "update", "replace", "set"},
    "PATCH": {"patch", "update", "modify", "edit", "change"},
    "DELETE": {"delete", "remove"},
}
"""Words implied by a method."""

UNSEEN = re.compile(
    "[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\u3164\uffa0"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
"""Characters without width or glyph: bidirectional controls, tags, and variation selectors,
which can smuggle bytes."""

COMMENT = re.compile(r"<!--\s*\S")
"""A non-empty HTML comment."""


def lint_operation(operation: Operation, tool: ToolSpec) -> Iterator[Finding]:
    """Yields the findings about one operation and its tool."""
    yield from _description_findings(operation)
    yield from _hint_findings(operation, tool)
    yield from _hidden(operation)


def _description_findings(operation: Operation) -> Iterator[Finding]:
    texts = (operation.extension.description, operation.summary, operation.description)
    text = " ".join(plain_text(part) for part in texts if part).strip()
    if not text:
        yield codes.MISSING_DESCRIPTION, {"operation": operation.key}
    elif not _has_new_word(text, operation):
        yield codes.USELESS_DESCRIPTION, {"operation": operation.key, "text": truncate(text, 80)}


def _has_new_word(text: str, operation: Operation) -> bool:
    """True if a text has a word missing in name, path and method."""
    words = {
        *name_words(operation.id),
        *name_words(operation.path),
        *name_words(" ".join(operation.tags)),
    }
    words |= FILLING | VERBS.get(operation.method, set())
    stems = {verb_stem(word) for word in words}
    # Texts in non-Latin scripts give no words to compare.
    return not text.isascii() or any(verb_stem(word) not in stems for word in name_words(text))


def _hint_findings(operation: Operation, tool: ToolSpec) -> Iterator[Finding]:
    verb = leading_verb(operation)
    facts: dict[str, object] = {"operation": operation.key, "verb": verb.verb}
    if verb.mixed:
        yield codes.MIXED_OPERATION, {**facts, "text": truncate(verb.text, 80)}
    elif tool.hints.read_only and verb.writes:
        yield codes.READING_WRITES, facts
    elif operation.method == "POST" and verb.reads and operation.extension.read_only is None:
        yield codes.WRITING_READS, facts


def _hidden(operation: Operation) -> Iterator[Finding]:
    texts = (operation.extension.description, operation.summary, operation.description)
    text = " ".join(part for part in (*texts, *descriptions(operation)) if part)
    if unseen := UNSEEN.search(text):
        what = f"characters (such as U+{ord(unseen[0][0]):04X})"
        yield codes.HIDDEN_TEXT, {"operation": operation.key, "what": what}
    if COMMENT.search(text):
        yield codes.HIDDEN_TEXT, {"operation": operation.key, "what": "a comment"}


def descriptions(operation: Operation) -> Iterator[str]:
    """Yields the descriptions of parameters, body and their schemas."""
    schemas = [parameter.schema for parameter in operation.parameters]
    yield from (parameter.description for parameter in operation.parameters)
    if operation.body:
        yield operation.body.description
        schemas += [media.schema for media in operation.body.media if media.schema]
    for schema in schemas:
        yield from _described_in(schema.json)


def _described_in(value: Json) -> Iterator[str]:
    """Yields every description in a schema, without following references."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get("description"), str):
        yield value["description"]
    for schema in inner:
        yield from _described_in(schema)
