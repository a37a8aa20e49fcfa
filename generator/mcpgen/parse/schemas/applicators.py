"""Keywords that hold schemas."""

from __future__ import annotations

from mcpgen.ir.source import Json
from mcpgen.parse.node import Path
from mcpgen.parse.schemas.normal import normal
from mcpgen.parse.schemas.shapes import flag, malformed, usable_pattern
from mcpgen.parse.schemas.walk import Walk


def schema(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """One schema, or true or false."""
    if value is None or isinstance(value, list):
        malformed(walk, key, value, "a schema", path)
    elif isinstance(value, str):
        # Only `true` and `false` in quotation marks can be meant by a text.
        flag(walk, out, key, value, path)
    else:
        out[key] = normal(walk, value, (*path, key))


def items(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """The schema of an array's elements; a list of schemas is `prefixItems`."""
    if not isinstance(value, list):
        schema(walk, out, key, value, path)
        return
    if not value:
        malformed(walk, key, value, "a schema", path)
        return
    malformed(walk, key, value, "a schema", path, "it is read as `prefixItems`")
    place = (*path, key)
    out["prefixItems"] = [
        normal(walk, each, (*place, str(index))) for index, each in enumerate(value)
    ]


def additional_items(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """The schema of the elements after the listed ones; `items` is its name today."""
    if "prefixItems" in out and isinstance(value, dict | bool):
        out["items"] = normal(walk, value, (*path, key))


def schemas(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """A list of schemas, not empty."""
    if isinstance(value, dict):
        malformed(walk, key, value, "a list of schemas", path, "it is read as the only one")
        out[key] = [normal(walk, value, (*path, key))]
    elif not isinstance(value, list) or not value:
        malformed(walk, key, value, "a list of schemas", path)
    else:
        place = (*path, key)
        out[key] = [normal(walk, each, (*place, str(index))) for index, each in enumerate(value)]


def schema_map(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """A mapping from names to schemas."""
    if not isinstance(value, dict):
        malformed(walk, key, value, "a mapping", path)
        return
    place = (*path, key)
    out[key] = {name: normal(walk, each, (*place, name)) for name, each in value.items()}


def pattern_properties(walk: Walk, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """Schemas by a pattern of names; a pattern that validators refuse goes, with its schema."""
    schema_map(walk, out, key, value, path)
    place = (*path, key)
    kept = {}
    for name, each in out.pop(key, {}).items():
        found = usable_pattern(walk, name, (*place, name))
        if found is not None:
            kept[found] = each
    if kept:
        out[key] = kept
