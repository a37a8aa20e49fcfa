"""Parameters outside the body as arguments."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Operation, Parameter, Place, Style
from mcpgen.ir.server import ConstantSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import (
    Value,
    flatten_value,
    is_flat,
    json_text_argument,
    single_value,
)
from mcpgen.lower.flatten.argument_draft import ArgumentDraft, PlaceDraft, Unsupported, Wire
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.objects import ObjectProperties, ObjectProperty
from mcpgen.lower.flatten.reserved_parameters import (
    argument_name,
    is_credential,
    is_forwarded,
    is_unsent,
    override_reason,
    reason_to_leave_out,
)
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.tree import drops_deprecated
from mcpgen.lower.flatten.types import schema_types

_ORDER = (Place.PATH, Place.QUERY, Place.HEADER, Place.COOKIE)


def flatten_parameters(context: FlattenContext, operation: Operation) -> PlaceDraft | Unsupported:
    """Rule "path, query, header, cookie parameter": usually one argument each. An object may become one
    argument per property; a required parameter with a single allowed value becomes a constant.

    Order: path, query, header, cookie; document order inside each place. Adds MANY_ARGUMENTS,
    LEFT_OUT_PARAMETER, UNSENT_HEADER, UNSENT_CREDENTIAL, LEFT_OUT_DEPRECATED, CONTRADICTION, and the
    codes of `flatten_value`.
    """
    drafts: list[ArgumentDraft] = []
    constants: list[ConstantSpec] = []
    for place in _ORDER:
        for parameter in operation.parameters:
            if parameter.place is not place or _is_left_out(context, operation, parameter):
                continue
            flattened = _flatten_parameter(context, parameter, operation)
            if isinstance(flattened, Unsupported):
                return flattened
            drafts += flattened.drafts
            constants += flattened.constants
    if len(drafts) > context.limits.max_arguments:
        context.diagnostics.add(
            codes.MANY_ARGUMENTS,
            operation.at,
            operation=context.operation,
            count=len(drafts),
            limit=context.limits.max_arguments,
        )
    return PlaceDraft(tuple(drafts), tuple(constants))


def _is_left_out(context: FlattenContext, operation: Operation, parameter: Parameter) -> bool:
    """True if the parameter becomes no argument. Adds LEFT_OUT_DEPRECATED, or LEFT_OUT_PARAMETER with
    the reason: in place of that code UNSENT_HEADER for a required header that nobody sends, beside that
    code UNSENT_CREDENTIAL for a required credential of an operation without `security`."""
    if is_forwarded(parameter) and _has_value(context, operation, parameter):
        return False
    reason = reason_to_leave_out(parameter, context.schemes)
    if parameter.place is Place.PATH and f"{{{parameter.name}}}" not in operation.path:
        reason = "the path has no such placeholder"
    if not reason and parameter.place is not Place.PATH:
        reason = override_reason(parameter.name, context.limits)
    if not reason and parameter.deprecated and not parameter.required:
        return parameter.place is not Place.PATH and drops_deprecated(
            context, parameter.name, parameter.at
        )
    if not reason:
        return False
    is_missed = parameter.required and is_unsent(parameter)
    _report_parameter(
        context, codes.UNSENT_HEADER if is_missed else codes.LEFT_OUT_PARAMETER, parameter, reason
    )
    if parameter.required and is_credential(parameter) and not operation.security:
        _report_parameter(context, codes.UNSENT_CREDENTIAL, parameter, reason)
    return True


def _has_value(context: FlattenContext, operation: Operation, parameter: Parameter) -> bool:
    """True for a reserved header whose value needs no model.

    `fixed` or `setting` in `x-mcp` or `mcpgen.toml` gives the value (`default` is not enough), or the
    header is required and has a single allowed value. The extension of the operation already has the
    settings of `mcpgen.toml` and those for forwarding headers.
    """
    only = single_value(context.schemas.view(parameter.schema.json))
    override = operation.extension.arguments.get(argument_name(parameter))
    is_overridden = override is not None and (
        override.fixed is not None or override.setting is not None
    )
    return is_overridden or (parameter.required and only is not None)


def _report_parameter(
    context: FlattenContext, code: Code, parameter: Parameter, reason: str
) -> None:
    context.diagnostics.add(
        code,
        parameter.at,
        place=parameter.place,
        name=parameter.name,
        operation=context.operation,
        reason=reason,
    )


def _flatten_parameter(
    context: FlattenContext, parameter: Parameter, operation: Operation
) -> PlaceDraft | Unsupported:
    view = context.schemas.view(parameter.schema.json)
    if view.contradiction:
        return _report_contradiction(context, parameter, view.contradiction)
    required = parameter.required or parameter.place is Place.PATH
    wire = _wire(parameter)
    constant = single_value(view)
    if constant and required and not parameter.content and not parameter.rows:
        fixed = _constant_parameter(parameter, (parameter.name,), constant[0])
        return PlaceDraft(constants=(fixed,))
    value = Value(
        schema=parameter.schema.json,
        place=parameter.place,
        target=(parameter.name,),
        required=required,
        at=parameter.at,
        prose=parameter.description,
        wire=wire,
        deprecated=parameter.deprecated,
        json=bool(parameter.content),
    )
    split = None if parameter.content or context.nested else context.objects.properties(view)
    if split and _splits(context, parameter, split, required):
        return _split(context, parameter, value, split)
    draft = _with_items(flatten_value(context, value), parameter)
    if parameter.announced or is_forwarded(parameter):
        draft = replace(draft, chosen=argument_name(parameter))
    return PlaceDraft((_without_other_names(context, draft, parameter, view, operation),))


def _with_items(draft: ArgumentDraft, parameter: Parameter) -> ArgumentDraft:
    """Returns the draft of a required array with at least one item, for places that send an empty array
    as nothing."""
    if draft.required and parameter.place is not Place.PATH and not parameter.content:
        return draft.with_items()
    return draft


def _without_other_names(
    context: FlattenContext,
    draft: ArgumentDraft,
    parameter: Parameter,
    view: SchemaView,
    operation: Operation,
) -> ArgumentDraft:
    """Returns the draft of an exploded object whose additional keys exclude the names of sibling
    parameters.

    On the wire each key is a parameter of its own, so an equal key would overwrite a sibling.
    """
    is_exploded = parameter.explode and parameter.style in (Style.FORM, Style.COOKIE)
    if not is_exploded or parameter.content or "object" not in schema_types(context.schemas, view):
        return draft
    described = context.objects.properties(view)
    own = {part.name for part in described.all} if described else set()
    siblings = {
        sibling.name for sibling in operation.parameters if sibling.place is parameter.place
    }
    forbidden = dict.fromkeys(sorted(siblings - own - {parameter.name}), False)
    if not forbidden:
        return draft
    check: Json = {"properties": forbidden}
    return replace(draft, check=check if draft.check is None else {"allOf": [draft.check, check]})


def _report_contradiction(
    context: FlattenContext, parameter: Parameter, reason: str
) -> PlaceDraft | Unsupported:
    """Returns Unsupported for a required parameter; leaves an optional parameter out and adds
    CONTRADICTION. `reason`: why no value fits the schema, in words."""
    if parameter.required:
        reason_text = f"no value can meet the schema of parameter `{parameter.name}` ({reason})"
        return Unsupported(reason_text, parameter.at)
    context.diagnostics.add(
        codes.CONTRADICTION,
        parameter.at,
        name=parameter.name,
        operation=context.operation,
        reason=reason,
    )
    return PlaceDraft()


def _splits(
    context: FlattenContext, parameter: Parameter, properties: ObjectProperties, required: bool
) -> bool:
    """True if an object parameter becomes one argument per property.

    Every property must be flat and no constraint may span properties. If the parameter is required,
    some property must be required, because nothing else forces the parameter to be sent. If the
    parameter is optional, no property may be required: the schema of the tool cannot say that a
    property is required only if another one is given.
    """
    if properties.crossing or properties.open or properties.free or parameter.announced:
        return False
    if len(properties.all) > context.limits.max_arguments:
        return False
    if required is not any(part.required for part in properties.all):
        return False
    return all(
        is_flat(context, part.schema, parameter.at)
        and not context.schemas.view(part.schema).contradiction
        for part in properties.all
    )


def _split(
    context: FlattenContext,
    parameter: Parameter,
    value: Value,
    properties: ObjectProperties,
) -> PlaceDraft:
    drafts: list[ArgumentDraft] = []
    constants: list[ConstantSpec] = []
    has_dropped = False
    for part in properties.all:
        part_view = context.schemas.view(part.schema)
        target = (parameter.name, part.name)
        constant = single_value(part_view)
        if constant and part.required:
            constants.append(_constant_parameter(parameter, target, constant[0]))
        elif part_view.get("readOnly"):
            continue
        elif _is_dropped(context, parameter, part, part_view):
            has_dropped = True
        else:
            prose = str(part_view.get("description") or "")
            draft = flatten_value(
                context,
                replace(
                    value,
                    schema=part.schema,
                    target=target,
                    required=part.required,
                    prose=prose or _property_prose(parameter, part.name),
                ),
            )
            drafts.append(_with_items(draft, parameter))
    if drafts or constants or has_dropped:
        return PlaceDraft(tuple(drafts), tuple(constants))
    # Only `readOnly` properties are left.
    return PlaceDraft((json_text_argument(context, value),))


def _is_dropped(
    context: FlattenContext, parameter: Parameter, part: ObjectProperty, view: SchemaView
) -> bool:
    """True for a deprecated property that `flatten.deprecated` drops. Adds LEFT_OUT_DEPRECATED."""
    if part.required or not view.get("deprecated"):
        return False
    at = context.schemas.at(parameter.schema.json, parameter.schema.at)
    place = context.schemas.at(part.schema, at / "properties" / part.name)
    return drops_deprecated(context, part.name, place)


def _property_prose(parameter: Parameter, key: str) -> str:
    """The description of a property that has none: that of the parameter, with the property's name."""
    return f"`{key}`: {parameter.description}" if parameter.description else ""


def _constant_parameter(parameter: Parameter, target: tuple[str, ...], value: Json) -> ConstantSpec:
    return ConstantSpec(parameter.place, target, value, parameter.style, parameter.explode)


def _wire(parameter: Parameter) -> Wire:
    if parameter.content:
        whole = parameter.style if parameter.style is Style.WHOLE else None
        return Wire(whole, content=parameter.content)
    return Wire(parameter.style, parameter.explode, parameter.allow_reserved, rows=parameter.rows)
