"""What every known host can live with: names, keys, flat schemas, full annotations.

Source: the intersection of the host profiles that mcpgen collects, called `universal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, binding
from mcpgen.conformance.checks.tools_list import HINTS
from mcpgen.conformance.exchange import printable
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


def _names(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        if not NAME.fullmatch(tool["name"]):
            expected = "at most 40 of a-z, 0-9 and `_`, no `__`, a letter first"
            yield Finding(expected, printable(tool["name"]), tool["name"])


def _descriptions(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        text = tool.get("description")
        if not isinstance(text, str) or not text.strip():
            yield Finding("a description", printable(text), tool["name"])
        elif len(text) > DESCRIPTION_MAX:
            saw = f"{len(text)} characters"
            yield Finding(
                f"a description of at most {DESCRIPTION_MAX} characters", saw, tool["name"]
            )


def _roots(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        schema = tool.get("inputSchema")
        schema = schema if isinstance(schema, dict) else {}
        stray = [key for key in ROOT_FORBIDDEN if key in schema]
        if stray:
            yield Finding(f"no `{stray[0]}` at the root", printable(schema), tool["name"])
        if not isinstance(schema.get("properties"), dict):
            yield Finding("`properties` is there", printable(schema), tool["name"])
        if not isinstance(schema.get("required"), list):
            yield Finding("`required` is there", printable(schema), tool["name"])
        if schema.get("additionalProperties") is not False:
            yield Finding("`additionalProperties` is false", printable(schema), tool["name"])


def _keys(visit: CheckContext) -> Iterator[Finding]:
    for tool, key, _ in _properties(visit):
        if not KEY.fullmatch(key):
            expected = "argument names of at most 64 letters, digits and `_`"
            yield Finding(expected, printable(key), tool)


def _flat(visit: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _properties(visit):
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


def _described(visit: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _properties(visit):
        text = schema.get("description") if isinstance(schema, dict) else None
        if not isinstance(text, str) or not text.strip():
            yield Finding(f"`{key}` has a description", printable(text), tool)


def _enums(visit: CheckContext) -> Iterator[Finding]:
    for tool, key, schema in _properties(visit):
        inner = schema.get("items") if isinstance(schema, dict) else None
        for node in (schema, inner):
            values = node.get("enum", []) if isinstance(node, dict) else []
            if not isinstance(values, list) or any(not isinstance(v, str) for v in values):
                yield Finding(f"`{key}` enumerates strings only", printable(values), tool)


def _annotated(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        given = tool.get("annotations")
        found: Mapping[str, Json] = given if isinstance(given, dict) else {}
        wanted = HINTS[:1] if found.get("readOnlyHint") is True else HINTS[:2]
        missing = [hint for hint in wanted if not isinstance(found.get(hint), bool)]
        if missing:
            yield Finding(
                "the hints that hosts decide by", f"no {', '.join(missing)}", tool["name"]
            )


def _properties(visit: CheckContext) -> Iterator[tuple[str, str, Json]]:
    """Tool name, argument name and schema of every argument."""
    for tool in visit.tools:
        schema = tool.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for key, declared in properties.items() if isinstance(properties, dict) else ():
            yield tool["name"], key, declared


RULES = (
    CheckDef(
        _BEDROCK.host(
            "universal-tool-name",
            "A tool name is short snake_case without `__`.",
            "names of tools",
            "Hosts prefix names with the server's and cut or reject what is longer than 64 together; "
            "some split at `__`, some allow neither dots nor hyphens nor capitals.",
            "Use at most 40 characters out of a-z, 0-9 and single underscores.",
        ),
        _names,
        still=True,
    ),
    CheckDef(
        _OPENAI.host(
            "universal-description",
            "A tool has a description of at most 1,024 characters.",
            "length of descriptions",
            "Some model APIs reject the request for one empty or longer description.",
            "Say in a few sentences what the tool does and when to use it.",
        ),
        _descriptions,
        still=True,
    ),
    CheckDef(
        _CLAUDE.host(
            "universal-schema-root",
            "The root of `inputSchema` is a plain closed object.",
            "combinators at the root",
            "Several model APIs reject combinators at the root; some need `properties` and `required` "
            "to be there even when empty.",
            "Announce type, properties, required and additionalProperties false, nothing else.",
        ),
        _roots,
        still=True,
    ),
    CheckDef(
        _GEMINI.host(
            "universal-argument-name",
            "Argument names consist of letters, digits and underscores.",
            "names of properties",
            "One illegal key makes two large model APIs reject the whole request, all tools with it.",
            "Rename the argument and keep the wire name inside the server.",
        ),
        _keys,
        still=True,
    ),
    CheckDef(
        _WORKSPACE.host(
            "universal-flat",
            "Each argument is a scalar or a list of scalars, with one explicit type.",
            "src/mcp/tool-adapter.ts",
            "Hosts turn references, unions, nested and untyped schemas into plain strings or untyped "
            "records; the model then guesses.",
            "Flatten objects into arguments and carry the rest as JSON text.",
        ),
        _flat,
        still=True,
    ),
    CheckDef(
        _WORKSPACE.host(
            "universal-argument-described",
            "Each argument has a description.",
            "src/mcp/tool-adapter.ts",
            "The description is the one thing that every host hands on to the model.",
            "Describe meaning, format and bounds in a sentence.",
        ),
        _described,
        still=True,
    ),
    CheckDef(
        _GEMINI_ERRORS.host(
            "universal-enum",
            "Enumerations hold strings only.",
            "enumerations of numbers",
            "A large model API rejects the request for a number in an enumeration.",
            "Use a bounded integer, or strings.",
        ),
        _enums,
        still=True,
    ),
    CheckDef(
        _REVIEW.host(
            "universal-annotations",
            "A tool says whether it only reads, and if it writes, whether it destroys.",
            "annotations",
            "Hosts ask the user before every call of a tool whose hints are missing; some stores "
            "refuse it.",
            "Set readOnlyHint, and destructiveHint unless it is true.",
        ),
        _annotated,
        still=True,
    ),
)
