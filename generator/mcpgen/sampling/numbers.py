"""Numbers inside bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from mcpgen.sampling.validators import Json


def sample_number(schema: Mapping[str, Json], *, whole: bool, nth: int = 0) -> int | float:
    """A number that fits the bounds: 1 where it may, else the nearest to a bound. `nth` counts the
    values that were asked for before, each of which is another one."""
    low, high = _low(schema), _high(schema)
    step = _step(schema, whole)
    if step is not None:
        return _plain(_stepped(low, high, step, nth), whole)
    if _fits(Fraction(1 + nth), low, high):
        return 1 + nth
    if low is None or high is None:
        return _plain(low[0] + 1 + nth if low else _required(high)[0] - 1 - nth, whole)
    if low[0] >= high[0]:
        return _plain(low[0], whole)
    return _plain(low[0] + (high[0] - low[0]) / (2 + nth), whole)


Bound = tuple[Fraction, bool]
"""A value and whether it is itself allowed."""


def _low(schema: Mapping[str, Json]) -> Bound | None:
    bounds = _bounds(schema, "minimum", "exclusiveMinimum")
    return max(bounds, key=lambda bound: (bound[0], not bound[1]), default=None)


def _high(schema: Mapping[str, Json]) -> Bound | None:
    bounds = _bounds(schema, "maximum", "exclusiveMaximum")
    return min(bounds, key=lambda bound: (bound[0], bound[1]), default=None)


def _bounds(schema: Mapping[str, Json], inclusive: str, exclusive: str) -> list[Bound]:
    found = ((inclusive, True), (exclusive, False))
    return [(_exact(schema[key]), allowed) for key, allowed in found if _is_number(schema.get(key))]


def _step(schema: Mapping[str, Json], whole: bool) -> Fraction | None:
    step = schema.get("multipleOf")
    exact = _exact(step) if _is_number(step) else Fraction(0)
    if exact <= 0:
        return Fraction(1) if whole else None
    return Fraction(math.lcm(exact.numerator, exact.denominator)) if whole and exact % 1 else exact


def _stepped(low: Bound | None, high: Bound | None, step: Fraction, nth: int) -> Fraction:
    """A multiple of `step`: the first positive one inside the bounds, and `nth` more."""
    first = step * math.ceil(1 / step) if step < 1 else step
    if _fits(first + nth * step, low, high):
        return first + nth * step
    if low is not None:
        start = math.ceil(low[0] / step) * step
        start += step if start == low[0] and not low[1] else 0
        return start + nth * step
    bound = _required(high)
    end = math.floor(bound[0] / step) * step
    end -= step if end == bound[0] and not bound[1] else 0
    return end - nth * step


def _fits(value: Fraction, low: Bound | None, high: Bound | None) -> bool:
    above = low is None or value > low[0] or (value == low[0] and low[1])
    below = high is None or value < high[0] or (value == high[0] and high[1])
    return above and below


def _required(bound: Bound | None) -> Bound:
    return bound or (Fraction(0), True)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _exact(value: Json) -> Fraction:
    """The number as it is written: 0.1 is one tenth, not its nearest binary neighbour."""
    return _written(str(value))


@lru_cache(maxsize=1_000)
def _written(number: str) -> Fraction:
    return Fraction(number)


def _plain(value: Fraction | int, whole: bool) -> int | float:
    return int(value) if whole or value % 1 == 0 else float(value)
