"""Answers reduced to the fields that a tool is to show."""

from __future__ import annotations

from collections.abc import Iterable

from .tool import Json

Chosen = dict[str, "Chosen"]
"""The names that are kept, each with those kept below it; an empty one keeps everything."""


def parse_field_paths(paths: Iterable[str]) -> Chosen:
    """The tree of dotted paths: of `id` and `owner.name`."""
    tree: Chosen = {}
    whole: set[tuple[str, ...]] = set()
    for path in sorted(paths, key=len):
        steps = tuple(path.split("."))
        if any(steps[:length] in whole for length in range(1, len(steps))):
            continue
        whole.add(steps)
        below = tree
        for step in steps:
            below = below.setdefault(step, {})
    return tree


def filter_fields(value: Json, tree: Chosen) -> Json:
    """The value with what was chosen. Arrays are passed through; of a scalar where a field of an
    object was chosen nothing is left but null."""
    if not tree:
        return value
    if isinstance(value, list):
        return [filter_fields(each, tree) for each in value]
    if not isinstance(value, dict):
        return None
    return {
        name: filter_fields(value[name], below)
        for name, below in tree.items()
        if name in value and _holds(value[name], below)
    }


def _holds(value: Json, tree: Chosen) -> bool:
    """Whether a member can have what was chosen below it; a null stays one."""
    return not tree or value is None or isinstance(value, dict | list)
