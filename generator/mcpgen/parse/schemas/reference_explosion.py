"""Definitions that lead to more schemas of the same value than anybody can ask, and their end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.parse.schemas.reference_cycles import links

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
    for name, below in _from_below(definitions):
        count = 1 + sum(ways[each] for each in below)
        depth = 1 + max((depths[each] for each in below), default=0)
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
    below = {
        name: [link.target for link in links(schema.json) if link.target in definitions]
        for name, schema in definitions.items()
    }
    done: set[str] = set()
    for start in definitions:
        stack = [(start, iter(below[start]))]
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in done), None)
            if following is not None:
                stack.append((following, iter(below[following])))
                continue
            stack.pop()
            if name not in done:
                done.add(name)
                yield name, below[name]
