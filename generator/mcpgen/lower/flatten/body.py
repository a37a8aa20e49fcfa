"""The request body as arguments and as a plan of how it is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir import api
from mcpgen.ir.api import MediaType, Operation, Place
from mcpgen.ir.server import BodyPlan, TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.context import Context
from mcpgen.lower.flatten.describe import described
from mcpgen.lower.flatten.draft import UNSTYLED, Draft, Drafted, Refusal
from mcpgen.lower.flatten.encodings import form_wire, part_types
from mcpgen.lower.flatten.leaf import BASE64, Value, json_text, leaf
from mcpgen.lower.flatten.lift import Body, BodyKind, lift
from mcpgen.lower.flatten.types import types
from mcpgen.lower.flatten.view import View
from mcpgen.lower.media import Media, concrete, media_kind, preferred


@dataclass(frozen=True, slots=True)
class Planned:
    """The arguments of a body and how it is sent."""

    drafted: Drafted
    plan: BodyPlan


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The body of an operation in the representation it is sent in."""

    body: api.Body
    media: MediaType
    kind: Media
    room: int
    schema: Json = field(default=True)


def body(context: Context, operation: Operation, room: int) -> Planned | Refusal | None:
    """The body of an operation in at most `room` arguments, None if it has no body."""
    if operation.body is None:
        return None
    media = preferred(operation.body.media)
    kind = media_kind(media.name)
    if kind >= Media.XML:
        names = ", ".join(f"`{one.name[:80]}`" for one in operation.body.media)
        return Refusal(f"its body can only be sent as {names}, which is not written", media.at)
    _tell_others(context, operation.body, media)
    schema = True if media.schema is None else media.schema.json
    return _WRITERS[kind](context, _Chosen(operation.body, media, kind, room, schema))


def _tell_others(context: Context, sent: api.Body, media: MediaType) -> None:
    others = [f"`{one.name[:80]}`" for one in sent.media if one is not media]
    if others:
        context.diagnostics.add(
            codes.OTHER_MEDIA_TYPES,
            sent.at,
            operation=context.operation,
            chosen=media.name,
            others=", ".join(others),
        )


def _json(context: Context, chosen: _Chosen) -> Planned | Refusal:
    kind = BodyKind(wire=lambda name: UNSTYLED, nulls=True)
    return _object(context, chosen, kind, {})


def _form(context: Context, chosen: _Chosen) -> Planned | Refusal:
    kinds = types(context.schemas, context.schemas.view(chosen.schema))
    if kinds and "object" not in kinds:
        reason = f"its body is a form (`{chosen.media.name}`) whose schema has no properties"
        return Refusal(reason, chosen.media.at)
    encodings = {one.name: one for one in chosen.media.encodings}
    kind = BodyKind(
        wire=lambda name: form_wire(encodings.get(name)),
        raw_bytes=chosen.kind is Media.MULTIPART,
    )
    return _object(context, chosen, kind, part_types(context, chosen.schema, encodings))


def _object(
    context: Context, chosen: _Chosen, kind: BodyKind, parts: dict[str, str]
) -> Planned | Refusal:
    """A body of named values: its properties lifted if there is room, else one argument."""
    view = context.schemas.view(chosen.schema)
    if view.contradiction:
        return Refusal(f"no body can meet its schema ({view.contradiction})", chosen.media.at)
    properties = context.objects.properties(view)
    if properties is not None and len(properties.all) <= max(chosen.room, 1):
        at = context.schemas.at(chosen.schema, chosen.media.at / "schema")
        root = Body(chosen.schema, view, properties, chosen.body.required, at)
        lifted = lift(context, root, kind, chosen.room)
        if isinstance(lifted, Refusal):
            return lifted
        if properties.open:
            _tell_unannounced(context, chosen)
        return _planned(context, chosen, lifted, parts)
    if properties is not None:
        limit = f"limit of {context.limits.max_arguments} arguments"
        context.diagnostics.add(
            codes.BEYOND_LIMIT,
            chosen.media.at,
            name="body",
            operation=context.operation,
            limit=limit,
        )
    is_form = chosen.kind in (Media.FORM, Media.MULTIPART)
    schema = {"type": "object"} if is_form and not types(context.schemas, view) else chosen.schema
    draft = _whole(context, chosen, schema, view)
    return _planned(context, chosen, Drafted((draft,)), parts)


def _whole(context: Context, chosen: _Chosen, schema: Json, view: View) -> Draft:
    """The argument `body`."""
    prose = chosen.body.description or str(view.get("description") or "")
    value = Value(
        schema=schema,
        place=Place.BODY,
        target=(),
        required=chosen.body.required,
        at=chosen.media.at,
        prose=prose,
    )
    # A null for the whole body can only be written as JSON text.
    return json_text(context, value) if view.nullable else leaf(context, value)


def _tell_unannounced(context: Context, chosen: _Chosen) -> None:
    context.diagnostics.add(
        codes.UNANNOUNCED_PROPERTIES, chosen.media.at, name="body", operation=context.operation
    )


def _planned(context: Context, chosen: _Chosen, drafted: Drafted, parts: dict[str, str]) -> Planned:
    check = context.checks.check(chosen.schema, chosen.media.at) if drafted.crossing else None
    media_type = concrete(chosen.media.name)
    return Planned(drafted, BodyPlan(media_type, chosen.body.required, check, parts))


def _text(context: Context, chosen: _Chosen) -> Planned:
    view = context.schemas.view(chosen.schema)
    is_string = types(context.schemas, view) == {"string"}
    draft = _whole(context, chosen, chosen.schema if is_string else {"type": "string"}, view)
    return _planned(context, chosen, Drafted((draft,)), {})


def _bytes(context: Context, chosen: _Chosen) -> Planned:
    view = context.schemas.view(chosen.schema)
    prose = chosen.body.description or str(view.get("description") or "")
    at = chosen.media.at
    told = described(prose, (), Place.BODY, ["Base64."], at, context.diagnostics)
    required = chosen.body.required
    draft = Draft(Place.BODY, (), dict(BASE64), told, required, at, text=TextForm.BASE64)
    return _planned(context, chosen, Drafted((draft,)), {})


_WRITERS: dict[Media, Callable[[Context, _Chosen], Planned | Refusal]] = {
    Media.JSON: _json,
    Media.JSON_SUFFIX: _json,
    Media.FORM: _form,
    Media.MULTIPART: _form,
    Media.TEXT: _text,
    Media.BYTES: _bytes,
}
