"""A schema without the definitions that nothing in it leads to."""

from __future__ import annotations

from urllib.parse import unquote

from mcpgen.conformance.strict_json import Json

_HOLDING = ("$defs", "definitions")
"""The keywords of a root under which definitions stand."""

_ELSEWHERE = frozenset({"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"})
"""Keywords with which a reference may lead to a place that its text does not name."""

_Step = tuple[str, str]
"""A keyword of the root, and a name under it."""


def prune_defs(schema: Json) -> Json:
    """The schema with those definitions of its root that references in it lead to, on any way. As it is,
    where it cannot be told what a reference leads to."""
    if not isinstance(schema, dict) or not any(key in schema for key in _HOLDING):
        return schema
    waiting: list[Json] = [{key: one for key, one in schema.items() if key not in _HOLDING}]
    kept: set[_Step] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        if not isinstance(one, dict):
            continue
        waiting += one.values()
        step = _step(one.get("$ref", "#"))
        if step is None or not _ELSEWHERE.isdisjoint(one):
            return schema
        holder = schema.get(step[0])
        if step[0] in _HOLDING and step not in kept and isinstance(holder, dict):
            kept.add(step)
            waiting.append(holder.get(step[1]))
    left = {key: _left(key, schema[key], kept) for key in schema if key in _HOLDING}
    return {key: left.get(key, part) for key, part in schema.items() if left.get(key) != {}}


def _step(reference: Json) -> _Step | None:
    """The first step of a reference inside the schema, None for one that leads to a name or outside."""
    if reference == "#":
        return "", ""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    steps = [unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")]
    return steps[1], steps[2] if len(steps) > 2 else ""


def _left(key: str, holder: Json, kept: set[_Step]) -> Json:
    """What is left of the definitions under a keyword."""
    if not isinstance(holder, dict):
        return holder
    return {name: one for name, one in holder.items() if (key, name) in kept}
