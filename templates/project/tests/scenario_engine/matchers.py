"""Checks claims, such as `equals` or `contains`, about the values at a path of an outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.scenario_engine.paths import PathValues

MAX_VALUE_CHARACTERS = 300
"""Characters of a value in a message; a result can be megabytes long."""


def is_equal_json(left: Any, right: Any) -> bool:
    """True if two JSON values are equal: booleans differ from numbers, and 1 equals 1.0."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            is_equal_json(left[key], right[key]) for key in left
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(is_equal_json, left, right))
    return bool(left == right)


def format_value(value: Any) -> str:
    """Returns a value as JSON for a message, shortened if long."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= MAX_VALUE_CHARACTERS:
        return text
    return f"{text[:MAX_VALUE_CHARACTERS]}… ({len(text)} characters)"


def describe_false_claim(claims: dict[str, Any], found: PathValues) -> str:
    """Returns a message about the first false claim; `""` if all claims hold.

    `claims` has the operand of each claim, as in `{"at_least": 1, "lacks": "secret"}`. At a path
    that can lead to several values, the claims of `LIST_CLAIMS` are about the list of the values;
    every other claim must hold for each value. Without a value the claims are false, except
    `absent: true`, `present: false` and, at such a path, `count: 0` and `contains: []`.
    """
    for claim, operand in claims.items():
        mismatch = _describe_mismatch(claim, operand, found)
        if mismatch:
            return f"{claim} {format_value(operand)}, but {mismatch}"
    return ""


def _describe_mismatch(claim: str, operand: Any, found: PathValues) -> str:
    """Returns the values that make a claim false; `""` if the claim holds."""
    if claim not in CLAIM_NAMES:
        raise TypeError(f"there is no claim {claim!r}; there are {', '.join(sorted(CLAIM_NAMES))}")
    if claim == "absent":
        is_false = bool(found.values) is bool(operand)
        return f"found {format_value(found.value_or_list)}" if is_false else ""
    lacks_value = not found.values and claim in NEEDS_VALUE
    if found.is_list and claim in LIST_CLAIMS and not lacks_value:
        holds_for_list = LIST_CLAIMS[claim](found.values, operand)
        return "" if holds_for_list else f"found {format_value(found.values)}"
    if not found.values:
        return "found nothing" if claim != "present" or operand else ""
    if claim == "present":
        return "" if operand else f"found {format_value(found.value_or_list)}"
    holds = LIST_CLAIMS.get(claim) or VALUE_CLAIMS[claim]
    mismatches = [value for value in found.values if not holds(value, operand)]
    return f"found {format_value(mismatches[0])}" if mismatches else ""


def _contains(value: Any, operand: Any) -> bool:
    """True if a text, the keys of an object or the elements of an array contain every operand."""
    if isinstance(value, str):
        return all(str(part) in value for part in _as_list(operand))
    if isinstance(value, dict):
        return all(key in value for key in _as_list(operand))
    if isinstance(value, list):
        return all(
            any(is_equal_json(wanted, element) for element in value) for wanted in _as_list(operand)
        )
    return False


def _contains_none(value: Any, operand: Any) -> bool:
    """True if neither the value nor a text in an array contains an operand."""
    texts = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    return not any(
        _contains(container, unwanted)
        for container in (value, *texts)
        for unwanted in _as_list(operand)
    )


def _as_list(operand: Any) -> list[Any]:
    return operand if isinstance(operand, list) else [operand]


def _number_or_length(value: Any) -> Any:
    """Returns the length of a list, an object or a text, and every other value unchanged."""
    return len(value) if isinstance(value, list | dict | str) else value


def _is_number(value: Any) -> bool:
    """True for a JSON number; `bool` is a subclass of `int` in Python."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_at_least(value: Any, minimum: Any) -> bool:
    return _is_number(_number_or_length(value)) and _number_or_length(value) >= minimum


def _is_at_most(value: Any, maximum: Any) -> bool:
    return _is_number(_number_or_length(value)) and _number_or_length(value) <= maximum


def _has_count(value: Any, count: Any) -> bool:
    return isinstance(value, list | dict) and len(value) == count


def _has_order(value: Any, order: Any) -> bool:
    """True if the array has the elements of `order` in this order, with any elements between."""
    # `any` takes elements from the iterator up to the match; the next search begins behind it.
    remaining = iter(value if isinstance(value, list) else [])
    return all(any(is_equal_json(wanted, element) for element in remaining) for wanted in order)


def _has_unique_elements(value: Any, expected: Any) -> bool:
    """True if the elements of the array all differ; with `expected` False, if some are the same.
    Compares JSON texts, in which 1 and 1.0 differ."""
    elements = value if isinstance(value, list) else []
    texts = [json.dumps(element, sort_keys=True) for element in elements]
    return isinstance(value, list) and (len(set(texts)) == len(texts)) is expected


def _matches(value: Any, pattern: Any) -> bool:
    return isinstance(value, str) and re.search(pattern, value) is not None


def _has_type(value: Any, names: Any) -> bool:
    """True if the value has one of the types; as in JSON Schema, 1.0 is an `integer`."""
    return any(JSON_TYPES[name](value) for name in _as_list(names))


def _has_keys(value: Any, keys: Any) -> bool:
    return isinstance(value, dict) and sorted(value) == sorted(keys)


def _mirrors(value: Any, original: Any) -> bool:
    """True if the value is a text with the JSON of `original`."""
    try:
        return isinstance(value, str) and is_equal_json(json.loads(value), original)
    except ValueError:
        return False


JSON_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value % 1 == 0,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}
"""The types of JSON Schema."""

Predicate = Callable[[Any, Any], bool]
"""Compares a value with the operand of a claim."""

LIST_CLAIMS: dict[str, Predicate] = {
    "contains": _contains,
    "lacks": _contains_none,
    "count": _has_count,
    "order": _has_order,
    "unique": _has_unique_elements,
}
"""Claims about the list of all values, at a path that can lead to several values."""

VALUE_CLAIMS: dict[str, Predicate] = {
    "equals": is_equal_json,
    "matches": _matches,
    "at_least": _is_at_least,
    "at_most": _is_at_most,
    "type": _has_type,
    "keys": _has_keys,
    "mirrors": _mirrors,
}
"""Claims that must hold for each value."""

NEEDS_VALUE = frozenset({"lacks", "order", "unique"})
"""Claims of `LIST_CLAIMS` that are false without a value. The empty list would fulfil
`lacks`, so a misspelt path would pass."""

CLAIM_NAMES = frozenset({*LIST_CLAIMS, *VALUE_CLAIMS, "absent", "present"})
"""The names of all claims."""
