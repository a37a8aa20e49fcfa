"""Definitions that apply themselves to the same value, and how the circle is opened."""

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
_SHOWN = 4
"""Names that a message shows of each end of a long way."""


@dataclass(frozen=True, slots=True)
class CycleLink:
    """A reference to `target` that applies to the same value. `parent` holds the schema with the
    `$ref` under `keyword`, as its `index`th where that is a list; None at a definition's root."""

    target: str
    holder: dict[str, Json]
    parent: dict[str, Json] | None = None
    keyword: str = ""


def cut_reference_cycles(definitions: Mapping[str, Schema], diagnostics: Diagnostics) -> None:
    """Takes out the references that close a circle; adds ENDLESS_SCHEMA for each.

    In a choice the whole alternative goes, since it offers nothing the choice does not; elsewhere
    the reference goes, since it demands nothing the schema does not.
    """
    leading = {name: list(links(schema.json)) for name, schema in definitions.items()}
    finished: set[str] = set()
    for start in definitions:
        if start in finished:
            continue
        trail = {start: None}
        stack = [(start, iter(leading[start]))]
        while stack:
            name, rest = stack[-1]
            link = next(rest, None)
            if link is None:
                stack.pop()
                trail.pop(name)
                finished.add(name)
            elif link.target in trail:
                _cut_link(link)
                through = _way([*_circle(trail, link.target), link.target])
                at = definitions[name].at
                diagnostics.add(codes.ENDLESS_SCHEMA, at, name=name, through=through)
            elif link.target not in finished and link.target in leading:
                trail[link.target] = None
                stack.append((link.target, iter(leading[link.target])))


def _circle(trail: Mapping[str, None], start: str) -> list[str]:
    """The part of the way that leads from `start` to its end."""
    names = list(trail)
    return names[names.index(start) :]


def _way(names: list[str]) -> str:
    """The names of a way in words, of a long one its beginning and its end."""
    left_out = len(names) - 2 * _SHOWN
    if left_out > 1:
        names = [*names[:_SHOWN], f"{left_out} more", *names[-_SHOWN:]]
    return " → ".join(names)


def links(
    json: Json, parent: dict[str, Json] | None = None, keyword: str = ""
) -> Iterator[CycleLink]:
    """The references of a schema that apply to the same value as the schema itself."""
    if not isinstance(json, dict):
        return
    if "$ref" in json:
        yield CycleLink(json["$ref"].removeprefix(_PREFIX), json, parent, keyword)
    for key in _LISTS:
        for branch in json.get(key, ()):
            yield from links(branch, json, key)
    for key in _SINGLE:
        if key in json:
            yield from links(json[key], json, key)
    for branch in json.get("dependentSchemas", {}).values():
        yield from links(branch, json, "dependentSchemas")


def _cut_link(link: CycleLink) -> None:
    choice = link.parent.get(link.keyword) if link.parent is not None else None
    if link.parent is None or link.keyword not in ("anyOf", "oneOf") or choice is None:
        del link.holder["$ref"]
        return
    branches = [branch for branch in choice if branch is not link.holder]
    if branches:
        link.parent[link.keyword] = branches
    else:
        del link.parent[link.keyword]


MOST = 10_000
"""Definitions that one value is held against, each as often as a way leads to it."""

DEEPEST = 100
"""References that follow each other; as many as schemas may be nested in each other."""

_TEXTS = frozenset({"title", "description", "deprecated"})


def cut_reference_explosions(definitions: Mapping[str, Schema], diagnostics: Diagnostics) -> None:
    """Lets definitions allow anything whose references on the same value, which go round in no
    circle, lead to more than MOST or deeper than DEEPEST; adds TANGLED_SCHEMA for each.

    Those below are cut first, so that as much as possible of those above stays.
    """
    ways: dict[str, int] = {}
    depths: dict[str, int] = {}
    for name, targets in _from_below(definitions):
        count = 1 + sum(ways[target] for target in targets)
        depth = 1 + max((depths[target] for target in targets), default=0)
        reason = _reason(count, depth)
        if reason:
            schema = definitions[name]
            for keyword in schema.json.keys() - _TEXTS:
                del schema.json[keyword]
            diagnostics.add(codes.TANGLED_SCHEMA, schema.at, name=name, reason=reason)
        ways[name], depths[name] = (1, 1) if reason else (count, depth)


def _reason(count: int, depth: int) -> str:
    """Why so many ways, or ways so long, are too much, in words, or `""`."""
    if count > MOST:
        return f"leads to others on {count:,} ways for one value, more than {MOST:,}"
    if depth > DEEPEST:
        return f"leads to others through more than {DEEPEST} references for one value"
    return ""


def _from_below(definitions: Mapping[str, Schema]) -> Iterator[tuple[str, list[str]]]:
    """Each definition after those that its own references, which are told as well, lead to."""
    targets = {
        name: [link.target for link in links(schema.json) if link.target in definitions]
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
