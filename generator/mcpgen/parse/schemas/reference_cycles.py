"""Removes references by which validation of one value would never end, or take too long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json

_PREFIX = "#/$defs/"
_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = ("not", "if", "then", "else")
_SHOWN_NAMES = 4
"""Names from each end of a long cycle in a message."""

MAX_DEFINITIONS = 10_000
"""Definitions evaluated for one value, counted once per path of references; bounds the time of one
validation."""

MAX_CHAIN = 100
"""Length of a chain of references; the same limit as for nested schemas."""

_KEPT_ANNOTATIONS = frozenset({"title", "description", "deprecated"})
"""Keywords kept when a definition is cut: they do not restrict values."""


@dataclass(frozen=True, slots=True)
class CycleLink:
    """A reference to `target` that applies to the same value.

    `holder`: the schema with the `$ref`. `parent`: the schema that has `holder` under `keyword`;
    None at the root of a definition.
    """

    target: str
    holder: dict[str, Json]
    parent: dict[str, Json] | None = None
    keyword: str = ""


def cut_reference_cycles(definitions: Mapping[str, Schema], diagnostics: Diagnostics) -> None:
    """Removes references that close a cycle without descending into the value. Adds ENDLESS_SCHEMA.

    A reference that is a branch of `anyOf` or `oneOf` is removed together with the branch, because
    an empty branch would allow every value. Elsewhere only the `$ref` keyword is removed, and the
    rest of the schema stays.
    """
    # Same-value references by definition.
    links = {name: list(same_value_references(schema.json)) for name, schema in definitions.items()}
    finished: set[str] = set()
    for start in definitions:
        if start in finished:
            continue
        # A dict instead of a set keeps the order.
        trail = {start: None}
        stack = [(start, iter(links[start]))]
        while stack:
            name, remaining = stack[-1]
            link = next(remaining, None)
            if link is None:
                stack.pop()
                trail.pop(name)
                finished.add(name)
            elif link.target in trail:
                _cut_link(link)
                through = _format_cycle([*_cycle_from(trail, link.target), link.target])
                at = definitions[name].at
                diagnostics.add(codes.ENDLESS_SCHEMA, at, name=name, through=through)
            elif link.target not in finished and link.target in links:
                trail[link.target] = None
                stack.append((link.target, iter(links[link.target])))


def _cycle_from(trail: Mapping[str, None], start: str) -> list[str]:
    """Part of a path from `start` to its end."""
    names = list(trail)
    return names[names.index(start) :]


def _format_cycle(names: list[str]) -> str:
    """Names of a cycle for a message; of a long cycle the first and the last names."""
    left_out = len(names) - 2 * _SHOWN_NAMES
    if left_out > 1:
        names = [*names[:_SHOWN_NAMES], f"{left_out} more", *names[-_SHOWN_NAMES:]]
    return " → ".join(names)


def same_value_references(
    json: Json, parent: dict[str, Json] | None = None, keyword: str = ""
) -> Iterator[CycleLink]:
    """References of a schema that apply to the same value, in document order."""
    if not isinstance(json, dict):
        return
    if "$ref" in json:
        yield CycleLink(json["$ref"].removeprefix(_PREFIX), json, parent, keyword)
    for key in _LISTS:
        for branch in json.get(key, ()):
            yield from same_value_references(branch, json, key)
    for key in _SINGLE:
        if key in json:
            yield from same_value_references(json[key], json, key)
    for branch in json.get("dependentSchemas", {}).values():
        yield from same_value_references(branch, json, "dependentSchemas")


def _cut_link(link: CycleLink) -> None:
    # None if the keyword was removed because of its last branch.
    choice = link.parent.get(link.keyword) if link.parent is not None else None
    if link.parent is None or link.keyword not in ("anyOf", "oneOf") or choice is None:
        del link.holder["$ref"]
        return
    branches = [branch for branch in choice if branch is not link.holder]
    if branches:
        link.parent[link.keyword] = branches
    else:
        del link.parent[link.keyword]


def cut_reference_explosions(definitions: Mapping[str, Schema], diagnostics: Diagnostics) -> None:
    """Removes the keywords of a definition, so that the definition allows every value, if
    evaluating the definition for one value needs more than MAX_DEFINITIONS definitions or more than
    MAX_CHAIN references in a row. Adds TANGLED_SCHEMA.

    Targets are examined before the definitions that refer to them, so a cut near the end of the
    chain can keep the definitions above intact. Expects definitions without cycles.
    """
    counts: dict[str, int] = {}
    depths: dict[str, int] = {}
    for name, targets in _targets_first(definitions):
        count = 1 + sum(counts[target] for target in targets)
        depth = 1 + max((depths[target] for target in targets), default=0)
        reason = _cut_reason(count, depth)
        if reason:
            schema = definitions[name]
            for keyword in schema.json.keys() - _KEPT_ANNOTATIONS:
                del schema.json[keyword]
            diagnostics.add(codes.TANGLED_SCHEMA, schema.at, name=name, reason=reason)
        counts[name], depths[name] = (1, 1) if reason else (count, depth)


def _cut_reason(count: int, depth: int) -> str:
    """Reason for a cut, or `""`."""
    if count > MAX_DEFINITIONS:
        return (
            f"applies {count:,} schemas to one value, counted along every path of references; the "
            f"limit is {MAX_DEFINITIONS:,}"
        )
    if depth > MAX_CHAIN:
        return (
            f"reaches schemas for the same value through more than {MAX_CHAIN} references in a row"
        )
    return ""


def _targets_first(definitions: Mapping[str, Schema]) -> Iterator[tuple[str, list[str]]]:
    """Yields each definition with the targets of its references, targets first."""
    targets = {
        name: [
            link.target for link in same_value_references(schema.json) if link.target in definitions
        ]
        for name, schema in definitions.items()
    }
    finished: set[str] = set()
    for start in definitions:
        stack = [(start, iter(targets[start]))]
        while stack:
            name, remaining = stack[-1]
            following = next((target for target in remaining if target not in finished), None)
            if following is not None:
                stack.append((following, iter(targets[following])))
                continue
            stack.pop()
            if name not in finished:
                finished.add(name)
                yield name, targets[name]
