"""One value of a request as one argument: flat if possible, else JSON text or base64."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import UNSTYLED, ArgumentDraft, Wire
from mcpgen.lower.flatten.argument_schema import (
    ArgumentSchema,
    constraint_sentences,
    default_sentence,
    describe_argument,
)
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.scalar import Scalars, delimiter_of
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.type_notation import type_notation
from mcpgen.lower.flatten.types import SCALARS, schema_types

BASE64: dict[str, Json] = {"type": "string", "contentEncoding": "base64"}
_TEXT_MEDIA = ("text/", "application/json", "application/xml")


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a request.

    `when`: sentences that say in which case the value is sent. `raw_bytes`: binary content travels
    as bytes in this body. `json`: the body keeps the types of JSON. `exact`: the type of the value
    decides which variant of the surrounding object is meant.
    """

    schema: Json
    place: Place
    target: tuple[str, ...]
    required: bool
    at: Location
    prose: str = ""
    when: tuple[str, ...] = ()
    wire: Wire = UNSTYLED
    deprecated: bool = False
    raw_bytes: bool = False
    json: bool = False
    exact: bool = False


def flatten_value(context: FlattenContext, value: Value) -> ArgumentDraft:
    """Returns the argument for `value`; the description says in words whatever the schema cannot
    say."""
    view = context.schemas.view(value.schema)
    if value.raw_bytes and is_binary(view):
        return _draft(context, value, view, dict(BASE64), ["Base64."], text=TextForm.BASE64)
    if value.raw_bytes and _is_binary_list(context, view):
        schema = {"type": "array", "items": dict(BASE64)}
        return _draft(context, value, view, schema, ["Each: base64."], text=TextForm.BASE64)
    if context.nested and value.json:
        return _nested_argument(context, value, context.nested)
    textual = value.place is not Place.BODY and not value.wire.content
    delimiter = delimiter_of(value.place, value.target, value.wire)
    scalars = Scalars(context.schemas, context.diagnostics, textual, value.exact, delimiter)
    flat = scalars.flat(view, value.at)
    return (
        _flat_argument(context, value, view, flat) if flat else json_text_argument(context, value)
    )


def _nested_argument(
    context: FlattenContext, value: Value, nested: ArgumentSchemas
) -> ArgumentDraft:
    """Returns the argument with the document's own nested schema (mode `nested`)."""
    view = context.schemas.view(value.schema)
    schema = nested.schema(value.schema, value.at)
    for keyword in ("title", "description"):
        schema.pop(keyword, None)
    check = None
    if not schema_types(context.schemas, view) or schema_types(context.schemas, view) - SCALARS:
        check = context.checks.check(value.schema, value.at)
    return _draft(context, value, view, schema, [], check=check)


def json_text_argument(context: FlattenContext, value: Value) -> ArgumentDraft:
    """Rule "array of objects, map, free-form object, recursive schema": one string of JSON text.

    The description carries the type in compact notation; the original schema is the `check`. In
    mode `nested` the argument has the document's own schema instead.
    """
    if context.nested:
        return _nested_argument(context, value, context.nested)
    view = context.schemas.view(value.schema)
    notation = type_notation(context.schemas, value.schema, deeper=context.budget.json_type)
    words = [f"JSON: `{notation}`."]
    if view.get("default") is not None:
        words.append(default_sentence(view.get("default")))
    check = context.checks.check(value.schema, value.at)
    schema: dict[str, Json] = {"type": "string"}
    return _draft(context, value, view, schema, words, text=TextForm.JSON, check=check)


def is_flat(context: FlattenContext, schema: Json, at: Location) -> bool:
    """True for a value outside the body that is a scalar, an array of scalars, or a union of
    both."""
    view = context.schemas.view(schema)
    scalars = Scalars(context.schemas, context.diagnostics, True, delimiter="")
    return scalars.flat(view, at) is not None


def is_binary(view: SchemaView) -> bool:
    """True for a string of bytes: `format: binary`, or a binary `contentMediaType`."""
    if view.get("type", "string") != "string" or view.get("contentEncoding"):
        return False
    media = view.get("contentMediaType", "")
    return view.get("format") == "binary" or bool(media and not media.startswith(_TEXT_MEDIA))


def _is_binary_list(context: FlattenContext, view: SchemaView) -> bool:
    if schema_types(context.schemas, view) != {"array"}:
        return False
    return is_binary(context.schemas.view(view.get("items", True)))


def _flat_argument(
    context: FlattenContext, value: Value, view: SchemaView, flat: ArgumentSchema
) -> ArgumentDraft:
    check = None
    if flat.says_less:
        schema = value.schema if flat.instead is None else flat.instead
        check = context.checks.check(schema, value.at)
    name = ".".join(value.target) or "body"
    if flat.unlisted:
        context.diagnostics.add(
            codes.UNANNOUNCED_VALUES, value.at, name=name, operation=context.operation
        )
    words = [*flat.words, *constraint_sentences(flat.schema)]
    if "default" in flat.schema and not context.budget.is_lean:
        words.append(default_sentence(flat.schema["default"]))
    return _draft(context, value, view, flat.schema, words, check=check, also=flat.also)


def _draft(
    context: FlattenContext,
    value: Value,
    view: SchemaView,
    schema: dict[str, Json],
    words: list[str],
    *,
    text: TextForm | None = None,
    check: Json = None,
    also: tuple[str, ...] = (),
) -> ArgumentDraft:
    demands = [*value.when, *words]
    if value.deprecated or view.get("deprecated"):
        demands.insert(0, "Deprecated.")
    prose = value.prose or str(view.get("description") or view.get("title") or "")
    return ArgumentDraft(
        place=value.place,
        target=value.target,
        schema=schema,
        description=describe_argument(context, prose, value.target, value.place, demands, value.at),
        required=value.required,
        at=value.at,
        wire=value.wire,
        text=text,
        check=check,
        chosen=str(view.get("x-mcp-name") or "") if value.place is Place.BODY else "",
        nullable=view.nullable,
        also=also,
    )


def single_value(view: SchemaView) -> tuple[Json] | None:
    """Rule "single-value required enum / const": the only allowed value in a 1-tuple, else None.

    `{"enum": ["v2"]}` gives `("v2",)`; the server sends the value and announces no argument.
    """
    if view.nullable or view.branches or view.contradiction:
        return None
    if "const" in view.keywords:
        return (view.get("const"),)
    values = view.get("enum")
    return (values[0],) if values is not None and len(values) == 1 else None
