"""The tools, in the order of the specification."""

from mcp_adapter._runtime.tool import Tool
from mcp_adapter.tools import aggregate, fetch, query_records, schema, search

TOOLS: tuple[Tool, ...] = (
    schema.TOOL,
    query_records.TOOL,
    aggregate.TOOL,
    search.TOOL,
    fetch.TOOL,
)
