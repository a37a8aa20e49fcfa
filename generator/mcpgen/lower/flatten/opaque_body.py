"""Bodies with a single argument: text, bytes, sequences, scalars, arrays and free-form objects."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir import api
from mcpgen.ir.api import MediaType, Place, PropertyEncoding
from mcpgen.ir.server import BodyPlan, PartSpec, TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import (
    BASE64,
    Value,
    flatten_value,
    is_binary,
    json_text_argument,
)
from mcpgen.lower.flatten.argument_draft import ArgumentDraft, PlaceDraft
from mcpgen.lower.flatten.argument_schema import describe_argument
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.multipart import is_file
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.types import SCALARS, schema_types
from mcpgen.lower.media import Media, header_value, is_range, media_kind, range_schema

XML_TEXT: dict[str, Json] = {"type": "string", "contentMediaType": "application/xml"}
"""The announced schema of a whole XML document."""

_FORM_TEXT = "^(?:[A-Za-z0-9*._~+&=-]|%[0-9A-Fa-f]{2})*$"


@dataclass(frozen=True, slots=True)
class BodyArguments:
    """The arguments of a body and the plan for sending the body."""

    drafted: PlaceDraft
    plan: BodyPlan


@dataclass(frozen=True, slots=True)
class ChosenBody:
    """The body of an operation in its chosen media type."""

    body: api.RequestBody
    media: MediaType
    kind: Media
    room: int
    schema: Json = field(default=True)


def plan_body(context: FlattenContext, chosen: ChosenBody, drafted: PlaceDraft) -> BodyArguments:
    """Returns the arguments with a plan; adds a check where the arguments say less than the
    schema."""
    check = context.checks.check(chosen.schema, chosen.media.at) if drafted.crossing else None
    return BodyArguments(
        drafted, BodyPlan(header_value(chosen.media.name), chosen.body.required, check)
    )


def body_argument(
    context: FlattenContext,
    chosen: ChosenBody,
    schema: Json,
    view: SchemaView,
    *,
    raw_bytes: bool = False,
) -> ArgumentDraft:
    """Rule "body of one scalar or an array": the argument `body`."""
    prose = chosen.body.description or str(view.get("description") or "")
    value = Value(
        schema=schema,
        place=Place.BODY,
        target=(),
        required=chosen.body.required,
        at=chosen.media.at,
        prose=prose,
        raw_bytes=raw_bytes,
        json=chosen.kind in (Media.JSON, Media.JSON_SUFFIX),
    )
    # A null for the whole body can only be written as JSON text.
    return json_text_argument(context, value) if view.nullable else flatten_value(context, value)


def _body_argument(
    context: FlattenContext,
    chosen: ChosenBody,
    schema: dict[str, Json],
    words: list[str],
    **more: Json,
) -> ArgumentDraft:
    """Returns the argument `body` with a fixed schema instead of the document's."""
    view = context.schemas.view(chosen.schema)
    prose = chosen.body.description or str(view.get("description") or "")
    at = chosen.media.at
    description = describe_argument(context, prose, (), Place.BODY, words, at)
    return ArgumentDraft(
        Place.BODY, (), dict(schema), description, chosen.body.required, at, **more
    )


def text_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments:
    """Returns a text body; a scalar of a different type is written as its text."""
    view = context.schemas.view(chosen.schema)
    kinds = schema_types(context.schemas, view)
    is_scalar = bool(kinds) and kinds <= SCALARS
    draft = body_argument(context, chosen, chosen.schema if is_scalar else {"type": "string"}, view)
    return plan_body(context, chosen, PlaceDraft((draft,)))


def binary_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments:
    """Rule "binary body": one argument of base64.

    For a range such as `image/*` each call also gives the content type.
    """
    draft = _body_argument(context, chosen, BASE64, ["Base64."], text=TextForm.BASE64)
    drafts = [draft]
    if is_range(chosen.media.name):
        at, target = chosen.media.at, ("", "type")
        words = [f"Such as {chosen.media.name.partition('/')[0]}/…."]
        prose = "Content type of the body."
        description = describe_argument(context, prose, target, Place.PART, words, at)
        schema = range_schema(chosen.media.name)
        required = chosen.body.required
        drafts.append(
            ArgumentDraft(
                Place.PART, target, schema, description, required, at, chosen="content_type"
            )
        )
    return plan_body(context, chosen, PlaceDraft(tuple(drafts)))


def xml_text_body(context: FlattenContext, chosen: ChosenBody, reason: str) -> BodyArguments:
    """Returns a body of XML text written by the caller, because the schema has no XML form.
    Reports `reason`."""
    context.diagnostics.add(
        codes.XML_AS_TEXT, chosen.media.at, operation=context.operation, reason=reason
    )
    draft = _body_argument(context, chosen, XML_TEXT, ["A whole XML document without DOCTYPE."])
    return plan_body(context, chosen, PlaceDraft((draft,)))


