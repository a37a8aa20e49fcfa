"""Finds one announced type for a union of scalar types, such as `string` for an integer or a string.

`mcpgen.lower.flatten` has the table of rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_schema import (
    BEYOND,
    ArgumentSchema,
    announce_default,
    list_values,
)
from mcpgen.lower.flatten.merge import json_key
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.type_notation import type_notation
from mcpgen.lower.flatten.types import schema_types

# The grammar of JSON numbers (RFC 8259, 6): no leading zeros, no plus sign.
_INTEGER_TEXT = "^-?(?:0|[1-9][0-9]*)$"
_NUMBER_TEXT = "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"
_TEXT_SCHEMAS: dict[str, Json] = {
    "integer": {"type": "string", "pattern": _INTEGER_TEXT},
    "number": {"type": "string", "pattern": _NUMBER_TEXT},
    "boolean": {"enum": ["true", "false"]},
}
"""The schema for the text of a value, by type."""

_TEXT_KEYWORDS = {"minLength", "maxLength", "pattern"}
_ASSERTING = _TEXT_KEYWORDS | {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "enum",
    "const",
    *(BEYOND - {"anyOf", "oneOf"}),
}
"""Keywords that refuse values of the right type."""

_PLURALS = {"integer": "integers", "number": "numbers", "boolean": "booleans"}


@dataclass(frozen=True, slots=True)
class TypeWidening:
    """Finds the covering type; `on_wire_text` and `exact` as in `Scalars`."""

    schemas: SchemaViews
    on_wire_text: bool
    exact: bool = False

    def flat(self, view: SchemaView, kinds: frozenset[str]) -> ArgumentSchema | None:
        """Rule "oneOf/anyOf of scalars": the type that covers all of them, None if no type does.

        integer and number give `number`; integer and string give `string`, checked against the
        original schema.
        """
        covering = self._covering_type(view, kinds)
        if covering is None or not has_common_constraints(view):
            return covering
        # A check of the text could not apply constraints on the value itself.
        return None if covering.instead is not None else replace(covering, says_less=True)

    def _covering_type(self, view: SchemaView, kinds: frozenset[str]) -> ArgumentSchema | None:
        words = [f"Form: `{type_notation(self.schemas, dict(view.keywords))}`."]
        if kinds <= {"integer", "number"}:
            kind = "integer" if kinds == {"integer"} else "number"
            return self._announce({"type": kind}, view, words, says_less=True)
        if kinds == {"boolean"}:
            return self._announce({"type": "boolean"}, view, [], says_less=True)
        values = self._known_values(view)
        if kinds == {"string"} and values is not None and all(values):
            # `oneOf` forbids values enumerated by two branches.
            twice = bool(view.get("oneOf")) and len(self._enumerated_values(view)) > len(values)
            return self._announce({"type": "string", "enum": values}, view, [], says_less=twice)
        if kinds == {"string"}:
            says_less = not self._takes_any_string(view)
            if values := self._enumerated_values(view):
                words = [list_values(values).replace("One of: ", "Known values: ")]
            elif not says_less:
                words = []
            return self._announce({"type": "string"}, view, words, says_less=says_less)
        if self.on_wire_text:
            return self._text_of_all(view, kinds, words)
        if "string" in kinds and not self.exact and self._takes_any_string(view):
            also = tuple(sorted(kinds - {"string"} - ({"integer"} if "number" in kinds else set())))
            words = [f"Takes {' and '.join(_PLURALS[kind] for kind in also)}, too."]
            says_less = self._constrains_others(view, kinds)
            return self._announce({"type": "string"}, view, words, says_less=says_less, also=also)
        return None

    def _constrains_others(self, view: SchemaView, kinds: frozenset[str]) -> bool:
        """True if a value that is not a string has more constraints than its type.

        Also true for a `oneOf` of integer and number, which excludes integers.
        """
        if view.get("oneOf") and {"integer", "number"} <= kinds:
            return True
        return any(_ASSERTING & option.keywords.keys() for option in self.alternatives(view))

    def _text_of_all(
        self, view: SchemaView, kinds: frozenset[str], words: list[str]
    ) -> ArgumentSchema | None:
        """Returns a string for a value of any scalar type that travels as text."""
        if "string" in kinds and self._takes_any_string(view):
            return self._announce({"type": "string"}, view, words)
        options = [text_schema(self.schemas, branch) for branch in self.alternatives(view)]
        if any(option is None for option in options):
            return None
        check = {"anyOf": options}
        announced = self._announce({"type": "string"}, view, words, says_less=True)
        return ArgumentSchema(announced.schema, True, check, announced.words)

    def _announce(
        self,
        schema: dict[str, Json],
        view: SchemaView,
        words: list[str],
        *,
        says_less: bool = False,
        also: tuple[str, ...] = (),
    ) -> ArgumentSchema:
        announce_default(schema, view, words)
        return ArgumentSchema(schema, says_less, words=words, also=also)

    def alternatives(self, view: SchemaView) -> list[SchemaView]:
        """The alternatives of a view, down through unions inside unions."""
        if not view.branches:
            kinds = view.get("type")
            if isinstance(kinds, list):
                return [SchemaView({**view.keywords, "type": kind}) for kind in kinds]
            return [view]
        alternatives: list[SchemaView] = []
        for branch in view.branches:
            seen = self.schemas.view(branch)
            # A union that contains itself adds nothing to its own alternatives.
            whole = bool(seen.names & view.names) or has_common_constraints(seen)
            alternatives += [seen] if whole else self.alternatives(seen)
        return alternatives

    def _known_values(self, view: SchemaView) -> list[str] | None:
        """Returns all allowed strings, None unless every branch enumerates its strings."""
        strings: list[str] = []
        for option in self.alternatives(view):
            values = option.get("enum", [option.get("const")])
            if not all(isinstance(value, str) for value in values):
                return None
            strings += values
        return list(dict.fromkeys(strings))

    def _enumerated_values(self, view: SchemaView) -> list[Json]:
        return [v for option in self.alternatives(view) for v in option.get("enum", ())]

    def _takes_any_string(self, view: SchemaView) -> bool:
        """True if one branch is an unconstrained string and no other branch can exclude a
        string."""
        if view.get("oneOf"):
            strings = [
                v for v in self.alternatives(view) if "string" in schema_types(self.schemas, v)
            ]
            return len(strings) == 1 and _free_string(strings[0])
        return any(_free_string(option) for option in self.alternatives(view))


def has_common_constraints(view: SchemaView) -> bool:
    """True if a union also constrains all its branches."""
    has_both = "oneOf" in view.keywords and "anyOf" in view.keywords
    return bool(view.branches) and (has_both or bool(_ASSERTING & view.keywords.keys()))


def _free_string(view: SchemaView) -> bool:
    kind = view.get("type")
    conditions = {"enum", "const", "pattern", "minLength", "maxLength"} | BEYOND
    return kind == "string" and not conditions & view.keywords.keys()


def text_schema(schemas: SchemaViews, view: SchemaView) -> Json:
    """Returns a schema for the text of a scalar, None where text cannot be checked."""
    kinds = schema_types(schemas, view)
    if "enum" in view.keywords or "const" in view.keywords:
        values = view.get("enum", [view.get("const")])
        return {"enum": [v if isinstance(v, str) else json_key(v) for v in values]}
    asserted = _ASSERTING & view.keywords.keys()
    if len(kinds) != 1 or view.branches or asserted - _TEXT_KEYWORDS:
        return None
    kind = next(iter(kinds))
    if kind == "string":
        return {"type": "string"} | {key: view.get(key) for key in sorted(asserted)}
    return _TEXT_SCHEMAS.get(kind)
