"""Separates usable operations from unusable ones, and finds the definitions in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MissingTool, Operation
from mcpgen.parse.context import ParseContext
from mcpgen.parse.schemas import NormalizedSchema


@dataclass(frozen=True, slots=True)
class OperationCandidate:
    """A parsed operation with its context, which holds the faults.

    `operation` is None if unparsable; `name` names the candidate in messages.
    """

    name: str
    at: Location
    context: ParseContext
    operation: Operation | None


def drop_unusable(
    candidates: Iterable[OperationCandidate], definitions: Mapping[str, NormalizedSchema]
) -> tuple[tuple[Operation, ...], tuple[MissingTool, ...], tuple[str, ...]]:
    """Usable operations, missing tools, and names of reachable definitions; each in document order.

    A response never makes an operation unusable: a broken reference in a response allows every
    value.
    """
    faults_by_name = _propagate_faults(definitions)
    operations: list[Operation] = []
    missing_tools: list[MissingTool] = []
    roots: dict[str, None] = {}
    for candidate in candidates:
        schemas = candidate.context.request_schemas
        names = [name for normal in schemas for name in normal.uses]
        reasons = [
            *candidate.context.fault_reasons,
            *(normal.fault_reason for normal in schemas if normal.fault_reason),
            *(faults_by_name[name] for name in names if name in faults_by_name),
        ]
        if reasons or candidate.operation is None:
            reason = reasons[0] if reasons else ""
            missing_tools.append(_missing_tool(candidate, reason))
        else:
            operations.append(candidate.operation)
            roots.update(dict.fromkeys(names))
            roots.update(
                (name, None)
                for schema in candidate.context.response_schemas
                for name in schema.uses
            )
    reachable = _reachable_names(roots, definitions)
    return (
        tuple(operations),
        tuple(missing_tools),
        tuple(name for name in definitions if name in reachable),
    )


def find_response_faults(
    candidates: Iterable[OperationCandidate], definitions: Mapping[str, NormalizedSchema]
) -> frozenset[Location]:
    """Locations of faults that only responses lead to."""
    contexts = [candidate.context for candidate in candidates]
    request_faults = _reachable_faults(
        (schema for context in contexts for schema in context.request_schemas), definitions
    )
    response_faults = _reachable_faults(
        (schema for context in contexts for schema in context.response_schemas), definitions
    )
    return (
        response_faults | {at for context in contexts for at in context.optional_fault_locations}
    ) - request_faults


def _reachable_faults(
    schemas: Iterable[NormalizedSchema], definitions: Mapping[str, NormalizedSchema]
) -> frozenset[Location]:
    """Locations of faults in schemas and in the definitions reachable from the schemas."""
    roots = [*schemas]
    locations = {at for schema in roots for at in schema.fault_locations}
    if any(schema.fault_locations for schema in definitions.values()):
        reachable = _reachable_names(
            (name for schema in roots for name in schema.uses), definitions
        )
        locations.update(at for name in reachable for at in definitions[name].fault_locations)
    return frozenset(locations)


def _missing_tool(candidate: OperationCandidate, reason: str) -> MissingTool:
    """An unusable candidate with its id and tags if parsable."""
    operation = candidate.operation
    if operation is None:
        return MissingTool(candidate.name, reason, candidate.at)
    is_hidden = operation.extension.hidden
    return MissingTool(
        candidate.name, reason, candidate.at, operation.id, operation.tags, is_hidden
    )


def _propagate_faults(definitions: Mapping[str, NormalizedSchema]) -> dict[str, str]:
    """Definitions with a fault, and all definitions that refer to one, with the reason."""
    faults = {
        name: normal.fault_reason for name, normal in definitions.items() if normal.fault_reason
    }
    if not faults:
        return faults
    users: dict[str, list[str]] = {}
    for name, normal in definitions.items():
        for target in normal.uses:
            users.setdefault(target, []).append(name)
    pending = list(faults)
    while pending:
        name = pending.pop(0)
        for user in users.get(name, ()):
            if user not in faults:
                faults[user] = faults[name]
                pending.append(user)
    return faults


def _reachable_names(roots: Iterable[str], definitions: Mapping[str, NormalizedSchema]) -> set[str]:
    """Names reachable from `roots`."""
    names: set[str] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in names:
            names.add(name)
            pending.extend(definitions[name].uses)
    return names
