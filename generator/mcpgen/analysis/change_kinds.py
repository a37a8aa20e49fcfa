"""The kinds of change between what two servers announce, and whom each of them breaks: one table.

*Saved references* are what somebody keeps about a tool without calling it: its name in a prompt, an
allow-list or a workflow, and the permission a user once gave it; and the URI of a resource, the name of
a prompt. *Callers* are those that go on making
the calls they made before and read the answers as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class CompatibilityClass(StrEnum):
    """Whether those who relied on the old list can go on as they are."""

    SAFE = "safe"
    BREAKING = "breaking"


class ChangedThing(StrEnum):
    """What has changed."""

    TOOL = "tool"
    RESOURCE = "resource"
    PROMPT = "prompt"


class ChangeKind(StrEnum):
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


@dataclass(frozen=True, slots=True)
class ChangeMeaning:
    """A kind of change in words, and its class for saved references and for callers."""

    words: str
    references: CompatibilityClass
    callers: CompatibilityClass

    @property
    def breaking(self) -> bool:
        """Whether anybody is broken by it."""
        return CompatibilityClass.BREAKING in (self.references, self.callers)


_S, _B = CompatibilityClass.SAFE, CompatibilityClass.BREAKING

MEANINGS: Mapping[ChangeKind, ChangeMeaning] = {
    ChangeKind.TOOL_ADDED: ChangeMeaning("a tool that was not there", _S, _S),
    ChangeKind.TOOL_REMOVED: ChangeMeaning("a tool that is gone", _B, _B),
    ChangeKind.TOOL_RENAMED: ChangeMeaning("a tool that has another name", _B, _B),
    ChangeKind.ARGUMENT_ADDED: ChangeMeaning("an argument that may be left out", _S, _S),
    ChangeKind.ARGUMENT_ADDED_REQUIRED: ChangeMeaning("a new argument that must be given", _S, _B),
    ChangeKind.ARGUMENT_REMOVED: ChangeMeaning("an argument that is no longer taken", _S, _B),
    ChangeKind.ARGUMENT_REQUIRED: ChangeMeaning("an argument that must be given now", _S, _B),
    ChangeKind.ARGUMENT_OPTIONAL: ChangeMeaning("an argument that may be left out now", _S, _S),
    ChangeKind.ARGUMENT_WIDENED: ChangeMeaning("an argument that takes more values", _S, _S),
    ChangeKind.ARGUMENT_RETYPED: ChangeMeaning("an argument that refuses values it took", _S, _B),
    ChangeKind.ARGUMENT_DEFAULT: ChangeMeaning(
        "an argument that means something else when left out", _S, _B
    ),
    ChangeKind.ARGUMENT_DESCRIBED: ChangeMeaning("an argument that is described otherwise", _S, _S),
    ChangeKind.INPUT_CHANGED: ChangeMeaning(
        "an input schema that differs beyond its arguments", _S, _B
    ),
    ChangeKind.OUTPUT_ADDED: ChangeMeaning("an answer that is announced now", _S, _S),
    ChangeKind.OUTPUT_REMOVED: ChangeMeaning("an answer that is no longer announced", _S, _B),
    ChangeKind.OUTPUT_NARROWED: ChangeMeaning("an answer of which more is promised", _S, _S),
    ChangeKind.OUTPUT_CHANGED: ChangeMeaning("an answer that may be what it never was", _S, _B),
    ChangeKind.TITLE: ChangeMeaning("another title", _S, _S),
    ChangeKind.DESCRIPTION: ChangeMeaning("another description", _S, _S),
    ChangeKind.HINT_LOOSENED: ChangeMeaning("a tool that may do more than was said", _B, _S),
    ChangeKind.HINT_TIGHTENED: ChangeMeaning("a tool that does less than was said", _S, _S),
    ChangeKind.RESOURCE_ADDED: ChangeMeaning("a resource that was not there", _S, _S),
    ChangeKind.RESOURCE_REMOVED: ChangeMeaning("a resource that is gone", _B, _B),
    ChangeKind.RESOURCE_URI: ChangeMeaning("a resource that has another URI", _B, _B),
    ChangeKind.RESOURCE_TYPE: ChangeMeaning("a resource of another media type", _S, _B),
    ChangeKind.PROMPT_ADDED: ChangeMeaning("a prompt that was not there", _S, _S),
    ChangeKind.PROMPT_REMOVED: ChangeMeaning("a prompt that is gone", _B, _B),
    ChangeKind.OTHER: ChangeMeaning("another member of it", _S, _S),
}
"""Every kind of change. A hint that is loosened breaks no call, but the permission that a user gave to
a tool that only read; what cannot be shown to be safe is breaking."""


@dataclass(frozen=True, slots=True)
class ToolChange:
    """One change. `tool` is the tool's name now, or before if it is gone, of a resource its URI, of a prompt
    its name, as `kind` says; `place` is the argument or the hint it is about, or `""`; `before` and `after`
    say what was and is there."""

    change: ChangeKind
    tool: str
    place: str = ""
    before: str = ""
    after: str = ""
    kind: ChangedThing = field(default=ChangedThing.TOOL, kw_only=True)

    @property
    def meaning(self) -> ChangeMeaning:
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
