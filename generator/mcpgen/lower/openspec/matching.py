"""Which scenario of the text a binding of the companion is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.ir.companion import Companion, ScenarioBinding
from mcpgen.ir.requirements import Change, Requirement, Requirements, Scenario

BETWEEN = " / "
"""What stands between the names of a requirement and its scenario in the companion."""


@dataclass(frozen=True, slots=True)
class Match:
    """A scenario of the text and its binding."""

    requirement: Requirement
    scenario: Scenario
    binding: ScenarioBinding

    @property
    def stale(self) -> bool:
        """Whether the scenario has changed since the binding was written."""
        return bool(self.binding.digest) and self.binding.digest != self.scenario.digest


def scenarios_of(requirements: Requirements) -> Iterator[tuple[Requirement, Scenario]]:
    """Every scenario that has to be shown, with its requirement."""
    for requirement in requirements.requirements:
        if requirement.change is not Change.REMOVED:
            for scenario in requirement.scenarios:
                yield requirement, scenario


def meant(
    requirements: Requirements, binding: ScenarioBinding
) -> list[tuple[Requirement, Scenario]]:
    """The scenarios that a binding's name fits: one, unless it is wrong or names repeat.

    A scenario's own name goes first, for it may have a ` / ` in it.
    """
    key = name_of(binding)
    every = list(scenarios_of(requirements))
    own = [one for one in every if _plain(one[1].name) == key]
    return own or [one for one in every if key == _plain(full_name(*one))]


def matched(requirements: Requirements, companion: Companion) -> list[Match]:
    """The bindings that fit exactly one scenario, in the order of the companion; the first of two
    that fit the same."""
    found: dict[int, Match] = {}
    for binding in companion.scenarios:
        pairs = meant(requirements, binding)
        if len(pairs) == 1:
            found.setdefault(id(pairs[0][1]), Match(*pairs[0], binding))
    return list(found.values())


def key_of(requirements: Requirements, requirement: Requirement, scenario: Scenario) -> str | None:
    """The shortest name that fits this scenario alone, or None where none does."""
    every = list(scenarios_of(requirements))
    name, full = _plain(scenario.name), _plain(full_name(requirement, scenario))
    own = [one for one in every if _plain(one[1].name) == name]
    if len(own) == 1:
        return name
    same = [one for one in every if _plain(full_name(*one)) == full]
    shadowed = any(_plain(one[1].name) == full for one in every)
    return full if len(same) == 1 and not shadowed else None


def name_of(binding: ScenarioBinding) -> str:
    """The name as the companion writes it."""
    parts = (binding.requirement, binding.scenario) if binding.requirement else (binding.scenario,)
    return _plain(BETWEEN.join(parts))


def full_name(requirement: Requirement, scenario: Scenario) -> str:
    """The name of a scenario with its requirement's."""
    return f"{requirement.name}{BETWEEN}{scenario.name}"


def _plain(name: str) -> str:
    return " ".join(name.split())
