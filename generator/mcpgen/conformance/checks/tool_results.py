"""`tools/call`: results and structured content."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall, good_plans, make
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, binding, page
from mcpgen.conformance.checks.predicates import block_problem, blocks, is_crash, is_text_block
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.schemas import value_problem
from mcpgen.conformance.strict_json import Json

_SHOWN = 4
"""Arguments that a finding names."""

_PAGE = SpecPage("Tools", page("2026-07-28", "server/tools"))
_EACH = SpecPage("Tools", page("2026-07-28", "server/tools"), r.ALL)
_LEGACY = SpecPage("Tools", page("2025-11-25", "server/tools"), r.LEGACY)
_PROMISES = SpecPage("Tools", page("2026-07-28", "server/tools"), profile="promises")
_WORKSPACE = binding("Experience Workspace", "https://github.com/adobe-rnd/da-agent")


def _answered(visit: CheckContext) -> Iterator[Finding]:
    for call in visit.calls:
        if is_crash(call.exchange) or call.exchange.response(call.identifier) is None:
            yield Finding("a result, or an error other than -32603", str(call.exchange), call.name)


def _shape(visit: CheckContext) -> Iterator[Finding]:
    for call in _with_result(visit.calls):
        if problem := _result_problem(call.result):
            yield Finding("a result of the CallToolResult shape", problem, call.name)


def _each_shape(visit: CheckContext) -> Iterator[Finding]:
    for call in make(visit.talk, good_plans(visit.tools, visit.options)[:1]):
        if call.asks_more:
            continue
        if call.result is None:
            yield Finding("a result for a call of a tool", str(call.exchange), call.name)
        elif problem := _result_problem(call.result, visit.revision):
            yield Finding("a result of the CallToolResult shape", problem, call.name)
        elif visit.modern and not isinstance(call.result.get("resultType"), str):
            yield Finding("`resultType` in the result", printable(call.result), call.name)


def _result_problem(result: Json, revision: str = "") -> str:
    if result.get("resultType") == "input_required":
        return ""
    content = result.get("content")
    if not isinstance(content, list):
        return f"`content` is {printable(content)!r}"
    if not isinstance(result.get("isError", False), bool):
        return f"`isError` is {printable(result['isError'])!r}"
    return next((problem for block in content if (problem := block_problem(block, revision))), "")


def _first_text(visit: CheckContext) -> Iterator[Finding]:
    for call in _with_result(visit.calls):
        content = blocks(call.result)
        first = content[0] if content else None
        if not isinstance(first, dict) or first.get("type") != "text":
            yield Finding("the first content block is text", printable(content), call.name)


def _structured(visit: CheckContext) -> Iterator[Finding]:
    for call in _with_result(visit.calls):
        schema, result = call.tool.get("outputSchema"), call.result or {}
        if not isinstance(schema, dict) or _unfinished(result):
            continue
        if "structuredContent" not in result:
            yield Finding("`structuredContent`, for there is an `outputSchema`", "none", call.name)
        elif problem := value_problem(schema, result["structuredContent"]):
            yield Finding("`structuredContent` meets `outputSchema`", problem, call.name)


def _structured_object(visit: CheckContext) -> Iterator[Finding]:
    plans = [plan for plan in good_plans(visit.tools, visit.options) if "outputSchema" in plan.tool]
    for call in make(visit.talk, plans[:1]):
        value = (call.result or {}).get("structuredContent", {})
        if not isinstance(value, dict):
            yield Finding("`structuredContent` is an object", printable(value), call.name)


def _mirrored(visit: CheckContext) -> Iterator[Finding]:
    for call in _with_result(visit.calls):
        result = call.result or {}
        if "structuredContent" not in result or _unfinished(result):
            continue
        texts = [block.get("text") for block in blocks(result) if is_text_block(block)]
        if not any(_spells(text, result["structuredContent"]) for text in texts):
            expected = "a text block with the JSON of `structuredContent`"
            yield Finding(expected, printable(texts), call.name)


def _promised(visit: CheckContext) -> Iterator[Finding]:
    for call in visit.calls:
        if call.vouched and (call.result is None or call.result.get("isError")):
            yield Finding(_success(call.arguments), str(call.exchange), call.name)
    missing = set(visit.options.arguments) - {tool["name"] for tool in visit.tools}
    for name in sorted(missing):
        yield Finding("the tool is announced", "it is not in `tools/list`", name)


def _success(arguments: Mapping[str, Json]) -> str:
    """The success that is expected of a call, with its arguments by name; long ones are cut."""
    if not arguments:
        return "success without arguments"
    named = [f"`{printable(key, 40)}` {printable(arguments[key], 40)}" for key in arguments]
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return f"success with {', '.join(named[:_SHOWN])}{more}"


def _with_result(calls: list[ToolCall]) -> list[ToolCall]:
    return [call for call in calls if call.result is not None]


def _unfinished(result: dict[str, Json]) -> bool:
    return bool(result.get("isError")) or result.get("resultType") == "input_required"


def _spells(text: Json, value: Json) -> bool:
    """Whether `text` is the JSON of `value`, or of the one member that wraps it, or that member
    itself where it is a string."""
    wrapped = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    if text == wrapped:
        return True
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return found in (value, wrapped)


RULES = (
    CheckDef(
        _PAGE.must(
            "tool-call-answered",
            "A call with arguments that fit the schema is answered, not with an internal error.",
            "Error Handling",
            "What goes wrong inside a tool belongs into a result the model can read; -32603, a 5xx "
            "status or silence tells it nothing.",
            "Catch failures in the tool and answer with `isError` and a sentence.",
        ),
        _answered,
        calls=True,
    ),
    CheckDef(
        _PAGE.must(
            "tool-result-shape",
            "The result of a call has a list `content` of well-formed blocks.",
            "Tool Result",
            "Clients walk through the blocks by type; a malformed one loses the whole result.",
            'Answer with `{"content": [{"type": "text", "text": "…"}]}`.',
        ),
        _shape,
        calls=True,
    ),
    CheckDef(
        _EACH.must(
            "tool-result-every-revision",
            "A tool can be called in every revision the server speaks.",
            "Calling Tools",
            "A server that negotiates a revision must also work in it.",
            "Test one call per revision; in 2026-07-28 the result also needs `resultType`.",
        ),
        _each_shape,
        calls=True,
    ),
    CheckDef(
        _WORKSPACE.host(
            "first-block-text",
            "The first content block of a result is text.",
            "src/mcp/tool-adapter.ts",
            "Several hosts show the model the first text block and nothing else.",
            "Put a text block first, also beside images and structured content.",
        ),
        _first_text,
        calls=True,
    ),
    CheckDef(
        _PAGE.must(
            "structured-content-matches",
            "A tool with an `outputSchema` answers with structured content that meets it.",
            "Output Schema",
            "Clients validate it and discard results that do not fit.",
            "Send `structuredContent` that meets the schema, or announce no schema.",
        ),
        _structured,
        calls=True,
    ),
    CheckDef(
        _LEGACY.must(
            "structured-content-object",
            "Up to 2025-11-25 structured content is a JSON object.",
            "Structured Content",
            "The clients of these revisions reject other values.",
            'Wrap the value: `{"result": […]}`.',
        ),
        _structured_object,
        calls=True,
    ),
    CheckDef(
        _PAGE.should(
            "structured-content-mirrored",
            "Structured content is repeated as JSON in a text block.",
            "Structured Content",
            "Hosts that do not read structured content still have the text.",
            "Add a text block with the serialised JSON.",
        ),
        _mirrored,
        calls=True,
    ),
    CheckDef(
        _PROMISES.must(
            "vouched-call-succeeds",
            "A call with arguments that the tester vouches for succeeds.",
            "Calling Tools",
            "The arguments were given with the promise that they work.",
            "Look at the error text of the result, then at the server's log.",
        ),
        _promised,
        calls=True,
    ),
)
