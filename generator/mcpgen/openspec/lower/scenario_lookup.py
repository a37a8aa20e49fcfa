"""Which scenario of the text a binding of the companion is about."""

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
"""What stands between the names of a requirement and its scenario in the companion."""


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
    """Every scenario that has to be shown, with its requirement."""
    for requirement in requirements.requirements:
        if requirement.change is not RequirementChange.REMOVED:
            for scenario in requirement.scenarios:
                yield requirement, scenario


@dataclass(frozen=True, slots=True)
class ScenarioNames:
    """The scenarios of a text by their names: their own, and those with their requirement's."""

    own: Mapping[str, Sequence[Pair]]
    full: Mapping[str, Sequence[Pair]]

    @classmethod
    def of(cls, requirements: Requirements) -> ScenarioNames:
        """The names of all scenarios that have to be shown."""
        own: dict[str, list[Pair]] = {}
        full: dict[str, list[Pair]] = {}
        for pair in all_scenarios(requirements):
            own.setdefault(_plain(pair[1].name), []).append(pair)
            full.setdefault(_plain(full_name(*pair)), []).append(pair)
        return cls(own, full)

    def meant(self, binding: ScenarioBinding) -> Sequence[Pair]:
        """The scenarios that a binding's name fits: one, unless it is wrong or names repeat.

        A scenario's own name goes first, for it may have a ` / ` in it.
        """
        key = binding_name(binding)
        return self.own.get(key) or self.full.get(key, ())

    def key_of(self, requirement: Requirement, scenario: Scenario) -> str | None:
        """The shortest name that fits this scenario alone, or None where none does."""
        name, full = _plain(scenario.name), _plain(full_name(requirement, scenario))
        if len(self.own[name]) == 1:
            return name
        return full if len(self.full[full]) == 1 and full not in self.own else None


def match_bindings(requirements: Requirements, companion: Companion) -> list[ScenarioMatch]:
    """The bindings that fit exactly one scenario, in the order of the companion; the first of two
    that fit the same."""
    names = ScenarioNames.of(requirements)
    found: dict[int, ScenarioMatch] = {}
    for binding in companion.scenarios:
        pairs = names.meant(binding)
        if len(pairs) == 1:
            found.setdefault(id(pairs[0][1]), ScenarioMatch(*pairs[0], binding))
    return list(found.values())


def binding_name(binding: ScenarioBinding) -> str:
    """The name as the companion writes it."""
    parts = (binding.requirement, binding.scenario) if binding.requirement else (binding.scenario,)
    return _plain(BETWEEN.join(parts))


def full_name(requirement: Requirement, scenario: Scenario) -> str:
    """The name of a scenario with its requirement's."""
    return f"{requirement.name}{BETWEEN}{scenario.name}"


def _plain(name: str) -> str:
    return " ".join(name.split())
