"""The values in the path of the endpoint, as a tool takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial

from .tool import Argument, Json
from .validate import LazyValidator, text_lines

_WRITTEN = ("integer", "number", "boolean")
"""Types whose values are written as JSON."""


class PathParameters:
    """Arguments that the path fills in, which must be what the API takes all the same."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        self._arguments = tuple(
            (each, LazyValidator(partial(dict, each.schema))) for each in arguments if each.schema
        )

    def problems(self, values: Mapping[str, str]) -> list[str]:
        """What is wrong with the values, each line with its name."""
        return [
            line
            for argument, check in self._arguments
            for line in text_lines(check.problems(_meant(argument, values)), argument.name)
        ]


def _meant(argument: Argument, values: Mapping[str, str]) -> Json:
    """The value that the text in the path stands for."""
    text = values[argument.target[0]]
    if argument.schema.get("type") not in _WRITTEN:
        return text
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
