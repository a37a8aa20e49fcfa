"""Types written compactly, as the description of a JSON text argument carries them."""

from __future__ import annotations

import json
import re
from itertools import islice

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.told_apart import choices
from mcpgen.lower.flatten.types import types
from mcpgen.lower.flatten.view import Schemas, View
from mcpgen.lower.text import cut, visible

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]{0,63}")
_BOUNDS = (
    ("minimum", ">="),
    ("exclusiveMinimum", ">"),
    ("maximum", "<="),
    ("exclusiveMaximum", "<"),
)
_CUT = "…"
"""Stands for what is not shown."""
_TYPE_ORDER = ("object", "array", "string", "integer", "number", "boolean")
_DEEPEST = 5
_MOST_VALUES = 8
_MOST_KEYS = 24
_MOST_BRANCHES = 6


def signature(schemas: Schemas, schema: Json, limit: int = 320) -> str:
    """The type of a value, such as `[{sku: string, qty: integer >= 1, note?: string}]`.

    As deep as fits into `limit` characters; `…` stands for what does not.
    """
    # From the shallow to the deep: a type that fits is small, so the next level is not large either.
    # The other way round a few lines could describe more than anybody lives to read.
    fitting = ""
    for depth in range(1, _DEEPEST + 1):
        written = _type(schemas, schema, depth, frozenset())
        if len(written) > limit:
            return fitting or cut(written, limit)
        fitting = written
        if _CUT not in written:
            break
    return fitting


def _type(schemas: Schemas, schema: Json, depth: int, above: frozenset[str]) -> str:
    view = schemas.view(schema)
    if view.names & above:
        return "{…}"
    written = _not_null(schemas, view, depth, above | view.names)
    return f"{written} | null" if view.nullable and written != "null" else written


def _not_null(schemas: Schemas, view: View, depth: int, above: frozenset[str]) -> str:
    if view.contradiction:
        return "never"
    if "const" in view.keywords:
        return _literal(view.get("const"))
    if view.get("enum"):
        return _alternatives([_literal(value) for value in view.get("enum")], _MOST_VALUES)
    if view.branches and not view.get("properties"):
        if depth < 0:
            return "…"
        some = _branches(schemas, view)[: 2 * _MOST_BRANCHES]
        branches = [_type(schemas, branch, depth - 1, above) for branch in some]
        return _alternatives(list(dict.fromkeys(branches)), _MOST_BRANCHES)
    kinds = types(schemas, view)
    if not kinds:
        return "any"
    ordered = [kind for kind in _TYPE_ORDER if kind in kinds]
    return " | ".join(_kind(schemas, view, kind, depth, above) for kind in ordered)


def _branches(schemas: Schemas, view: View) -> list[Json]:
    """The alternatives, with the values of the discriminator where nothing else tells them apart."""
    known = choices(schemas, view.keywords)
    if not known:
        return view.branches
    key = view.get("discriminator")["propertyName"]
    told = {
        union: [each.told(key) if each.values else each.branch for each in of]
        for union, of in known.items()
    }
    return [
        each
        for union in ("oneOf", "anyOf")
        for each in (told[union] if union in told else view.get(union, []))
    ]


def _kind(schemas: Schemas, view: View, kind: str, depth: int, above: frozenset[str]) -> str:
    if kind == "array":
        items = view.get("items", True)
        return f"[{_type(schemas, items, depth - 1, above) if depth > 0 else '…'}]"
    if kind == "object":
        return _object(schemas, view, depth, above)
    if kind in ("integer", "number"):
        bounds = [f"{sign} {view.get(key)}" for key, sign in _BOUNDS if view.get(key) is not None]
        return " ".join([kind, *bounds])
    if kind == "string" and view.get("format") in ("date", "date-time", "uuid", "uri", "email"):
        return f"string({view.get('format')})"
    return kind


def _object(schemas: Schemas, view: View, depth: int, above: frozenset[str]) -> str:
    sent = (
        (name, schema)
        for name, schema in view.get("properties", {}).items()
        if schema is not False and not schemas.view(schema).get("readOnly")
    )
    # One more than is shown tells that there are more.
    properties = dict(islice(sent, _MOST_KEYS + 1))
    for branch in view.branches:
        properties |= schemas.view(branch).get("properties", {})
    extra = view.get("additionalProperties")
    if depth <= 0:
        return "{…}" if properties or extra else "{}"
    required = set(view.get("required", ()))
    fields = [
        f"{_key(name)}{'' if name in required else '?'}: {_type(schemas, schema, depth - 1, above)}"
        for name, schema in list(properties.items())[:_MOST_KEYS]
    ]
    if len(properties) > _MOST_KEYS:
        fields.append("…")
    if extra or (extra is None and not properties):
        fields.append(
            f"[key]: {_type(schemas, True if extra is None else extra, depth - 1, above)}"
        )
    return "{" + ", ".join(fields) + "}"


def _alternatives(written: list[str], most: int) -> str:
    return " | ".join([*written[:most], "…"] if len(written) > most else written)


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else _literal(name)


def _literal(value: Json) -> str:
    return visible(cut(json.dumps(value, ensure_ascii=False), 60)).replace("`", "'")
