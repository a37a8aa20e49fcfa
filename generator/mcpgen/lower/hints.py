"""Tool annotations from the HTTP method and from `x-mcp`.

GET, HEAD, OPTIONS, TRACE and QUERY are read-only. PUT and DELETE are idempotent. PUT, PATCH and
DELETE are destructive, and so is a POST whose name or summary has a verb of removal.
"""

from __future__ import annotations

from mcpgen.config import DestructiveScope
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import HintsSpec
from mcpgen.lower.name_words import name_words

_READING = {"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"}
_REPEATABLE = _READING | {"PUT", "DELETE"}
_DESTROYING = {"PUT", "PATCH", "DELETE"}
REMOVING = {
    "abort",
    "archive",
    "ban",
    "block",
    "cancel",
    "clear",
    "close",
    "deactivate",
    "decommission",
    "delete",
    "deletes",
    "destroy",
    "disable",
    "discard",
    "drop",
    "erase",
    "evict",
    "expire",
    "kill",
    "purge",
    "refund",
    "remove",
    "removes",
    "reset",
    "restart",
    "revoke",
    "rollback",
    "rotate",
    "shutdown",
    "stop",
    "suspend",
    "terminate",
    "truncate",
    "unassign",
    "uninstall",
    "unlink",
    "void",
    "wipe",
}
"""Verbs of removal or termination."""


def tool_hints(
    operation: Operation,
    brief: bool,
    diagnostics: Diagnostics,
    scope: DestructiveScope = DestructiveScope.REMOVALS,
) -> HintsSpec:
    """Returns the annotations of a tool; `x-mcp` wins, but a destructive tool is never read-only.

    `DELETE /pets/{id}` is destructive and idempotent. With the scope `writes`, `POST /pets` is
    announced as destructive, too: https://claude.com/docs/connectors/building/review-criteria asks
    for `readOnlyHint: true` or `destructiveHint: true` on every tool, and the protocol's default for
    a tool without hints is destructive. Adds DESTRUCTIVE_READ_ONLY.
    """
    extension = operation.extension
    read_only = operation.method in _READING
    if extension.read_only is not None:
        read_only = extension.read_only
    destructive = not read_only and _destroys(operation)
    if extension.destructive is not None:
        destructive = extension.destructive
    if read_only and destructive:
        if extension.read_only:
            _report_contradiction(operation, diagnostics)
        read_only = False
    only_adds = not (read_only or destructive) and extension.destructive is None
    additive = only_adds and scope is DestructiveScope.WRITES
    return HintsSpec(
        read_only=read_only,
        destructive=destructive or additive,
        idempotent=_or(extension.idempotent, read_only or operation.method in _REPEATABLE),
        open_world=_or(extension.open_world, True),
        brief=brief,
        additive=additive,
    )


def _report_contradiction(operation: Operation, diagnostics: Diagnostics) -> None:
    """Adds DESTRUCTIVE_READ_ONLY. A declared tool inherits annotations of its operation."""
    name, place = operation.key, "the operation's `x-mcp`"
    if operation.declared:
        name = operation.declared.name
        own_place = "the tool's entry in `mcp.yaml`"
        place = f"{own_place} or in {place}" if operation.declared.upstream else own_place
    diagnostics.add(codes.DESTRUCTIVE_READ_ONLY, operation.at, operation=name, place=place)


def _destroys(operation: Operation) -> bool:
    if operation.method in _DESTROYING:
        return True
    if operation.method in _READING:
        return False
    words = {*name_words(operation.id), *name_words(operation.summary)}
    words |= set(name_words(operation.path.rsplit("/", 1)[-1]))
    return bool(words & REMOVING)


def _or(value: bool | None, otherwise: bool) -> bool:
    return otherwise if value is None else value
