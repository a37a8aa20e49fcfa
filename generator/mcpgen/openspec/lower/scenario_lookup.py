"""Finds the scenario of a companion binding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.openspec.model.companion import Companion, ScenarioBinding
from mcpgen.openspec.model.requirements import (
    Requirement,
    RequirementChange,
    Requirements,
    Scenario,
)

Pair = tuple[Requirement, Scenario]

BETWEEN = " / "
"""Separator between the names of a requirement and its scenario in the companion."""


@dataclass(frozen=True, slots=True)
class ScenarioMatch:
    """A scenario of the text and its binding."""

    requirement: Requirement
    scenario: Scenario
    binding: ScenarioBinding

    @property
    def stale(self) -> bool:
        """Whether the scenario has changed since the binding was written."""
        return bool(self.binding.digest) and self.binding.digest != self.scenario.digest


def all_scenarios(requirements: Requirements) -> Iterator[Pair]:
    """Yields every scenario of current requirements, with its requirement."""
    for requirement in requirements.requirements:
        if requirement.change is not RequirementChange.REMOVED:
            for scenario in requirement.scenarios:
                yield requirement, scenario


@dataclass(frozen=True, slots=True)
class ScenarioNames:
    """Scenarios by name, and by requirement name plus scenario name."""

    own: Mapping[str, Sequence[Pair]]
    full: Mapping[str, Sequence[Pair]]

    @classmethod
    def of(cls, requirements: Requirements) -> ScenarioNames:
        """Collects the names of all current scenarios."""
        own: dict[str, list[Pair]] = {}
        full: dict[str, list[Pair]] = {}
        for pair in all_scenarios(requirements):
            own.setdefault(_plain_name(pair[1].name), []).append(pair)
            full.setdefault(_plain_name(full_name(*pair)), []).append(pair)
        return cls(own, full)

    def pairs_of(self, binding: ScenarioBinding) -> Sequence[Pair]:
        """Returns the scenarios a binding's name matches: exactly one for a valid, unique name.

        The scenario's own name takes precedence, because the name may contain ` / `.
        """
        key = binding_name(binding)
        return self.own.get(key) or self.full.get(key, ())

    def key_of(self, requirement: Requirement, scenario: Scenario) -> str | None:
        """Returns the shortest unique name of a scenario, or None."""
        name, full = _plain_name(scenario.name), _plain_name(full_name(requirement, scenario))
        if len(self.own[name]) == 1:
            return name
        return full if len(self.full[full]) == 1 and full not in self.own else None


def match_bindings(requirements: Requirements, companion: Companion) -> list[ScenarioMatch]:
    """Returns the bindings that match exactly one scenario, in companion order.

    The first of several bindings of a scenario is kept.
    """
    names = ScenarioNames.of(requirements)
    matches: dict[int, ScenarioMatch] = {}
    for binding in companion.scenarios:
        pairs = names.pairs_of(binding)
        if len(pairs) == 1:
            matches.setdefault(id(pairs[0][1]), ScenarioMatch(*pairs[0], binding))
    return list(matches.values())


def binding_name(binding: ScenarioBinding) -> str:
    """Returns the name as written in the companion."""
    parts = (binding.requirement, binding.scenario) if binding.requirement else (binding.scenario,)
    return _plain_name(BETWEEN.join(parts))


def full_name(requirement: Requirement, scenario: Scenario) -> str:
    """Returns the name of a scenario with its requirement's name."""
    return f"{requirement.name}{BETWEEN}{scenario.name}"


def _plain_name(name: str) -> str:
    return " ".join(name.split())
