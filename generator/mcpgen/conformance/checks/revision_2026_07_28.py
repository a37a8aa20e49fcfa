"""Revision 2026-07-28, without a handshake: discovery, `_meta`, headers that repeat the body."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import PlannedCall, mirrored_headers, plan_good_calls
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import (
    capabilities_problem,
    implementation_problem,
    is_crash,
    is_rejection,
)
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.strict_json import Json

_BASE = SpecPage("Overview", spec_url("2026-07-28", "basic"), r.MODERN)
_DISCOVER = SpecPage("Discovery", spec_url("2026-07-28", "server/discover"), r.MODERN)
_CACHING = SpecPage("Caching", spec_url("2026-07-28", "server/utilities/caching"), r.MODERN)
_HTTP = SpecPage(
    "Streamable HTTP", spec_url("2026-07-28", "basic/transports/streamable-http"), r.MODERN
)
UNKNOWN_VERSION = "1999-12-31"
MANY_DIGITS = "1" * 5_000
"""A number that Python's `int` refuses: a text of more than 4,300 digits."""

REMOVED: tuple[tuple[str, dict[str, Json]], ...] = (
    (
        "initialize",
        {"protocolVersion": r.LEGACY[-1], "capabilities": {}, "clientInfo": r.CLIENT},
    ),
    ("ping", {}),
    ("logging/setLevel", {"level": "info"}),
    ("resources/subscribe", {"uri": "nowhere:no-such-resource"}),
)
"""Methods of earlier revisions that 2026-07-28 removed, with parameters."""

ASKING = ("tools/call", "prompts/get", "resources/read")
"""Methods whose result may ask the client for input."""

NUMBER = re.compile(r"-?\d+")
NO_TOOL = "no_such_tool_anywhere"
NAMED: tuple[tuple[str, str, dict[str, Json]], ...] = (
    ("tools", "tools/call", {"name": NO_TOOL, "arguments": {}}),
    ("prompts", "prompts/get", {"name": "no_such_prompt_anywhere"}),
    ("resources", "resources/read", {"uri": "nowhere:no-such-resource"}),
)
"""By capability: a method with an `Mcp-Name` header, with parameters that have no effect."""


def _check_discover_result_shape(context: CheckContext) -> Iterator[Finding]:
    result = context.session.opening_result()
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or context.revision not in versions:
        # A server that implements no 2026-07-28 MUST refuse the version; the sentence stands in a
        # revision that the server does not claim.
        warns = not context.session.is_supported
        expected = f"`supportedVersions` lists {context.revision}"
        yield Finding(expected, printable(versions), warns=warns)
    if problem := capabilities_problem(result.get("capabilities")):
        yield Finding("`capabilities` is an object of objects", problem)
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _check_result_type_present(context: CheckContext) -> Iterator[Finding]:
    for method, result in _list_results(context):
        if not isinstance(result.get("resultType"), str):
            yield Finding(f"`resultType` in the result of `{method}`", printable(result))


def _check_result_type_known(context: CheckContext) -> Iterator[Finding]:
    methods = {method for method, _ in _list_results(context)}
    with suppress(PrerequisiteMissing, NotApplicable):
        _ = context.calls
    extended = bool(_declared_extensions(context))
    for method, kind in context.session.result_types.values():
        allowed: tuple[Json, ...] = ("complete", "input_required")[: 1 + (method in ASKING)]
        # `result-type-present` reports a missing member of discovery and lists; an extension that
        # the server declares may define values of its own.
        if kind in allowed or (isinstance(kind, str) and extended):
            continue
        if isinstance(kind, str) or method not in methods:
            expected = f"`resultType` of `{method}` is {' or '.join(f'`{k}`' for k in allowed)}"
            yield Finding(expected, printable(kind))


def _declared_extensions(context: CheckContext) -> Json:
    capabilities = context.session.opening_result().get("capabilities")
    return capabilities.get("extensions") if isinstance(capabilities, dict) else None


def _check_server_info_stamped(context: CheckContext) -> Iterator[Finding]:
    for method, result in _list_results(context):
        meta = result.get("_meta")
        stamp = meta.get(r.META_SERVER) if isinstance(meta, dict) else None
        if problem := implementation_problem(stamp):
            yield Finding(f"`_meta` of `{method}` has `{r.META_SERVER}`", problem)


