"""Claims about the values at a path, and the messages about false claims."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.scenario_engine.paths import PathValues

LONGEST = 300
"""Characters of a value in a message."""


def is_equal_json(one: Any, other: Any) -> bool:
    """True if two JSON values are equal: booleans differ from numbers, and 1 equals 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            is_equal_json(one[key], other[key]) for key in one
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal_json, one, other))
    return bool(one == other)


def format_value(value: Any) -> str:
    """A value as JSON for a message, shortened if long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


def false(claims: dict[str, Any], found: PathValues) -> str:
    """The first false claim with the values found; `""` if all claims hold.

    With several values, a claim must hold for every value; claims in `OF_ALL` look at the list of
    all values. Without a value only `absent` and `count` can be true.
    """
    for claim, operand in claims.items():
        told = _false(claim, operand, found)
        if told:
            return f"{claim} {format_value(operand)}, but {told}"
    return ""


def _false(claim: str, operand: Any, found: PathValues) -> str:
    if claim not in KNOWN:
        raise TypeError(f"there is no claim {claim!r}; there are {', '.join(sorted(KNOWN))}")
    if claim == "absent":
        return f"found {format_value(found.whole)}" if bool(found.values) is bool(operand) else ""
    nothing = not found.values and claim in NEEDS_ONE
    if found.several and claim in OF_ALL and not nothing:
        return "" if OF_ALL[claim](found.values, operand) else f"found {format_value(found.values)}"
    if not found.values:
        return "found nothing" if claim != "present" or operand else ""
    if claim == "present":
        return "" if operand else f"found {format_value(found.whole)}"
    holds = OF_ALL.get(claim) or OF_EACH[claim]
    wrong = [value for value in found.values if not holds(value, operand)]
    return f"found {format_value(wrong[0])}" if wrong else ""


def _contains(value: Any, operand: Any) -> bool:
    if isinstance(value, str):
        return all(str(one) in value for one in _each(operand))
    if isinstance(value, dict):
        return all(one in value for one in _each(operand))
    if isinstance(value, list):
        return all(any(is_equal_json(one, other) for other in value) for one in _each(operand))
    return False


def _lacks(value: Any, operand: Any) -> bool:
    """True if neither the value nor any text in a list contains an operand."""
    texts = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    return not any(_contains(whole, one) for whole in (value, *texts) for one in _each(operand))


def _each(operand: Any) -> list[Any]:
    return operand if isinstance(operand, list) else [operand]


def _comparable_size(value: Any) -> Any:
    """The number compared by `at_least` and `at_most`: the value, or the length of a container."""
    return len(value) if isinstance(value, list | dict | str) else value


def _is_plain_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at_least(value: Any, least: Any) -> bool:
    return _is_plain_number(_comparable_size(value)) and _comparable_size(value) >= least


def _at_most(value: Any, most: Any) -> bool:
    return _is_plain_number(_comparable_size(value)) and _comparable_size(value) <= most


def _count(value: Any, count: Any) -> bool:
    return isinstance(value, list | dict) and len(value) == count


def _ordered(value: Any, order: Any) -> bool:
    """True if the list has the elements in this order, with any elements between."""
    rest = iter(value if isinstance(value, list) else [])
    return all(any(is_equal_json(one, other) for other in rest) for one in order)


def _unique(value: Any, wanted: Any) -> bool:
    listed = value if isinstance(value, list) else []
    spelled = [json.dumps(one, sort_keys=True) for one in listed]
    return isinstance(value, list) and (len(set(spelled)) == len(spelled)) is wanted


def _matches(value: Any, pattern: Any) -> bool:
    return isinstance(value, str) and re.search(pattern, value) is not None


def _keys(value: Any, keys: Any) -> bool:
    return isinstance(value, dict) and sorted(value) == sorted(keys)


def _mirrors(value: Any, other: Any) -> bool:
    """True if a text is JSON of the other value."""
    try:
        return isinstance(value, str) and is_equal_json(json.loads(value), other)
    except ValueError:
        return False


Holds = Callable[[Any, Any], bool]

OF_ALL: dict[str, Holds] = {
    "contains": _contains,
    "lacks": _lacks,
    "count": _count,
    "order": _ordered,
    "unique": _unique,
}
"""Claims about the list of all values, for paths with several values."""

OF_EACH: dict[str, Holds] = {
    "equals": is_equal_json,
    "matches": _matches,
    "at_least": _at_least,
    "at_most": _at_most,
    "keys": _keys,
    "mirrors": _mirrors,
}
"""Claims that must hold for every value."""

NEEDS_ONE = frozenset({"lacks", "order", "unique"})
"""Claims of `OF_EACH` that would be true without any value."""

KNOWN = frozenset({*OF_ALL, *OF_EACH, "absent", "present"})
"""Every claim there is."""
