"""Bound scenarios: the part of a server performed by the project's own tests.

A step is bound by the companion or by a step definition; all other steps stay pending.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.openspec.model.companion import Assertion, Fixture, ScenarioAction
from mcpgen.openspec.model.requirements import Role


class Binding(StrEnum):
    """Binding of a step."""

    PREMISE = "premise"
    """A GIVEN or WHEN established by the fixtures and actions of the scenario."""
    ASSERTED = "asserted"
    PARTLY = "partly"
    """Assertions cover only part of the step."""
    MANUAL = "manual"
    PENDING = "pending"


class Coverage(StrEnum):
    """Extent of a scenario's bindings, before any run."""

    BOUND = "bound"
    PARTIAL = "partial"
    PENDING = "pending"
    MANUAL = "manual"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class BoundStep:
    """A step with its assertions.

    `text` is the sentence with its keyword. `manual` is the reason for a manual check. `rest` is
    the part that no assertion shows, or the reason why the step is pending. `role` is the step's role
    in the text. `authored`: the companion has assertions for the step. `drafted`: an entry that
    `mcpgen bind` guessed binds the step, so the step is pending until somebody reviews the entry.
    """

    number: int
    text: str
    binding: Binding
    at: Location
    assertions: tuple[Assertion, ...] = ()
    manual: str = ""
    rest: str = ""
    role: Role = Role.THEN
    authored: bool = False
    drafted: bool = False

    @property
    def premised(self) -> bool:
        """Whether the step is a GIVEN or a WHEN."""
        return self.role in (Role.GIVEN, Role.WHEN)

    @property
    def bound(self) -> bool:
        """Whether the step is bound completely."""
        return self.binding in (Binding.PREMISE, Binding.ASSERTED)


@dataclass(frozen=True, slots=True)
class BoundScenario:
    """A scenario with its test.

    `test` is a valid function name, unique in the module. `text` is the block as written; `digest`
    identifies the text. `phrase` names the step definition of the action, `""` for an authored
    action. `manual` is the reason for a manual check. `stale`: the binding has the digest of
    another text. `authored`: the companion has an entry. `setup` are the actions of the fixtures,
    performed before `actions`.
    """

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
    setup: tuple[ScenarioAction, ...] = ()

    @property
    def bound(self) -> int:
        """Number of bound steps."""
        return 0 if self.manual else sum(step.bound for step in self.steps)

    @property
    def drafted(self) -> int:
        """Number of steps bound by a guessed entry."""
        return sum(step.drafted for step in self.steps)

    @property
    def coverage(self) -> Coverage:
        """Extent of the scenario's bindings."""
        if self.manual:
            return Coverage.MANUAL
        if self.stale:
            return Coverage.STALE
        bindings = Counter(step.binding for step in self.steps)
        if bindings[Binding.PENDING] or bindings[Binding.PARTLY] or not self.steps:
            is_partial = bindings[Binding.ASSERTED]
            return Coverage.PARTIAL if is_partial else Coverage.PENDING
        if bindings[Binding.MANUAL]:
            return Coverage.MANUAL
        return Coverage.BOUND if bindings[Binding.ASSERTED] else Coverage.PENDING


@dataclass(frozen=True, slots=True)
class BoundRequirement:
    """A requirement with its scenarios.

    `module` is a Python module name, unique in the server. `capability` is set if the server has
    several.
    """

    name: str
    module: str
    scenarios: tuple[BoundScenario, ...]
    at: Location
    capability: str = ""

    @property
    def title(self) -> str:
        """The requirement's name, after the name of the capability if the server has several."""
        return f"{self.capability}: {self.name}" if self.capability else self.name


@dataclass(frozen=True, slots=True)
class BoundScenarios:
    """All scenarios of a server, in document order, and their fixtures."""

    requirements: tuple[BoundRequirement, ...]
    fixtures: tuple[Fixture, ...] = ()

    @property
    def every(self) -> tuple[tuple[BoundRequirement, BoundScenario], ...]:
        """All scenarios with their requirements."""
        return tuple(
            (requirement, scenario)
            for requirement in self.requirements
            for scenario in requirement.scenarios
        )

    @property
    def percent(self) -> float:
        """Percentage of bound steps, rounded down to 0.1; stale scenarios count as unbound."""
        scenarios = [scenario for _, scenario in self.every]
        bound = sum(scenario.bound for scenario in scenarios if not scenario.stale)
        return 1000 * bound // max(1, sum(len(scenario.steps) for scenario in scenarios)) / 10
