"""What to paste into `mcp.yaml` for the steps that nobody has bound yet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping

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
"""The bindings of steps that something is missing of."""

_LONGEST = 100
"""Characters of a step in a comment."""


def names_of(proofs: BoundScenarios) -> Mapping[str, int]:
    """How many scenarios have each name."""
    return Counter(proof.name for _, proof in proofs.every)


def snippet(
    names: Mapping[str, int], chapter: BoundRequirement, proof: BoundScenario, tool: str
) -> str:
    """What binds the rest of a scenario, indented to stand below `scenarios:` of the companion, or
    below `then:` of the entry that it has there; `""` where nothing is left to bind.

    What the author has to say is filled with a claim that is false; `tool` is called where nothing
    says what the client does, and `names` counts the scenarios of each name.
    """
    open_ = [step for step in proof.steps if step.binding in OPEN]
    steps = [step for step in open_ if not step.premised]
    if proof.manual or not (steps or proof.stale or not proof.actions):
        return ""
    lacking = [step for step in open_ if step.role is Role.GIVEN]
    key = _quoted(_key(names, chapter, proof))
    lines = list(_added(key, proof, tool) if proof.authored else _entry(key, proof, tool))
    lines += [
        f"    # given: the fixture that brings about: {_comment(step.text)}" for step in lacking
    ]
    if steps:
        lines.append(f"  # In {_comment(key)}, below `then:`" if proof.authored else "    then:")
    lines += [line for step in steps for line in _step(step)]
    return "".join(f"{line}\n" for line in lines)


def _entry(key: str, proof: BoundScenario, tool: str) -> Iterator[str]:
    """The head of a new entry."""
    yield f"  {key}:"
    yield f"    of: {_quoted(proof.digest)}"
    if not proof.actions:
        yield _call(tool)


def _added(key: str, proof: BoundScenario, tool: str) -> Iterator[str]:
    """What an entry that is there lacks, or has of another text."""
    if proof.stale:
        yield f"  # In {_comment(key)}, once you have looked at it again:"
        yield f"    of: {_quoted(proof.digest)}"
    if not proof.actions:
        yield f"  # In {_comment(key)}:"
        yield _call(tool)


def _call(tool: str) -> str:
    return f"    call: {{tool: {_quoted(tool)}, arguments: {{}}}}"


def _step(step: BoundStep) -> Iterator[str]:
    yield f"      - step: {step.number}  # {_comment(step.rest or step.text)}"
    yield '        assert: {text: {contains: "say here what has to come back"}}'


def _key(names: Mapping[str, int], chapter: BoundRequirement, proof: BoundScenario) -> str:
    """The name of a scenario, with that of its requirement where it is not the only one."""
    return proof.name if names[proof.name] == 1 else f"{chapter.requirement}{BETWEEN}{proof.name}"


def _quoted(text: str) -> str:
    """A text between double quotes, as YAML reads it."""
    return json.dumps(strip_invisible(text), ensure_ascii=False)


def _comment(text: str) -> str:
    return strip_invisible(text)[:_LONGEST]
