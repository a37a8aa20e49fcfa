"""What the OpenSpec road parses a `spec.md` into: requirements, their scenarios, their steps.

Nothing is interpreted here; a step is a sentence with the part it plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location


class Role(StrEnum):
    """The part of a step in its scenario; an AND or BUT has the part of the step it continues."""

    GIVEN = "given"
    WHEN = "when"
    THEN = "then"
    NONE = "none"


class RequirementChange(StrEnum):
    """What a delta does with a requirement."""

    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `number` counts from 1 in its scenario; `keyword` is the English one in upper case
    (`WHEN`, `AND`, …), `""` where there is none; `text` is one line, with back-ticks kept and
    emphasis and breaks removed."""

    number: int
    keyword: str
    role: Role
    text: str
    at: Location


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. Its identity is capability, requirement and name, since names may repeat in a
    document. `text` is the block as it was written, without its heading; `digest` is the first 12
    hexadecimal digits of the SHA-256 of its name and steps, so that it changes when they do and not
    with line breaks, bullets or emphasis."""

    name: str
    steps: tuple[Step, ...]
    text: str
    digest: str
    at: Location


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement. `text` is its body above the scenarios, as it was written. `change` is set
    where it comes from a delta that was read alone; `was` is its earlier name where it was
    renamed. `lines` are the places of the lines of `text`, none where they are not known."""

    name: str
    text: str
    scenarios: tuple[Scenario, ...]
    at: Location
    change: RequirementChange | None = None
    was: str = ""
    lines: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirements:
    """A capability: all that its server SHALL do, in document order.

    `title` and `purpose` are `""` where the document has none. `sha256` covers the text that was
    read: without byte order mark, with `\\n` as line break; after a merge, the merged text.
    """

    capability: str
    title: str
    purpose: str
    requirements: tuple[Requirement, ...]
    sha256: str
    at: Location
