"""Scenarios bound to what shows them: the part of a server that its own tests perform.

A step is bound by its author, in the companion, or by a documented phrase; what neither covers stays
pending, and says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.openspec.model.companion import Assertion, Fixture, ScenarioAction
from mcpgen.openspec.model.requirements import Role


class Binding(StrEnum):
    """How a step is bound."""

    PREMISE = "premise"
    """A GIVEN or WHEN that the fixtures and actions of the scenario bring about."""
    ASSERTED = "asserted"
    PARTLY = "partly"
    """Something is asserted, but the step says more."""
    MANUAL = "manual"
    PENDING = "pending"


class Coverage(StrEnum):
    """How much of a scenario is bound, before any of it is performed."""

    BOUND = "bound"
    PARTIAL = "partial"
    PENDING = "pending"
    MANUAL = "manual"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class BoundStep:
    """One step with what is asserted for it. `text` is its sentence with its keyword; `manual` the
    reason why no machine can show it, `rest` the words of it that no phrase understood. `role` is the
    part it plays in the text."""

    number: int
    text: str
    binding: Binding
    at: Location
    assertions: tuple[Assertion, ...] = ()
    manual: str = ""
    rest: str = ""
    role: Role = Role.THEN

    @property
    def premised(self) -> bool:
        """Whether it says what is there or done, and not what comes of it."""
        return self.role in (Role.GIVEN, Role.WHEN)

    @property
    def bound(self) -> bool:
        """Whether nothing of it is left to be shown."""
        return self.binding in (Binding.PREMISE, Binding.ASSERTED)


@dataclass(frozen=True, slots=True)
class BoundScenario:
    """One scenario with the test that performs it. `test` is a legal function name, unique in its
    chapter; `text` the scenario's block as it was written; `digest` tells its texts apart. `phrase` is
    the documented phrase that its action was read from, `""` if a person wrote it. `manual` is the
    reason why no machine can show any of it. `stale` tells that it was bound to another text, and
    `authored` that the companion has an entry for it."""

    name: str
    test: str
    text: str
    digest: str
    given: tuple[str, ...]
    actions: tuple[ScenarioAction, ...]
    steps: tuple[BoundStep, ...]
    at: Location
    manual: str = ""
    stale: bool = False
    phrase: str = ""
    authored: bool = False

    @property
    def bound(self) -> int:
        """How many of its steps are bound."""
        return 0 if self.manual else sum(step.bound for step in self.steps)

    @property
    def coverage(self) -> Coverage:
        """How much of it is bound."""
        if self.manual:
            return Coverage.MANUAL
        if self.stale:
            return Coverage.STALE
        bindings = Counter(step.binding for step in self.steps)
        if bindings[Binding.PENDING] or bindings[Binding.PARTLY] or not self.steps:
            shown = bindings[Binding.ASSERTED]
            return Coverage.PARTIAL if shown else Coverage.PENDING
        if bindings[Binding.MANUAL]:
            return Coverage.MANUAL
        return Coverage.BOUND if bindings[Binding.ASSERTED] else Coverage.PENDING


@dataclass(frozen=True, slots=True)
class BoundRequirement:
    """One requirement with its scenarios. `module` is a legal Python module name, unique in the
    server."""

    requirement: str
    module: str
    proofs: tuple[BoundScenario, ...]
    at: Location


@dataclass(frozen=True, slots=True)
class BoundScenarios:
    """All scenarios of a server, in document order, and the fixtures they may be given."""

    chapters: tuple[BoundRequirement, ...]
    fixtures: tuple[Fixture, ...] = ()

    @property
    def every(self) -> tuple[tuple[BoundRequirement, BoundScenario], ...]:
        """Each scenario with its requirement."""
        return tuple((chapter, proof) for chapter in self.chapters for proof in chapter.proofs)

    @property
    def percent(self) -> float:
        """How many of a hundred steps are bound, rounded down; those of a stale scenario are not."""
        proofs = [proof for _, proof in self.every]
        bound = sum(proof.bound for proof in proofs if not proof.stale)
        return 1000 * bound // max(1, sum(len(proof.steps) for proof in proofs)) / 10
