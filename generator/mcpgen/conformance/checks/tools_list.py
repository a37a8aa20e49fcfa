"""`tools/list`: shape, names, schemas, annotations; pages of all lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.paged_lists import PagedList, list_tools, read_list
from mcpgen.conformance.schemas import schema_problem, subschemas
from mcpgen.conformance.strict_json import Json

_TOOLS = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), r.ALL)
_TOOLS_ONCE = SpecPage("Tools", spec_url("2026-07-28", "server/tools"))
_STRUCTURED = SpecPage("Tools", spec_url("2025-11-25", "server/tools"), r.WITH_VERSION_HEADER)
LEGAL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")

_TOOLS_MODERN = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), r.MODERN)
_PAGINATION = SpecPage("Pagination", spec_url("2025-11-25", "server/utilities/pagination"), r.ALL)


def _check_tools_list_shape(context: CheckContext) -> Iterator[Finding]:
    for page in context.listing.pages:
        tools = page.get("tools")
        if not isinstance(tools, list):
            yield Finding("`tools` is a list", printable(tools))
            continue
        for tool in tools:
            if problem := _tool_problem(tool):
                name = tool.get("name") if isinstance(tool, dict) else ""
                yield Finding("a tool is an object of the Tool shape", problem, str(name or ""))


def _tool_problem(tool: Json) -> str:
    if not isinstance(tool, dict):
        return printable(tool)
    if not isinstance(tool.get("name"), str) or not tool["name"]:
        return f"`name` is {printable(tool.get('name'))!r}"
    for key in ("title", "description"):
        if not isinstance(tool.get(key, ""), str):
            return f"`{key}` is {printable(tool[key])!r}"
    for key in ("annotations", "_meta", "outputSchema"):
        if not isinstance(tool.get(key, {}), dict):
            return f"`{key}` is {printable(tool[key])!r}"
    icons = tool.get("icons", [])
    if not isinstance(icons, list):
        return f"`icons` is {printable(icons)!r}"
    if any(not isinstance(icon, dict) or not isinstance(icon.get("src"), str) for icon in icons):
        return "an icon has no string `src`"
    return ""


def _check_tool_name_legal(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        if not LEGAL_NAME.fullmatch(tool["name"]):
            expected = "1 to 128 characters out of letters, digits, `_`, `-` and `.`"
            yield Finding(expected, printable(tool["name"]), tool["name"])


def _check_tool_name_unique(context: CheckContext) -> Iterator[Finding]:
    for name, count in Counter(tool["name"] for tool in context.tools).items():
        if count > 1:
            yield Finding("each tool has a name of its own", f"{count} tools are `{name}`", name)


def _check_tools_list_stable(context: CheckContext) -> Iterator[Finding]:
    before = context.tools
    after = list_tools(context.session).named_entries
    if before == after:
        return
    first = next(
        (a["name"] for a, b in zip(before, after, strict=False) if a != b), "one more or less"
    )
    expected = "the same tools in the same order when asked again"
    yield Finding(expected, f"{len(before)} and {len(after)} tools; the first change: {first}")


def _check_input_schema_object(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        schema = tool.get("inputSchema")
        if not isinstance(schema, dict) or schema.get("type") != "object":
            expected = '`inputSchema` is a schema with `"type": "object"`'
            yield Finding(expected, printable(schema), tool["name"])


def _check_tool_schemas_valid(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        for key in ("inputSchema", "outputSchema"):
            if isinstance(tool.get(key), dict) and (problem := schema_problem(tool[key])):
                yield Finding(f"`{key}` is a valid JSON Schema", problem, tool["name"])


def _check_output_schema_object(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        schema = tool.get("outputSchema")
        if isinstance(schema, dict) and schema.get("type") != "object":
            expected = '`outputSchema` has `"type": "object"` at its root'
            yield Finding(expected, printable(schema), tool["name"])


def _check_annotations_boolean(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        annotations = tool.get("annotations")
        annotations = annotations if isinstance(annotations, dict) else {}
        for hint in HINTS:
            if hint in annotations and not isinstance(annotations[hint], bool):
                saw = printable(annotations[hint])
                yield Finding(f"`{hint}` is true or false", saw, tool["name"])


def _check_x_mcp_header_valid(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        if problem := header_problem(tool):
            expected = "`x-mcp-header` is a unique token on a string, integer or boolean property"
            yield Finding(expected, problem, tool["name"])


def header_problem(tool: Mapping[str, Json]) -> str:
    """The `x-mcp-header` tokens of a tool if at least one is invalid, or `""`."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        return ""
    marked = [node for node in subschemas(schema) if "x-mcp-header" in node]
    if not marked:
        return ""
    reachable = {id(node) for node in _reachable(schema)}
    names = [str(node["x-mcp-header"]).lower() for node in marked]
    sound = all(id(node) in reachable and _has_header_token(node) for node in marked)
    return "" if sound and len(set(names)) == len(names) else ", ".join(names)


