"""Body properties lifted to the top, level by level until the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.frozen import frozen
from mcpgen.ir.api import Place
from mcpgen.ir.server import Constant
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.announced import BEYOND
from mcpgen.lower.flatten.context import Context
from mcpgen.lower.flatten.draft import Draft, Drafted, Lifted, Refusal, Wire
from mcpgen.lower.flatten.forms import Properties
from mcpgen.lower.flatten.keywords import same
from mcpgen.lower.flatten.leaf import Value, json_text, leaf, single
from mcpgen.lower.flatten.naming import legal
from mcpgen.lower.flatten.tree import Node, Target, children_of, demanded, opened_objects, spoken
from mcpgen.lower.flatten.view import View, reference
from mcpgen.lower.text import cut, visible


@frozen
class BodyKind:
    """How the properties of one kind of body are written. `wire` gives the style of a top-level
    property; `nulls` tells that null and empty objects can be sent, `raw_bytes` that bytes can,
    `needs_items` that an array without items is not sent at all."""

    wire: Callable[[str], Wire]
    nulls: bool = False
    raw_bytes: bool = False
    needs_items: bool = False


@frozen
class Body:
    """The object at the root of a body."""

    schema: Json
    view: View
    properties: Properties
    required: bool
    at: Location


def lift(context: Context, body: Body, kind: BodyKind, room: int) -> Drafted | Refusal:
    """The properties of a body as arguments, at most `room` of them.

    Operations that take the same definition get the same arguments, which are made once, unless
    something was told of them.
    """
    key = _shared(context, body, kind)
    known = context.objects.lifted.get(key) if key else None
    if known and known.count <= room:
        return known.drafted
    told = context.diagnostics.told
    made = _made(context, body, kind, room)
    if isinstance(made, Refusal):
        return made
    if key and context.diagnostics.told == told:
        context.objects.lifted[key] = made
    return made.drafted


def _shared(context: Context, body: Body, kind: BodyKind) -> tuple[str, bool] | None:
    """What stands for all that decides the arguments of a body of JSON, None where other operations
    can have no part in them."""
    name = reference(body.schema)
    if context.nested or not kind.nulls or name not in context.schemas.definitions:
        return None
    return name, body.required


def _made(context: Context, body: Body, kind: BodyKind, room: int) -> Lifted | Refusal:
    """The properties of a body as arguments, and how many they are."""
    sent = body.required and not body.view.nullable
    root = children_of(context, body.properties, body.view, (), body.at, sent, frozenset(), "")
    for node in root:
        if node.view.contradiction and node.always:
            reason = f"no value can meet the schema of `{spoken(node)}` ({node.view.contradiction})"
            return Refusal(reason, node.at)
    opened = opened_objects(context, root, room)
    out = _Emitted([], [], [], [], body.properties.crossing)
    if body.view.nullable and kind.nulls:
        out.nulls.append(())
        out.crossing = True
    _check_owner(out, root, opened, sent)
    for node in root:
        _emit(context, node, opened, kind, out)
    drafted = Drafted(
        tuple(out.drafts),
        tuple(out.constants),
        tuple(out.nulls),
        tuple(out.empties),
        out.crossing,
    )
    is_told = kind.nulls or drafted.is_fixed
    if is_told and not body.required and not any(demanded(node, opened) for node in root):
        context.diagnostics.add(
            codes.UNSENT_EMPTY_BODY,
            body.at,
            operation=context.operation,
            value=cut(visible(same(_fixed(out.constants))), 80),
            outcome="sent" if drafted.is_fixed else "left out",
        )
    return Lifted(drafted, len(root) + sum(len(below) - 1 for below in opened.values()))


def _fixed(constants: list[Constant]) -> dict[str, Json]:
    """The smallest body: constants of objects that are always there."""
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
    """What has been made of a body so far, in its order."""

    drafts: list[Draft]
    constants: list[Constant]
    nulls: list[Target]
    empties: list[Target]
    crossing: bool


def _emit(
    context: Context,
    node: Node,
    opened: dict[Target, list[Node]],
    kind: BodyKind,
    out: _Emitted,
) -> None:
    if node.view.contradiction:
        context.diagnostics.add(
            codes.CONTRADICTION,
            node.at,
            name=spoken(node),
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
        out.constants.append(Constant(Place.BODY, node.target, constant[0]))
    elif node.target in opened:
        _emit_object(context, node, opened, kind, out)
    else:
        _emit_leaf(context, node, kind, out)


def _emit_object(
    context: Context,
    node: Node,
    opened: dict[Target, list[Node]],
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
    if not any(demanded(child, opened) for child in children):
        if node.part.required and not node.view.nullable:
            # Nothing below it has to be given, yet the object itself has to be sent.
            out.constants.append(Constant(Place.BODY, node.target, {}))
            out.crossing = out.crossing or bool(node.view.get("minProperties"))
        elif node.view.get("minProperties"):
            pass
        elif kind.nulls:
            out.empties.append(node.target)
        elif kind.wire(node.target[0]).style is None:
            context.diagnostics.add(
                codes.UNSENT_EMPTY_OBJECT,
                node.at,
                name=spoken(node),
                operation=context.operation,
            )
    for child in children:
        _emit(context, child, opened, kind, out)


def _check_owner(
    out: _Emitted, children: list[Node], opened: dict[Target, list[Node]], sent: bool
) -> None:
    """Properties that an optional object requires are required together; that has to be checked."""
    if not sent and any(demanded(child, opened) for child in children):
        out.crossing = True


def _emit_unnamed(context: Context, node: Node, out: _Emitted) -> None:
    """The argument for the properties that an object allows without naming them."""
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
    out.drafts.append(replace(json_text(context, value), chosen=name, spread=True))
    out.crossing = True


def _emit_leaf(context: Context, node: Node, kind: BodyKind, out: _Emitted) -> None:
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
    """The same value, no longer required: it may be listed in `null_fields` instead."""
    when = (*value.when, "Required, or named in `null_fields`.")
    return replace(value, required=False, when=when)
