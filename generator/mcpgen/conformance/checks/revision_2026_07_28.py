"""The revision without a handshake: discovery, `_meta`, headers that repeat the body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import capabilities_problem, implementation_problem
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.paged_lists import LISTS
from mcpgen.conformance.strict_json import Json

_BASE = SpecPage("Overview", page("2026-07-28", "basic"), r.MODERN)
_DISCOVER = SpecPage("Discovery", page("2026-07-28", "server/discover"), r.MODERN)
_CACHING = SpecPage("Caching", page("2026-07-28", "server/utilities/caching"), r.MODERN)
_HTTP = SpecPage(
    "Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN
)
UNKNOWN_VERSION = "1999-12-31"
REMOVED: tuple[tuple[str, dict[str, Json]], ...] = (
    ("ping", {}),
    ("logging/setLevel", {"level": "info"}),
    ("resources/subscribe", {"uri": "nowhere:no-such-resource"}),
)
"""Methods of earlier revisions that this one no longer has."""


def _discover_shape(visit: CheckContext) -> Iterator[Finding]:
    result = visit.talk.opened()
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or visit.revision not in versions:
        yield Finding(f"`supportedVersions` lists {visit.revision}", printable(versions))
    if problem := capabilities_problem(result.get("capabilities")):
        yield Finding("`capabilities` is an object of objects", problem)
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _result_type(visit: CheckContext) -> Iterator[Finding]:
    for method, result in _results(visit):
        if not isinstance(result.get("resultType"), str):
            yield Finding(f"`resultType` in the result of `{method}`", printable(result))


def _stamped(visit: CheckContext) -> Iterator[Finding]:
    for method, result in _results(visit):
        meta = result.get("_meta")
        stamp = meta.get(r.META_SERVER) if isinstance(meta, dict) else None
        if problem := implementation_problem(stamp):
            yield Finding(f"`_meta` of `{method}` has `{r.META_SERVER}`", problem)


def _cache_hints(visit: CheckContext) -> Iterator[Finding]:
    for method, result in _results(visit):
        ttl, scope = result.get("ttlMs"), result.get("cacheScope")
        if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
            yield Finding(f"`ttlMs` of `{method}` is a whole number from 0", printable(ttl))
        if scope not in ("public", "private"):
            yield Finding(f"`cacheScope` of `{method}` is public or private", printable(scope))


def _one_scope(visit: CheckContext) -> Iterator[Finding]:
    for method, (capability, _) in LISTS.items():
        if not visit.talk.declares(capability):
            continue
        scopes = {str(listed.get("cacheScope")) for listed in _pages(visit, method)}
        if len(scopes) > 1:
            yield Finding(f"one `cacheScope` on all pages of `{method}`", ", ".join(sorted(scopes)))


def _results(visit: CheckContext) -> Iterator[tuple[str, dict[str, Json]]]:
    """The result of discovery and every page of every list, by method."""
    yield "server/discover", visit.talk.opened()
    for method, (capability, _) in LISTS.items():
        if visit.talk.declares(capability):
            for listed in _pages(visit, method):
                yield method, listed


def _pages(visit: CheckContext, method: str) -> tuple[dict[str, Json], ...]:
    try:
        return visit.walked(method).pages
    except NotApplicable:
        return ()


def _removed(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.opened()
    for method, params in REMOVED:
        exchange = visit.talk.send(method, params)
        if exchange.code != r.METHOD_NOT_FOUND:
            yield Finding(f"the error -32601 for `{method}`, which is gone", str(exchange))


def _meta_missing(visit: CheckContext) -> Iterator[Finding]:
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


def _unsupported(visit: CheckContext) -> Iterator[Finding]:
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


def _no_session(visit: CheckContext) -> Iterator[Finding]:
    exchange = visit.talk.send("server/discover", headers={"Mcp-Session-Id": "not-a-session"})
    if not exchange.messages or exchange.error is not None:
        yield Finding("`Mcp-Session-Id` is ignored", str(exchange))
    elif "mcp-session-id" in exchange.headers:
        yield Finding("no `Mcp-Session-Id` in the answer", exchange.headers["mcp-session-id"])


def _discover(
    visit: CheckContext, meta: Mapping[str, Json] | None, headers: Mapping[str, str | None]
) -> HttpExchange:
    params = {} if meta is None else {"_meta": dict(meta)}
    message = {"jsonrpc": "2.0", "id": "meta", "method": "server/discover", "params": params}
    wanted = {**visit.talk.headers("server/discover", None), **headers}
    return visit.talk.post(message, wanted, awaits="meta")


RULES = (
    CheckDef(
        _DISCOVER.must(
            "discover-result-shape",
            "The result of `server/discover` has `supportedVersions` and `capabilities`.",
            "DiscoverResult",
            "Discovery replaces the handshake; clients choose version and features by it.",
            "List every version you serve in `supportedVersions`.",
        ),
        _discover_shape,
    ),
    CheckDef(
        _BASE.must(
            "result-type-present",
            "Every result has a `resultType`.",
            "Result Responses",
            "It is how a client tells a finished result from a request for more input.",
            'Add `"resultType": "complete"` to every result.',
        ),
        _result_type,
    ),
    CheckDef(
        _BASE.should(
            "server-info-stamped",
            "Results carry the server's name and version in `_meta`.",
            "Per-response protocol fields",
            "Without a handshake this is the only place where a log can see who answered.",
            f"Put `{r.META_SERVER}` into the `_meta` of every result.",
        ),
        _stamped,
    ),
    CheckDef(
        _CACHING.must(
            "cache-hints-present",
            "Discovery and lists carry `ttlMs` and `cacheScope`.",
            "Cacheable Results",
            "Clients keep lists as long as they are told; without hints they ask again and again.",
            'Add `"ttlMs": 60000, "cacheScope": "public"` (or `private`).',
        ),
        _cache_hints,
    ),
    CheckDef(
        _BASE.must(
            "meta-missing-32602",
            "A request without the required `_meta` is refused with -32602 and HTTP 400.",
            "Per-request protocol fields",
            "Version and capabilities of the client are known from nowhere else.",
            "Check for both keys before you route the request.",
        ),
        _meta_missing,
    ),
    CheckDef(
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
    CheckDef(
        _HTTP.should(
            "session-header-ignored",
            "`Mcp-Session-Id` is ignored and never issued.",
            "Earlier Streamable HTTP Revisions",
            "The revision has no sessions; state belongs into explicit handles.",
            "Neither read nor send the header for 2026-07-28 requests.",
        ),
        _no_session,
    ),
    CheckDef(
        _CACHING.must(
            "cache-scope-same-on-pages",
            "All pages of a list have the same `cacheScope`.",
            "Interaction with Pagination",
            "A cache that shares page one and not page two shows half a list to everyone.",
            "Decide the scope per list, not per page.",
        ),
        _one_scope,
    ),
    CheckDef(
        SpecPage("Key Changes", page("2026-07-28", "changelog"), r.MODERN).should(
            "removed-methods-32601",
            "Methods that the revision removed are not answered in it.",
            "Removed: ping, logging/setLevel, resources/subscribe",
            "A client that finds them working relies on what other servers do not have.",
            "Route by revision; answer -32601 with HTTP 404.",
        ),
        _removed,
    ),
)
