"""Scalars and arrays of scalars, and unions of a scalar with an array of scalars."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import Place, Style
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import Wire
from mcpgen.lower.flatten.argument_schema import (
    BEYOND,
    ArgumentSchema,
    announce_default,
    as_continuation,
    constraint_sentences,
    list_values,
)
from mcpgen.lower.flatten.checks import compilable_pattern
from mcpgen.lower.flatten.merge import json_key
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.strict import MAX_VALUES
from mcpgen.lower.flatten.type_notation import type_notation
from mcpgen.lower.flatten.types import SCALARS, schema_types
from mcpgen.lower.flatten.widen_types import TypeWidening, has_common_constraints, text_schema

DELIMITERS = {Style.SPACE: " ", Style.TAB: "\t", Style.PIPE: "|"}
"""Delimiters of array items in styles without commas."""

OF_ARRAYS = ("minItems", "maxItems", "uniqueItems")
"""Keywords that limit an announced array."""
_NOT_SCALAR_CONSTRAINTS = {
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "items",
    *OF_ARRAYS,
}


def unescaped_delimiter(
    place: Place, style: Style | None, explode: bool, reserved: bool = False
) -> str:
    """Returns the unescaped delimiter between members of a list or object, `""` if members are
    escaped."""
    if place is Place.HEADER:
        return DELIMITERS.get(style or Style.SIMPLE, ",")
    if style is Style.LABEL and explode:
        return "."
    if style in DELIMITERS and not (explode and place is Place.QUERY):
        return DELIMITERS[style]
    if reserved and style is not Style.DEEP_OBJECT and (style is Style.SIMPLE or not explode):
        return ","
    return ""


def delimiter_of(place: Place, target: tuple[str, ...], wire: Wire) -> str | None:
    """Returns the unescaped delimiter for an argument (see `unescaped_delimiter`).

    None if `["a"]` and `"a"` are sent differently, so that a scalar cannot be announced as an array
    of one item: `deepObject` marks arrays, and inside an object an array is JSON.
    """
    if wire.style is Style.DEEP_OBJECT:
        return None
    if place in (Place.QUERY, Place.COOKIE) and len(target) > 1 and not wire.explode:
        return None
    if place in (Place.PATH, Place.HEADER) and len(target) > 1:
        return None
    style_place = Place.HEADER if place is Place.PART else place
    return unescaped_delimiter(style_place, wire.style, wire.explode, wire.allow_reserved)


def never_contains(schemas: SchemaViews, scalar: SchemaView, delimiter: str) -> bool:
    """True if no value of a scalar contains the delimiter, so that the value can be an item."""
    if not delimiter:
        return True
    if "enum" in scalar.keywords or "const" in scalar.keywords:
        values = scalar.get("enum", [scalar.get("const")])
        return not any(delimiter in (v if isinstance(v, str) else json_key(v)) for v in values)
    kinds = schema_types(schemas, scalar)
    return "string" not in kinds and not ("number" in kinds and delimiter == ".")


@dataclass
class ScalarOrArray:
    """A union of an array with `scalars`. `item` is the announced schema of the array's items."""

    schemas: SchemaViews
    array: SchemaView
    scalars: list[SchemaView]
    item: ArgumentSchema

    @cached_property
    def scalars_beyond_items(self) -> list[Json]:
        """Returns the scalars that the array's own items do not cover, so that they must be
        described."""
        is_unfit = self.array.get("minItems", 0) > 1 or self.array.get("maxItems", 1) < 1
        takes_one = not is_unfit and not BEYOND & self.array.keywords.keys()
        if takes_one and self.item.schema == {"type": "string"} and not self.item.says_less:
            return []
        scalars = [_constraints(scalar) for scalar in self.scalars]
        return [item for item in scalars if not takes_one or item != self._items]

    @property
    def scalar_union(self) -> Json:
        """Returns the union of `scalars_beyond_items`."""
        return (
            self.scalars_beyond_items[0]
            if len(self.scalars_beyond_items) == 1
            else {"anyOf": self.scalars_beyond_items}
        )

    @property
    def item_or_scalar(self) -> Json:
        """Returns the schema of a value, as an item or alone."""
        return {
            "anyOf": [
                self._items,
                *(scalar for scalar in self.scalars_beyond_items if scalar != self._items),
            ]
        }

    @cached_property
    def _items(self) -> Json:
        return _constraints(self.schemas.view(self.array.get("items", True)))

    @property
    def has_strings_only(self) -> bool:
        """True if every value is a string, so that the document's own schema can be checked."""
        return schema_types(self.schemas, self.schemas.view(self.item_or_scalar)) == {"string"}

    def check_schema(self, view: SchemaView) -> Json:
        """Returns the schema to check: the document's for arrays, the scalar's for a single
        item."""
        if has_common_constraints(view) or len(self.scalars) > 1:
            whole = dict(view.keywords)
            return {"anyOf": [whole, _one_item(whole)]}
        return {"anyOf": [dict(self.array.keywords), _one_item(self.scalar_union)]}

    def text_check_schema(self, view: SchemaView) -> Json:
        """Returns a schema for the texts in the announced array, None where texts cannot be
        checked."""
        texts = [
            text_schema(self.schemas, self.schemas.view(scalar))
            for scalar in self.scalars_beyond_items
        ]
        items = text_schema(self.schemas, self.schemas.view(self._items))
        if items is None or None in texts:
            return None
        if has_common_constraints(view) or BEYOND & self.array.keywords.keys():
            return None
        bounds = {key: self.array.get(key) for key in OF_ARRAYS if key in self.array.keywords}
        array = {"type": "array", "items": items, **bounds}
        only = texts[0] if len(texts) == 1 else {"anyOf": texts}
        return {"anyOf": [array, _one_item(only)]}

    def words(self, announced_item: ArgumentSchema, announced_scalar: ArgumentSchema) -> list[str]:
        """Returns the sentences that separate an item of many from a single value, the sentences
        about many first."""
        sentences = [f"One item alone may be `{type_notation(self.schemas, self.scalar_union)}`."]
        if announced_scalar.schema["type"] == "string" and "enum" not in announced_scalar.schema:
            sentences += [
                f"One item alone: {as_continuation(fact)}"
                for fact in constraint_sentences(announced_scalar.schema)
            ]
        item_words = [*self.item.words, *constraint_sentences(self.item.schema)]
        if self.item.schema["type"] != announced_item.schema["type"]:
            item_words.insert(0, f"{self.item.schema['type']}.")
        return [
            *(f"Of several items, each: {as_continuation(fact)}" for fact in item_words),
            *sentences,
        ]


