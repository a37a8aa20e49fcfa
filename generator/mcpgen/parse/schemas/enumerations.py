"""Enumerations whose values are not of the schema's type, where what was meant is clear."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, spelled
from mcpgen.parse.schemas.fit import fits
from mcpgen.parse.schemas.shapes import as_number, different
from mcpgen.parse.schemas.walk import Walk

_WORDS: dict[Json, bool] = {"true": True, "false": False}


def mend_enumeration(walk: Walk, out: dict[str, Json], path: Path) -> None:
    """Puts the values of `enum` right: numbers written as texts, texts as numbers, and what an
    array holds written beside its `items`. Each is told once; a value of which nobody can tell what
    was meant stays as it is.
    """
    types = [out["type"]] if isinstance(out["type"], str) else [*out["type"]]
    named = [name for name in types if name != "null"]
    if len(named) != 1 or all(fits(value, [*named, "null"]) for value in out["enum"]):
        return
    if named == ["array"]:
        if not any(isinstance(value, list | dict) for value in out["enum"]):
            moved = _move_inside(out, [value for value in out["enum"] if value is not None])
            what = "`enum` lists single values, but the schema is an array"
            _tell(
                walk, path, what, "they are what the array may hold" if moved else "it is left out"
            )
        return
    mended = [_of_type(value, named[0]) for value in out["enum"]]
    if any(type(one) is not type(other) for one, other in zip(mended, out["enum"], strict=True)):
        out["enum"] = different(mended)
        what = f"`enum` has values that are not of the type `{named[0]}`"
        _tell(walk, path, what, f"they are read as `{named[0]}`")


def _move_inside(out: dict[str, Json], values: list[Json]) -> bool:
    """Makes the values those of the array's members, of their type, and returns whether that could be
    done: what else the members are may be said already."""
    del out["enum"]
    items = out.get("items", True)
    items = {} if items is True else items
    if not isinstance(items, dict) or "enum" in items or "$ref" in items:
        return False
    name = items.get("type")
    mended = [_of_type(value, name) if isinstance(name, str) else value for value in values]
    out["items"] = {**items, "enum": different(mended)}
    return True


def _of_type(value: Json, name: str) -> Json:
    """The value as one of the type, or as it is where it is none."""
    if value is None or fits(value, [name]):
        return value
    if name == "string" and isinstance(value, bool | int | float):
        return spelled(value)
    if not isinstance(value, str):
        return value
    found = _WORDS.get(value) if name == "boolean" else as_number(value)
    return found if found is not None and fits(found, [name]) else value


def _tell(walk: Walk, path: Path, what: str, repair: str) -> None:
    walk.warn(codes.MALFORMED_SCHEMA, (*path, "enum"), what=what, repair=repair)
