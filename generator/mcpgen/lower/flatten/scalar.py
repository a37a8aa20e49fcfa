"""Scalars and arrays of scalars as announced schemas."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.frozen import frozen
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.announced import BEYOND, Flat, put_default
from mcpgen.lower.flatten.checks import usable_pattern
from mcpgen.lower.flatten.covering import Covering
from mcpgen.lower.flatten.enumerations import MOST_VALUES
from mcpgen.lower.flatten.facts import one_of
from mcpgen.lower.flatten.types import SCALARS, types
from mcpgen.lower.flatten.view import Schemas, View

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
_ARRAY_KEPT = ("minItems", "maxItems", "uniqueItems")


@frozen
class Scalars:
    """Turns views into announced schemas. `on_wire_text`: every value travels as text, so numbers and
    strings cannot be told apart there. `exact`: a call must be able to choose the type of the value
    by the announced schema alone."""

    schemas: Schemas
    diagnostics: Diagnostics
    on_wire_text: bool
    exact: bool = False

    def flat(self, view: View, at: Location) -> Flat | None:
        """The announced schema of a scalar or an array of scalars, None for every other value."""
        kinds = types(self.schemas, view)
        if kinds == {"array"}:
            return self._array(view, at)
        if self.on_wire_text and not kinds:
            return Flat({"type": "string"})
        if self.on_wire_text and "array" in kinds and kinds <= SCALARS | {"array"}:
            return self._scalar_or_array(view, at)
        if not kinds or not kinds <= SCALARS:
            return None
        enumerated = "enum" in view.keywords or "const" in view.keywords
        if len(kinds) == 1 and (enumerated or not view.branches):
            return self._plain(view, next(iter(kinds)), at)
        return Covering(self.schemas, self.on_wire_text, self.exact).flat(view, kinds)

    def _plain(self, view: View, kind: str, at: Location) -> Flat:
        schema: dict[str, Json] = {"type": kind}
        words: list[str] = []
        says_less = bool(BEYOND & view.keywords.keys())
        for keyword in _KEPT[kind]:
            value = view.get(keyword)
            if keyword == "pattern" and value is not None:
                value = usable_pattern(value, at, self.diagnostics)
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
        return Flat(schema, says_less, words=words, unlisted=unlisted)

    def _array(self, view: View, at: Location) -> Flat | None:
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
        if flat is None or flat.textual is not None:
            return None
        flat.schema.pop("default", None)
        schema: dict[str, Json] = {"type": "array", "items": flat.schema}
        for keyword in _ARRAY_KEPT:
            if view.get(keyword):
                schema[keyword] = view.get(keyword)
        words = [f"Each: {sentence[0].lower()}{sentence[1:]}" for sentence in flat.words]
        says_less = flat.says_less or bool(BEYOND & view.keywords.keys())
        put_default(schema, view, words)
        return Flat(schema, says_less, words=words, also=flat.also, unlisted=flat.unlisted)

    def _scalar_or_array(self, view: View, at: Location) -> Flat | None:
        """An array where one value or several are allowed: one value is the same on the wire."""
        covering = Covering(self.schemas, self.on_wire_text)
        arrays = [v for v in covering.alternatives(view) if types(self.schemas, v) == {"array"}]
        if len(arrays) != 1:
            return None
        return self._array(arrays[0], at)
