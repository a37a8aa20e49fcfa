"""The rules about names: those that a model would take for one another, and those that are short for the
automatic operationIds of a framework."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.lint.tools import Placed
from mcpgen.lint.verbs import READING, WRITING, verb_stem
from mcpgen.lower.automatic_ids import automatic_id
from mcpgen.lower.name_words import shorten
from mcpgen.lower.names import LONGEST
from mcpgen.lower.text import strip_invisible, truncate

SHORTEST = 6
"""Letters of a name from which on one of them does not make another word of it."""

EXAMPLES = 3
"""How many short names of a framework's operations are told."""


def similar_names(tools: Sequence[ToolSpec]) -> Iterator[Placed]:
    """The tools whose names differ from an earlier one's by an ending, a number, the order of words
    or one letter; each is told once."""
    told: set[str] = set()
    for how, keys in KINDS:
        first: dict[str, str] = {}
        for tool in tools:
            found = [first[key] for key in keys(tool.name) if key in first]
            others = [name for name in found if name != tool.name and name not in told]
            if others and tool.name not in told:
                told.add(tool.name)
                facts = {"name": tool.name, "other": others[0], "how": how}
                yield codes.LOOK_ALIKE, tool.at, dict(facts)
            for key in keys(tool.name):
                first.setdefault(key, tool.name)


def of_automatic_ids(
    tools: Sequence[ToolSpec], operations: Mapping[str, Operation]
) -> Iterator[Placed]:
    """The frameworks whose automatic operationIds the tools have short names for, each told once, at its
    first operation."""
    by_framework: dict[str, list[ToolSpec]] = {}
    for tool in tools:
        automatic = automatic_id(operations[tool.operation])
        if automatic and tool.name in {shorten(list(each), LONGEST) for each in automatic.names}:
            by_framework.setdefault(automatic.framework, []).append(tool)
    for framework, of_framework in by_framework.items():
        examples = ", ".join(
            f"`{tool.name}` for `{truncate(strip_invisible(operations[tool.operation].id), 80)}`"
            for tool in of_framework[:EXAMPLES]
        )
        facts = {"framework": framework, "count": len(of_framework), "examples": examples}
        yield codes.AUTOMATIC_IDS, of_framework[0].at, facts


def _singular(name: str) -> list[str]:
    """The name with every word without its ending."""
    return ["_".join(verb_stem(word) for word in name.split("_"))]


def _ordered(name: str) -> list[str]:
    """The words of the name in order of the alphabet."""
    return [" ".join(sorted(name.split("_")))]


def _unnumbered(name: str) -> list[str]:
    """The name without a number behind it."""
    head, _, tail = name.rpartition("_")
    return [head if head and tail.isdecimal() else name]


def _without_a_letter(name: str) -> list[str]:
    """The name without each of its letters in turn: two names that share one of these differ by one
    letter. Digits stay, for `v1` and `v2` are not mistaken for one another, and so do verbs: `get` and
    `set` are two words."""
    if len(name) < SHORTEST:
        return []
    return [
        f"{name[:at]}-{name[at + 1 :]}"
        for word in re.finditer(r"[a-z]+", name)
        if word.group() not in READING | WRITING
        for at in range(*word.span())
    ]


KINDS = (
    ("by singular and plural alone", _singular),
    ("by the order of their words", _ordered),
    ("by a number alone", _unnumbered),
    ("by one letter", _without_a_letter),
)
"""The ways in which names are alike, and what names that are alike have in common."""
