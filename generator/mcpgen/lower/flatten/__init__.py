"""Flattening: parameters and body of an operation as one flat list of arguments.

Each rule is one function, whose docstring begins with the rule's name:

| in the document | function |
| --- | --- |
| path, query, header, cookie parameter | `parameters.flatten_parameters` |
| object body | `body._object_body` |
| nested object | `tree.flatten_objects` |
| array of scalars | `scalar.Scalars.flat` |
| array of objects, map, free-form object, recursive schema | `argument.json_text_argument` |
| allOf | `merge.merge_schemas` |
| oneOf/anyOf of scalars | `widen_types.TypeWidening.flat` |
| oneOf/anyOf of objects | `objects.Objects._union_of_variants` |
| optional nested object with required children | `hoist_properties._check_owner` |
| nullable property | `naming.name_arguments` |
| single-value required enum / const | `argument.single_value` |
| readOnly in requests, writeOnly in results | `tree.children_of` |
| security scheme parameters, framing headers | `reserved_parameters.reason_to_leave_out` |
| body of one scalar or an array | `opaque_body.body_argument` |
| several media types | `mcpgen.lower.media.preferred_media` |
| multipart file | `multipart.file_properties` |
| binary body | `opaque_body.binary_body` |
| parameter serialization | `argument_draft.Wire` |
| name collision between places | `naming._free_name` |
| key illegal for hosts | `naming.legal_argument_name` |
| deprecated parameter | `tree.drops_deprecated` |

Every loss of information is a diagnostic with a place in the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import ArgumentSpec, BodyPlan, ConstantSpec
from mcpgen.lower.flatten.argument_draft import PlaceDraft, Unsupported
from mcpgen.lower.flatten.body import flatten_body
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.naming import name_arguments
from mcpgen.lower.flatten.parameters import flatten_parameters

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Flattened:
    """The flattened request of an operation; `body` is None without a body."""

    arguments: tuple[ArgumentSpec, ...]
    constants: tuple[ConstantSpec, ...]
    body: BodyPlan | None


def flatten(context: FlattenContext, operation: Operation) -> Flattened | Unsupported:
    """Flattens the request of an operation: path, query, header, cookie, then body arguments.

    `{"street": …}` under `address` becomes the argument `address_street`.
    """
    outside = flatten_parameters(context, operation)
    if isinstance(outside, Unsupported):
        return outside
    described = {p.name for p in operation.parameters if p.place is Place.PATH}
    for name in _PLACEHOLDER.findall(operation.path):
        if name not in described:
            return Unsupported(f"nothing describes `{{{name}}}` in its path", operation.at)
    room = context.limits.max_arguments - len(outside.drafts)
    inside = flatten_body(context, operation, room)
    if isinstance(inside, Unsupported):
        return inside
    drafts = list(outside.drafts)
    constants = outside.constants
    filled = inside.drafted if inside else PlaceDraft()
    if inside is not None:
        drafts += inside.drafted.drafts
        constants += inside.drafted.constants
    arguments = name_arguments(context, drafts, filled.nulls, filled.empties, operation.at)
    return Flattened(arguments, constants, inside.plan if inside else None)


__all__ = ["FlattenContext", "Flattened", "Unsupported", "flatten"]
