"""The parsed `spec.md`: requirements, scenarios and steps, without interpretation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location


class Role(StrEnum):
    """Role of a step in its scenario; AND and BUT continue the previous role."""

    GIVEN = "given"
    WHEN = "when"
    THEN = "then"
    NONE = "none"


class RequirementChange(StrEnum):
    """Effect of a delta on a requirement."""

    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Step:
    """A step.

    `number` counts from 1 in the scenario. `keyword` is English and upper case (`WHEN`, `AND`, …),
    `""` if missing. `text` is a single line, with back-ticks kept, emphasis and breaks removed.
    """

    number: int
    keyword: str
    role: Role
    text: str
    at: Location


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, identified by capability, requirement and name, because names may repeat.

    `text` is the block as written, without the heading. `digest` is the first 12 hexadecimal digits
    of the SHA-256 of name and steps, so line breaks, bullets and emphasis do not change the digest.
    """

    name: str
    steps: tuple[Step, ...]
    text: str
    digest: str
    at: Location


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement.

    `text` is the body above the scenarios, as written. `change` is set for a delta without a spec.
    `was` is the earlier name of a renamed requirement. `lines` are the positions of the lines of
    `text`, empty if unknown.
    """

    name: str
    text: str
    scenarios: tuple[Scenario, ...]
    at: Location
    change: RequirementChange | None = None
    was: str = ""
    lines: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirements:
    """A capability: all requirements of a server, in document order.

    `title` and `purpose` are `""` if missing. `sha256` covers the text without byte order mark and
    with `\\n` line breaks; after a merge, the merged text.
    """

    capability: str
    title: str
    purpose: str
    requirements: tuple[Requirement, ...]
    sha256: str
    at: Location
