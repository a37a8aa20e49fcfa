"""For each check, what breaks it and what meets it, as it goes over the wire."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """What a server does that breaks a check, and what it should do."""

    bad: str
    good: str


EXAMPLES: dict[str, Example] = {}
"""The example of each check, by its id."""
