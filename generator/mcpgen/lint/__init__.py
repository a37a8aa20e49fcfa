"""Lint rules over an API and the server built from the API."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.lint.names import automatic_id_findings, similar_names
from mcpgen.lint.operations import lint_operation
from mcpgen.lint.poisoning import text_findings, tool_text_findings
from mcpgen.lint.tools import enum_findings, tool_findings


def lint(api: ApiDescription, server: Server, diagnostics: Diagnostics) -> None:
    """Adds the findings of all lint rules; codes in `diagnostics.codes.lint`."""
    operations = {operation.key: operation for operation in api.operations}
    for tool in server.tools:
        operation = operations[tool.operation]
        for code, facts in lint_operation(operation, tool):
            diagnostics.add(code, operation.at, severity=None, **facts)
        for code, at, facts in (*tool_findings(tool), *tool_text_findings(tool, operation)):
            diagnostics.add(code, at, severity=None, **facts)
    for code, at, facts in (
        *enum_findings(server.tools),
        *similar_names(server.tools),
        *automatic_id_findings(server.tools, operations),
        *text_findings([server.instructions], "the instructions of the server", api.at),
    ):
        diagnostics.add(code, at, severity=None, **facts)


__all__ = ["lint"]
