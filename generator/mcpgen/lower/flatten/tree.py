"""The properties of a body as a tree; decides which nested objects become arguments of their
own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.config import DeprecatedArguments
from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import single_value
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.objects import ObjectProperties, ObjectProperty
from mcpgen.lower.flatten.reserved_parameters import override_reason
from mcpgen.lower.flatten.schema_view import SchemaView

Target = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PropertyNode:
    """A property below the body; key `""` stands for all additional properties.

    `chain`: all surrounding objects are always sent. `above`: surrounding definitions. `owner`:
    nearest object that may be absent.
    """

    target: Target
    part: ObjectProperty
    view: SchemaView
    at: Location
    chain: bool
    above: frozenset[str]
    owner: str

    @property
    def always(self) -> bool:
        """True if every valid body has this property."""
        return self.chain and self.part.required


def children_of(
    context: FlattenContext,
    properties: ObjectProperties,
    view: SchemaView,
    target: Target,
    at: Location,
    chain: bool,
    above: frozenset[str],
    owner: str,
) -> list[PropertyNode]:
    """Rule "readOnly in requests, writeOnly in results": the properties that a request may have."""
    children = []
    for part in properties.all:
        seen = context.schemas.view(part.schema)
        if seen.get("readOnly"):
            continue
        here = context.schemas.at(part.schema, at / "properties" / part.name)
        if (
            not target
            and single_value(seen) is None
            and _overrides_request(context, part.name, here)
        ):
            continue
        if (
            seen.get("deprecated")
            and not part.required
            and drops_deprecated(context, part.name, here)
        ):
            continue
        names = above | view.names
        children.append(PropertyNode((*target, part.name), part, seen, here, chain, names, owner))
    if properties.open or properties.free:
        additional = _others(properties, view)
        seen = context.schemas.view(additional.schema)
        children.append(PropertyNode((*target, ""), additional, seen, at, chain, above, owner))
    return children


def _others(properties: ObjectProperties, view: SchemaView) -> ObjectProperty:
    """Returns the additional properties as one value."""
    schema: dict[str, Json] = {"type": "object"}
    for keyword in ("additionalProperties", "patternProperties"):
        if keyword in view.keywords:
            schema[keyword] = view.get(keyword)
    schema["properties"] = dict.fromkeys((part.name for part in properties.all), False)
    return ObjectProperty("", schema, False, unnamed=True)


def flatten_objects(
    context: FlattenContext, root: list[PropertyNode], room: int
) -> dict[Target, list[PropertyNode]]:
    """Rule "nested object": opens nested objects level by level while depth and room allow.

    `address: {street}` becomes `address_street`; beyond the limits an object is JSON text and
    BEYOND_LIMIT is added.
    """
    opened: dict[Target, list[PropertyNode]] = {}
    if context.nested:
        return opened
    count = len(root)
    level = root
    for _ in range(context.limits.max_depth - 1):
        below: list[PropertyNode] = []
        for node in level:
            children = _openable(context, node)
            if not children:
                continue
            if count - 1 + len(children) > room:
                _report_limit(context, node, f"limit of {context.limits.max_arguments} arguments")
                continue
            opened[node.target] = children
            count += len(children) - 1
            below += children
        level = below
    for node in level:
        if _openable(context, node):
            _report_limit(context, node, f"limit of {context.limits.max_depth} levels")
    return opened


def _openable(context: FlattenContext, node: PropertyNode) -> list[PropertyNode]:
    """Returns the properties of a nested object if every one can be an argument, else `[]`."""
    if node.view.names & node.above or node.view.contradiction or node.part.unnamed:
        return []
    properties = context.objects.properties(node.view)
    if properties is None or properties.open:
        return []
    sent = node.always and not node.view.nullable
    owner = node.owner if sent else describe_path(node)
    children = children_of(
        context, properties, node.view, node.target, node.at, sent, node.above, owner
    )
    if any(child.view.contradiction for child in children):
        return []
    fixed = all(child.part.required and single_value(child.view) for child in children)
    return [] if fixed else children


def _overrides_request(context: FlattenContext, name: str, at: Location) -> bool:
    """True for a body property that overrides the method of its request; adds LEFT_OUT_PARAMETER.

    A property with a single value is out of a model's control and stays.
    """
    reason = override_reason(name, context.limits)
    if reason:
        context.diagnostics.add(
            codes.LEFT_OUT_PARAMETER,
            at,
            place="body",
            name=name,
            operation=context.operation,
            reason=reason,
        )
    return bool(reason)


def drops_deprecated(context: FlattenContext, name: str, at: Location) -> bool:
    """Rule "deprecated parameter": True if the configuration drops an optional deprecated value;
    adds LEFT_OUT_DEPRECATED."""
    if context.limits.deprecated is DeprecatedArguments.KEEP:
        return False
    context.diagnostics.add(codes.LEFT_OUT_DEPRECATED, at, name=name, operation=context.operation)
    return True


def _report_limit(context: FlattenContext, node: PropertyNode, limit: str) -> None:
    context.diagnostics.add(
        codes.BEYOND_LIMIT,
        node.at,
        name=describe_path(node),
        operation=context.operation,
        limit=limit,
    )


def is_required_with_parent(
    node: PropertyNode, opened: Mapping[Target, list[PropertyNode]]
) -> bool:
    """True if a caller must give the property whenever the surrounding object is sent.

    Objects without such a child are filled in.
    """
    if not node.part.required or single_value(node.view) is not None:
        return False
    if node.target not in opened or node.view.nullable:
        return True
    return any(is_required_with_parent(child, opened) for child in opened[node.target])


def describe_path(node: PropertyNode) -> str:
    """Returns the dotted path of a property for messages, such as `owner.name`."""
    return ".".join(node.target)
