"""`tools/call`: what becomes of unknown tools and of bad arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, PrerequisiteMissing
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import blocks, is_crash, is_refusal, is_text_block
from mcpgen.conformance.exchange import HttpExchange

_PAGE = SpecPage("Tools", page("2026-07-28", "server/tools"))
_EACH = SpecPage("Tools", page("2026-07-28", "server/tools"), r.ALL)
_SECURITY = SpecPage(
    "Security Considerations", page("2026-07-28", "server/tools"), profile="security"
)
NO_TOOL = "no_such_tool_anywhere"
TRACE = re.compile(r"Traceback \(most recent call last\)|File \".+\", line \d+|\n\s+at .+:\d+:\d+")


def _unknown(visit: CheckContext) -> HttpExchange:
    visit.talk.declared("tools")
    visit.talk.ready()
    exchange = visit.talk.send("tools/call", {"name": NO_TOOL, "arguments": {}})
    if not exchange.messages:
        raise PrerequisiteMissing(
            "an answer to a call of a tool that does not exist", str(exchange)
        )
    return exchange


def _unknown_tool(visit: CheckContext) -> Iterator[Finding]:
    exchange = _unknown(visit)
    if exchange.error is None:
        yield Finding("a JSON-RPC error for a tool that does not exist", str(exchange))


def _unknown_tool_code(visit: CheckContext) -> Iterator[Finding]:
    exchange = _unknown(visit)
    if exchange.code != r.INVALID_PARAMS:
        yield Finding("the code -32602 for a tool that does not exist", str(exchange))


def _bad_refused(visit: CheckContext) -> Iterator[Finding]:
    for call in visit.bad_calls:
        accepted = call.result is not None and call.result.get("isError") is not True
        answered = call.result is not None or is_refusal(call.exchange)
        if is_crash(call.exchange) or accepted or not answered:
            yield Finding(f"a refusal, for {call.fault}", str(call.exchange), call.name)


def _bad_readable(visit: CheckContext) -> Iterator[Finding]:
    for call in visit.bad_calls:
        if not any(is_text_block(block) for block in blocks(call.result)):
            expected = f"a result with `isError` and a text, for {call.fault}"
            yield Finding(expected, str(call.exchange), call.name)


def _traces(visit: CheckContext) -> Iterator[Finding]:
    for call in (*visit.calls, *visit.bad_calls):
        for text in _texts(call):
            if found := TRACE.search(text):
                yield Finding("no stack trace in what the model reads", found[0], call.name)
                break


def _texts(call: ToolCall) -> Iterator[str]:
    for block in blocks(call.result):
        if is_text_block(block):
            yield block["text"]
    yield str((call.exchange.error or {}).get("message", ""))


RULES = (
    CheckDef(
        # No revision says MUST; the schema of 2025-06-18 says "should", the page shows an error.
        _EACH.should(
            "unknown-tool-error",
            "A call of a tool that does not exist is a JSON-RPC error, not a result.",
            "Error Handling, 1",
            "A result would tell the model that the tool ran.",
            "Look the name up before you do anything else; answer -32602.",
        ),
        _unknown_tool,
    ),
    CheckDef(
        _EACH.should(
            "unknown-tool-32602",
            "The error for a tool that does not exist has the code -32602.",
            "Error Handling, 1",
            "It is the code the specification shows and clients know.",
            "Use -32602 (Invalid params).",
        ),
        _unknown_tool_code,
    ),
    CheckDef(
        _PAGE.must(
            "bad-arguments-refused",
            "Arguments that break the announced schema are refused; the server survives them.",
            "Security Considerations, 1",
            "Models do send wrong arguments. Acting on them does harm; crashing helps nobody.",
            "Validate the arguments against `inputSchema` before the tool runs.",
        ),
        _bad_refused,
        calls=True,
    ),
    CheckDef(
        _PAGE.should(
            "bad-arguments-readable",
            "Bad arguments give a result with `isError` and a text, so that the model can mend them.",
            "Error Handling, 2",
            "Protocol errors are often not shown to the model; it would try the same again.",
            "Answer with `isError` and name the argument and what was expected.",
        ),
        _bad_readable,
        calls=True,
    ),
    CheckDef(
        _SECURITY.should(
            "no-stack-trace",
            "Error texts hold no stack trace.",
            "1",
            "Traces tell strangers about paths and code, and waste the model's context.",
            "Catch exceptions and answer with a sentence; log the trace.",
        ),
        _traces,
        calls=True,
    ),
)
