"""Repairs enumerations with values that do not fit the schema's type or bounds."""

from __future__ import annotations

from collections.abc import Sequence

import jsonschema_rs

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, format_value, value_as_json
from mcpgen.parse.schemas.context import NormalizeContext
from mcpgen.parse.schemas.scalar_keywords import as_number, deduplicate

_BOUNDS = (
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
)
_TYPES = ("boolean", "integer", "number", "string", "array", "object")
_SHOWN = 4
"""Values shown in a message."""
_WORDS: dict[Json, bool] = {"true": True, "false": False}


def repair_enumeration(context: NormalizeContext, out: dict[str, Json], path: Path) -> None:
    """Converts values of `enum` to the schema's type: numbers written as texts, texts written as
    numbers, and values of an array's items written beside `items`.

    Adds MALFORMED_SCHEMA once. Values without a clear intention stay unchanged.
    """
    types = [out["type"]] if isinstance(out["type"], str) else [*out["type"]]
    type_names = [name for name in types if name != "null"]
    if len(type_names) != 1 or all(has_type(value, [*type_names, "null"]) for value in out["enum"]):
        return
    if type_names == ["array"]:
        if not any(isinstance(value, list | dict) for value in out["enum"]):
            is_moved = _move_to_items(out, [value for value in out["enum"] if value is not None])
            what = "`enum` lists single values, but the schema is an array"
            _report(
                context,
                path,
                what,
                "they are what the array may hold" if is_moved else "it is left out",
            )
        return
    values = [_convert(value, type_names[0]) for value in out["enum"]]
    if any(type(new) is not type(old) for new, old in zip(values, out["enum"], strict=True)):
        out["enum"] = deduplicate(values)
        what = f"`enum` has values that are not of the type `{type_names[0]}`"
        _report(context, path, what, f"they are read as `{type_names[0]}`")


def resolve_contradictions(context: NormalizeContext, out: dict[str, Json], path: Path) -> None:
    """Drops a type, pattern or bound that allows no value of `enum`: the values show the intention.

    Adds CONTRADICTORY_KEYWORDS at the dropped keyword.
    """
    values = [value for value in out["enum"] if value is not None]
    if not values:
        return
    sample = ", ".join(format_value(value) for value in values[:_SHOWN])
    first = f"`enum` ({sample}{', …' if len(values) > _SHOWN else ''})"
    types = [out["type"]] if isinstance(out.get("type"), str) else out.get("type", _TYPES)
    if types and not any(has_type(value, types) for value in values):
        value_types = list(dict.fromkeys(_type_of(value) for value in values))
        second = f"`type: {' or '.join(types)}`"
        context.warn(
            codes.CONTRADICTORY_KEYWORDS,
            (*path, "type"),
            first=first,
            second=second,
            repair=f"the type is read as {' or '.join(value_types)}",
        )
        out.pop("format", None)
        value_types += ["null"] * ("null" in types)
        out["type"] = value_types[0] if len(value_types) == 1 else value_types
    bounds = {keyword: out[keyword] for keyword in _BOUNDS if keyword in out}
    if not bounds or any(jsonschema_rs.is_valid(bounds, value) for value in values):
        return
    for keyword, bound in bounds.items():
        if not all(jsonschema_rs.is_valid({keyword: bound}, value) for value in values):
            context.warn(
                codes.CONTRADICTORY_KEYWORDS,
                (*path, keyword),
                first=first,
                second=f"`{keyword}: {format_value(bound)}`",
                repair=f"`{keyword}` is left out",
            )
            del out[keyword]


def _type_of(value: Json) -> str:
    return next(name for name in _TYPES if has_type(value, [name]))


def _move_to_items(out: dict[str, Json], values: list[Json]) -> bool:
    """Moves the values to the array's `items`; false if `items` has its own enumeration or
    reference."""
    del out["enum"]
    items = out.get("items", True)
    items = {} if items is True else items
    if not isinstance(items, dict) or "enum" in items or "$ref" in items:
        return False
    name = items.get("type")
    converted = [_convert(value, name) if isinstance(name, str) else value for value in values]
    out["items"] = {**items, "enum": deduplicate(converted)}
    return True


def _convert(value: Json, name: str) -> Json:
    """The value converted to a type, or unchanged if impossible."""
    if value is None or has_type(value, [name]):
        return value
    if name == "string" and isinstance(value, bool | int | float):
        return value_as_json(value)
    if not isinstance(value, str):
        return value
    converted = _WORDS.get(value) if name == "boolean" else as_number(value)
    return converted if converted is not None and has_type(converted, [name]) else value


def _report(context: NormalizeContext, path: Path, what: str, repair: str) -> None:
    context.warn(codes.MALFORMED_SCHEMA, (*path, "enum"), what=what, repair=repair)


_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def has_type(value: Json, types: Sequence[str]) -> bool:
    """True if `value` has one of `types`. Integral floats are integers (JSON Schema validation
    §6.1.1)."""
    return any(_is(value, name) for name in types)


def _is(value: Json, name: str) -> bool:
    if name in _CLASSES:
        return isinstance(value, _CLASSES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or isinstance(value, int) or value.is_integer()
