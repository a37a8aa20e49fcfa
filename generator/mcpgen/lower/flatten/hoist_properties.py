"""Body properties lifted to the top, level by level until the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import ConstantSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import Value, flatten_value, json_text_argument, single_value
from mcpgen.lower.flatten.argument_draft import (
    ArgumentDraft,
    HoistedBody,
    PlaceDraft,
    Unsupported,
    Wire,
)
from mcpgen.lower.flatten.argument_schema import BEYOND
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.merge import json_key
from mcpgen.lower.flatten.naming import legal_argument_name
from mcpgen.lower.flatten.objects import ObjectProperties
from mcpgen.lower.flatten.schema_view import SchemaView, reference_name
from mcpgen.lower.flatten.tree import (
    PropertyNode,
    Target,
    children_of,
    describe_path,
    flatten_objects,
    is_required_with_parent,
)
from mcpgen.lower.sanitize_text import strip_invisible, truncate


@dataclass(frozen=True, slots=True)
class BodyKind:
    """Serialization of the properties of one kind of body.

    `wire`: style of a top-level property by name. `nulls`: null and `{}` can be sent. `raw_bytes`:
    bytes can be sent. `needs_items`: an empty array is not sent at all.
    """

    wire: Callable[[str], Wire]
    nulls: bool = False
    raw_bytes: bool = False
    needs_items: bool = False


@dataclass(frozen=True, slots=True)
class BodyObject:
    """The object at the root of a body."""

    schema: Json
    view: SchemaView
    properties: ObjectProperties
    required: bool
    at: Location


def hoist_body(
    context: FlattenContext, body: BodyObject, kind: BodyKind, room: int
) -> PlaceDraft | Unsupported:
    """Hoists the properties of a body to at most `room` arguments.

    The result is cached per definition: many operations share a body. A body with diagnostics is
    flattened again, so that each operation reports its own.
    """
    key = _cache_key(context, body, kind)
    cached = context.objects.lifted.get(key) if key else None
    if cached and cached.count <= room:
        return cached.drafted
    reported = context.diagnostics.add_count
    hoisted = _hoist(context, body, kind, room)
    if isinstance(hoisted, Unsupported):
        return hoisted
    if key and context.diagnostics.add_count == reported:
        context.objects.lifted[key] = hoisted
    return hoisted.drafted


def _cache_key(
    context: FlattenContext, body: BodyObject, kind: BodyKind
) -> tuple[str, bool] | None:
    """Returns the cache key of a JSON body, None where the result depends on the operation."""
    name = reference_name(body.schema)
    if context.nested or not kind.nulls or name not in context.schemas.definitions:
        return None
    return name, body.required


def _hoist(
    context: FlattenContext, body: BodyObject, kind: BodyKind, room: int
) -> HoistedBody | Unsupported:
    """Returns the arguments of a body and the number of arguments before naming."""
    # A form cannot be null, so a required form is always an object.
    sent = body.required and not (body.view.nullable and kind.nulls)
    root = children_of(context, body.properties, body.view, (), body.at, sent, frozenset(), "")
    for node in root:
        if node.view.contradiction and node.always:
            reason = f"no value can meet the schema of `{describe_path(node)}` ({node.view.contradiction})"
            return Unsupported(reason, node.at)
    opened = flatten_objects(context, root, room)
    emitted = _BodyBuilder([], [], [], [], body.properties.crossing)
    if body.view.nullable and kind.nulls:
        emitted.nulls.append(())
        emitted.crossing = True
    _check_owner(emitted, root, opened, sent)
    for node in root:
        _emit(context, node, opened, kind, emitted)
    drafted = PlaceDraft(
        tuple(emitted.drafts),
        tuple(emitted.constants),
        tuple(emitted.nulls),
        tuple(emitted.empties),
        emitted.crossing,
    )
    is_told = kind.nulls or drafted.is_fixed
    if (
        is_told
        and not body.required
        and not any(is_required_with_parent(node, opened) for node in root)
    ):
        context.diagnostics.add(
            codes.UNSENT_EMPTY_BODY,
            body.at,
            operation=context.operation,
            value=truncate(strip_invisible(json_key(_smallest_body(emitted.constants))), 80),
            outcome="sent" if drafted.is_fixed else "left out",
        )
    return HoistedBody(drafted, len(root) + sum(len(below) - 1 for below in opened.values()))


def _smallest_body(constants: list[ConstantSpec]) -> dict[str, Json]:
    """Returns the smallest body: the constants of objects that are always present."""
    smallest: dict[str, Json] = {}
    for constant in constants:
        owner: Json = smallest
        for step in constant.target[:-1]:
            owner = owner.get(step) if isinstance(owner, dict) else None
        if isinstance(owner, dict):
            owner[constant.target[-1]] = {} if constant.value == {} else constant.value
    return smallest


@dataclass
class _BodyBuilder:
    """Collects the arguments and constants of a body, in document order."""

    drafts: list[ArgumentDraft]
    constants: list[ConstantSpec]
    nulls: list[Target]
    empties: list[Target]
    crossing: bool


def _emit(
    context: FlattenContext,
    node: PropertyNode,
    opened: dict[Target, list[PropertyNode]],
    kind: BodyKind,
    emitted: _BodyBuilder,
) -> None:
    if node.view.contradiction:
        context.diagnostics.add(
            codes.CONTRADICTION,
            node.at,
            name=describe_path(node),
            operation=context.operation,
            reason=node.view.contradiction,
        )
        return
    if node.part.unnamed:
        _emit_unnamed(context, node, emitted)
        return
    constant = single_value(node.view)
    if constant and node.part.required:
        # The server sends the constant whenever the surrounding object is sent.
        emitted.constants.append(ConstantSpec(Place.BODY, node.target, constant[0]))
    elif node.target in opened:
        _emit_object(context, node, opened, kind, emitted)
    else:
        _emit_leaf(context, node, kind, emitted)


def _emit_object(
    context: FlattenContext,
    node: PropertyNode,
    opened: dict[Target, list[PropertyNode]],
    kind: BodyKind,
    emitted: _BodyBuilder,
) -> None:
    children = opened[node.target]
    properties = context.objects.properties(node.view)
    sent = node.always and not node.view.nullable
    emitted.crossing = emitted.crossing or bool(properties and properties.crossing)
    if node.view.nullable and kind.nulls:
        emitted.nulls.append(node.target)
        emitted.crossing = emitted.crossing or node.part.required
    _check_owner(emitted, children, opened, sent)
    if not any(is_required_with_parent(child, opened) for child in children):
        if node.part.required and not node.view.nullable:
            # No child is required, but the object itself is.
            emitted.constants.append(ConstantSpec(Place.BODY, node.target, {}))
            emitted.crossing = emitted.crossing or bool(node.view.get("minProperties"))
        elif node.view.get("minProperties"):
            pass
        elif kind.nulls:
            emitted.empties.append(node.target)
        elif kind.wire(node.target[0]).style is None:
            context.diagnostics.add(
                codes.UNSENT_EMPTY_OBJECT,
                node.at,
                name=describe_path(node),
                operation=context.operation,
            )
    for child in children:
        _emit(context, child, opened, kind, emitted)


def _check_owner(
    emitted: _BodyBuilder,
    children: list[PropertyNode],
    opened: dict[Target, list[PropertyNode]],
    sent: bool,
) -> None:
    """Rule "optional nested object with required children": children become optional, and the
    assembled body is checked."""
    if not sent and any(is_required_with_parent(child, opened) for child in children):
        emitted.crossing = True


def _emit_unnamed(context: FlattenContext, node: PropertyNode, emitted: _BodyBuilder) -> None:
    """Emits the argument for `additionalProperties` and `patternProperties`."""
    *around, _ = node.target
    whose = f"`{'.'.join(around)}`" if around else "the body"
    value = Value(
        schema=node.part.schema,
        place=Place.BODY,
        target=tuple(around),
        required=False,
        at=node.at,
        prose=f"Further properties of {whose}, beside the named ones.",
    )
    name = legal_argument_name("_".join([*around, "additional_properties"]))
    emitted.drafts.append(replace(json_text_argument(context, value), chosen=name, spread=True))
    emitted.crossing = True


def _emit_leaf(
    context: FlattenContext, node: PropertyNode, kind: BodyKind, emitted: _BodyBuilder
) -> None:
    when = [node.part.when] if node.part.when else []
    if node.part.required and not node.chain:
        when.append(f"Required if {f'`{node.owner}`' if node.owner else 'a body'} is sent.")
    value = Value(
        schema=node.part.schema,
        place=Place.BODY,
        target=node.target,
        required=node.always,
        at=node.at,
        when=tuple(when),
        wire=kind.wire(node.target[0]),
        raw_bytes=kind.raw_bytes,
        json=kind.nulls,
        exact=node.part.exact,
    )
    draft = flatten_value(context, value)
    if kind.needs_items and node.part.required and len(node.target) == 1:
        draft = draft.with_items()
    if context.nested and kind.nulls:
        emitted.drafts.append(draft)
        return
    if draft.nullable and kind.nulls and draft.text is None:
        emitted.nulls.append(node.target)
        # Conditions beyond the value itself may exclude null after all.
        emitted.crossing = emitted.crossing or bool(
            (BEYOND - {"anyOf"}) & node.view.keywords.keys()
        )
        if node.part.required:
            emitted.crossing = True
            draft = flatten_value(context, _optional_value(value))
    emitted.drafts.append(draft)


def _optional_value(value: Value) -> Value:
    """Returns the value as optional: a call may list its name in `null_fields` instead."""
    when = (*value.when, "Required, or named in `null_fields`.")
    return replace(value, required=False, when=when)
