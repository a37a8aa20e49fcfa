"""The profile `universal`: for each kind of limit, the strictest limit of all known hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import binding
from mcpgen.conformance.checks.predicates import blocks, is_text_block
from mcpgen.conformance.checks.tools_list import HINTS
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import Finding
from mcpgen.conformance.strict_json import Json

_BEDROCK = binding(
    "Amazon Bedrock, ToolSpecification of agents",
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_ToolSpecification.html",
)
_OPENAI = binding("OpenAI, functions", "https://github.com/modelcontextprotocol/servers/issues/799")
_CLAUDE = binding("Claude Code, MCP", "https://code.claude.com/docs/en/mcp")
_GEMINI = binding(
    "Gemini API, Schema",
    "https://github.com/googleapis/python-genai/blob/main/google/genai/types.py",
)
_WORKSPACE = binding("Experience Workspace", "https://github.com/adobe-rnd/da-agent")
_GEMINI_ERRORS = binding("Gemini API", "https://github.com/microsoft/azure-devops-mcp/issues/139")
_REVIEW = binding(
    "Claude connectors, review criteria",
    "https://claude.com/docs/connectors/building/review-criteria",
)
NAME = re.compile(r"(?!.*__)[a-z][a-z0-9_]{0,39}")
KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
DESCRIPTION_MAX = 1_024
SCALARS = ("string", "integer", "number", "boolean")
ROOT_FORBIDDEN = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "if")
NODE_FORBIDDEN = (
    *("$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "const"),
    *("patternProperties", "dependentSchemas", "dependentRequired", "unevaluatedProperties"),
    *("contains", "propertyNames", "prefixItems"),
)

_CURSOR = binding("Cursor", "https://github.com/Snowflake-Labs/mcp/issues/77")
_STRUCTURED_OUTPUTS = binding(
    "OpenAI, Structured Outputs",
    "https://developers.openai.com/api/docs/guides/structured-outputs/#supported-schemas",
)
TOOLS_MAX = 40
"""Number of tools up to which models choose reliably; the strictest host stops at 80."""

INSTRUCTIONS_MAX = 2_048
ENUM_MAX = 1_000
RESULT_ADVISED = 40_000
RESULT_MAX = 100_000
"""Characters of a result that every known host passes to the model."""


def _check_universal_tool_name(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        if not NAME.fullmatch(tool["name"]):
            expected = "at most 40 of a-z, 0-9 and `_`, no `__`, a letter first"
            yield Finding(expected, printable(tool["name"]), tool["name"])


def _check_universal_description(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        text = tool.get("description")
        if not isinstance(text, str) or not text.strip():
            yield Finding("a description", printable(text), tool["name"])
        elif len(text) > DESCRIPTION_MAX:
            saw = f"{len(text)} characters"
            yield Finding(
                f"a description of at most {DESCRIPTION_MAX} characters", saw, tool["name"]
            )


def _check_universal_schema_root(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        schema = tool.get("inputSchema")
        for key in ROOT_FORBIDDEN:
            if isinstance(schema, dict) and key in schema:
                yield Finding(f"no `{key}` at the root", printable(schema), tool["name"])
                break


def _check_universal_argument_name(context: CheckContext) -> Iterator[Finding]:
    for tool, key, _ in _all_arguments(context):
        if not KEY.fullmatch(key):
            expected = "argument names of at most 64 letters, digits and `_`"
            yield Finding(expected, printable(key), tool)


def _check_universal_flat(context: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _all_arguments(context):
        if problem := _flat_problem(schema):
            yield Finding(f"`{key}` is a scalar or a list of scalars", problem, tool)


def _flat_problem(schema: Json) -> str:
    if not isinstance(schema, dict):
        return printable(schema)
    if stray := [key for key in NODE_FORBIDDEN if key in schema]:
        return f"it has `{stray[0]}`"
    kind = schema.get("type")
    if kind == "array":
        inner = schema.get("items")
        if not isinstance(inner, dict) or inner.get("type") not in SCALARS:
            return f"its items are {printable(inner)}"
        stray = [key for key in NODE_FORBIDDEN if key in inner]
        return f"its items have `{stray[0]}`" if stray else ""
    return "" if kind in SCALARS else f"its type is {printable(kind)}"


def _check_universal_argument_described(context: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _all_arguments(context):
        text = schema.get("description") if isinstance(schema, dict) else None
        if not isinstance(text, str) or not text.strip():
            yield Finding(f"`{key}` has a description", printable(text), tool)


def _check_universal_enum(context: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _all_arguments(context):
        inner = schema.get("items") if isinstance(schema, dict) else None
        for node in (schema, inner):
            values = node.get("enum", []) if isinstance(node, dict) else []
            if not isinstance(values, list) or any(not isinstance(v, str) for v in values):
                yield Finding(f"`{key}` enumerates strings only", printable(values), tool)


def _check_universal_annotations(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        declared = tool.get("annotations")
        annotations: Mapping[str, Json] = declared if isinstance(declared, dict) else {}
        hints = HINTS[:1] if annotations.get("readOnlyHint") is True else HINTS[:2]
        missing = [hint for hint in hints if not isinstance(annotations.get(hint), bool)]
        if missing:
            yield Finding(
                "the hints that hosts decide by", f"no {', '.join(missing)}", tool["name"]
            )


def _all_arguments(context: CheckContext) -> Iterator[tuple[str, str, Json]]:
    """Tool name, argument name and schema of every argument."""
    for tool in context.tools:
        schema = tool.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for key, declared in properties.items() if isinstance(properties, dict) else ():
            yield tool["name"], key, declared


def _check_universal_tool_count(context: CheckContext) -> Iterator[Finding]:
    if len(context.tools) > TOOLS_MAX:
        saw = f"{len(context.tools)} tools"
        yield Finding(f"at most {TOOLS_MAX} tools, for models to choose well", saw, warns=True)


def _check_universal_instructions(context: CheckContext) -> Iterator[Finding]:
    text = context.session.opening_result().get("instructions")
    if isinstance(text, str) and len(text) > INSTRUCTIONS_MAX:
        expected = f"instructions of at most {INSTRUCTIONS_MAX:,} characters"
        yield Finding(expected, f"{len(text):,} characters")


def _check_universal_enum_total(context: CheckContext) -> Iterator[Finding]:
    for tool, features in zip(context.tools, context.features, strict=True):
        if features.enum > ENUM_MAX:
            expected = f"at most {ENUM_MAX:,} enumerated values in a tool"
            yield Finding(expected, f"{features.enum:,}", tool["name"])


def _check_universal_result_size(context: CheckContext) -> Iterator[Finding]:
    for call in context.calls:
        length = sum(len(block["text"]) for block in blocks(call.result) if is_text_block(block))
        if length > RESULT_ADVISED:
            limit = RESULT_MAX if length > RESULT_MAX else RESULT_ADVISED
            expected = f"a result of at most {limit:,} characters"
            saw = f"{length:,} characters"
            yield Finding(expected, saw, call.name, warns=limit is RESULT_ADVISED)


RULES = (
    _BEDROCK.host(
        "universal-tool-name", "names of tools", _check_universal_tool_name, listing_only=True
    ),
    _OPENAI.host(
        "universal-description",
        "length of descriptions",
        _check_universal_description,
        listing_only=True,
    ),
    _CLAUDE.host(
        "universal-schema-root",
        "combinators at the root",
        _check_universal_schema_root,
        listing_only=True,
    ),
    _GEMINI.host(
        "universal-argument-name",
        "names of properties",
        _check_universal_argument_name,
        listing_only=True,
    ),
    _WORKSPACE.host(
        "universal-flat", "src/mcp/tool-adapter.ts", _check_universal_flat, listing_only=True
    ),
    _WORKSPACE.host(
        "universal-argument-described",
        "src/mcp/tool-adapter.ts",
        _check_universal_argument_described,
        listing_only=True,
    ),
    _GEMINI_ERRORS.host(
        "universal-enum", "enumerations of numbers", _check_universal_enum, listing_only=True
    ),
    _REVIEW.host(
        "universal-annotations", "annotations", _check_universal_annotations, listing_only=True
    ),
    _CURSOR.host(
        "universal-tool-count", "number of tools", _check_universal_tool_count, listing_only=True
    ),
    _CLAUDE.host("universal-instructions", "instructions", _check_universal_instructions),
    _STRUCTURED_OUTPUTS.host(
        "universal-enum-total", "limits of a schema", _check_universal_enum_total, listing_only=True
    ),
    _CLAUDE.host(
        "universal-result-size", "size of results", _check_universal_result_size, calls=True
    ),
)
