"""`tools/call`: results, structured content, unknown tools, bad arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall, make_calls, plan_good_calls
from mcpgen.conformance.check_context import SAMPLED_CALLS, CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, binding, spec_url
from mcpgen.conformance.checks.clauses import revisions_with_clause
from mcpgen.conformance.checks.predicates import (
    block_problem,
    blocks,
    is_crash,
    is_rejection,
    is_text_block,
)
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.message_schemas import asks_client
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.profiles import parse_profiles
from mcpgen.conformance.schemas import value_problem
from mcpgen.conformance.strict_json import Json

_SHOWN = 4
"""Number of arguments that a finding names."""

# Checks of `_TOOLS_ONCE` have a result for the newest revision, checks of `_TOOLS` for every revision.
_TOOLS_ONCE = SpecPage("Tools", spec_url("2026-07-28", "server/tools"))
_TOOLS = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), r.ALL)
# The legacy revisions from 2025-06-18 have the version header, and structured content that is an object;
# since 2026-07-28 structured content may be any JSON.
_STRUCTURED = SpecPage("Tools", spec_url("2025-11-25", "server/tools"), r.WITH_VERSION_HEADER)
_PROMISES = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), profile="promises")
# The host with the strictest requirement; its check belongs to the profile `universal`.
_WORKSPACE = binding("Experience Workspace", "https://github.com/adobe-rnd/da-agent")

_SECURITY = SpecPage(
    "Security Considerations", spec_url("2026-07-28", "server/tools"), profile="security"
)

FIRST_STRUCTURED_REVISION = "2025-06-18"
"""The oldest revision with `structuredContent`."""

UNKNOWN_TOOL_NAME = "no_such_tool_anywhere"
"""The name in calls of a tool that no server has."""

STACK_TRACE = re.compile(
    r"Traceback \(most recent call last\)|File \".+\", line \d+|\n\s+at .+:\d+:\d+"
)
"""Matches stack traces of Python and JavaScript."""


def _check_tool_call_answered(context: CheckContext) -> Iterator[Finding]:
    for call in context.calls:
        if call.timed_out:
            yield _timeout_warning(call)
        elif call.exchange.response(call.identifier) is None:
            yield Finding("a JSON-RPC response to the call", str(call.exchange), call.name)
        elif is_crash(call.exchange):
            # 2025-11-25 Tools, Error Handling: "Server errors" are protocol errors. The schema of
            # CallToolResult says that errors of the tool SHOULD be in the result.
            expected = "the failure in a result with `isError`, not -32603 or HTTP 5xx"
            yield Finding(expected, str(call.exchange), call.name, warns=True)


def _check_call_without_progress_token(context: CheckContext) -> Iterator[Finding]:
    answered_calls = [
        (call.name, call.arguments)
        for call in context.calls
        if not call.timed_out and not is_crash(call.exchange)
    ]
    plans = plan_good_calls(context.tools, context.options)[:SAMPLED_CALLS]
    for call in make_calls(context.session, plans, has_token=False):
        if (
            (call.name, call.arguments) in answered_calls
            and not call.timed_out
            and is_crash(call.exchange)
        ):
            expected = "an answer as to the same call with a progress token"
            yield Finding(expected, str(call.exchange), call.name)


def _timeout_warning(call: ToolCall) -> Finding:
    """A warning about a call without an answer in time: no revision limits the time of a tool."""
    waited = f"{call.exchange.seconds:.0f} s without an answer: {call.exchange}"
    return Finding("an answer in the time that hosts wait", waited, call.name, warns=True)


def _check_tool_result_shape(context: CheckContext) -> Iterator[Finding]:
    for call in _with_result(context.calls):
        if problem := _result_problem(call.result, context.modern):
            yield Finding("a result of the CallToolResult shape", problem, call.name)


def _check_tool_result_every_revision(context: CheckContext) -> Iterator[Finding]:
    for call in context.sampled_calls:
        if call.needs_client_input or call.may_be_resumed:
            # The tool needs a capability of the client, or the client has to resume the stream.
            continue
        if call.timed_out:
            yield _timeout_warning(call)
        elif call.result is None:
            # An error response is a legal answer, except -32601: the tool is listed.
            refused = call.exchange.response(call.identifier) is not None
            warns = refused and call.exchange.code != r.METHOD_NOT_FOUND
            expected = "a result for a call of a tool"
            yield Finding(expected, str(call.exchange), call.name, warns=warns)
        elif problem := _result_problem(call.result, context.modern, context.revision):
            yield Finding("a result of the CallToolResult shape", problem, call.name)
        elif problem := _structured_problem(call, context.revision):
            yield Finding("`structuredContent` meets `outputSchema`", problem, call.name)
        elif context.modern and not isinstance(call.result.get("resultType"), str):
            yield Finding("`resultType` in the result", printable(call.result), call.name)


def _result_problem(result: Json, modern: bool, revision: str = "") -> str:
    if asks_client(result, modern):
        return ""
    content = result.get("content")
    if not isinstance(content, list):
        return f"`content` is {printable(content)!r}"
    if not isinstance(result.get("isError", False), bool):
        return f"`isError` is {printable(result['isError'])!r}"
    return next((problem for block in content if (problem := block_problem(block, revision))), "")


def _structured_problem(call: ToolCall, revision: str) -> str:
    """The violation of `outputSchema` by the result of the call; `""` without a violation, and in
    revisions without structured content.
    """
    schema, result = call.tool.get("outputSchema"), call.result or {}
    if (
        revision < FIRST_STRUCTURED_REVISION
        or not isinstance(schema, dict)
        or _needs_no_output(result, revision in r.MODERN)
    ):
        return ""
    if "structuredContent" not in result:
        return "there is no `structuredContent`"
    return value_problem(schema, result["structuredContent"])


def _check_first_block_text(context: CheckContext) -> Iterator[Finding]:
    for call in _with_result(context.calls):
        content = blocks(call.result)
        first = content[0] if content else None
        if not isinstance(first, dict) or first.get("type") != "text":
            yield Finding("the first content block is text", printable(content), call.name)


def _check_structured_content_matches(context: CheckContext) -> Iterator[Finding]:
    for call in _with_result(context.calls):
        schema, result = call.tool.get("outputSchema"), call.result or {}
        if not isinstance(schema, dict) or _needs_no_output(result, context.modern):
            continue
        if "structuredContent" not in result:
            yield Finding("`structuredContent`, for there is an `outputSchema`", "none", call.name)
        elif problem := value_problem(schema, result["structuredContent"]):
            yield Finding("`structuredContent` meets `outputSchema`", problem, call.name)


def _check_structured_content_object(context: CheckContext) -> Iterator[Finding]:
    plans = [
        plan
        for plan in plan_good_calls(context.tools, context.options)
        if "outputSchema" in plan.tool
    ]
    # The check is made in several revisions: one call each limits the time.
    for call in make_calls(context.session, plans[:1]):
        value = (call.result or {}).get("structuredContent", {})
        if not isinstance(value, dict):
            yield Finding("`structuredContent` is an object", printable(value), call.name)


def _check_structured_content_mirrored(context: CheckContext) -> Iterator[Finding]:
    for call in _with_result(context.calls):
        result = call.result or {}
        if "structuredContent" not in result or _needs_no_output(result, context.modern):
            continue
        texts = [block.get("text") for block in blocks(result) if is_text_block(block)]
        if not any(_is_text_form_of(text, result["structuredContent"]) for text in texts):
            expected = "a text block with the JSON of `structuredContent`"
            yield Finding(expected, printable(texts), call.name)


def _check_vouched_call_succeeds(context: CheckContext) -> Iterator[Finding]:
    for call in context.calls:
        if call.vouched and (call.result is None or call.result.get("isError")):
            yield Finding(_describe_success(call.arguments), str(call.exchange), call.name)
    missing = set(context.options.arguments) - {tool["name"] for tool in context.tools}
    for name in sorted(missing):
        yield Finding("the tool is announced", "it is not in `tools/list`", name)


def _describe_success(arguments: Mapping[str, Json]) -> str:
    """The expectation of a call that has to succeed, with the first arguments, long values cut."""
    if not arguments:
        return "success without arguments"
    values = [f"`{printable(key, 40)}` {printable(arguments[key], 40)}" for key in arguments]
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return f"success with {', '.join(values[:_SHOWN])}{more}"


def _with_result(calls: list[ToolCall]) -> list[ToolCall]:
    return [call for call in calls if call.result is not None]


def _needs_no_output(result: dict[str, Json], modern: bool) -> bool:
    """True for a result without output: an error, or a question to the client."""
    return bool(result.get("isError")) or asks_client(result, modern)


def _is_text_form_of(text: Json, value: Json) -> bool:
    """True if `text` is the JSON of `value` or of its only member, or is the member itself.

    A server may wrap a value in an object for `structuredContent`, and send the bare value as text.
    """
    member = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    if text == member:
        return True
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return parsed in (value, member)


def _call_unknown_tool(context: CheckContext) -> HttpExchange:
    context.session.require_capability("tools")
    context.session.open()
    exchange = context.session.send("tools/call", {"name": UNKNOWN_TOOL_NAME, "arguments": {}})
    if not exchange.messages:
        raise PrerequisiteMissing(
            "an answer to a call of a tool that does not exist", str(exchange)
        )
    return exchange


def _check_unknown_tool_error(context: CheckContext) -> Iterator[Finding]:
    exchange = _call_unknown_tool(context)
    if exchange.error is None:
        yield Finding("a JSON-RPC error for a tool that does not exist", str(exchange))


def _check_unknown_tool_32602(context: CheckContext) -> Iterator[Finding]:
    exchange = _call_unknown_tool(context)
    if exchange.code != r.INVALID_PARAMS:
        yield Finding("the code -32602 for a tool that does not exist", str(exchange))


def _check_bad_arguments_refused(context: CheckContext) -> Iterator[Finding]:
    yield from _find_unrefused(context.bad_calls)
    for older in _older_contexts(context):
        for finding in _find_unrefused(older.few_bad_calls):
            yield replace(finding, saw=f"{finding.saw} (in revision {older.revision})")
            if not finding.warns:
                return  # One failure in an older revision is enough.


def _older_contexts(context: CheckContext) -> Iterator[CheckContext]:
    """The contexts of other revisions than that of `context`, oldest first: revisions of the selected
    profiles that the server supports, and in which tools can be called."""
    profile_revisions = [profile.revisions for profile in parse_profiles(context.options.profiles)]
    for revision in r.ALL:
        # A profile without revisions takes every revision.
        if all(profile_revisions) and revision not in chain(*profile_revisions):
            continue
        older = context.in_revision(revision)
        if older is context or not older.session.is_supported:
            continue
        with suppress(PrerequisiteMissing, NotApplicable):
            _ = older.few_bad_calls  # Raises here if no tool can be called.
            yield older


def _find_unrefused(calls: list[ToolCall]) -> Iterator[Finding]:
    """Findings about calls with bad arguments without a proper refusal: accepted calls, calls without
    an answer, and refusals by an internal error."""
    for call in calls:
        accepted = call.result is not None and call.result.get("isError") is not True
        has_answer = call.result is not None or is_rejection(call.exchange)
        if call.timed_out:
            yield _timeout_warning(call)
        elif accepted or not has_answer:
            yield Finding(f"a refusal, for {call.fault}", str(call.exchange), call.name)
        elif is_crash(call.exchange):
            expected = f"a refusal that is no internal error, for {call.fault}"
            yield Finding(expected, str(call.exchange), call.name, warns=True)


def _check_bad_arguments_readable(context: CheckContext) -> Iterator[Finding]:
    revisions = revisions_with_clause("bad-arguments-readable")
    older = [older for older in _older_contexts(context) if older.revision in revisions]
    for call in (*context.bad_calls, *chain(*(candidate.few_bad_calls for candidate in older))):
        if not any(is_text_block(block) for block in blocks(call.result)):
            expected = f"a result with `isError` and a text, for {call.fault}"
            yield Finding(expected, str(call.exchange), call.name)


def _check_no_stack_trace(context: CheckContext) -> Iterator[Finding]:
    for call in (*context.calls, *context.bad_calls):
        for text in _answer_texts(call):
            if match := STACK_TRACE.search(text):
                yield Finding("no stack trace in what the model reads", match[0], call.name)
                break


def _answer_texts(call: ToolCall) -> Iterator[str]:
    for block in blocks(call.result):
        if is_text_block(block):
            yield block["text"]
    yield str((call.exchange.error or {}).get("message", ""))


RULES = (
    _TOOLS_ONCE.must("tool-call-answered", "Error Handling", _check_tool_call_answered, calls=True),
    _TOOLS_ONCE.must("tool-result-shape", "Tool Result", _check_tool_result_shape, calls=True),
    _TOOLS_ONCE.host(
        "call-without-token",
        "Calling Tools; Progress",
        _check_call_without_progress_token,
        calls=True,
    ),
    _TOOLS.must(
        "tool-result-every-revision", "Calling Tools", _check_tool_result_every_revision, calls=True
    ),
    _WORKSPACE.host(
        "first-block-text", "src/mcp/tool-adapter.ts", _check_first_block_text, calls=True
    ),
    _TOOLS_ONCE.must(
        "structured-content-matches", "Output Schema", _check_structured_content_matches, calls=True
    ),
    _STRUCTURED.must(
        "structured-content-object",
        "Structured Content",
        _check_structured_content_object,
        calls=True,
    ),
    _TOOLS_ONCE.should(
        "structured-content-mirrored",
        "Structured Content",
        _check_structured_content_mirrored,
        calls=True,
    ),
    _PROMISES.own(
        "vouched-call-succeeds", "Calling Tools", _check_vouched_call_succeeds, calls=True
    ),
    _TOOLS.should("unknown-tool-error", "Error Handling, 1", _check_unknown_tool_error),
    _TOOLS.should("unknown-tool-32602", "Error Handling, 1", _check_unknown_tool_32602),
    _TOOLS_ONCE.must(
        "bad-arguments-refused",
        "Security Considerations, 1",
        _check_bad_arguments_refused,
        calls=True,
    ),
    _TOOLS_ONCE.should(
        "bad-arguments-readable", "Error Handling, 2", _check_bad_arguments_readable, calls=True
    ),
    _SECURITY.should("no-stack-trace", "1", _check_no_stack_trace, calls=True),
)
