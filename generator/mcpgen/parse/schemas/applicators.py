"""Keywords that hold schemas."""

from __future__ import annotations

from mcpgen.ir.source import Json
from mcpgen.parse.node import Path
from mcpgen.parse.schemas.context import NormalizeContext
from mcpgen.parse.schemas.normalize import normalize_schema
from mcpgen.parse.schemas.scalar_keywords import read_flag, read_pattern, report_malformed


def read_subschema(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """One schema, or true or false."""
    if value is None or isinstance(value, list):
        report_malformed(walk, key, value, "a schema", path)
    elif isinstance(value, str):
        # Only `true` and `false` in quotation marks can be meant by a text.
        read_flag(walk, out, key, value, path)
    else:
        out[key] = normalize_schema(walk, value, (*path, key))


def items(walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """The schema of an array's elements; a list of schemas is `prefixItems`."""
    if not isinstance(value, list):
        read_subschema(walk, out, key, value, path)
        return
    if not value:
        report_malformed(walk, key, value, "a schema", path)
        return
    report_malformed(walk, key, value, "a schema", path, "it is read as `prefixItems`")
    place = (*path, key)
    out["prefixItems"] = [
        normalize_schema(walk, each, (*place, str(index))) for index, each in enumerate(value)
    ]


def additional_items(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """The schema of the elements after the listed ones; `items` is its name today."""
    if "prefixItems" in out and isinstance(value, dict | bool):
        out["items"] = normalize_schema(walk, value, (*path, key))


def schemas(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A list of schemas, not empty."""
    if isinstance(value, dict):
        report_malformed(walk, key, value, "a list of schemas", path, "it is read as the only one")
        out[key] = [normalize_schema(walk, value, (*path, key))]
    elif not isinstance(value, list) or not value:
        report_malformed(walk, key, value, "a list of schemas", path)
    else:
        place = (*path, key)
        out[key] = [
            normalize_schema(walk, each, (*place, str(index))) for index, each in enumerate(value)
        ]


def schema_map(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A mapping from names to schemas."""
    if not isinstance(value, dict):
        report_malformed(walk, key, value, "a mapping", path)
        return
    place = (*path, key)
    out[key] = {name: normalize_schema(walk, each, (*place, name)) for name, each in value.items()}


def pattern_properties(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Schemas by a pattern of names; a pattern that validators refuse goes, with its schema."""
    schema_map(walk, out, key, value, path)
    place = (*path, key)
    kept = {}
    for name, each in out.pop(key, {}).items():
        found = read_pattern(walk, name, (*place, name))
        if found is not None:
            kept[found] = each
    if kept:
        out[key] = kept
