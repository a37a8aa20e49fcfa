"""Scalars and arrays of scalars as announced schemas."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_schema import BEYOND, ArgumentSchema, put_default
from mcpgen.lower.flatten.checks import compilable_pattern
from mcpgen.lower.flatten.constraint_text import one_of
from mcpgen.lower.flatten.enumerations import MOST_VALUES
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.single_value import OF_ARRAYS, Alone, is_apart
from mcpgen.lower.flatten.types import SCALARS, types
from mcpgen.lower.flatten.widen_types import TypeWidening

_KEPT = {
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
    """Turns views into announced schemas. `on_wire_text`: every value travels as text, so numbers and
    strings cannot be told apart there. `exact`: a call must be able to choose the type of the value
    by the announced schema alone. `delimiter` stands between the items of an array without an escape,
    `""` if every delimiter is escaped, None if an array of one value is not written like the value.
    """

    schemas: SchemaViews
    diagnostics: Diagnostics
    on_wire_text: bool
    exact: bool = False
    delimiter: str | None = None

    def flat(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """The announced schema of a scalar or an array of scalars, None for every other value."""
        kinds = types(self.schemas, view)
        if kinds == {"array"}:
            return self._array(view, at)
        if self.on_wire_text and not kinds:
            return ArgumentSchema({"type": "string"})
        if self.on_wire_text and "array" in kinds and kinds <= SCALARS | {"array"}:
            return self._scalar_or_array(view, at)
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
        for keyword in _KEPT[kind]:
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
            few = len(values) <= MOST_VALUES
            if few and kind == "string" and all(isinstance(v, str) and v for v in values):
                schema["enum"] = list(dict.fromkeys(values))
            else:
                words.append(one_of(values))
                says_less = True
        put_default(schema, view, words)
        unlisted = values is not None and len(values) > MOST_VALUES
        return ArgumentSchema(schema, says_less, words=words, unlisted=unlisted)

    def _array(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        each = self._each(view, at)
        return None if each is None else _array_of(view, each)

    def _each(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """The announced schema of the items of an array, None if an array cannot be announced."""
        if "items" not in view.keywords and not self.on_wire_text:
            return None
        if view.get("prefixItems") or "const" in view.keywords or "enum" in view.keywords:
            return None
        items = self.schemas.view(view.get("items", True))
        if items.contradiction or (items.nullable and not self.on_wire_text):
            return None
        if "array" in types(self.schemas, items):
            return None
        flat = self.flat(items, at)
        return None if flat is None or flat.instead is not None else flat

    def _scalar_or_array(self, view: SchemaView, at: Location) -> ArgumentSchema | None:
        """An array where one value or several are allowed: one value is the same on the wire."""
        options = TypeWidening(self.schemas, self.on_wire_text).alternatives(view)
        arrays = [v for v in options if types(self.schemas, v) == {"array"}]
        scalars = [v for v in options if frozenset() < types(self.schemas, v) <= SCALARS]
        if self.delimiter is None or len(arrays) != 1 or len(options) > len(scalars) + 1:
            return None
        if not all(is_apart(self.schemas, each, self.delimiter) for each in scalars):
            return None
        array = SchemaView({**arrays[0].keywords, **_default(view)})
        each = self._each(array, at)
        if each is None:
            return None
        alone = Alone(self.schemas, array, scalars, each)
        if not alone.others:
            return _array_of(array, each)
        wide, other = (self.flat(self.schemas.view(one), at) for one in (alone.any, alone.other))
        if wide is None or other is None:
            return None
        is_text = wide.schema["type"] == "string" and not alone.has_strings_only
        check = alone.textual(view) if is_text else alone.checked(view)
        if check is None:
            return None
        flat = _array_of(array, replace(wide, words=[]))
        if flat.schema.get("minItems", 0) > 1:
            flat.schema["minItems"] = 1
        words = [*alone.words(wide, other), *flat.words]
        return replace(flat, says_less=True, instead=check, words=words)


def _array_of(view: SchemaView, each: ArgumentSchema) -> ArgumentSchema:
    """The announced schema of an array of these items."""
    items = {key: value for key, value in each.schema.items() if key != "default"}
    schema: dict[str, Json] = {"type": "array", "items": items}
    for keyword in OF_ARRAYS:
        if view.get(keyword):
            schema[keyword] = view.get(keyword)
    words = [f"Each: {sentence[0].lower()}{sentence[1:]}" for sentence in each.words]
    says_less = each.says_less or bool(BEYOND & view.keywords.keys())
    put_default(schema, view, words)
    return ArgumentSchema(schema, says_less, words=words, also=each.also, unlisted=each.unlisted)


def _default(view: SchemaView) -> dict[str, Json]:
    return {"default": view.get("default")} if "default" in view.keywords else {}
