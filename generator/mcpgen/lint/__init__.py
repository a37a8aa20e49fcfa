"""Lint rules over an API and the server built from the API."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.lint.names import of_automatic_ids, similar_names
from mcpgen.lint.operations import lint_operation
from mcpgen.lint.poisoning import of_texts, of_tool_texts
from mcpgen.lint.tools import of_tool


def lint(api: ApiDescription, server: Server, diagnostics: Diagnostics) -> None:
    """Adds the findings of all lint rules; codes in `diagnostics.codes.lint`."""
    operations = {operation.key: operation for operation in api.operations}
    for tool in server.tools:
        operation = operations[tool.operation]
        for code, facts in lint_operation(operation, tool):
            diagnostics.add(code, operation.at, severity=None, **facts)
        for code, at, facts in (*of_tool(tool), *of_tool_texts(tool, operation)):
            diagnostics.add(code, at, severity=None, **facts)
    for code, at, facts in (
        *similar_names(server.tools),
        *of_automatic_ids(server.tools, operations),
        *of_texts([server.instructions], "the instructions of the server", api.at),
    ):
        diagnostics.add(code, at, severity=None, **facts)


__all__ = ["lint"]
