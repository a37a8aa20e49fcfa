"""What breaks a check and what meets it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """What a server does that breaks a check, and what it should do: as it goes over the wire (`→` is
    what the client sends, `←` what the server answers), as part of an announced tool, or in code.
    """

    bad: str
    good: str


Examples = dict[str, Example]
"""Examples by the id of their check."""
