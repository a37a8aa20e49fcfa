"""The headers of 2026-07-28 that repeat what the body says."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import PlannedCall, good_plans, mirrored_headers
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.strict_json import Json

_HTTP = SpecPage(
    "Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN
)
UNKNOWN_VERSION = "1999-12-31"
NO_TOOL = "no_such_tool_anywhere"
NAMED: tuple[tuple[str, str, dict[str, Json]], ...] = (
    ("tools", "tools/call", {"name": NO_TOOL, "arguments": {}}),
    ("prompts", "prompts/get", {"name": "no_such_prompt_anywhere"}),
    ("resources", "resources/read", {"uri": "nowhere:no-such-resource"}),
)
"""By capability: the method whose `Mcp-Name` is checked, with parameters that do nothing."""


def _version_mismatch(visit: CheckContext) -> Iterator[Finding]:
    yield from _mismatch(visit, "server/discover", None, {"MCP-Protocol-Version": UNKNOWN_VERSION})


def _method_mismatch(visit: CheckContext) -> Iterator[Finding]:
    for value in ("tools/list", None):
        yield from _mismatch(visit, "server/discover", None, {"Mcp-Method": value})


def _name_mismatch(visit: CheckContext) -> Iterator[Finding]:
    named = [one for one in NAMED if visit.talk.declares(one[0])]
    if not named:
        raise NotApplicable("anything that has a name")
    for _, method, params in named:
        for value in ("another_name", None):
            yield from _mismatch(visit, method, params, {"Mcp-Name": value})


def _encoded_name(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("tools")
    encoded = _encoded(NO_TOOL)
    params = {"name": NO_TOOL, "arguments": {}}
    exchange = visit.talk.send("tools/call", params, headers={"Mcp-Name": encoded})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        yield Finding(f"`Mcp-Name: {encoded}` is decoded before it is compared", str(exchange))


def _param_mismatch(visit: CheckContext) -> Iterator[Finding]:
    plan, name, _ = _mirrored_call(visit)
    for value in ("not-what-the-body-says", None):
        exchange = _called(visit, plan, {name: value})
        if exchange.code != r.HEADER_MISMATCH or exchange.status != 400:
            said = f"`{name}: {value}`" if value else f"no `{name}`"
            tool = str(plan.tool["name"])
            yield Finding(f"HTTP 400 and the error -32020 for {said}", str(exchange), tool)


def _param_encoded(visit: CheckContext) -> Iterator[Finding]:
    plan, name, value = _mirrored_call(visit)
    encoded = _encoded(value)
    exchange = _called(visit, plan, {name: encoded})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        expected = f"`{name}: {encoded}` is decoded before it is compared"
        yield Finding(expected, str(exchange), str(plan.tool["name"]))


def _mirrored_call(visit: CheckContext) -> tuple[PlannedCall, str, str]:
    """A call of a tool that wants an argument repeated in a header, that header and its value.
    Raises NotDeclared when there is no such tool among those that may be called."""
    for plan in good_plans(visit.tools, visit.options):
        for name, value in mirrored_headers(plan.tool, plan.arguments).items():
            if not value.startswith("=?base64?"):
                return plan, name, value
    raise NotApplicable("arguments repeated in headers")


def _called(
    visit: CheckContext, plan: PlannedCall, headers: Mapping[str, str | None]
) -> HttpExchange:
    params = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
    wanted = {**mirrored_headers(plan.tool, plan.arguments), **headers}
    return visit.talk.send("tools/call", params, headers=wanted)


def _encoded(value: str) -> str:
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _mismatch(
    visit: CheckContext,
    method: str,
    params: Mapping[str, Json] | None,
    headers: Mapping[str, str | None],
) -> Iterator[Finding]:
    exchange = visit.talk.send(method, params, headers=headers)
    if exchange.code == r.HEADER_MISMATCH and exchange.status == 400:
        return
    name, value = next(iter(headers.items()))
    said = f"`{name}: {value}`" if value else f"no `{name}`"
    yield Finding(f"HTTP 400 and the error -32020 for {said} with `{method}`", str(exchange))


RULES = (
    CheckDef(
        _HTTP.must(
            "version-header-mismatch-32020",
            "`MCP-Protocol-Version` must equal the version in the body.",
            "Server Validation",
            "A proxy that routes by the header and a server that trusts the body would disagree.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _version_mismatch,
    ),
    CheckDef(
        _HTTP.must(
            "method-header-mismatch-32020",
            "`Mcp-Method` must be there and equal the method in the body.",
            "Server Validation",
            "A gateway that permits by header would let another method through.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _method_mismatch,
    ),
    CheckDef(
        _HTTP.must(
            "name-header-mismatch-32020",
            "`Mcp-Name` must be there and equal the name of the tool or prompt, or the URI of the "
            "resource, in the body.",
            "Server Validation",
            "A gateway that permits by header would let another tool through.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _name_mismatch,
    ),
    CheckDef(
        _HTTP.must(
            "name-header-base64",
            "An encoded `Mcp-Name` is decoded before it is compared.",
            "Value Encoding",
            "Clients encode names that a header cannot carry.",
            "Decode `=?base64?…?=` as UTF-8 before comparing.",
        ),
        _encoded_name,
    ),
    CheckDef(
        _HTTP.must(
            "param-header-mismatch-32020",
            "`Mcp-Param-…` must be there for an argument with `x-mcp-header` and equal its value.",
            "Server Behavior for Custom Headers",
            "A gateway that routes or permits by the header would be told one thing and the tool "
            "another.",
            "Compare every announced header with its argument before the tool runs; answer HTTP 400 "
            "with the error -32020.",
        ),
        _param_mismatch,
        calls=True,
    ),
    CheckDef(
        _HTTP.must(
            "param-header-base64",
            "An encoded `Mcp-Param-…` is decoded before it is compared.",
            "Value Encoding",
            "Clients encode values that a header cannot carry.",
            "Decode `=?base64?…?=` as UTF-8 before comparing.",
        ),
        _param_encoded,
        calls=True,
    ),
)