def form_text_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments:
    """Returns a form without properties as already encoded text. Reports the missing properties."""
    media = chosen.media
    context.diagnostics.add(
        codes.FORM_AS_TEXT, media.at, operation=context.operation, media_type=media.name
    )
    schema: dict[str, Json] = {"type": "string", "pattern": _FORM_TEXT}
    draft = _body_argument(context, chosen, schema, ["A form such as `a=1&b=2`, %-encoded."])
    return plan_body(context, chosen, PlaceDraft((draft,)))


def sequence_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments:
    """Returns a sequence (JSON lines) as an array argument; each item is checked."""
    view = context.schemas.view(chosen.schema)
    kinds = schema_types(context.schemas, view)
    if chosen.media.item_schema is not None:
        item = chosen.media.item_schema.json
    elif kinds == {"array"}:
        item = view.get("items", True)
    else:
        # Authors write the schema of one line here; a string means lines of any type.
        item = True if kinds == {"string"} or view.nullable else chosen.schema
    array = {"type": "array", "items": item}
    if kinds == {"array"} and chosen.media.item_schema is None:
        array = chosen.schema
    return plan_body(context, chosen, PlaceDraft((body_argument(context, chosen, array, view),)))


def single_part_body(
    context: FlattenContext, chosen: ChosenBody, view: SchemaView
) -> BodyArguments:
    """Returns a multipart body that is not an object as one part, named if the media type needs
    names. Reports the choice."""
    if not chosen.media.name.lower().startswith("multipart/form-data"):
        draft = body_argument(context, chosen, chosen.schema, view, raw_bytes=True)
        return plan_body(context, chosen, PlaceDraft((draft,)))
    name = "file" if is_file(context, view) else "body"
    context.diagnostics.add(
        codes.UNNAMED_PART, chosen.media.at, operation=context.operation, name=name
    )
    draft = body_argument(context, chosen, chosen.schema, view, raw_bytes=True)
    return plan_body(context, chosen, PlaceDraft((replace(draft, target=(name,)),)))


def positional_body(context: FlattenContext, chosen: ChosenBody, view: SchemaView) -> BodyArguments:
    """Returns a multipart body with parts known by position as an array argument.

    https://spec.openapis.org/oas/v3.2.0.html#encoding-by-position
    """
    prefix = view.get("prefixItems") or []
    items = view.get("items", True)
    if chosen.media.item_schema is not None:
        items = chosen.media.item_schema.json
    encodings = chosen.media.prefix_encodings
    if not prefix and not encodings and is_binary(context.schemas.view(items)):
        schema: Json = {"type": "array", "items": items}
        draft = body_argument(context, chosen, schema, view, raw_bytes=True)
        plan = PartSpec(_content_type_of_schema(context, items, chosen.media.item_encoding))
        return _with_parts(plan_body(context, chosen, PlaceDraft((draft,))), {"": plan})
    plans: dict[str, PartSpec] = {}
    for index in range(max(len(prefix), len(encodings))):
        part = prefix[index] if index < len(prefix) else items
        encoding = encodings[index] if index < len(encodings) else chosen.media.item_encoding
        plans[str(index)] = _position(context, part, encoding)
    plans[""] = _position(context, items, chosen.media.item_encoding)
    array: Json = chosen.schema
    if chosen.media.item_schema is not None and "array" not in schema_types(context.schemas, view):
        array = {"type": "array", "items": items}
    draft = body_argument(context, chosen, array, view)
    if any(plan.base64 for plan in plans.values()):
        draft = replace(draft, description=f"{draft.description} Files as base64.")
    parts = {key: plan for key, plan in plans.items() if plan != PartSpec()}
    return _with_parts(plan_body(context, chosen, PlaceDraft((draft,))), parts)


def _with_parts(body: BodyArguments, parts: dict[str, PartSpec]) -> BodyArguments:
    return replace(body, plan=replace(body.plan, parts=parts))


def _position(context: FlattenContext, schema: Json, encoding: PropertyEncoding | None) -> PartSpec:
    view = context.schemas.view(schema)
    media_type = _content_type_of_schema(context, schema, encoding)
    # Without a schema the content type decides.
    is_open = not view.keywords.keys() - {"title", "description"}
    base64 = is_binary(view) or (is_open and media_kind(media_type) is Media.BYTES)
    return PartSpec(media_type, base64=base64)


def _content_type_of_schema(
    context: FlattenContext, schema: Json, encoding: PropertyEncoding | None
) -> str:
    """Returns the content type of a part: the first that is not a range, else by its schema."""
    for name in (encoding.content_type if encoding else "").split(","):
        if name.strip() and not is_range(name) and media_kind(name.strip()) is not Media.ILLEGAL:
            return name.strip()
    view = context.schemas.view(schema)
    if is_binary(view):
        return str(view.get("contentMediaType") or "application/octet-stream")
    kinds = schema_types(context.schemas, view)
    return "application/json" if kinds - SCALARS else ""