def _reachable(schema: Json) -> Iterator[Json]:
    """Properties reachable from the root by `properties` keywords alone."""
    stack = [schema]
    while stack:
        node = stack.pop()
        properties = node.get("properties") if isinstance(node, dict) else None
        if isinstance(properties, dict):
            yield from properties.values()
            stack.extend(properties.values())


def _has_header_token(node: Json) -> bool:
    name = node["x-mcp-header"]
    token = isinstance(name, str) and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name)
    return bool(token) and node.get("type") in ("string", "integer", "boolean")


def _check_pagination_ends(context: CheckContext) -> Iterator[Finding]:
    for method in _declared_lists(context):
        if problem := context.paged_list(method).problem:
            yield replace(problem, expected=f"{problem.expected}, in `{method}`")


def _check_cursor_unknown_32602(context: CheckContext) -> Iterator[Finding]:
    for method in _declared_lists(context):
        exchange = context.session.send(method, {"cursor": "no such cursor"})
        if exchange.code != r.INVALID_PARAMS:
            expected = f"the error -32602 for a cursor that `{method}` never issued"
            yield Finding(expected, str(exchange))


def _check_lists_same_on_every_connection(context: CheckContext) -> Iterator[Finding]:
    for method in _declared_lists(context):
        before = _entry_names(context.paged_list(method))
        context.session.probe.close()
        after = _entry_names(read_list(context.session, method))
        if before != after:
            expected = f"the same entries of `{method}` over another connection"
            yield Finding(expected, f"only sometimes: {', '.join(sorted(before ^ after))}")


def _entry_names(listing: PagedList) -> set[str]:
    return {str(entry["name"]) for entry in listing.named_entries}


def _declared_lists(context: CheckContext) -> Iterator[str]:
    """Methods of the lists that the server has. Raises NotApplicable if there are none."""
    methods = [method for method, row in r.LISTS.items() if context.session.has_capability(row[0])]
    if not methods:
        raise NotApplicable("lists")
    for method in methods:
        # Resources may come without templates, which are no capability of their own.
        with suppress(NotApplicable):
            context.paged_list(method)
            yield method


RULES = (
    _TOOLS.must("tools-list-shape", "Listing Tools", _check_tools_list_shape, listing_only=True),
    _TOOLS_ONCE.should("tool-name-legal", "Tool Names", _check_tool_name_legal, listing_only=True),
    _TOOLS_ONCE.should(
        "tool-name-unique",
        "Tools are uniquely identified by a name",
        _check_tool_name_unique,
        listing_only=True,
    ),
    _TOOLS.should("tools-list-stable", "Capabilities", _check_tools_list_stable),
    _TOOLS.must("input-schema-object", "Tool", _check_input_schema_object, listing_only=True),
    _TOOLS_ONCE.must(
        "tool-schemas-valid", "JSON Schema Usage", _check_tool_schemas_valid, listing_only=True
    ),
    _STRUCTURED.must(
        "output-schema-object", "Output Schema", _check_output_schema_object, listing_only=True
    ),
    _TOOLS_ONCE.must(
        "annotations-boolean", "ToolAnnotations", _check_annotations_boolean, listing_only=True
    ),
    SpecPage("Tools", spec_url("2026-07-28", "server/tools"), r.MODERN).must(
        "x-mcp-header-valid", "x-mcp-header", _check_x_mcp_header_valid, listing_only=True
    ),
    _PAGINATION.must("pagination-ends", "Response Format", _check_pagination_ends),
    _PAGINATION.should("cursor-unknown-32602", "Error Handling", _check_cursor_unknown_32602),
    _TOOLS_MODERN.must(
        "lists-same-on-every-connection", "Capabilities", _check_lists_same_on_every_connection
    ),
)
