"""Request bodies as arguments, with a plan of how the server sends the body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import MediaType, Operation
from mcpgen.lower.flatten.argument import is_binary
from mcpgen.lower.flatten.argument_draft import (
    UNSTYLED,
    ArgumentDraft,
    PlaceDraft,
    Unsupported,
    Wire,
)
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.hoist_properties import BodyKind, BodyObject, hoist_body
from mcpgen.lower.flatten.multipart import (
    MultipartParts,
    file_properties,
    form_parts,
    form_wire,
    multipart_parts,
)
from mcpgen.lower.flatten.objects import ObjectProperties
from mcpgen.lower.flatten.opaque_body import (
    BodyArguments,
    ChosenBody,
    binary_body,
    body_argument,
    form_text_body,
    plan_body,
    positional_body,
    sequence_body,
    single_part_body,
    text_body,
    xml_text_body,
)
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.types import schema_types
from mcpgen.lower.flatten.xml import NoXmlForm, xml_shapes
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
        names = ", ".join(f"`{media_type.name[:80]}`" for media_type in operation.body.media)
        return Unsupported(
            f"its body can only be sent as {names}, and mcpgen cannot send these media types",
            media.at,
        )
    schema = True if media.schema is None else media.schema.json
    if kind is Media.JSON and "*" in media.name and is_binary(context.schemas.view(schema)):
        # `*/*` with a binary schema: bytes are not JSON.
        kind, media = Media.BYTES, replace(media, name="application/octet-stream")
    return _FLATTENERS[kind](context, ChosenBody(operation.body, media, kind, room, schema))


def _unstyled(name: str) -> Wire:
    """Returns the wire format of a property without a style of its own."""
    return UNSTYLED


def _json_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    kind = BodyKind(wire=_unstyled, nulls=True)
    return _object_body(context, chosen, kind)


def _xml_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    try:
        shapes_by_name = xml_shapes(context, chosen.schema)
    except NoXmlForm as fault:
        return xml_text_body(context, chosen, str(fault))
    body = _object_body(context, chosen, BodyKind(wire=_unstyled))
    if isinstance(body, Unsupported):
        return body
    return replace(body, plan=replace(body.plan, xml=shapes_by_name))


def _form_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    kinds = schema_types(context.schemas, context.schemas.view(chosen.schema))
    if kinds and "object" not in kinds:
        return form_text_body(context, chosen)
    if len(kinds) > 1:
        # Form fields need names, so only objects can be sent.
        chosen = replace(chosen, schema={"allOf": [chosen.schema, {"type": "object"}]})
    encodings = {encoding.name: encoding for encoding in chosen.media.encodings}
    kind = BodyKind(wire=lambda name: form_wire(encodings.get(name)), needs_items=True)
    body = _object_body(context, chosen, kind)
    if isinstance(body, Unsupported):
        return body
    return replace(body, plan=replace(body.plan, parts=form_parts(encodings)))


def _multipart_body(context: FlattenContext, chosen: ChosenBody) -> BodyArguments | Unsupported:
    view = context.schemas.view(chosen.schema)
    kinds = schema_types(context.schemas, view)
    if _is_positional(chosen.media) or kinds == {"array"}:
        if chosen.media.name.lower().startswith("multipart/form-data"):
            return single_part_body(context, chosen, view)
        return positional_body(context, chosen, view)
    if kinds and "object" not in kinds:
        return single_part_body(context, chosen, view)
    encodings = {encoding.name: encoding for encoding in chosen.media.encodings}
    kind = BodyKind(
        wire=lambda name: form_wire(encodings.get(name)), raw_bytes=True, needs_items=True
    )
    properties = context.objects.properties(view)
    multipart = MultipartParts()
    if properties is not None:
        properties = file_properties(context, properties, encodings)
        at = context.schemas.at(chosen.schema, chosen.media.at / "schema")
        required = chosen.body.required
        multipart = multipart_parts(context, properties.all, encodings, at, required=required)
    body = _object_body(context, chosen, kind, multipart.heads)
    if isinstance(body, Unsupported):
        return body
    constants = (*body.drafted.constants, *multipart.constants)
    plan = replace(body.plan, parts=multipart.plans, xml=multipart.shapes)
    return BodyArguments(replace(body.drafted, constants=constants), plan)


def _is_positional(media: MediaType) -> bool:
    return bool(media.prefix_encodings or media.item_encoding or media.item_schema)


def _object_body(
    context: FlattenContext,
    chosen: ChosenBody,
    kind: BodyKind,
    part_headers: Mapping[str, list[ArgumentDraft]] | None = None,
) -> BodyArguments | Unsupported:
    """Rule "object body": hoists the properties to the top if there is room, else one argument
    `body`."""
    view = context.schemas.view(chosen.schema)
    if view.contradiction:
        return Unsupported(f"no body can meet its schema ({view.contradiction})", chosen.media.at)
    properties = context.objects.properties(view)
    if properties is not None and chosen.kind is Media.MULTIPART:
        encodings = {encoding.name: encoding for encoding in chosen.media.encodings}
        properties = file_properties(context, properties, encodings)
    # Mode `nested` keeps a JSON body whole if hoisting its properties would lose a constraint.
    if (
        context.nested
        and chosen.kind in (Media.JSON, Media.JSON_SUFFIX)
        and (properties is None or not _has_only_properties(view, properties))
    ):
        return plan_body(
            context, chosen, PlaceDraft((body_argument(context, chosen, chosen.schema, view),))
        )
    if properties is not None and len(properties.all) <= max(chosen.room, 1):
        at = context.schemas.at(chosen.schema, chosen.media.at / "schema")
        root = BodyObject(chosen.schema, view, properties, chosen.body.required, at)
        lifted = hoist_body(context, root, kind, chosen.room)
        if isinstance(lifted, Unsupported):
            return lifted
        if lifted.is_fixed:
            # Without arguments nothing would trigger an optional body, so the body is always sent.
            chosen = replace(chosen, body=replace(chosen.body, required=True))
        return plan_body(context, chosen, _with_part_headers(lifted, part_headers or {}))
    if properties is not None:
        context.diagnostics.add(
            codes.BEYOND_LIMIT,
            chosen.media.at,
            name="body",
            operation=context.operation,
            limit=f"limit of {context.limits.max_arguments} arguments",
        )
    is_form = chosen.kind in (Media.FORM, Media.MULTIPART)
    schema = (
        {"type": "object"} if is_form and not schema_types(context.schemas, view) else chosen.schema
    )
    return plan_body(context, chosen, PlaceDraft((body_argument(context, chosen, schema, view),)))


def _with_part_headers(
    lifted: PlaceDraft, part_headers: Mapping[str, list[ArgumentDraft]]
) -> PlaceDraft:
    """Returns the arguments of a multipart body, each followed by the arguments for the headers of
    its part."""
    remaining = dict(part_headers)
    drafts: list[ArgumentDraft] = []
    for index, draft in enumerate(lifted.drafts):
        drafts.append(draft)
        next_target = lifted.drafts[index + 1].target[:1] if index + 1 < len(lifted.drafts) else ()
        if draft.target[:1] != next_target:
            drafts += remaining.pop(draft.target[0], ())
    return replace(lifted, drafts=tuple(drafts))


_WHOLE_OBJECT_KEYWORDS = {
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


def _has_only_properties(view: SchemaView, properties: ObjectProperties) -> bool:
    """True if the schema of an object says nothing beyond its properties, so no constraint gets
    lost."""
    if view.nullable or view.branches or properties.open:
        return False
    return not _WHOLE_OBJECT_KEYWORDS & view.keywords.keys()


_FLATTENERS: dict[Media, Callable[[FlattenContext, ChosenBody], BodyArguments | Unsupported]] = {
    Media.JSON: _json_body,
    Media.JSON_SUFFIX: _json_body,
    Media.FORM: _form_body,
    Media.MULTIPART: _multipart_body,
    Media.LINES: sequence_body,
    Media.XML: _xml_body,
    Media.TEXT: text_body,
    Media.BYTES: binary_body,
}
