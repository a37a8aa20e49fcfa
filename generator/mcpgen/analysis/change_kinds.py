"""Kinds of change between two listings, and which clients each kind breaks.

*Saved references* name a tool without calling: in a prompt, an allow-list or a workflow, or as a
permission once given; likewise the URI of a resource and the name of a prompt. *Callers* repeat
earlier calls and read results as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class CompatibilityClass(StrEnum):
    """Whether users of the old listing are affected."""

    SAFE = "safe"
    BREAKING = "breaking"


class ChangedThing(StrEnum):
    """Kind of the changed entry."""

    TOOL = "tool"
    RESOURCE = "resource"
    PROMPT = "prompt"


class ChangeKind(StrEnum):
    """Kind of change, as a stable word."""

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
    """Text of a kind of change, and its compatibility class for saved references and for
    callers."""

    words: str
    references: CompatibilityClass
    callers: CompatibilityClass

    @property
    def is_breaking(self) -> bool:
        """True if the change breaks saved references or callers."""
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
"""Every kind of change.

A loosened hint breaks no call but voids the permission for a read-only tool. A change that cannot
be shown to be safe counts as breaking.
"""


@dataclass(frozen=True, slots=True)
class ToolChange:
    """One change of a tool, resource or prompt.

    `tool`: present name, or old name if removed; URI of a resource, name of a prompt. `place`:
    argument, hint or other member, or `""`. `before` and `after`: the values. `reason`: why two names
    are one tool, `""` unless the tool was renamed.
    """

    change: ChangeKind
    tool: str
    place: str = ""
    before: str = ""
    after: str = ""
    reason: str = field(default="", kw_only=True)
    kind: ChangedThing = field(default=ChangedThing.TOOL, kw_only=True)

    @property
    def meaning(self) -> ChangeMeaning:
        """Text and compatibility classes of the kind of change."""
        return MEANINGS[self.change]


LOOSE = {
    "readOnlyHint": (False, False),
    "destructiveHint": (True, True),
    "idempotentHint": (False, False),
    "openWorldHint": (True, True),
}
"""Per hint: the permissive value, and the default;
https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations."""
