"""Bound scenarios: the part of a server performed by the project's own tests.

A step is bound by the companion or by a phrase; all other steps stay pending.
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

    `text` is the sentence with its keyword. `manual` is the reason for a manual check. `unchecked`
    are the words that no assertion shows, as in the companion. `open_reason` is a reason outside the
    text why the step is pending or partly bound. `role` is the step's role in the text.
    `has_companion_assertions`: a scenario's entry or a step definition of the companion has the
    assertions. `is_guessed`: an entry with `guessed: true` binds the step, so the step is pending
    until somebody reviews the entry.
    """

    number: int
    text: str
    binding: Binding
    at: Location
    assertions: tuple[Assertion, ...] = ()
    manual: str = ""
    unchecked: str = ""
    open_reason: str = ""
    role: Role = Role.THEN
    has_companion_assertions: bool = False
    is_guessed: bool = False

    @property
    def is_given_or_when(self) -> bool:
        """True if the step is a GIVEN or a WHEN."""
        return self.role in (Role.GIVEN, Role.WHEN)

    @property
    def open_part(self) -> str:
        """The words that no assertion shows, or the reason why the step is open; `""` if unknown."""
        return self.unchecked or self.open_reason

    @property
    def is_bound(self) -> bool:
        """True if the step is bound completely."""
        return self.binding in (Binding.PREMISE, Binding.ASSERTED)


@dataclass(frozen=True, slots=True)
class BoundScenario:
    """A scenario with its test.

    `test` is a valid function name, unique in the module. `text` is the block as written; `digest`
    identifies the text. `phrase` names the phrase that read the action, `""` for an action of the
    companion. `manual` is the reason for a manual check. `is_stale`: the entry has the digest of
    another text. `has_entry`: the companion has an entry of the scenario. `setup` are the actions of
    the fixtures, performed before `actions`.
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
    is_stale: bool = False
    phrase: str = ""
    has_entry: bool = False
    setup: tuple[ScenarioAction, ...] = ()

    @property
    def bound_steps(self) -> int:
        """Number of bound steps; 0 for a manual scenario."""
        return 0 if self.manual else sum(step.is_bound for step in self.steps)

    @property
    def guessed_steps(self) -> int:
        """Number of steps bound by an entry with `guessed: true`."""
        return sum(step.is_guessed for step in self.steps)

    @property
    def coverage(self) -> Coverage:
        """Extent of the scenario's bindings."""
        if self.manual:
            return Coverage.MANUAL
        if self.is_stale:
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
        bound = sum(scenario.bound_steps for scenario in scenarios if not scenario.is_stale)
        return 1000 * bound // max(1, sum(len(scenario.steps) for scenario in scenarios)) / 10
