"""Renders entries to paste into `mcp.yaml` for unbound steps."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mcpgen.lower.sanitize_text import strip_invisible
from mcpgen.openspec.lower.scenario_lookup import BETWEEN
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
    BoundStep,
)
from mcpgen.openspec.model.requirements import Role

OPEN = frozenset({Binding.PENDING, Binding.PARTLY})
"""Bindings of incomplete steps."""

_MAX_LENGTH = 100
"""Characters of a step in a comment."""


def names_of(scenarios: BoundScenarios) -> Mapping[str, int]:
    """Counts the scenarios per name."""
    return Counter(scenario.name for _, scenario in scenarios.every)


def snippet(
    names: Mapping[str, int], requirement: BoundRequirement, scenario: BoundScenario, tool: str
) -> str:
    """Returns YAML that binds the rest of a scenario, `""` if complete.

    Indented for `scenarios:` of the companion, or for `then:` of an existing entry. Assertions left
    to the author are filled with a false claim. `tool` is called if the scenario has no action;
    `names` counts the scenarios per name.
    """
    open_ = [step for step in scenario.steps if step.binding in OPEN]
    steps = [step for step in open_ if not (step.is_given_or_when or step.has_companion_assertions)]
    if scenario.guessed_steps:
        # The entry is in the companion, with the steps that a draft leaves open.
        return ""
    if scenario.manual or not (steps or scenario.is_stale or not scenario.actions):
        return ""
    lacking = [step for step in open_ if step.role is Role.GIVEN]
    key = _yaml_quoted(_scenario_key(names, requirement, scenario))
    lines = list(
        _added(key, scenario, tool) if scenario.has_entry else _entry_head(key, scenario, tool)
    )
    lines += [
        f"    # given: the fixture that brings about: {_comment(step.text)}" for step in lacking
    ]
    if steps:
        lines.append(
            f"  # In {_comment(key)}, below `then:`" if scenario.has_entry else "    then:"
        )
    lines += [line for step in steps for line in _step_snippet(step)]
    return "".join(f"{line}\n" for line in lines)


def likely_tool(scenario: BoundScenario, tools: Sequence[str]) -> str:
    """Returns the first tool that a GIVEN or WHEN names, else the first tool; `NAME` without tools."""
    text = " ".join(step.text for step in scenario.steps if step.is_given_or_when)
    identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", text))
    return next((name for name in tools if name in identifiers), tools[0] if tools else "NAME")


def _entry_head(key: str, scenario: BoundScenario, tool: str) -> Iterator[str]:
    """Yields the head of a new entry."""
    yield f"  {key}:"
    yield f"    of: {_yaml_quoted(scenario.digest)}"
    if not scenario.actions:
        yield _call_snippet(tool)


def _added(key: str, scenario: BoundScenario, tool: str) -> Iterator[str]:
    """Yields the missing or stale lines of an existing entry."""
    if scenario.is_stale:
        yield f"  # In {_comment(key)}, once you have looked at it again:"
        yield f"    of: {_yaml_quoted(scenario.digest)}"
    if not scenario.actions:
        yield f"  # In {_comment(key)}:"
        yield _call_snippet(tool)


def _call_snippet(tool: str) -> str:
    return f"    call: {{tool: {_yaml_quoted(tool)}, arguments: {{}}}}"


def _step_snippet(step: BoundStep) -> Iterator[str]:
    yield f"      - step: {step.number}  # {_comment(step.open_part or step.text)}"
    yield '        assert: {text: {contains: "say here what has to come back"}}'


def _scenario_key(
    names: Mapping[str, int], requirement: BoundRequirement, scenario: BoundScenario
) -> str:
    """Returns the scenario name, with the requirement name if ambiguous."""
    return (
        scenario.name
        if names[scenario.name] == 1
        else f"{requirement.name}{BETWEEN}{scenario.name}"
    )


def _yaml_quoted(text: str) -> str:
    """Returns a text in double quotes for YAML."""
    return json.dumps(strip_invisible(text), ensure_ascii=False)


def _comment(text: str) -> str:
    return strip_invisible(text)[:_MAX_LENGTH]
