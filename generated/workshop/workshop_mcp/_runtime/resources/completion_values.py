"""Where the values come from that a client may suggest for an argument."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..result import Result
from ..tool import Json

MOST = 100
"""The values of one answer; https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion"""


@dataclass(frozen=True)
class StaticValues:
    """Values that are known beforehand."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class ListedValues:
    """Values that a tool of the API lists: those at the dotted path `value` in its result, in which
    lists are gone through. `arguments` maps arguments of the tool to those that are filled already,
    whose values it is called with; `filled` are values that are always the same."""

    tool: str
    value: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    filled: Mapping[str, Json] = field(default_factory=dict)


Suggestions: TypeAlias = StaticValues | ListedValues


def listed_values(result: Result, path: str) -> list[str]:
    """The values at a path in a result, each once, in order; none if the result is no JSON."""
    value = result.structured if result.structured is not None else _read(result)
    steps = path.split(".") if path else []
    found = [scalar_text(each) for each in _at(value, steps)]
    if not found and isinstance(value, dict) and list(value) == ["result"]:
        # A list is announced inside an object, which the path knows nothing of.
        found = [scalar_text(each) for each in _at(value["result"], steps)]
    return list(dict.fromkeys(text for text in found if text))


def _read(result: Result) -> Json:
    """The JSON value of a result's first text, None if it is none."""
    texts = [block["text"] for block in result.content if block.get("type") == "text"]
    try:
        return json.loads(texts[0]) if texts else None
    except (ValueError, RecursionError):
        return None


def _at(value: Json, steps: list[str]) -> Iterator[Json]:
    if isinstance(value, list):
        for each in value:
            yield from _at(each, steps)
    elif not steps:
        yield value
    elif isinstance(value, dict) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


def scalar_text(value: Json) -> str:
    """A scalar as it stands in a URI or a prompt, `""` for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


def beginning(values: list[str], typed: str) -> dict[str, Json]:
    """The values that begin as what was typed, whatever its case, in the form of the
    specification."""
    wanted = typed.casefold()
    found = [value for value in values if value.casefold().startswith(wanted)]
    return {"values": found[:MOST], "total": len(found), "hasMore": len(found) > MOST}