def _check_cache_hints_present(context: CheckContext) -> Iterator[Finding]:
    for method, result in _list_results(context):
        ttl, scope = result.get("ttlMs"), result.get("cacheScope")
        if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
            yield Finding(f"`ttlMs` of `{method}` is a whole number from 0", printable(ttl))
        if scope not in ("public", "private"):
            yield Finding(f"`cacheScope` of `{method}` is public or private", printable(scope))


def _check_cache_scope_same_on_pages(context: CheckContext) -> Iterator[Finding]:
    for method, (capability, _) in r.LISTS.items():
        if not context.session.has_capability(capability):
            continue
        scopes = {str(page.get("cacheScope")) for page in _walk_pages(context, method)}
        if len(scopes) > 1:
            yield Finding(f"one `cacheScope` on all pages of `{method}`", ", ".join(sorted(scopes)))


def _list_results(context: CheckContext) -> Iterator[tuple[str, dict[str, Json]]]:
    """The result of discovery and every page of every declared list, by method."""
    yield "server/discover", context.session.opening_result()
    for method, (capability, _) in r.LISTS.items():
        if context.session.has_capability(capability):
            for page in _walk_pages(context, method):
                yield method, page


def _walk_pages(context: CheckContext, method: str) -> tuple[dict[str, Json], ...]:
    try:
        return context.paged_list(method).pages
    except NotApplicable:
        return ()


