"""Compact type notation for the descriptions of JSON text arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.discriminator import branch_choices, discriminated_subtypes
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews, reference_name
from mcpgen.lower.flatten.types import schema_types
from mcpgen.lower.sanitize_text import strip_invisible, truncate

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]{0,63}")
_BOUNDS = (
    ("minimum", ">="),
    ("exclusiveMinimum", ">"),
    ("maximum", "<="),
    ("exclusiveMaximum", "<"),
)
_CUT = "…"
"""Placeholder for parts left out."""
_TYPE_ORDER = ("object", "array", "string", "integer", "number", "boolean")
_MAX_DEPTH = 5
_MAX_VALUES = 8
_MAX_KEYS = 24
_MAX_BRANCHES = 6


@dataclass(eq=False)
class _Cut:
    """An unwritten part of a type.

    `text`: the placeholder, such as `{…}`; `named`: the same with the name of its definition.
    `write(room)` opens the part one level; None for a recursive type. `write_some(room)` gives as
    many members of an object as fit. `parts`: the opened form.
    """

    text: str
    named: str = ""
    write: Callable[[int], _Parts] | None = None
    write_some: Callable[[int], _Parts] | None = None
    parts: _Parts | None = None


_Parts = list[str | _Cut]
"""A type as pieces of text and unwritten parts."""


def type_notation(schemas: SchemaViews, schema: Json, limit: int = 320, deeper: int = 0) -> str:
    """Returns the type of a value, such as `[{sku: string, qty: integer >= 1, note?: string}]`.

    Depth grows while the whole fits into `limit` characters; then parts are opened breadth-first up
    to `deeper` characters. `Contact{…}` marks an unopened definition. Cached per schema: arguments
    of many operations share definitions.
    """
    key = (reference_name(schema) or id(schema), limit, deeper)
    if key not in schemas.signatures:
        # The schema is kept beside its type, so its id cannot be given to another one.
        schemas.signatures[key] = (schema, _notation(schemas, schema, limit, deeper))
    return schemas.signatures[key][1]


def _notation(schemas: SchemaViews, schema: Json, limit: int, deeper: int) -> str:
    """The type of a value; see `type_notation`."""
    # Shallow to deep: a type that fits is small, so the next level stays small as well.
    # Deep to shallow, a few lines of schema could expand exponentially.
    fitting: _Parts = []
    for depth in range(1, _MAX_DEPTH + 1):
        notation = _type_parts(schemas, schema, depth, frozenset())
        if _parts_length(notation) > limit:
            break
        fitting = notation
        if _CUT not in _parts_text(notation):
            break
    if not fitting:
        return truncate(_parts_text(notation), limit)
    _deepen(fitting, max(limit, deeper))
    return _parts_text(fitting)


def _deepen(parts: _Parts, room: int) -> None:
    """Opens parts that have room, level by level, then the beginnings of objects that are too
    large.

    Definition names are written first if all fit, else where room is left.
    """
    waiting = _cut_parts(parts)
    space = room - _parts_length(parts)
    has_names = sum(map(_name_size, waiting)) <= space
    if has_names:
        space -= sum(map(_name_size, waiting))
        _name_all(waiting)
    closed: list[_Cut] = []
    while waiting:
        below: list[_Cut] = []
        for part in waiting:
            available = space + len(part.text)
            pieces = part.write(available) if part.write else []
            opened = _cut_parts(pieces)
            size = _parts_length(pieces) + (sum(map(_name_size, opened)) if has_names else 0)
            if not pieces or size > available:
                closed.append(part)
                continue
            if has_names:
                _name_all(opened)
            part.parts = pieces
            space = available - size
            below += opened
        waiting = below
    for part in closed:
        available = space + len(part.text)
        if part.write_some and (pieces := part.write_some(available)):
            part.parts = pieces
            space = available - _parts_length(pieces)
    for part in closed:
        if not part.parts and _name_size(part) <= space:
            space -= _name_size(part)
            _name_all([part])


def _name_size(part: _Cut) -> int:
    """Returns the extra characters of the definition name over the placeholder."""
    return len(part.named) - len(part.text) if part.named else 0


def _name_all(parts: Iterable[_Cut]) -> None:
    for part in parts:
        part.text = part.named or part.text


def _cut_parts(parts: _Parts) -> list[_Cut]:
    return [part for part in parts if isinstance(part, _Cut)]


def _parts_length(parts: _Parts) -> int:
    return sum(len(part if isinstance(part, str) else part.text) for part in parts)


def _parts_text(parts: _Parts) -> str:
    return "".join(
        part if isinstance(part, str) else _parts_text(part.parts) if part.parts else part.text
        for part in parts
    )


def _type_parts(schemas: SchemaViews, schema: Json, depth: int, above: frozenset[str]) -> _Parts:
    view = schemas.view(schema)
    if view.names & above:
        return [_Cut("{…}", _definition_name(schema, view))]
    if "discriminator" in view.keywords and discriminated_subtypes(schemas, schema):
        pieces = _subtypes(schemas, schema, depth, above)
    else:
        pieces = _not_null(schemas, schema, depth, above | view.names)
    return [*pieces, " | null"] if view.nullable and pieces != ["null"] else pieces


def _subtypes(schemas: SchemaViews, schema: Json, depth: int, above: frozenset[str]) -> _Parts:
    """Returns a schema with subtypes as the union of the subtypes and itself."""
    view = schemas.view(schema)
    if depth <= 0:
        named = _definition_name(schema, view)
        return [_Cut("{…}", named, lambda _: _subtypes(schemas, schema, 1, above))]
    alternatives = []
    for subtype in discriminated_subtypes(schemas, schema):
        # Subtypes include the schema by `allOf`, which is not a recursion.
        around = above if schemas.view(subtype).names else above | view.names
        alternatives.append(_type_parts(schemas, subtype, depth, around))
    return _alternatives(alternatives, _MAX_BRANCHES)


def _not_null(schemas: SchemaViews, schema: Json, depth: int, above: frozenset[str]) -> _Parts:
    view = schemas.view(schema)
    if view.contradiction:
        return ["never"]
    if "const" in view.keywords:
        return [_literal_text(view.get("const"))]
    if view.get("enum"):
        return _alternatives([[_literal_text(value)] for value in view.get("enum")], _MAX_VALUES)
    if view.branches and not view.get("properties"):
        if depth < 0:
            return [_Cut(_CUT, write=lambda _: _not_null(schemas, schema, 0, above))]
        branches = _discriminated_branches(schemas, view)[: 2 * _MAX_BRANCHES]
        alike: dict[str, list[_Parts]] = {}
        for branch in branches:
            pieces = _type_parts(schemas, branch, depth - 1, above)
            alike.setdefault(_parts_text(pieces), []).append(pieces)
        return _alternatives([_merge_equal(equal) for equal in alike.values()], _MAX_BRANCHES)
    kinds = schema_types(schemas, view)
    if not kinds:
        return ["any"]
    ordered = [kind for kind in _TYPE_ORDER if kind in kinds]
    return _join_parts(
        " | ", [_kind_parts(schemas, schema, kind, depth, above) for kind in ordered]
    )


def _merge_equal(alike: list[_Parts]) -> _Parts:
    """Returns one type for branches with equal text; opening a placeholder opens the part in
    every branch."""
    first = alike[0]
    cut_parts = [part for pieces in alike for part in pieces if isinstance(part, _Cut)]
    if len(alike) == 1 or not cut_parts:
        return first
    if any(len(pieces) > 1 for pieces in alike):
        return [part if isinstance(part, str) else part.text for part in first]
    names = dict.fromkeys(part.named for part in cut_parts)
    named = " | ".join(names) if all(names) else ""

    def write(room: int) -> _Parts:
        opened = [part.write(room) for part in cut_parts if part.write]
        return _alternatives(opened, _MAX_BRANCHES)

    return [
        _Cut(cut_parts[0].text, named, write if all(part.write for part in cut_parts) else None)
    ]


def _discriminated_branches(schemas: SchemaViews, view: SchemaView) -> list[Json]:
    """Returns the branches, with discriminator values where only the discriminator distinguishes
    branches."""
    by_union = branch_choices(schemas, view.keywords)
    if not by_union:
        return view.branches
    key = view.get("discriminator")["propertyName"]
    labeled = {
        union: [branch.labeled_branch(key) if branch.values else branch.branch for branch in of]
        for union, of in by_union.items()
    }
    return [
        branch
        for union in ("oneOf", "anyOf")
        for branch in (labeled[union] if union in labeled else view.get(union, []))
    ]


def _kind_parts(
    schemas: SchemaViews, schema: Json, kind: str, depth: int, above: frozenset[str]
) -> _Parts:
    view = schemas.view(schema)
    if kind == "array":
        if depth <= 0:
            return [_Cut("[…]", write=lambda _: _kind_parts(schemas, schema, kind, 1, above))]
        return ["[", *_item_notation(schemas, view, depth - 1, above), "]"]
    if kind == "object":
        return _object_notation(schemas, schema, depth, above)
    if kind in ("integer", "number"):
        bounds = [f"{sign} {view.get(key)}" for key, sign in _BOUNDS if view.get(key) is not None]
        return [" ".join([kind, *bounds])]
    if kind == "string" and view.get("format") in ("date", "date-time", "uuid", "uri", "email"):
        return [f"string({view.get('format')})"]
    return [kind]


def _item_notation(
    schemas: SchemaViews, view: SchemaView, depth: int, above: frozenset[str]
) -> _Parts:
    """Returns the type of array items; for a tuple, the type of every item."""
    first = view.get("prefixItems")
    additional = view.get("items", True)
    if not first:
        return _type_parts(schemas, additional, depth, above)
    items = [_type_parts(schemas, item, depth, above) for item in first[:_MAX_KEYS]]
    if len(first) > _MAX_KEYS:
        items.append([_CUT])
    elif additional is not False:
        items.append(["...", *_type_parts(schemas, additional, depth, above), "[]"])
    return _join_parts(", ", items)


def _object_notation(
    schemas: SchemaViews, schema: Json, depth: int, above: frozenset[str], room: float = inf
) -> _Parts:
    """Returns an object type; stops at `room` characters."""
    view = schemas.view(schema)
    properties = _request_properties(schemas, view)
    extra = view.get("additionalProperties")
    if depth <= 0 and not (properties or extra):
        return ["{}"]
    if depth <= 0:
        named = f"{name}{{…}}" if (name := _definition_name(schema, view)) else ""
        return [
            _Cut(
                "{…}",
                named,
                lambda room: _object_notation(schemas, schema, 1, above, room),
                lambda room: _some_members(schemas, schema, above, room),
            )
        ]
    fields: list[_Parts] = []
    for name in list(properties)[:_MAX_KEYS]:
        fields.append(_member_parts(schemas, view, name, properties[name], depth, above))
        room -= _parts_length(fields[-1])
        if room < 0:
            break
    if len(properties) > _MAX_KEYS:
        fields.append([_CUT])
    if extra or (extra is None and not properties):
        member = True if extra is None else extra
        fields.append(["[key]: ", *_type_parts(schemas, member, depth - 1, above)])
    return ["{", *_join_parts(", ", fields), "}"]


def _request_properties(schemas: SchemaViews, view: SchemaView) -> dict[str, Json]:
    """Returns the properties of a request, branches included; at most one more than is shown."""
    sent = (
        (name, member)
        for name, member in view.get("properties", {}).items()
        if member is not False and not schemas.view(member).get("readOnly")
    )
    properties = dict(islice(sent, _MAX_KEYS + 1))
    for branch in view.branches:
        properties |= schemas.view(branch).get("properties", {})
    return properties


def _member_parts(
    schemas: SchemaViews,
    view: SchemaView,
    name: str,
    schema: Json,
    depth: int,
    above: frozenset[str],
) -> _Parts:
    mark = "" if name in view.get("required", ()) else "?"
    return [f"{_property_key(name)}{mark}: ", *_type_parts(schemas, schema, depth - 1, above)]


def _some_members(schemas: SchemaViews, schema: Json, above: frozenset[str], room: int) -> _Parts:
    """Returns an object type with the members that have room, required members first; `[]` if no
    member fits."""
    view = schemas.view(schema)
    name_of_type = _definition_name(schema, view)
    properties = _request_properties(schemas, view)
    required = view.get("required", ())
    parts: _Parts = []
    space = room - len(name_of_type) - len("{…}")
    for name in sorted(properties, key=lambda name: name not in required):
        pieces = [*_member_parts(schemas, view, name, properties[name], 1, above), ", "]
        space -= _parts_length(pieces)
        if space < 0:
            break
        parts += pieces
    return [f"{name_of_type}{{", *parts, f"{_CUT}}}"] if parts else []


def _definition_name(schema: Json, view: SchemaView) -> str:
    """Returns the name of a schema's definition, `""` for an unreadable name or an inline
    schema."""
    names = [reference_name(schema)] if reference_name(schema) else sorted(view.names)
    name = names[0].rpartition(".")[2] if len(names) == 1 else ""
    return name if _PLAIN_KEY.fullmatch(name) else ""


def _join_parts(between: str, pieces: Sequence[_Parts]) -> _Parts:
    """Returns the pieces joined by a text."""
    parts: _Parts = []
    for number, piece in enumerate(pieces):
        parts += [between, *piece] if number else piece
    return parts


def _alternatives(alternatives: list[_Parts], max_count: int) -> _Parts:
    more: list[_Parts] = [[_CUT]] if len(alternatives) > max_count else []
    return _join_parts(" | ", [*alternatives[:max_count], *more])


def _property_key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else _literal_text(name)


def _literal_text(value: Json) -> str:
    return strip_invisible(truncate(json.dumps(value, ensure_ascii=False), 60)).replace("`", "'")
