"""What the operations of an API reach, and which of them something unusable stands in the way of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MissingTool, Operation
from mcpgen.parse.context import ParseContext
from mcpgen.parse.schemas import NormalizedSchema


@dataclass(frozen=True, slots=True)
class OperationCandidate:
    """An operation as it was read, with the scope that tells what is wrong with it. `operation` is
    None where it could not be read at all; `name` is how it is called then."""

    name: str
    at: Location
    scope: ParseContext
    operation: Operation | None


def drop_unusable(
    candidates: Iterable[OperationCandidate], definitions: Mapping[str, NormalizedSchema]
) -> tuple[tuple[Operation, ...], tuple[MissingTool, ...], tuple[str, ...]]:
    """The operations that can be built, those that cannot, and the definitions the former reach;
    each in its original order.

    A response's schema never stands in the way of its operation: where a reference in it leads
    nowhere, every value is allowed.
    """
    unusable = _unusable(definitions)
    kept: list[Operation] = []
    missing: list[MissingTool] = []
    roots: dict[str, None] = {}
    for candidate in candidates:
        used = candidate.scope.used
        names = [name for normal in used for name in normal.uses]
        reasons = [
            *candidate.scope.faults,
            *(normal.fault for normal in used if normal.fault),
            *(unusable[name] for name in names if name in unusable),
        ]
        if reasons or candidate.operation is None:
            reason = reasons[0] if reasons else ""
            missing.append(_missing(candidate, reason))
        else:
            kept.append(candidate.operation)
            roots.update(dict.fromkeys(names))
            roots.update((name, None) for each in candidate.scope.answers for name in each.uses)
    reached = _reached(roots, definitions)
    return tuple(kept), tuple(missing), tuple(name for name in definitions if name in reached)


def faults_of_responses(
    candidates: Iterable[OperationCandidate], definitions: Mapping[str, NormalizedSchema]
) -> frozenset[Location]:
    """The places of the faults that only responses lead to, and no request."""
    scopes = [candidate.scope for candidate in candidates]
    needed = _faults((each for scope in scopes for each in scope.used), definitions)
    others = _faults((each for scope in scopes for each in scope.answers), definitions)
    return (others | {at for scope in scopes for at in scope.spared}) - needed


def _faults(
    schemas: Iterable[NormalizedSchema], definitions: Mapping[str, NormalizedSchema]
) -> frozenset[Location]:
    """The places of the faults in these schemas and in the definitions that they reach."""
    own = [*schemas]
    found = {at for each in own for at in each.faults}
    if any(each.faults for each in definitions.values()):
        reached = _reached((name for each in own for name in each.uses), definitions)
        found.update(at for name in reached for at in definitions[name].faults)
    return frozenset(found)


def _missing(candidate: OperationCandidate, reason: str) -> MissingTool:
    """A candidate that cannot be built, with what is known of it all the same."""
    known = candidate.operation
    if known is None:
        return MissingTool(candidate.name, reason, candidate.at)
    hidden = known.extension.hidden
    return MissingTool(candidate.name, reason, candidate.at, known.id, known.tags, hidden)


def _unusable(definitions: Mapping[str, NormalizedSchema]) -> dict[str, str]:
    """The definitions that are or lead to an unusable one, with the reason."""
    found = {name: normal.fault for name, normal in definitions.items() if normal.fault}
    if not found:
        return found
    users: dict[str, list[str]] = {}
    for name, normal in definitions.items():
        for used in normal.uses:
            users.setdefault(used, []).append(name)
    pending = list(found)
    while pending:
        name = pending.pop(0)
        for user in users.get(name, ()):
            if user not in found:
                found[user] = found[name]
                pending.append(user)
    return found


def _reached(roots: Iterable[str], definitions: Mapping[str, NormalizedSchema]) -> set[str]:
    """The names that can be reached from `roots`."""
    reached: set[str] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending.extend(definitions[name].uses)
    return reached
