"""The revision without a handshake: discovery, `_meta`, headers that repeat the body."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.checks.shapes import implementation_problem
from mcpgen.conformance.exchange import Exchange, printable
from mcpgen.conformance.findings import Finding
from mcpgen.conformance.strict_json import Json
from mcpgen.conformance.target import Visit

_BASE = Page("Overview", page("2026-07-28", "basic"), r.MODERN)
_DISCOVER = Page("Discovery", page("2026-07-28", "server/discover"), r.MODERN)
_HTTP = Page("Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN)
UNKNOWN_VERSION = "1999-12-31"
NO_TOOL = "no_such_tool_anywhere"


def _discover_shape(visit: Visit) -> Iterator[Finding]:
    result = visit.talk.opened()
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or visit.revision not in versions:
        yield Finding(f"`supportedVersions` lists {visit.revision}", printable(versions))
    if not isinstance(result.get("capabilities"), dict):
        yield Finding("`capabilities` is an object", printable(result.get("capabilities")))
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _result_type(visit: Visit) -> Iterator[Finding]:
    for method, result in _results(visit):
        if not isinstance(result.get("resultType"), str):
            yield Finding(f"`resultType` in the result of `{method}`", printable(result))


def _stamped(visit: Visit) -> Iterator[Finding]:
    for method, result in _results(visit):
        meta = result.get("_meta")
        stamp = meta.get(r.META_SERVER) if isinstance(meta, dict) else None
        if problem := implementation_problem(stamp):
            yield Finding(f"`_meta` of `{method}` has `{r.META_SERVER}`", problem)


def _cache_hints(visit: Visit) -> Iterator[Finding]:
    for method, result in _results(visit):
        ttl, scope = result.get("ttlMs"), result.get("cacheScope")
        if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
            yield Finding(f"`ttlMs` of `{method}` is a whole number from 0", printable(ttl))
        if scope not in ("public", "private"):
            yield Finding(f"`cacheScope` of `{method}` is public or private", printable(scope))


def _results(visit: Visit) -> Iterator[tuple[str, dict[str, Json]]]:
    opened = visit.talk.opened()
    yield "server/discover", opened
    capabilities = opened.get("capabilities")
    if isinstance(capabilities, dict) and "tools" in capabilities:
        for listed in visit.listing.pages:
            yield "tools/list", listed


def _meta_missing(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    whole = visit.talk.meta()
    for what, meta in (
        ("`_meta`", None),
        (f"`{r.META_VERSION}`", {k: v for k, v in whole.items() if k != r.META_VERSION}),
        (f"`{r.META_CAPABILITIES}`", {k: v for k, v in whole.items() if k != r.META_CAPABILITIES}),
    ):
        exchange = _discover(visit, meta, {})
        if exchange.code != r.INVALID_PARAMS or exchange.status != 400:
            yield Finding(f"HTTP 400 and the error -32602 without {what}", str(exchange))


def _unsupported(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    meta = {**visit.talk.meta(), r.META_VERSION: UNKNOWN_VERSION}
    exchange = _discover(visit, meta, {"MCP-Protocol-Version": UNKNOWN_VERSION})
    if exchange.code != r.UNSUPPORTED_VERSION or exchange.status != 400:
        yield Finding("HTTP 400 and the error -32022", str(exchange))
        return
    details = (exchange.error or {}).get("data")
    versions = details.get("supported") if isinstance(details, dict) else None
    if not isinstance(versions, list) or visit.revision not in versions:
        yield Finding("`data.supported` lists the versions the server has", printable(details))


def _version_mismatch(visit: Visit) -> Iterator[Finding]:
    yield from _mismatch(visit, "server/discover", None, {"MCP-Protocol-Version": UNKNOWN_VERSION})


def _method_mismatch(visit: Visit) -> Iterator[Finding]:
    for value in ("tools/list", None):
        yield from _mismatch(visit, "server/discover", None, {"Mcp-Method": value})


def _name_mismatch(visit: Visit) -> Iterator[Finding]:
    visit.talk.declared("tools")
    params = {"name": NO_TOOL, "arguments": {}}
    for value in ("another_tool", None):
        yield from _mismatch(visit, "tools/call", params, {"Mcp-Name": value})


def _encoded_name(visit: Visit) -> Iterator[Finding]:
    visit.talk.declared("tools")
    encoded = f"=?base64?{base64.b64encode(NO_TOOL.encode()).decode()}?="
    params = {"name": NO_TOOL, "arguments": {}}
    exchange = visit.talk.send("tools/call", params, headers={"Mcp-Name": encoded})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        yield Finding(f"`Mcp-Name: {encoded}` is decoded before it is compared", str(exchange))


def _no_session(visit: Visit) -> Iterator[Finding]:
    exchange = visit.talk.send("server/discover", headers={"Mcp-Session-Id": "not-a-session"})
    if not exchange.messages or exchange.error is not None:
        yield Finding("`Mcp-Session-Id` is ignored", str(exchange))
    elif "mcp-session-id" in exchange.headers:
        yield Finding("no `Mcp-Session-Id` in the answer", exchange.headers["mcp-session-id"])


def _mismatch(
    visit: Visit,
    method: str,
    params: Mapping[str, Json] | None,
    headers: Mapping[str, str | None],
) -> Iterator[Finding]:
    exchange = visit.talk.send(method, params, headers=headers)
    if exchange.code == r.HEADER_MISMATCH and exchange.status == 400:
        return
    name, value = next(iter(headers.items()))
    said = f"`{name}: {value}`" if value else f"no `{name}`"
    yield Finding(f"HTTP 400 and the error -32020 for {said}", str(exchange))


def _discover(
    visit: Visit, meta: Mapping[str, Json] | None, headers: Mapping[str, str | None]
) -> Exchange:
    params = {} if meta is None else {"_meta": dict(meta)}
    message = {"jsonrpc": "2.0", "id": "meta", "method": "server/discover", "params": params}
    wanted = {**visit.talk.headers("server/discover", None), **headers}
    return visit.talk.post(message, wanted, awaits="meta")


RULES = (
    Rule(
        _DISCOVER.must(
            "discover-result-shape",
            "The result of `server/discover` has `supportedVersions` and `capabilities`.",
            "DiscoverResult",
            "Discovery replaces the handshake; clients choose version and features by it.",
            "List every version you serve in `supportedVersions`.",
        ),
        _discover_shape,
    ),
    Rule(
        _BASE.must(
            "result-type-present",
            "Every result has a `resultType`.",
            "Result Responses",
            "It is how a client tells a finished result from a request for more input.",
            'Add `"resultType": "complete"` to every result.',
        ),
        _result_type,
    ),
    Rule(
        _BASE.should(
            "server-info-stamped",
            "Results carry the server's name and version in `_meta`.",
            "Per-response protocol fields",
            "Without a handshake this is the only place where a log can see who answered.",
            f"Put `{r.META_SERVER}` into the `_meta` of every result.",
        ),
        _stamped,
    ),
    Rule(
        Page("Caching", page("2026-07-28", "server/utilities/caching"), r.MODERN).must(
            "cache-hints-present",
            "Discovery and lists carry `ttlMs` and `cacheScope`.",
            "Cacheable Results",
            "Clients keep lists as long as they are told; without hints they ask again and again.",
            'Add `"ttlMs": 60000, "cacheScope": "public"` (or `private`).',
        ),
        _cache_hints,
    ),
    Rule(
        _BASE.must(
            "meta-missing-32602",
            "A request without the required `_meta` is refused with -32602 and HTTP 400.",
            "Per-request protocol fields",
            "Version and capabilities of the client are known from nowhere else.",
            "Check for both keys before you route the request.",
        ),
        _meta_missing,
    ),
    Rule(
        _HTTP.must(
            "version-unsupported-32022",
            "A version the server does not have is refused with -32022, HTTP 400 and the list of "
            "those it has.",
            "Protocol Version Header",
            "From that list a client picks the version it tries next.",
            "Answer with `data.supported` and `data.requested`.",
        ),
        _unsupported,
    ),
    Rule(
        _HTTP.must(
            "version-header-mismatch-32020",
            "`MCP-Protocol-Version` must equal the version in the body.",
            "Server Validation",
            "A proxy that routes by the header and a server that trusts the body would disagree.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _version_mismatch,
    ),
    Rule(
        _HTTP.must(
            "method-header-mismatch-32020",
            "`Mcp-Method` must be there and equal the method in the body.",
            "Server Validation",
            "A gateway that permits by header would let another method through.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _method_mismatch,
    ),
    Rule(
        _HTTP.must(
            "name-header-mismatch-32020",
            "`Mcp-Name` must be there for a call and equal the tool's name in the body.",
            "Server Validation",
            "A gateway that permits by header would let another tool through.",
            "Compare both; answer HTTP 400 with the error -32020 when they differ.",
        ),
        _name_mismatch,
    ),
    Rule(
        _HTTP.must(
            "name-header-base64",
            "An encoded `Mcp-Name` is decoded before it is compared.",
            "Value Encoding",
            "Clients encode names that a header cannot carry.",
            "Decode `=?base64?…?=` as UTF-8 before comparing.",
        ),
        _encoded_name,
    ),
    Rule(
        _HTTP.should(
            "session-header-ignored",
            "`Mcp-Session-Id` is ignored and never issued.",
            "Earlier Streamable HTTP Revisions",
            "The revision has no sessions; state belongs into explicit handles.",
            "Neither read nor send the header for 2026-07-28 requests.",
        ),
        _no_session,
    ),
)
