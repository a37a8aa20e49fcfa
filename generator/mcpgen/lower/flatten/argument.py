"""One value of a request as one argument: flat if it can be, JSON text or base64 if not."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import UNSTYLED, ArgumentDraft, Wire
from mcpgen.lower.flatten.argument_schema import ArgumentSchema, constraint_sentences, default_of
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.describe import describe_argument
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.scalar import Scalars, delimiter_of
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.type_notation import signature
from mcpgen.lower.flatten.types import SCALARS, types

BASE64: dict[str, Json] = {"type": "string", "contentEncoding": "base64"}
_TEXT_MEDIA = ("text/", "application/json", "application/xml")


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a request. `when` says in words in which case it is sent; `raw_bytes` tells that
    binary content travels as bytes in this kind of body, `json` that every JSON value can be told
    apart there. `exact`: the type of the value decides which form of the object around it is meant.
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


def leaf(context: FlattenContext, value: Value) -> ArgumentDraft:
    """The argument for a value; its description says what its schema cannot."""
    view = context.schemas.view(value.schema)
    if value.raw_bytes and is_binary(view):
        return _draft(context, value, view, dict(BASE64), ["Base64."], text=TextForm.BASE64)
    if value.raw_bytes and _is_binary_list(context, view):
        schema = {"type": "array", "items": dict(BASE64)}
        return _draft(context, value, view, schema, ["Each: base64."], text=TextForm.BASE64)
    if context.nested and value.json:
        return _as_it_is(context, value, context.nested)
    textual = value.place is not Place.BODY and not value.wire.content
    delimiter = delimiter_of(value.place, value.target, value.wire)
    scalars = Scalars(context.schemas, context.diagnostics, textual, value.exact, delimiter)
    flat = scalars.flat(view, value.at)
    return _flat(context, value, view, flat) if flat else json_text_argument(context, value)


def _as_it_is(context: FlattenContext, value: Value, nested: ArgumentSchemas) -> ArgumentDraft:
    """The argument that takes a value in the document's own shape."""
    view = context.schemas.view(value.schema)
    schema = nested.schema(value.schema, value.at)
    for told in ("title", "description"):
        schema.pop(told, None)
    check = None
    if not types(context.schemas, view) or types(context.schemas, view) - SCALARS:
        check = context.checks.check(value.schema, value.at)
    return _draft(context, value, view, schema, [], check=check)


def json_text_argument(context: FlattenContext, value: Value) -> ArgumentDraft:
    """The argument that holds a value as JSON text, with its type in the description."""
    if context.nested:
        return _as_it_is(context, value, context.nested)
    view = context.schemas.view(value.schema)
    written = signature(context.schemas, value.schema, deeper=context.budget.type)
    words = [f"JSON: `{written}`."]
    if view.get("default") is not None:
        words.append(default_of(view.get("default")))
    check = context.checks.check(value.schema, value.at)
    schema: dict[str, Json] = {"type": "string"}
    return _draft(context, value, view, schema, words, text=TextForm.JSON, check=check)


def is_flat(context: FlattenContext, schema: Json, at: Location) -> bool:
    """Whether a value outside the body is a scalar, an array of scalars, or either."""
    view = context.schemas.view(schema)
    scalars = Scalars(context.schemas, context.diagnostics, True, delimiter="")
    return scalars.flat(view, at) is not None


def is_binary(view: SchemaView) -> bool:
    """Whether a string is bytes rather than text."""
    if view.get("type", "string") != "string" or view.get("contentEncoding"):
        return False
    media = view.get("contentMediaType", "")
    return view.get("format") == "binary" or bool(media and not media.startswith(_TEXT_MEDIA))


def _is_binary_list(context: FlattenContext, view: SchemaView) -> bool:
    if types(context.schemas, view) != {"array"}:
        return False
    return is_binary(context.schemas.view(view.get("items", True)))


def _flat(
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
    if "default" in flat.schema and not context.budget.brief:
        words.append(default_of(flat.schema["default"]))
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


def single(view: SchemaView) -> tuple[Json] | None:
    """The one value a schema allows, in a tuple, or None if it allows more."""
    if view.nullable or view.branches or view.contradiction:
        return None
    if "const" in view.keywords:
        return (view.get("const"),)
    values = view.get("enum")
    return (values[0],) if values is not None and len(values) == 1 else None
