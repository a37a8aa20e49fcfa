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


@dataclass(frozen=True, slots=True)
class _Link:
    """A reference to `target` that applies to the same value. `parent` holds the schema with the
    `$ref` under `keyword`, as its `index`th where that is a list; None at a definition's root."""

    target: str
    holder: dict[str, Json]
    parent: dict[str, Json] | None = None
    keyword: str = ""


def cut_endless(definitions: Mapping[str, Schema], diagnostics: Diagnostics) -> None:
    """Takes out the references that close a circle; adds ENDLESS_SCHEMA for each.

    In a choice the whole alternative goes, since it offers nothing the choice does not; elsewhere
    the reference goes, since it demands nothing the schema does not.
    """
    links = {name: list(_links(schema.json)) for name, schema in definitions.items()}
    done: set[str] = set()
    for start in definitions:
        if start in done:
            continue
        trail = {start: None}
        stack = [(start, iter(links[start]))]
        while stack:
            name, rest = stack[-1]
            link = next(rest, None)
            if link is None:
                stack.pop()
                trail.pop(name)
                done.add(name)
            elif link.target in trail:
                _cut(link)
                through = " → ".join([*_circle(trail, link.target), link.target])
                at = definitions[name].at
                diagnostics.add(codes.ENDLESS_SCHEMA, at, name=name, through=through)
            elif link.target not in done and link.target in links:
                trail[link.target] = None
                stack.append((link.target, iter(links[link.target])))


def _circle(trail: Mapping[str, None], start: str) -> list[str]:
    """The part of the way that leads from `start` to its end."""
    names = list(trail)
    return names[names.index(start) :]


def _links(json: Json, parent: dict[str, Json] | None = None, keyword: str = "") -> Iterator[_Link]:
    """The references of a schema that apply to the same value as the schema itself."""
    if not isinstance(json, dict):
        return
    if "$ref" in json:
        yield _Link(json["$ref"].removeprefix(_PREFIX), json, parent, keyword)
    for key in _LISTS:
        for branch in json.get(key, ()):
            yield from _links(branch, json, key)
    for key in _SINGLE:
        if key in json:
            yield from _links(json[key], json, key)
    for branch in json.get("dependentSchemas", {}).values():
        yield from _links(branch, json, "dependentSchemas")


def _cut(link: _Link) -> None:
    choice = link.parent.get(link.keyword) if link.parent is not None else None
    if link.parent is None or link.keyword not in ("anyOf", "oneOf") or choice is None:
        del link.holder["$ref"]
        return
    kept = [branch for branch in choice if branch is not link.holder]
    if kept:
        link.parent[link.keyword] = kept
    else:
        del link.parent[link.keyword]
