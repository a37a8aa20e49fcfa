"""Parameters and numbers of random examples that `make test` reduces and `make test-all` runs in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

__all__ = ["examples", "keep", "name_of"]

PROFILE = "thorough"
"""The profile of hypothesis that `make test-all` chooses."""


def examples(few: int, many: int) -> int:
    """How many random examples a test draws: `few` in `make test`, `many` in `make test-all`."""
    return many if settings.get_current_profile_name() == PROFILE else few


def keep(values: Iterable[Any], kept: Collection[str], reason: str) -> list[Any]:
    """The values as parameters; values whose name is not in `kept` are marked `thorough` with this
    reason. Raises ValueError if none of the values is kept."""
    marked = [
        pytest.param(
            value,
            id=name_of(value),
            marks=() if name_of(value) in kept else pytest.mark.thorough(reason),
        )
        for value in values
    ]
    if marked and all(parameter.marks for parameter in marked):
        raise ValueError(f"none of {sorted(kept)} is among the parameters")
    return marked


def name_of(value: Any) -> str:
    """The name of a parameter: the stem of a path, the `name` of a row or an object, or the text."""
    if isinstance(value, Path):
        return value.stem
    return str(value["name"] if isinstance(value, dict) else getattr(value, "name", value))
