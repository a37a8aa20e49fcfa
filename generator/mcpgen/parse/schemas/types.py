"""The keyword `type`, and the names that people write where they mean one."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, format_value, value_kind
from mcpgen.parse.schemas.context import NormalizeContext

TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})

_MEANT: dict[str, tuple[str, str]] = {
    "int": ("integer", ""),
    "int32": ("integer", "int32"),
    "int64": ("integer", "int64"),
    "long": ("integer", "int64"),
    "float": ("number", "float"),
    "double": ("number", "double"),
    "decimal": ("number", ""),
    "bool": ("boolean", ""),
    "str": ("string", ""),
    "text": ("string", ""),
    "date": ("string", "date"),
    "datetime": ("string", "date-time"),
    "date-time": ("string", "date-time"),
    "uuid": ("string", "uuid"),
    "uri": ("string", "uri"),
    "url": ("string", "uri"),
    "email": ("string", "email"),
    "file": ("string", "binary"),
    "binary": ("string", "binary"),
    "byte": ("string", "byte"),
    "list": ("array", ""),
    "dict": ("object", ""),
    "map": ("object", ""),
    "none": ("null", ""),
}
"""Words people write for a type, in lower case: the type and format they mean."""


def type_keyword(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`type`: one of the seven, or a list of some of them."""
    if isinstance(value, str) and value in TYPES:
        out[key] = value
        return
    written = value if isinstance(value, list) else [value]
    if isinstance(value, list) and walk.rules.older_schemas:
        walk.tally.count(
            codes.FOREIGN_KEYWORD,
            "type: [...]",
            walk.at((*path, key)),
            dialect=walk.rules.name,
            meaning="in OpenAPI 3.1",
        )
    kept: dict[str, None] = {}
    for name in written:
        if name is None and isinstance(value, list):
            # YAML reads an unquoted null as no value.
            name = "null"
        meant, form = _meant(walk, name, (*path, key))
        if not meant:
            # An unknown alternative may be anything, so nothing is known about the type.
            return
        kept[meant] = None
        if form:
            out.setdefault("format", form)
    if kept:
        out[key] = list(kept) if len(kept) > 1 else next(iter(kept))


def _meant(walk: NormalizeContext, name: Json, path: Path) -> tuple[str, str]:
    """The type and format that a written type means; `""` where it means none."""
    if not isinstance(name, str):
        walk.warn(codes.UNKNOWN_TYPE, path, type=value_kind(name), used="any type")
        return "", ""
    if name in TYPES:
        return name, ""
    lower = name.lower()
    meant, form = (lower, "") if lower in TYPES else _MEANT.get(lower, ("", ""))
    used = f"`{meant}`" + (f" with the format `{form}`" if form else "") if meant else "any type"
    walk.warn(codes.UNKNOWN_TYPE, path, type=format_value(name), used=used)
    return meant, form
