"""Parameters and numbers of random examples that `make test` reduces, and `make test-all` and
`make test-thorough` run in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

__all__ = ["examples", "keep", "name_of", "sample"]

PROFILE = "thorough"
"""The profile of hypothesis that `make test-thorough` chooses."""


def examples(few: int, many: int) -> int:
    """How many random examples a test draws: `few`, or `many` in `make test-thorough`."""
    return many if settings.get_current_profile_name() == PROFILE else few


def keep(
    values: Iterable[Any],
    kept_names: Collection[str],
    reason: str,
    repeated_names: Collection[str] = (),
) -> list[Any]:
    """The values as parameters. Values whose name is in `repeated_names` are marked `repeated` with this
    reason; other values whose name is not in `kept_names` are marked `thorough`. Raises ValueError if none of the values
    is kept."""
    parameters = [
        pytest.param(
            value,
            id=name_of(value),
            marks=_marks(name_of(value), kept_names, reason, repeated_names),
        )
        for value in values
    ]
    if parameters and all(parameter.marks for parameter in parameters):
        raise ValueError(f"none of {sorted(kept_names)} is among the parameters")
    return parameters


def sample(values: Iterable[Any], step: int, reason: str) -> list[Any]:
    """The values as parameters. All but each `step`-th value, beginning with the first, are marked `repeated`
    with this reason."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            id=name_of(value[0] if isinstance(value, tuple) else value),
            marks=pytest.mark.repeated(reason) if number % step else (),
        )
        for number, value in enumerate(values)
    ]


def _marks(
    name: str, kept_names: Collection[str], reason: str, repeated_names: Collection[str]
) -> tuple[pytest.MarkDecorator, ...]:
    if name in repeated_names:
        return (pytest.mark.repeated(reason),)
    return () if name in kept_names else (pytest.mark.thorough(reason),)


def name_of(value: Any) -> str:
    """The name of a parameter: the stem of a path, the `name` of a row or an object, or the text."""
    if isinstance(value, Path):
        return value.stem
    return str(value["name"] if isinstance(value, dict) else getattr(value, "name", value))
