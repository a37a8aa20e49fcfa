"""Models that need no datamodel-code-generator: what it would say of a flat schema, known beforehand.

It stays the authority: a test asks it about every shape and name that is decided here, and whatever
is not decided here is asked of it.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping

from mcpgen.emit.annotations import Field, Model
from mcpgen.emit.literal import Call, Joined, Name, Subscript, Value
from mcpgen.ir.source import Json

TAKEN = ("Annotated", "BaseModel", "ConfigDict", "Field", "Literal")
TYPES = ("bool", "float", "int", "list", "self", "str")
"""Names that the module itself uses: a field of that name would stand in their way."""

PROTECTED = ("model_dump", "model_validate")
"""Beginnings of names that pydantic keeps for itself."""

_PYDANTIC = """construct copy dict from_orm json model_computed_fields model_config model_construct
model_copy model_extra model_fields model_fields_set model_json_schema model_parametrized_name
model_post_init model_rebuild parse_file parse_obj parse_raw schema schema_json update_forward_refs
validate"""
_RENAMED = frozenset((*_PYDANTIC.split(), *keyword.kwlist, *TAKEN, *TYPES))
"""Names that get a `_` behind them: attributes of every model, and what is no name in Python."""

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9]*Arguments[0-9]*")
_CLASSES = re.compile(r"Arguments[0-9]*_?\Z|\AAny\Z")
"""Names that could be those of classes, or of a type that a field of that name would hide."""

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_BOUNDS = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "maxLength": "max_length",
    "maxItems": "max_length",
    "minLength": "min_length",
    "minItems": "min_length",
    "multipleOf": "multiple_of",
}
"""What bounds are called, in the order they are written."""

_CONFIG = Call("ConfigDict", (), (("extra", "forbid"),))


def plain_model(name: str, schema: Mapping[str, Json]) -> Model | None:
    """The model of a flat schema, None where datamodel-code-generator has to be asked."""
    if not _CLASS_NAME.fullmatch(name):
        return None
    required = frozenset(schema["required"])
    fields: list[Field] = []
    taken: set[str] = set()
    for key, part in schema["properties"].items():
        called = _field_name(key)
        if called is None or called in taken:
            return None
        taken.add(called)
        alias = () if called == key else (("alias", key),)
        fields.append(_field(called, part, key in required, alias))
    return Model(name, _CONFIG, tuple(fields))


def _field_name(name: str) -> str | None:
    """What the field of an argument is called, None where that takes more than a look."""
    if not _PLAIN_NAME.fullmatch(name) or _CLASSES.search(name):
        return None
    if name.startswith(PROTECTED):
        return f"field_{name}"
    return f"{name}_" if name in _RENAMED else name


def _field(
    name: str, schema: Mapping[str, Json], required: bool, alias: tuple[tuple[str, Value], ...]
) -> Field:
    """A field; one that may be left out may be None."""
    kind = schema.get("type")
    nullable = not required or isinstance(kind, list)
    annotation: Value = _type(schema)
    if nullable:
        annotation = Joined(annotation, "| None")
    told = (*alias, *_bounds(schema))
    if told:
        annotation = Subscript("Annotated", (annotation, Call("Field", (), told)))
    return Field(name, annotation, () if required else (None,))


def _type(schema: Mapping[str, Json]) -> Value:
    """The type of a value that is not null."""
    kind = _kind(schema)
    if kind == "array":
        return Subscript("list", (_inside(schema["items"]),))
    if values := schema.get("enum"):
        return Subscript("Literal", tuple(values))
    return Name(_SCALARS.get(kind, "Any"))


def _inside(schema: Mapping[str, Json]) -> Value:
    """The type of the items of an array; an enumeration there has said that null is none of it."""
    made = _type(schema)
    is_nullable = isinstance(schema.get("type"), list) and not schema.get("enum")
    return Joined(made, "| None") if is_nullable else made


def _bounds(schema: Mapping[str, Json]) -> Iterator[tuple[str, Value]]:
    """The bounds, those of a float as floats."""
    of_float = _kind(schema) == "number"
    for keyword_, name in _BOUNDS.items():
        if keyword_ in schema:
            bound = schema[keyword_]
            yield name, float(bound) if of_float else bound


def _kind(schema: Mapping[str, Json]) -> str:
    """The one type beside null, `""` for any."""
    kind = schema.get("type", "")
    return str(kind[0] if isinstance(kind, list) else kind)
