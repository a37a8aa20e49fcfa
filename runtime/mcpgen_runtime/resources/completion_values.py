"""The sources of completion values, and the selection of values that begin with a text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..result import Result
from ..tool import Json

MAX_VALUES = 100
"""Maximum number of values in a response;
https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion"""


@dataclass(frozen=True)
class StaticValues:
    """A fixed list of values."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class ListedValues:
    """Values from a call of `tool`, at the dotted path `value` in the result; see `listed_values`.
    `arguments` maps arguments of the tool to other variables of the same URI or prompt, which the
    user has to fill in first."""

    tool: str
    value: str
    arguments: Mapping[str, str] = field(default_factory=dict)


ValueSource: TypeAlias = StaticValues | ListedValues


def listed_values(result: Result, path: str) -> list[str]:
    """The distinct scalar values at a dotted path in a result, as texts in order. A list on the
    path stands for all its elements. Empty if the result is not JSON."""
    value = result.structured if result.structured is not None else _read_first_text(result)
    steps = path.split(".") if path else []
    texts = [scalar_text(element) for element in _values_at(value, steps)]
    if not texts and isinstance(value, dict) and list(value) == ["result"]:
        # Lists are wrapped as `{"result": […]}`, and the path starts inside the list.
        texts = [scalar_text(element) for element in _values_at(value["result"], steps)]
    return list(dict.fromkeys(text for text in texts if text))


def _read_first_text(result: Result) -> Json:
    """The first text of a result, parsed as JSON; None if invalid or absent."""
    texts = [block["text"] for block in result.content if block.get("type") == "text"]
    try:
        return json.loads(texts[0]) if texts else None
    except (ValueError, RecursionError):
        return None


def _values_at(value: Json, steps: list[str]) -> Iterator[Json]:
    """The values at a path of member names; a list is entered without using up a step."""
    if isinstance(value, list):
        for element in value:
            yield from _values_at(element, steps)
    elif not steps:
        yield value
    elif isinstance(value, dict) and steps[0] in value:
        yield from _values_at(value[steps[0]], steps[1:])


def scalar_text(value: Json) -> str:
    """A boolean, number or string as text for a URI or a prompt; `""` for other values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


def complete_prefix(values: list[str], typed: str) -> dict[str, Json]:
    """The `completion` of a response: the values that begin with the typed text, ignoring case."""
    prefix = typed.casefold()
    matches = [value for value in values if value.casefold().startswith(prefix)]
    return {
        "values": matches[:MAX_VALUES],
        "total": len(matches),
        "hasMore": len(matches) > MAX_VALUES,
    }
