"""The kinds of change between what two servers announce, and whom each of them breaks: one table.

*Saved references* are what somebody keeps about a tool without calling it: its name in a prompt, an
allow-list or a workflow, and the permission a user once gave it; and the URI of a resource, the name of
a prompt. *Callers* are those that go on making
the calls they made before and read the answers as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from mcpgen.frozen import frozen


class Class(StrEnum):
    """Whether those who relied on the old list can go on as they are."""

    SAFE = "safe"
    BREAKING = "breaking"


class Kind(StrEnum):
    """What has changed."""

    TOOL = "tool"
    RESOURCE = "resource"
    PROMPT = "prompt"


class Change(StrEnum):
    """What has changed, in a word that stays the same."""

    TOOL_ADDED = "tool-added"
    TOOL_REMOVED = "tool-removed"
    TOOL_RENAMED = "tool-renamed"
    ARGUMENT_ADDED = "argument-added"
    ARGUMENT_ADDED_REQUIRED = "argument-added-required"
    ARGUMENT_REMOVED = "argument-removed"
    ARGUMENT_REQUIRED = "argument-required"
    ARGUMENT_OPTIONAL = "argument-optional"
    ARGUMENT_WIDENED = "argument-widened"
    ARGUMENT_RETYPED = "argument-retyped"
    ARGUMENT_DEFAULT = "argument-default"
    ARGUMENT_DESCRIBED = "argument-described"
    INPUT_CHANGED = "input-changed"
    OUTPUT_ADDED = "output-added"
    OUTPUT_REMOVED = "output-removed"
    OUTPUT_NARROWED = "output-narrowed"
    OUTPUT_CHANGED = "output-changed"
    TITLE = "title"
    DESCRIPTION = "description"
    HINT_LOOSENED = "hint-loosened"
    HINT_TIGHTENED = "hint-tightened"
    RESOURCE_ADDED = "resource-added"
    RESOURCE_REMOVED = "resource-removed"
    RESOURCE_URI = "resource-uri"
    RESOURCE_TYPE = "resource-type"
    PROMPT_ADDED = "prompt-added"
    PROMPT_REMOVED = "prompt-removed"
    OTHER = "other"


@frozen
class Meaning:
    """A kind of change in words, and its class for saved references and for callers."""

    words: str
    references: Class
    callers: Class

    @property
    def breaking(self) -> bool:
        """Whether anybody is broken by it."""
        return Class.BREAKING in (self.references, self.callers)


_S, _B = Class.SAFE, Class.BREAKING

MEANINGS: Mapping[Change, Meaning] = {
    Change.TOOL_ADDED: Meaning("a tool that was not there", _S, _S),
    Change.TOOL_REMOVED: Meaning("a tool that is gone", _B, _B),
    Change.TOOL_RENAMED: Meaning("a tool that has another name", _B, _B),
    Change.ARGUMENT_ADDED: Meaning("an argument that may be left out", _S, _S),
    Change.ARGUMENT_ADDED_REQUIRED: Meaning("a new argument that must be given", _S, _B),
    Change.ARGUMENT_REMOVED: Meaning("an argument that is no longer taken", _S, _B),
    Change.ARGUMENT_REQUIRED: Meaning("an argument that must be given now", _S, _B),
    Change.ARGUMENT_OPTIONAL: Meaning("an argument that may be left out now", _S, _S),
    Change.ARGUMENT_WIDENED: Meaning("an argument that takes more values", _S, _S),
    Change.ARGUMENT_RETYPED: Meaning("an argument that refuses values it took", _S, _B),
    Change.ARGUMENT_DEFAULT: Meaning("an argument that means something else when left out", _S, _B),
    Change.ARGUMENT_DESCRIBED: Meaning("an argument that is described otherwise", _S, _S),
    Change.INPUT_CHANGED: Meaning("an input schema that differs beyond its arguments", _S, _B),
    Change.OUTPUT_ADDED: Meaning("an answer that is announced now", _S, _S),
    Change.OUTPUT_REMOVED: Meaning("an answer that is no longer announced", _S, _B),
    Change.OUTPUT_NARROWED: Meaning("an answer of which more is promised", _S, _S),
    Change.OUTPUT_CHANGED: Meaning("an answer that may be what it never was", _S, _B),
    Change.TITLE: Meaning("another title", _S, _S),
    Change.DESCRIPTION: Meaning("another description", _S, _S),
    Change.HINT_LOOSENED: Meaning("a tool that may do more than was said", _B, _S),
    Change.HINT_TIGHTENED: Meaning("a tool that does less than was said", _S, _S),
    Change.RESOURCE_ADDED: Meaning("a resource that was not there", _S, _S),
    Change.RESOURCE_REMOVED: Meaning("a resource that is gone", _B, _B),
    Change.RESOURCE_URI: Meaning("a resource that has another URI", _B, _B),
    Change.RESOURCE_TYPE: Meaning("a resource of another media type", _S, _B),
    Change.PROMPT_ADDED: Meaning("a prompt that was not there", _S, _S),
    Change.PROMPT_REMOVED: Meaning("a prompt that is gone", _B, _B),
    Change.OTHER: Meaning("another member of it", _S, _S),
}
"""Every kind of change. A hint that is loosened breaks no call, but the permission that a user gave to
a tool that only read; what cannot be shown to be safe is breaking."""


@frozen
class Found:
    """One change. `tool` is the tool's name now, or before if it is gone, of a resource its URI, of a prompt
    its name, as `kind` says; `place` is the argument or the hint it is about, or `""`; `before` and `after`
    say what was and is there."""

    change: Change
    tool: str
    place: str = ""
    before: str = ""
    after: str = ""
    kind: Kind = field(default=Kind.TOOL, kw_only=True)

    @property
    def meaning(self) -> Meaning:
        """The kind of change in words, and whom it breaks."""
        return MEANINGS[self.change]


LOOSE = {
    "readOnlyHint": (False, False),
    "destructiveHint": (True, True),
    "idempotentHint": (False, False),
    "openWorldHint": (True, True),
}
"""Of each hint, the value that allows the tool more, and the one that holds when nothing is said;
https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations."""
