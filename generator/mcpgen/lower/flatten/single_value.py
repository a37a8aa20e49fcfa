"""One value alone or several in an array, where both are written alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mcpgen.ir.api import Place, Style
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import Wire
from mcpgen.lower.flatten.argument_schema import BEYOND, ArgumentSchema
from mcpgen.lower.flatten.constraint_text import constraint_sentences, within
from mcpgen.lower.flatten.merge_keywords import json_key
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.type_notation import signature
from mcpgen.lower.flatten.types import types
from mcpgen.lower.flatten.widen_types import demands_more, textual

DELIMITERS = {Style.SPACE: " ", Style.TAB: "\t", Style.PIPE: "|"}
"""What stands between the items of an array in the styles that have no commas."""

OF_ARRAYS = ("minItems", "maxItems", "uniqueItems")
"""The keywords that limit an announced array."""
_OF_NO_SCALAR = {
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
    """What stands between the members of a list or an object and is not escaped in a member, `""` if
    every member is escaped."""
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
    """`unescaped_delimiter` for the value of an argument, None where an array of one value is written
    otherwise than the value alone: `deepObject` marks arrays, and so does JSON inside an object."""
    if wire.style is Style.DEEP_OBJECT:
        return None
    if place in (Place.QUERY, Place.COOKIE) and len(target) > 1 and not wire.explode:
        return None
    if place in (Place.PATH, Place.HEADER) and len(target) > 1:
        return None
    written = Place.HEADER if place is Place.PART else place
    return unescaped_delimiter(written, wire.style, wire.explode, wire.allow_reserved)


def is_apart(schemas: SchemaViews, scalar: SchemaView, delimiter: str) -> bool:
    """Whether no value of a scalar holds a delimiter, so that the value can be an item."""
    if not delimiter:
        return True
    if "enum" in scalar.keywords or "const" in scalar.keywords:
        values = scalar.get("enum", [scalar.get("const")])
        return not any(delimiter in (v if isinstance(v, str) else json_key(v)) for v in values)
    kinds = types(schemas, scalar)
    return "string" not in kinds and not ("number" in kinds and delimiter == ".")


@dataclass
class Alone:
    """An array, or one of `scalars` alone. `each` is the announced schema of the items of `array`."""

    schemas: SchemaViews
    array: SchemaView
    scalars: list[SchemaView]
    each: ArgumentSchema

    @cached_property
    def others(self) -> list[Json]:
        """The scalars that are not allowed as the only item."""
        is_unfit = self.array.get("minItems", 0) > 1 or self.array.get("maxItems", 1) < 1
        takes_one = not is_unfit and not BEYOND & self.array.keywords.keys()
        if takes_one and self.each.schema == {"type": "string"} and not self.each.says_less:
            return []
        scalars = [_asserted(scalar) for scalar in self.scalars]
        return [each for each in scalars if not takes_one or each != self._items]

    @property
    def other(self) -> Json:
        """The schema of `others`."""
        return self.others[0] if len(self.others) == 1 else {"anyOf": self.others}

    @property
    def any(self) -> Json:
        """The schema of a value that is an item or alone."""
        return {"anyOf": [self._items, *(each for each in self.others if each != self._items)]}

    @cached_property
    def _items(self) -> Json:
        return _asserted(self.schemas.view(self.array.get("items", True)))

    @property
    def has_strings_only(self) -> bool:
        """Whether every value is a string, so that the document's own schema can be checked."""
        return types(self.schemas, self.schemas.view(self.any)) == {"string"}

    def checked(self, view: SchemaView) -> Json:
        """The schema to check: the document's for an array, and that of a scalar for an only item."""
        if demands_more(view) or len(self.scalars) > 1:
            whole = dict(view.keywords)
            return {"anyOf": [whole, _one_item(whole)]}
        return {"anyOf": [dict(self.array.keywords), _one_item(self.other)]}

    def textual(self, view: SchemaView) -> Json:
        """A schema for the texts in the announced array, None where texts cannot be judged."""
        texts = [textual(self.schemas, self.schemas.view(each)) for each in self.others]
        items = textual(self.schemas, self.schemas.view(self._items))
        if items is None or None in texts:
            return None
        if demands_more(view) or BEYOND & self.array.keywords.keys():
            return None
        bounds = {key: self.array.get(key) for key in OF_ARRAYS if key in self.array.keywords}
        array = {"type": "array", "items": items, **bounds}
        only = texts[0] if len(texts) == 1 else {"anyOf": texts}
        return {"anyOf": [array, _one_item(only)]}

    def words(self, wide: ArgumentSchema, other: ArgumentSchema) -> list[str]:
        """The sentences that tell an item of several from a value alone."""
        said = [f"One item alone may be `{signature(self.schemas, self.other)}`."]
        if other.schema["type"] == "string" and "enum" not in other.schema:
            said += [
                f"One item alone: {within(fact)}" for fact in constraint_sentences(other.schema)
            ]
        each = [*self.each.words, *constraint_sentences(self.each.schema)]
        if self.each.schema["type"] != wide.schema["type"]:
            each.insert(0, f"{self.each.schema['type']}.")
        return [*(f"Of several items, each: {within(fact)}" for fact in each), *said]


def _one_item(schema: Json) -> Json:
    """The schema of an array whose only item is a value of a schema."""
    return {"type": "array", "minItems": 1, "maxItems": 1, "items": schema}


def _asserted(view: SchemaView) -> dict[str, Json]:
    """The keywords of a scalar that limit or describe its values."""
    return {key: value for key, value in view.keywords.items() if key not in _OF_NO_SCALAR}
