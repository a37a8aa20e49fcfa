"""Body properties lifted to the top, level by level until the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import ConstantSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import Value, json_text_argument, leaf, single
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
from mcpgen.lower.flatten.naming import legal
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


def lift(
    context: FlattenContext, body: BodyObject, kind: BodyKind, room: int
) -> PlaceDraft | Unsupported:
    """Hoists the properties of a body to at most `room` arguments.

    The result is cached per definition: many operations share a body. A body with diagnostics is
    flattened again, so that each operation reports its own.
    """
    key = _shared(context, body, kind)
    known = context.objects.lifted.get(key) if key else None
    if known and known.count <= room:
        return known.drafted
    told = context.diagnostics.add_count
    made = _hoist(context, body, kind, room)
    if isinstance(made, Unsupported):
        return made
    if key and context.diagnostics.add_count == told:
        context.objects.lifted[key] = made
    return made.drafted


def _shared(context: FlattenContext, body: BodyObject, kind: BodyKind) -> tuple[str, bool] | None:
    """Returns the cache key of a JSON body, None where the result depends on the operation."""
    name = reference_name(body.schema)
    if context.nested or not kind.nulls or name not in context.schemas.definitions:
        return None
    return name, body.required


def _hoist(
    context: FlattenContext, body: BodyObject, kind: BodyKind, room: int
) -> HoistedBody | Unsupported:
    """Returns the arguments of a body and the number of arguments before naming."""
    sent = body.required and not body.view.nullable
    root = children_of(context, body.properties, body.view, (), body.at, sent, frozenset(), "")
    for node in root:
        if node.view.contradiction and node.always:
            reason = f"no value can meet the schema of `{describe_path(node)}` ({node.view.contradiction})"
            return Unsupported(reason, node.at)
    opened = flatten_objects(context, root, room)
    out = _Emitted([], [], [], [], body.properties.crossing)
    if body.view.nullable and kind.nulls:
        out.nulls.append(())
        out.crossing = True
    _check_owner(out, root, opened, sent)
    for node in root:
        _emit(context, node, opened, kind, out)
    drafted = PlaceDraft(
        tuple(out.drafts),
        tuple(out.constants),
        tuple(out.nulls),
        tuple(out.empties),
        out.crossing,
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
            value=truncate(strip_invisible(json_key(_fixed(out.constants))), 80),
            outcome="sent" if drafted.is_fixed else "left out",
        )
    return HoistedBody(drafted, len(root) + sum(len(below) - 1 for below in opened.values()))


def _fixed(constants: list[ConstantSpec]) -> dict[str, Json]:
    """Returns the smallest body: the constants of objects that are always present."""
    found: dict[str, Json] = {}
    for constant in constants:
        owner: Json = found
        for step in constant.target[:-1]:
            owner = owner.get(step) if isinstance(owner, dict) else None
        if isinstance(owner, dict):
            owner[constant.target[-1]] = {} if constant.value == {} else constant.value
    return found


@dataclass
class _Emitted:
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
    out: _Emitted,
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
        _emit_unnamed(context, node, out)
        return
    constant = single(node.view)
    if constant and node.part.required:
        # The server fills it in whenever the object around it is sent.
        out.constants.append(ConstantSpec(Place.BODY, node.target, constant[0]))
    elif node.target in opened:
        _emit_object(context, node, opened, kind, out)
    else:
        _emit_leaf(context, node, kind, out)


def _emit_object(
    context: FlattenContext,
    node: PropertyNode,
    opened: dict[Target, list[PropertyNode]],
    kind: BodyKind,
    out: _Emitted,
) -> None:
    children = opened[node.target]
    properties = context.objects.properties(node.view)
    sent = node.always and not node.view.nullable
    out.crossing = out.crossing or bool(properties and properties.crossing)
    if node.view.nullable and kind.nulls:
        out.nulls.append(node.target)
        out.crossing = out.crossing or node.part.required
    _check_owner(out, children, opened, sent)
    if not any(is_required_with_parent(child, opened) for child in children):
        if node.part.required and not node.view.nullable:
            # Nothing below it has to be given, yet the object itself has to be sent.
            out.constants.append(ConstantSpec(Place.BODY, node.target, {}))
            out.crossing = out.crossing or bool(node.view.get("minProperties"))
        elif node.view.get("minProperties"):
            pass
        elif kind.nulls:
            out.empties.append(node.target)
        elif kind.wire(node.target[0]).style is None:
            context.diagnostics.add(
                codes.UNSENT_EMPTY_OBJECT,
                node.at,
                name=describe_path(node),
                operation=context.operation,
            )
    for child in children:
        _emit(context, child, opened, kind, out)


def _check_owner(
    out: _Emitted,
    children: list[PropertyNode],
    opened: dict[Target, list[PropertyNode]],
    sent: bool,
) -> None:
    """Rule "optional nested object with required children": children become optional, and the
    assembled body is checked."""
    if not sent and any(is_required_with_parent(child, opened) for child in children):
        out.crossing = True


def _emit_unnamed(context: FlattenContext, node: PropertyNode, out: _Emitted) -> None:
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
    name = legal("_".join([*around, "additional_properties"]))
    out.drafts.append(replace(json_text_argument(context, value), chosen=name, spread=True))
    out.crossing = True


def _emit_leaf(context: FlattenContext, node: PropertyNode, kind: BodyKind, out: _Emitted) -> None:
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
    draft = leaf(context, value)
    if kind.needs_items and node.part.required and len(node.target) == 1:
        draft = draft.with_items()
    if context.nested and kind.nulls:
        out.drafts.append(draft)
        return
    if draft.nullable and kind.nulls and draft.text is None:
        out.nulls.append(node.target)
        # Conditions beyond the value itself may exclude null after all.
        out.crossing = out.crossing or bool((BEYOND - {"anyOf"}) & node.view.keywords.keys())
        if node.part.required:
            out.crossing = True
            draft = leaf(context, _nullable(value))
    out.drafts.append(draft)


def _nullable(value: Value) -> Value:
    """Returns the value as optional: a call may list its name in `null_fields` instead."""
    when = (*value.when, "Required, or named in `null_fields`.")
    return replace(value, required=False, when=when)
