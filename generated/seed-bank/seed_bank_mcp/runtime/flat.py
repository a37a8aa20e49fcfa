"""Which JSON Schemas a form may be made of: one object of flat fields, as MCP restricts them.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .tool import Json

MOST_FIELDS = 50
"""How many fields a form has at most."""

LARGEST_FIELD = 100
"""How many choices a field has at most."""

_SHOWN = frozenset(("type", "title", "description", "default"))
_FIELDS: Mapping[str, frozenset[str]] = {
    "string": _SHOWN | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": _SHOWN | {"minimum", "maximum"},
    "integer": _SHOWN | {"minimum", "maximum"},
    "boolean": _SHOWN,
    "array": _SHOWN | {"items", "minItems", "maxItems"},
}
"""The keywords of a field, by its type."""

_NUMBERS: Mapping[str, frozenset[str]] = {
    kind: known & {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}
    for kind, known in _FIELDS.items()
}
"""The keywords of a field whose values are numbers."""

_DEFAULTS: Mapping[str, Callable[[Json], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list) and all(isinstance(v, str) for v in value),
}
"""Whether a value may be the default of a field, by its type."""

_FORMATS = frozenset(("email", "uri", "date", "date-time"))
_ROOT = frozenset(("$schema", "type", "properties", "required", "title", "description"))
_CHOICE = frozenset(("const", "title", "description"))


def flaws(schema: Json) -> list[str]:
    """Why no form can be made of a schema, a line for each reason; none if it can."""
    return list(_flaws(schema))[:10]


def _flaws(schema: Json) -> Iterator[str]:
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        yield "it must be an object schema (`type: object`)"
        return
    for keyword in sorted(map(str, schema.keys() - _ROOT - {"additionalProperties"})):
        yield f"`{keyword[:40]}` cannot be asked"
    if schema.get("additionalProperties", False) is not False:
        yield "`additionalProperties` can only be false"
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        yield "it must have `properties`"
        return
    if len(properties) > MOST_FIELDS:
        yield f"it has more than {MOST_FIELDS} fields"
        return
    for name, shape in properties.items():
        yield from (f"`{str(name)[:60]}`: {flaw}" for flaw in _of_field(shape))
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(str(name) in properties for name in required):
        yield "`required` must list some of the fields"


def _of_field(shape: Json) -> Iterator[str]:
    kind = shape.get("type") if isinstance(shape, Mapping) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        yield "must be a string, a number, an integer, a boolean, or an array of choices"
        return
    for keyword in sorted(map(str, shape.keys() - _FIELDS[kind])):
        yield f"`{keyword[:40]}` cannot be asked of a field of type {kind}"
    for text in ("title", "description"):
        if not isinstance(shape.get(text, ""), str):
            yield f"`{text}` must be text"
    for keyword in sorted(_NUMBERS[kind] & shape.keys()):
        number = shape[keyword]
        is_size = kind in ("string", "array")
        if isinstance(number, bool) or not isinstance(number, int if is_size else int | float):
            yield f"`{keyword}` must be a number"
        elif is_size and number < 0:
            yield f"`{keyword}` must be a number that is not negative"
    if "default" in shape and not _DEFAULTS[kind](shape["default"]):
        yield f"`default` is no value of type {kind}"
    if str(shape.get("format", "date")) not in _FORMATS:
        yield f"`format` must be one of {', '.join(sorted(_FORMATS))}"
    if kind == "string":
        yield from _of_choices(shape, "oneOf")
    elif kind == "array":
        items = shape.get("items")
        if not isinstance(items, Mapping) or not items.keys() & {"enum", "anyOf"}:
            yield "the items of an array must be choices (`enum` or `anyOf`)"
        elif items.keys() - {"type", "enum", "anyOf"} or items.get("type", "string") != "string":
            yield "the items of an array must be nothing but choices of text"
        else:
            yield from _of_choices(items, "anyOf")


def _of_choices(shape: Mapping[str, Json], titled: str) -> Iterator[str]:
    """What speaks against the choices of a field, of text or with titles."""
    names, choices = shape.get("enum", [""]), shape.get(titled, [{"const": ""}])
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        yield "`enum` must list texts"
    elif not isinstance(choices, list) or not choices or not all(map(_is_choice, choices)):
        yield f"`{titled}` must list choices, each a `const` and a `title`"
    elif max(len(names), len(choices)) > LARGEST_FIELD:
        yield f"it has more than {LARGEST_FIELD} choices"


def _is_choice(choice: Json) -> bool:
    return (
        isinstance(choice, Mapping)
        and choice.keys() <= _CHOICE
        and all(isinstance(each, str) for each in choice.values())
        and "const" in choice
    )