def _check_removed_methods_32601(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    for method, params in REMOVED:
        if method == "initialize" and context.session.probe.is_stdio:
            # Without headers, `initialize` may open an earlier revision on the same connection.
            continue
        exchange = context.session.send(method, params)
        if exchange.code != r.METHOD_NOT_FOUND:
            yield Finding(f"the error -32601 for `{method}`, which is gone", str(exchange))


def _check_initialize_error_names_versions(context: CheckContext) -> Iterator[Finding]:
    older = [context.in_revision(revision).session for revision in r.LEGACY]
    opening = older[-1].opening
    if any(session.is_supported for session in older) or opening.has_result("opening"):
        raise NotApplicable("this revision alone")
    if (opening.messages or opening.body) and context.revision not in _all_text(opening):
        expected = f"the error for `initialize` names {context.revision}"
        yield Finding(expected, str(opening))


def _all_text(exchange: HttpExchange) -> str:
    return json.dumps(exchange.messages) + exchange.body.decode("utf-8", "replace")


def _check_meta_missing_32602(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    complete = context.session.meta()
    for missing, meta in (
        ("`_meta`", None),
        (f"`{r.META_VERSION}`", {k: v for k, v in complete.items() if k != r.META_VERSION}),
        (
            f"`{r.META_CAPABILITIES}`",
            {k: v for k, v in complete.items() if k != r.META_CAPABILITIES},
        ),
    ):
        exchange = _send_discover(context, meta, {})
        if exchange.code != r.INVALID_PARAMS or exchange.status != 400:
            yield Finding(f"HTTP 400 and the error -32602 without {missing}", str(exchange))
    # -32600 is as good a code for a list: JSON-RPC allows a list, the schema of MCP does not.
    message = {"jsonrpc": "2.0", "id": "list", "method": "server/discover", "params": []}
    headers = context.session.headers("server/discover", None)
    exchange = context.session.post(message, headers, awaits="list")
    if not is_rejection(exchange):
        # Over stdio, the official SDKs drop a line that the schema of MCP does not allow.
        expected = "a refusal where `params` is a list, which has no `_meta`"
        is_dropped = exchange.is_stdio and not exchange.messages
        yield Finding(expected, str(exchange), warns=is_dropped)


def _check_version_unsupported_32022(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    meta = {**context.session.meta(), r.META_VERSION: UNKNOWN_VERSION}
    exchange = _send_discover(context, meta, {"MCP-Protocol-Version": UNKNOWN_VERSION})
    if exchange.code != r.UNSUPPORTED_VERSION or exchange.status != 400:
        yield Finding("HTTP 400 and the error -32022", str(exchange))
        return
    details = (exchange.error or {}).get("data")
    versions = details.get("supported") if isinstance(details, dict) else None
    if not isinstance(versions, list) or context.revision not in versions:
        yield Finding("`data.supported` lists the versions the server has", printable(details))
    elif isinstance(details, dict) and details.get("requested") != UNKNOWN_VERSION:
        yield Finding("`data.requested` is the version of the request", printable(details))


def _check_session_header_ignored(context: CheckContext) -> Iterator[Finding]:
    exchange = context.session.send("server/discover", headers={"Mcp-Session-Id": "not-a-session"})
    if not exchange.messages or exchange.error is not None:
        yield Finding("`Mcp-Session-Id` is ignored", str(exchange))
    elif "mcp-session-id" in exchange.headers:
        yield Finding("no `Mcp-Session-Id` in the answer", exchange.headers["mcp-session-id"])


def _send_discover(
    context: CheckContext, meta: Mapping[str, Json] | None, headers: Mapping[str, str | None]
) -> HttpExchange:
    params = {} if meta is None else {"_meta": dict(meta)}
    message = {"jsonrpc": "2.0", "id": "meta", "method": "server/discover", "params": params}
    merged = {**context.session.headers("server/discover", None), **headers}
    return context.session.post(message, merged, awaits="meta")


def _check_version_header_mismatch_32020(context: CheckContext) -> Iterator[Finding]:
    yield from _find_mismatch(
        context, "server/discover", None, {"MCP-Protocol-Version": UNKNOWN_VERSION}
    )
    # A server of older revisions MAY treat a request without the header as 2025-03-26, which has no
    # `server/discover`; any refusal is right.
    exchange = context.session.send("server/discover", headers={"MCP-Protocol-Version": None})
    if not is_rejection(exchange):
        yield Finding("a refusal without `MCP-Protocol-Version`", str(exchange))
    yield from _find_repeated(context, "server/discover", None, {}, "MCP-Protocol-Version")


def _check_method_header_mismatch_32020(context: CheckContext) -> Iterator[Finding]:
    for value in ("tools/list", None):
        yield from _find_mismatch(context, "server/discover", None, {"Mcp-Method": value})
    yield from _find_repeated(context, "server/discover", None, {}, "Mcp-Method")


def _check_name_header_mismatch_32020(context: CheckContext) -> Iterator[Finding]:
    rows = [row for row in NAMED if context.session.has_capability(row[0])]
    if not rows:
        raise NotApplicable("anything that has a name")
    for capability, method, unknown in rows:
        params, headers = _listed_name(context, capability) or (unknown, {})
        name = str(params[r.NAMED[method]])
        for value in ("another_name", None, *_broken_base64(name)):
            with_name: dict[str, str | None] = {"Mcp-Name": value, **headers}
            for finding in _find_mismatch(context, method, params, with_name):
                # An unknown name is refused before or after the comparison; both reject the request.
                refused = params is unknown and not finding.saw.startswith("HTTP 2")
                yield replace(finding, warns=refused)
        if params is not unknown:
            yield from _find_repeated(context, method, params, headers, "Mcp-Name")


def _listed_name(
    context: CheckContext, capability: str
) -> tuple[dict[str, Json], dict[str, str]] | None:
    """Parameters with a listed name, and headers that repeat arguments; None without a name.

    Only a tool that may be called is named.
    """
    if capability == "tools":
        for plan in plan_good_calls(context.tools, context.options)[:1]:
            params = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
            return params, mirrored_headers(plan.tool, plan.arguments)
    if capability == "prompts":
        for prompt in context.paged_list("prompts/list").named_entries[:1]:
            return {"name": prompt["name"]}, {}
    if capability == "resources":
        for uri in uris(context)[:1]:
            return {"uri": uri}, {}
    return None


def _check_name_header_base64(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("tools")
    encoded = _encode_base64(NO_TOOL)
    params = {"name": NO_TOOL, "arguments": {}}
    exchange = context.session.send("tools/call", params, headers={"Mcp-Name": encoded})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        yield Finding(f"`Mcp-Name: {encoded}` is decoded before it is compared", str(exchange))


def _check_param_header_mismatch_32020(context: CheckContext) -> Iterator[Finding]:
    plan, _, _ = _plan_mirrored_call(context)
    for name, argument in mirrored_headers(plan.tool, plan.arguments).items():
        is_number = NUMBER.fullmatch(argument) is not None
        # A server that compares numbers must not drop the fraction.
        fraction = (f"{argument}.5",) if is_number else ()
        for value in ("not-what-the-body-says", None, *fraction, *_broken_base64(argument)):
            exchange = _send_call(context, plan, {name: value})
            if exchange.code != r.HEADER_MISMATCH or exchange.status != 400:
                header = f"`{name}: {value}`" if value else f"no `{name}`"
                tool = str(plan.tool["name"])
                yield Finding(f"HTTP 400 and the error -32020 for {header}", str(exchange), tool)
        params = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
        headers = mirrored_headers(plan.tool, plan.arguments)
        yield from _find_repeated(context, "tools/call", params, headers, name)
        # A server may limit the size of headers, with any client error.
        if is_number and is_crash(exchange := _send_call(context, plan, {name: MANY_DIGITS})):
            expected = f"a refusal of `{name}` with {len(MANY_DIGITS):,} digits"
            yield Finding(expected, str(exchange), str(plan.tool["name"]), warns=True)
    for name in mirrored_headers(plan.tool, _optional_arguments(plan)):
        exchange = _send_call(context, plan, {name: "of-no-argument"})
        # A value that the body lacks is no value that the body has; the sentence names no such header.
        if not is_rejection(exchange) or is_crash(exchange):
            expected = f"a refusal of `{name}` without the argument"
            yield Finding(expected, str(exchange), str(plan.tool["name"]), warns=True)


def _optional_arguments(plan: PlannedCall) -> dict[str, Json]:
    """A text for each declared argument that the call does not have."""
    schema = plan.tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    names = properties.keys() - plan.arguments.keys() if isinstance(properties, dict) else ()
    return dict.fromkeys(sorted(names), "x")


def _check_param_header_base64(context: CheckContext) -> Iterator[Finding]:
    plan, name, value = _plan_mirrored_call(context)
    encoded = _encode_base64(value)
    exchange = _send_call(context, plan, {name: encoded})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        expected = f"`{name}: {encoded}` is decoded before it is compared"
        yield Finding(expected, str(exchange), str(plan.tool["name"]))


def _check_param_header_number(context: CheckContext) -> Iterator[Finding]:
    plan, name, number = _plan_integer_call(context)
    exchange = _send_call(context, plan, {name: f"{number}.0"})
    if exchange.code == r.HEADER_MISMATCH or not exchange.messages:
        expected = f"`{name}: {number}.0` is equal to the argument {number}"
        yield Finding(expected, str(exchange), str(plan.tool["name"]))


def _plan_integer_call(context: CheckContext) -> tuple[PlannedCall, str, int]:
    """A call of a tool with a mirrored integer, the header's name and value.

    Raises NotApplicable if no callable tool has one.
    """
    for plan in plan_good_calls(context.tools, context.options):
        for argument, value in plan.arguments.items():
            headers = mirrored_headers(plan.tool, {argument: value})
            if isinstance(value, int) and not isinstance(value, bool) and headers:
                return plan, next(iter(headers)), value
    raise NotApplicable("integers repeated in headers")


def _plan_mirrored_call(context: CheckContext) -> tuple[PlannedCall, str, str]:
    """A call of a tool with a mirrored argument, the header's name and value.

    Raises NotApplicable if no callable tool has one.
    """
    for plan in plan_good_calls(context.tools, context.options):
        for name, value in mirrored_headers(plan.tool, plan.arguments).items():
            if not value.startswith("=?base64?"):
                return plan, name, value
    raise NotApplicable("arguments repeated in headers")


def _send_call(
    context: CheckContext, plan: PlannedCall, headers: Mapping[str, str | None]
) -> HttpExchange:
    params = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
    merged = {**mirrored_headers(plan.tool, plan.arguments), **headers}
    return context.session.send("tools/call", params, headers=merged)


def _encode_base64(value: str) -> str:
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _broken_base64(value: str) -> tuple[str, ...]:
    """Header values that hold the base64 form of `value` between wrong marks, or no base64.

    Streamable HTTP, Value Encoding: "These markers are case-sensitive and **MUST** appear exactly as
    shown (lowercase)". The values are not decoded, or cannot be decoded, so they differ from `value`.
    """
    encoded = _encode_base64(value)
    return (
        encoded.replace("base64", "BASE64", 1),
        encoded.removesuffix("?=") + "??",
        "??" + encoded.removeprefix("=?"),
        "=?base64?*?=",
    )


def _find_mismatch(
    context: CheckContext,
    method: str,
    params: Mapping[str, Json] | None,
    headers: Mapping[str, str | None],
) -> Iterator[Finding]:
    exchange = context.session.send(method, params, headers=headers)
    if exchange.code == r.HEADER_MISMATCH and exchange.status == 400:
        return
    name, value = next(iter(headers.items()))
    header = f"`{name}: {value}`" if value else f"no `{name}`"
    yield Finding(f"HTTP 400 and the error -32020 for {header} with `{method}`", str(exchange))


def _find_repeated(
    context: CheckContext,
    method: str,
    params: Mapping[str, Json] | None,
    headers: Mapping[str, str],
    name: str,
) -> Iterator[Finding]:
    """Requests that get a result, or crash, if the header is sent twice, once with a wrong value.

    RFC 9110 §5.2: the value of a header that is repeated is the list of both values, which the body
    does not have. The sentence of MCP names no repeated header, so the findings are warnings.
    """
    right = {**context.session.headers(method, params), **headers}[name]
    wrong = UNKNOWN_VERSION if name == "MCP-Protocol-Version" else "another_name"
    for values in ((right, wrong), (wrong, right)):
        # Names in two spellings are one header (RFC 9110 §5.1).
        lines = dict(zip((name, name.lower()), values, strict=True))
        exchange = context.session.send(method, params, headers={**headers, **lines})
        if not is_rejection(exchange) or is_crash(exchange):
            expected = f"a refusal of `{name}: {values[0]}` followed by `{name}: {values[1]}`"
            yield Finding(expected, str(exchange), warns=True)


RULES = (
    _DISCOVER.must(
        "discover-result-shape", "DiscoverResult", _check_discover_result_shape, any_version=True
    ),
    _BASE.must("result-type-present", "Result Responses", _check_result_type_present),
    _BASE.must("result-type-known", "ResultType", _check_result_type_known),
    _BASE.should("server-info-stamped", "Per-response protocol fields", _check_server_info_stamped),
    _CACHING.must("cache-hints-present", "Cacheable Results", _check_cache_hints_present),
    _BASE.must("meta-missing-32602", "Per-request protocol fields", _check_meta_missing_32602),
    _HTTP.must(
        "version-unsupported-32022", "Protocol Version Header", _check_version_unsupported_32022
    ),
    _HTTP.should(
        "session-header-ignored", "Earlier Streamable HTTP Revisions", _check_session_header_ignored
    ),
    _CACHING.must(
        "cache-scope-same-on-pages", "Interaction with Pagination", _check_cache_scope_same_on_pages
    ),
    SpecPage("Key Changes", spec_url("2026-07-28", "changelog"), r.MODERN).should(
        "removed-methods-32601",
        "Removed: ping, logging/setLevel, resources/subscribe",
        _check_removed_methods_32601,
    ),
    SpecPage("Versioning", spec_url("2026-07-28", "basic/versioning"), r.MODERN).should(
        "initialize-error-names-versions",
        "Backward Compatibility with Initialization-Based Versions",
        _check_initialize_error_names_versions,
    ),
    _HTTP.must(
        "version-header-mismatch-32020", "Server Validation", _check_version_header_mismatch_32020
    ),
    _HTTP.must(
        "method-header-mismatch-32020", "Server Validation", _check_method_header_mismatch_32020
    ),
    _HTTP.must(
        "name-header-mismatch-32020", "Server Validation", _check_name_header_mismatch_32020
    ),
    _HTTP.must("name-header-base64", "Value Encoding", _check_name_header_base64),
    _HTTP.must(
        "param-header-mismatch-32020",
        "Server Behavior for Custom Headers",
        _check_param_header_mismatch_32020,
        calls=True,
    ),
    _HTTP.must("param-header-base64", "Value Encoding", _check_param_header_base64, calls=True),
    _HTTP.should(
        "param-header-number", "Server Validation", _check_param_header_number, calls=True
    ),
)
