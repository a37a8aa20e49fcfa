"""A mutant: a conforming server with a single deliberate defect."""

from __future__ import annotations

from dataclasses import dataclass

SERVERS = ("plain", "python-sdk", "typescript-sdk")
"""The servers of the measurement."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant of a server.

    `id` is stable as long as the mutated file is. `kind` is `wire` for a changed answer and `code`
    for changed source. `revision` is the protocol revision whose answers change, or `""` for code.
    `operator` is the kind of change, `change` the change in words.
    """

    id: str
    server: str
    kind: str
    area: str
    operator: str
    change: str
    revision: str = ""
