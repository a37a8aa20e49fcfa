"""The identities of operations."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Operation
from mcpgen.parse.node import format_value


def report_duplicate_ids(operations: Iterable[Operation], diagnostics: Diagnostics) -> None:
    """Warns of each operation whose id an earlier one has, with the file of that one if it is another."""
    first: dict[str, Operation] = {}
    for operation in operations:
        other = first.setdefault(operation.id, operation)
        if operation.id and other is not operation:
            diagnostics.add(
                codes.DUPLICATE_OPERATION_ID,
                operation.at / "operationId",
                id=format_value(operation.id),
                operation=operation.key,
                other=other.key,
                place=f" in `{other.at.file}`" if other.at.file != operation.at.file else "",
            )
