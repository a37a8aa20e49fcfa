"""Request bodies as arguments, with a plan of how the server sends the body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import MediaType, Operation
from mcpgen.lower.flatten.argument import is_binary
from mcpgen.lower.flatten.argument_draft import UNSTYLED, ArgumentDraft, PlaceDraft, Unsupported
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.hoist_properties import BodyKind, BodyObject, lift
from mcpgen.lower.flatten.multipart import (
    MultipartParts,
    file_properties,
    form_parts,
    form_wire,
    parts,
)
from mcpgen.lower.flatten.objects import ObjectProperties
from mcpgen.lower.flatten.opaque_body import (
    BodyArguments,
    ChosenBody,
    binary,
    body_argument,
    form_text,
    plan_body,
    positional,
    sequence,
    single_part,
    text_body,
    xml_text,
)
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.types import types
from mcpgen.lower.flatten.xml import NoXml, shapes
from mcpgen.lower.media import Media, media_kind, preferred_media


def flatten_body(
    context: FlattenContext, operation: Operation, room: int
) -> BodyArguments | Unsupported | None:
    """Returns the body in at most `room` arguments, None for an operation without a body."""
    if operation.body is None:
        return None
    media = preferred_media(operation.body.media)
    kind = media_kind(media.name)
    if kind is Media.ILLEGAL:
        names = ", ".join(f"`{one.name[:80]}`" for one in operation.body.media)
        return Unsupported(f"its body can only be sent as {names}, which is not written", media.at)
    schema = True if media.schema is None else media.schema.json
    if kind is Media.JSON and "*" in media.name and is_binary(context.schemas.view(schema)):
        # Whatever the API takes there, bytes are not JSON.
        kind, media = Media.BYTES, replace(media, name="application/octet-stream")
    return _WRITERS[kind](context, ChosenBody(operation.body, media, kind, room, schema))


def _json(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    kind = BodyKind(wire=lambda name: UNSTYLED, nulls=True)
    return _object(context, chosen, kind)


def _xml(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    try:
        made = shapes(context, chosen.schema)
    except NoXml as fault:
        return xml_text(context, chosen, str(fault))
    found = _object(context, chosen, BodyKind(wire=lambda name: UNSTYLED))
    if isinstance(found, Unsupported):
        return found
    return replace(found, plan=replace(found.plan, xml=made))


def _form(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    kinds = types(context.schemas, context.schemas.view(chosen.schema))
    if kinds and "object" not in kinds:
        return form_text(context, chosen)
    if len(kinds) > 1:
        # Only an object has the names that a form consists of.
        chosen = replace(chosen, schema={"allOf": [chosen.schema, {"type": "object"}]})
    encodings = {one.name: one for one in chosen.media.encodings}
    kind = BodyKind(wire=lambda name: form_wire(encodings.get(name)), needs_items=True)
    found = _object(context, chosen, kind)
    if isinstance(found, Unsupported):
        return found
    return replace(found, plan=replace(found.plan, parts=form_parts(encodings)))


def _multipart(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    view = context.schemas.view(chosen.schema)
    kinds = types(context.schemas, view)
    if _is_positional(chosen.media) or kinds == {"array"}:
        if chosen.media.name.lower().startswith("multipart/form-data"):
            return single_part(context, chosen, view)
        return positional(context, chosen, view)
    if kinds and "object" not in kinds:
        return single_part(context, chosen, view)
    encodings = {one.name: one for one in chosen.media.encodings}
    kind = BodyKind(
        wire=lambda name: form_wire(encodings.get(name)), raw_bytes=True, needs_items=True
    )
    properties = context.objects.properties(view)
    made = MultipartParts()
    if properties is not None:
        properties = file_properties(context, properties, encodings)
        at = context.schemas.at(chosen.schema, chosen.media.at / "schema")
        required = chosen.body.required
        made = parts(context, properties.all, encodings, at, required=required)
    found = _object(context, chosen, kind, made.heads)
    if isinstance(found, Unsupported):
        return found
    constants = (*found.drafted.constants, *made.constants)
    plan = replace(found.plan, parts=made.plans, xml=made.shapes)
    return BodyArguments(replace(found.drafted, constants=constants), plan)


def _is_positional(media: MediaType) -> bool:
    return bool(media.prefix_encodings or media.item_encoding or media.item_schema)


def _object(
    context: FlattenContext,
    chosen: ChosenBody,
    kind: BodyKind,
    heads: Mapping[str, list[ArgumentDraft]] | None = None,
) -> BodyArguments | Unsupported:
    """Rule "object body": hoists the properties to the top if there is room, else one argument
    `body`."""
    view = context.schemas.view(chosen.schema)
    if view.contradiction:
        return Unsupported(f"no body can meet its schema ({view.contradiction})", chosen.media.at)
    properties = context.objects.properties(view)
    if properties is not None and chosen.kind is Media.MULTIPART:
        encodings = {one.name: one for one in chosen.media.encodings}
        properties = file_properties(context, properties, encodings)
    if context.nested and kind.nulls and (properties is None or not _is_plain(view, properties)):
        return plan_body(
            context, chosen, PlaceDraft((body_argument(context, chosen, chosen.schema, view),))
        )
    if properties is not None and len(properties.all) <= max(chosen.room, 1):
        at = context.schemas.at(chosen.schema, chosen.media.at / "schema")
        root = BodyObject(chosen.schema, view, properties, chosen.body.required, at)
        lifted = lift(context, root, kind, chosen.room)
        if isinstance(lifted, Unsupported):
            return lifted
        if lifted.is_fixed:
            # No argument could cause the body, which an API that describes a body wants.
            chosen = replace(chosen, body=replace(chosen.body, required=True))
        return plan_body(context, chosen, _with_heads(lifted, heads or {}))
    if properties is not None:
        context.diagnostics.add(
            codes.BEYOND_LIMIT,
            chosen.media.at,
            name="body",
            operation=context.operation,
            limit=f"limit of {context.limits.max_arguments} arguments",
        )
    is_form = chosen.kind in (Media.FORM, Media.MULTIPART)
    schema = {"type": "object"} if is_form and not types(context.schemas, view) else chosen.schema
    return plan_body(context, chosen, PlaceDraft((body_argument(context, chosen, schema, view),)))


def _with_heads(lifted: PlaceDraft, heads: Mapping[str, list[ArgumentDraft]]) -> PlaceDraft:
    """Returns the arguments of a multipart body, each followed by the arguments for the head of
    its part."""
    left = dict(heads)
    drafts: list[ArgumentDraft] = []
    for index, draft in enumerate(lifted.drafts):
        drafts.append(draft)
        more = lifted.drafts[index + 1].target[:1] if index + 1 < len(lifted.drafts) else ()
        if draft.target[:1] != more:
            drafts += left.pop(draft.target[0], ())
    return replace(lifted, drafts=tuple(drafts))


_OVER_ALL = {
    "allOf",
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "unevaluatedProperties",
    "minProperties",
    "maxProperties",
}


def _is_plain(view: SchemaView, properties: ObjectProperties) -> bool:
    """True if the schema of an object says nothing beyond its properties, so no constraint gets
    lost."""
    if view.nullable or view.branches or properties.open:
        return False
    return not _OVER_ALL & view.keywords.keys()


_WRITERS: dict[Media, Callable[[FlattenContext, ChosenBody], BodyArguments | Unsupported]] = {
    Media.JSON: _json,
    Media.JSON_SUFFIX: _json,
    Media.FORM: _form,
    Media.MULTIPART: _multipart,
    Media.LINES: sequence,
    Media.XML: _xml,
    Media.TEXT: text_body,
    Media.BYTES: binary,
}