def _one_item(schema: Json) -> Json:
    """Returns the schema of an array with exactly one item."""
    return {"type": "array", "minItems": 1, "maxItems": 1, "items": schema}


def _constraints(view: SchemaView) -> dict[str, Json]:
    """Returns the keywords of a scalar that limit or describe its values."""
    return {
        key: value for key, value in view.keywords.items() if key not in _NOT_SCALAR_CONSTRAINTS
    }


_ANNOUNCED_KEYWORDS = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "integer": (
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "format",
    ),
    "number": (
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "format",
    ),
    "boolean": (),
}


@dataclass(frozen=True, slots=True)
class Scalars:
    """Turns views into announced schemas.

    `on_wire_text`: values travel as text, so numbers and strings look alike. `exact`: the type must
    be visible in the announced schema, because variants give the value different types. `delimiter`: unescaped delimiter of array items,
    `""` if escaped, None if an array of one value is serialized unlike the value.
    """

    schemas: SchemaViews
    diagnostics: Diagnostics
    on_wire_text: bool
    exact: bool = False
    delimiter: str | None = None

    def flat(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """Rule "array of scalars": the announced schema of a scalar or an array of scalars, else
        None."""
        kinds = schema_types(self.schemas, view)
        if kinds == {"array"}:
            return self._array(view, at)
        if self.on_wire_text and not kinds:
            return ArgumentSchema({"type": "string"})
        if self.on_wire_text and "array" in kinds and kinds <= SCALARS | {"array"}:
            return self._union_with_array(view, at)
        if not kinds or not kinds <= SCALARS:
            return None
        enumerated = "enum" in view.keywords or "const" in view.keywords
        if len(kinds) == 1 and (enumerated or not view.branches):
            return self._plain(view, next(iter(kinds)), at)
        return TypeWidening(self.schemas, self.on_wire_text, self.exact).flat(view, kinds)

    def _plain(self, view: SchemaView, kind: str, at: Location) -> ArgumentSchema:
        schema: dict[str, Json] = {"type": kind}
        words: list[str] = []
        says_less = bool(BEYOND & view.keywords.keys())
        for keyword in _ANNOUNCED_KEYWORDS[kind]:
            value = view.get(keyword)
            if keyword == "pattern" and value is not None:
                value = compilable_pattern(value, at, self.diagnostics)
            if value is not None and value != "":
                schema[keyword] = value
        if kind == "string" and view.get("contentEncoding") == "base64":
            schema["contentEncoding"] = "base64"
        if schema.get("format") == "byte":
            schema.pop("format")
            schema["contentEncoding"] = "base64"
        values = [view.get("const")] if "const" in view.keywords else view.get("enum")
        if values is not None:
            few = len(values) <= MAX_VALUES
            if few and kind == "string" and all(isinstance(v, str) and v for v in values):
                schema["enum"] = list(dict.fromkeys(values))
            else:
                words.append(list_values(values))
                says_less = True
        announce_default(schema, view, words)
        unlisted = values is not None and len(values) > MAX_VALUES
        return ArgumentSchema(schema, says_less, words=words, unlisted=unlisted)

    def _array(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        items = self._item_schema(view, at)
        return None if items is None else _array_of(view, items)

    def _item_schema(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """Returns the announced schema of array items, None if the array cannot be announced."""
        if "items" not in view.keywords and not self.on_wire_text:
            return None
        if view.get("prefixItems") or "const" in view.keywords or "enum" in view.keywords:
            return None
        items = self.schemas.view(view.get("items", True))
        if items.contradiction or (items.nullable and not self.on_wire_text):
            return None
        if "array" in schema_types(self.schemas, items):
            return None
        flat = self.flat(items, at)
        return None if flat is None or flat.instead is not None else flat

    def _union_with_array(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """Returns an array for a union of a scalar and an array, where one value is the same on
        the wire."""
        options = TypeWidening(self.schemas, self.on_wire_text).alternatives(view)
        arrays = [v for v in options if schema_types(self.schemas, v) == {"array"}]
        scalars = [v for v in options if frozenset() < schema_types(self.schemas, v) <= SCALARS]
        if self.delimiter is None or len(arrays) != 1 or len(options) > len(scalars) + 1:
            return None
        if not all(
            never_contains(self.schemas, item_schema, self.delimiter) for item_schema in scalars
        ):
            return None
        array = SchemaView({**arrays[0].keywords, **_default_keyword(view)})
        item_schema = self._item_schema(array, at)
        if item_schema is None:
            return None
        scalar_or_array = ScalarOrArray(self.schemas, array, scalars, item_schema)
        if not scalar_or_array.scalars_beyond_items:
            return _array_of(array, item_schema)
        announced_item, announced_scalar = (
            self.flat(self.schemas.view(schema), at)
            for schema in (scalar_or_array.item_or_scalar, scalar_or_array.scalar_union)
        )
        if announced_item is None or announced_scalar is None:
            return None
        is_text = announced_item.schema["type"] == "string" and not scalar_or_array.has_strings_only
        check = (
            scalar_or_array.text_check_schema(view)
            if is_text
            else scalar_or_array.check_schema(view)
        )
        if check is None:
            return None
        flat = _array_of(array, replace(announced_item, words=[]))
        if flat.schema.get("minItems", 0) > 1:
            # A scalar is given as one item; the check still has the original minimum.
            flat.schema["minItems"] = 1
        words = [*scalar_or_array.words(announced_item, announced_scalar), *flat.words]
        return replace(flat, says_less=True, instead=check, words=words)


def _array_of(view: SchemaView, item: ArgumentSchema) -> ArgumentSchema:
    """Returns the announced schema of an array with these items."""
    items = {key: value for key, value in item.schema.items() if key != "default"}
    schema: dict[str, Json] = {"type": "array", "items": items}
    for keyword in OF_ARRAYS:
        # `maxItems: 0` is a bound; `minItems: 0` and `uniqueItems: false` say nothing.
        if view.get(keyword) or (keyword == "maxItems" and keyword in view.keywords):
            schema[keyword] = view.get(keyword)
    words = [f"Each: {sentence[0].lower()}{sentence[1:]}" for sentence in item.words]
    says_less = item.says_less or bool(BEYOND & view.keywords.keys())
    announce_default(schema, view, words)
    return ArgumentSchema(schema, says_less, words=words, also=item.also, unlisted=item.unlisted)


def _default_keyword(view: SchemaView) -> dict[str, Json]:
    return {"default": view.get("default")} if "default" in view.keywords else {}
