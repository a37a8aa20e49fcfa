"""`tools/list`: shape, names, order, pages, schemas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.paged_lists import list_tools
from mcpgen.conformance.schemas import schema_problem, subschemas
from mcpgen.conformance.strict_json import Json

_PAGE = SpecPage("Tools", page("2026-07-28", "server/tools"), r.ALL)
_ONCE = SpecPage("Tools", page("2026-07-28", "server/tools"))
_LEGACY = SpecPage("Tools", page("2025-11-25", "server/tools"), r.LEGACY)
LEGAL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def _shape(visit: CheckContext) -> Iterator[Finding]:
    for listed in visit.listing.pages:
        tools = listed.get("tools")
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


def _names(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        if not LEGAL_NAME.fullmatch(tool["name"]):
            expected = "1 to 128 characters out of letters, digits, `_`, `-` and `.`"
            yield Finding(expected, printable(tool["name"]), tool["name"])


def _unique(visit: CheckContext) -> Iterator[Finding]:
    for name, count in Counter(tool["name"] for tool in visit.tools).items():
        if count > 1:
            yield Finding("each tool has a name of its own", f"{count} tools are `{name}`", name)


def _stable(visit: CheckContext) -> Iterator[Finding]:
    before = visit.tools
    after = list_tools(visit.talk).tools
    if before == after:
        return
    first = next(
        (a["name"] for a, b in zip(before, after, strict=False) if a != b), "one more or less"
    )
    expected = "the same tools in the same order when asked again"
    yield Finding(expected, f"{len(before)} and {len(after)} tools; the first change: {first}")


def _input_object(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        schema = tool.get("inputSchema")
        if not isinstance(schema, dict) or schema.get("type") != "object":
            expected = '`inputSchema` is a schema with `"type": "object"`'
            yield Finding(expected, printable(schema), tool["name"])


def _schemas_valid(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        for key in ("inputSchema", "outputSchema"):
            if isinstance(tool.get(key), dict) and (problem := schema_problem(tool[key])):
                yield Finding(f"`{key}` is a valid JSON Schema", problem, tool["name"])


def _output_object(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        schema = tool.get("outputSchema")
        if isinstance(schema, dict) and schema.get("type") != "object":
            expected = '`outputSchema` has `"type": "object"` at its root'
            yield Finding(expected, printable(schema), tool["name"])


def _annotations(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        annotations = tool.get("annotations")
        annotations = annotations if isinstance(annotations, dict) else {}
        for hint in HINTS:
            if hint in annotations and not isinstance(annotations[hint], bool):
                saw = printable(annotations[hint])
                yield Finding(f"`{hint}` is true or false", saw, tool["name"])


def _mirrored_headers(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        if problem := header_problem(tool):
            expected = "`x-mcp-header` is a unique token on a string, integer or boolean property"
            yield Finding(expected, problem, tool["name"])


def header_problem(tool: Mapping[str, Json]) -> str:
    """The `x-mcp-header` tokens of a tool of which one is not valid, or `""`."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        return ""
    marked = [node for node in subschemas(schema) if "x-mcp-header" in node]
    if not marked:
        return ""
    reachable = list(_reachable(schema))
    names = [str(node["x-mcp-header"]).lower() for node in marked]
    sound = all(any(node is other for other in reachable) and _headed(node) for node in marked)
    return "" if sound and len(set(names)) == len(names) else ", ".join(names)


def _reachable(schema: Json) -> Iterator[Json]:
    """The properties that a chain of `properties` keys alone leads to."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        properties = node.get("properties") if isinstance(node, dict) else None
        if isinstance(properties, dict):
            yield from properties.values()
            waiting.extend(properties.values())


def _headed(node: Json) -> bool:
    name = node["x-mcp-header"]
    token = isinstance(name, str) and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name)
    return bool(token) and node.get("type") in ("string", "integer", "boolean")


RULES = (
    CheckDef(
        _PAGE.must(
            "tools-list-shape",
            "`tools/list` answers with a list of tools, each an object with a name.",
            "Listing Tools",
            "One malformed tool makes many clients reject the whole list.",
            "Check every tool against the Tool shape before you announce it.",
        ),
        _shape,
        still=True,
    ),
    CheckDef(
        _ONCE.should(
            "tool-name-legal",
            "Tool names have 1 to 128 characters out of letters, digits, `_`, `-` and `.`.",
            "Tool Names",
            "Clients put names into headers and other protocols that allow no more.",
            "Rename the tool; snake_case fits everywhere.",
        ),
        _names,
        still=True,
    ),
    CheckDef(
        # "SHOULD be unique within a server"; up to 2025-06-18 a "unique identifier", without a keyword.
        _ONCE.should(
            "tool-name-unique",
            "No two tools have the same name.",
            "Tools are uniquely identified by a name",
            "A call names its tool; with twins the second can never be called.",
            "Give each tool a name of its own.",
        ),
        _unique,
        still=True,
    ),
    CheckDef(
        _PAGE.should(
            "tools-list-stable",
            "Asked again, the server lists the same tools in the same order.",
            "Capabilities",
            "A shuffled list defeats the caches of clients and of language models.",
            "Keep the tools in a list, not in a set.",
        ),
        _stable,
    ),
    CheckDef(
        _PAGE.must(
            "input-schema-object",
            'Every `inputSchema` is a schema whose root has `"type": "object"`.',
            "Tool",
            "Arguments are an object; SDKs refuse the whole list for one schema without this.",
            'Use `{"type": "object", "properties": {}}` for a tool without arguments.',
        ),
        _input_object,
        still=True,
    ),
    CheckDef(
        _ONCE.must(
            "tool-schemas-valid",
            "Every schema is valid in its dialect and refers to nothing outside itself.",
            "JSON Schema Usage",
            "Clients compile the schemas; one that does not compile disables its tool or the server.",
            "Validate against the 2020-12 meta-schema and inline external references.",
        ),
        _schemas_valid,
        still=True,
    ),
    CheckDef(
        _LEGACY.must(
            "output-schema-object",
            'Up to 2025-11-25 every `outputSchema` has `"type": "object"` at its root.',
            "Output Schema",
            "In these revisions structured content is an object; other roots fail the whole list.",
            'Wrap the value: `{"type": "object", "properties": {"result": …}}`.',
        ),
        _output_object,
        still=True,
    ),
    CheckDef(
        _ONCE.must(
            "annotations-boolean",
            "The hints in `annotations` are true or false.",
            "ToolAnnotations",
            "Hosts decide by them whether to ask the user first.",
            "Write JSON booleans, not strings or numbers.",
        ),
        _annotations,
        still=True,
    ),
    CheckDef(
        SpecPage("Tools", page("2026-07-28", "server/tools"), r.MODERN).must(
            "x-mcp-header-valid",
            "`x-mcp-header` is a unique header token on a reachable scalar property.",
            "x-mcp-header",
            "Clients must drop a tool whose annotation is invalid.",
            "Put it on top-level string, integer or boolean properties, each with its own token.",
        ),
        _mirrored_headers,
        still=True,
    ),
)
