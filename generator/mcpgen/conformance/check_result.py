"""What a check function says: findings, or that it could not be made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation: what was expected, what was seen, and the tool it is about, if any.

    `warns` tells that this one is never a failure, however binding its check: little is lost, or
    the fact behind it is not sure.
    """

    expected: str
    saw: str
    tool: str = ""
    warns: bool = False


class PrerequisiteMissing(Exception):
    """A prerequisite of a check failed; the violation names it."""

    def __init__(self, expected: str, saw: str) -> None:
        super().__init__(expected, saw)
        self.finding = Finding(expected, saw)


class NotApplicable(Exception):
    """The server never declared the capability that a check is about."""
