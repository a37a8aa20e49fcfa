"""Messages beside the awaited responses: logging, subscriptions, progress, cancellation, error codes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import PlannedCall, ToolCall, mirrored_headers, plan_good_calls
from mcpgen.conformance.check_context import SAMPLED_CALLS, CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import is_crash
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import FaultKind, printable
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.server_messages import META_LEVEL, ServerMessage
from mcpgen.conformance.strict_json import Json

_LOGGING_LEGACY = SpecPage("Logging", spec_url("2025-11-25", "server/utilities/logging"), r.LEGACY)
_LOGGING = SpecPage("Logging", spec_url("2025-11-25", "server/utilities/logging"), r.ALL)
_SUBSCRIPTIONS = SpecPage(
    "Subscriptions", spec_url("2026-07-28", "basic/patterns/subscriptions"), r.MODERN
)
UNKNOWN_LEVEL, LEAST_LEVEL = "loud", "error"
META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
CHANGES = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
"""Names of list-changed notifications in a subscription filter, by capability."""

FILTERED = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}
"""The member of a subscription filter that asks for a notification, by method."""

LISTENING_SECONDS = 0.5
"""Seconds to listen to a subscription. A subscription of a conforming server has no end, so a run takes
the whole time; servers that send kinds without being asked send some at the beginning.
"""

SLOW_SECONDS, LONGEST_SECONDS = 0.5, 10.0
"""Bounds of the time of a call that a check repeats and cancels. Other calls are repeated if they take
less than `SLOW_SECONDS`."""

CROSSING_SECONDS = 0.2
"""A result that comes sooner after the cancellation may have crossed the cancellation."""

_BASE = SpecPage("Overview", spec_url("2025-11-25", "basic"), r.ALL)
_HTTP = SpecPage("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", r.ALL)
_SCHEMA = SpecPage("Schema Reference", spec_url("2025-11-25", "schema"), r.ALL)
_CODES = SpecPage("Overview, Error Codes", spec_url("2026-07-28", "basic"), r.MODERN)
_NEGOTIATED = SpecPage("Lifecycle", spec_url("2025-11-25", "basic/lifecycle"), r.ALL)
_CANCELLATION = SpecPage(
    "Cancellation", spec_url("2025-11-25", "basic/utilities/cancellation"), r.LEGACY
)
_PROGRESS = SpecPage("Progress", spec_url("2025-11-25", "basic/utilities/progress"), r.ALL)
_ROUND_TRIPS = SpecPage(
    "Multi Round-Trip Requests", spec_url("2026-07-28", "basic/patterns/mrtr"), r.MODERN
)
CLIENT_METHODS = ("sampling/createMessage", "elicitation/create", "roots/list")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
DEFINED = (-32020, -32021, -32022)
WITHDRAWN = (-32002, -32042)
TOKENS: tuple[Json, ...] = ("a progress token", 7_000_002)


def _check_log_level_set(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("logging")
    context.session.open()
    for level in LEVELS:
        exchange = context.session.send("logging/setLevel", {"level": level}, identifier=level)
        if not exchange.has_result(level):
            # Clients MAY send the request, and -32603 is listed as an answer; -32602 for a level of
            # the schema's LoggingLevel contradicts the schema.
            warns = exchange.error is not None and exchange.code != r.INVALID_PARAMS
            yield Finding(f"`logging/setLevel` takes `{level}`", str(exchange), warns=warns)


def _check_log_level_unknown_32602(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("logging")
    context.session.open()
    if context.modern:
        exchange = context.session.send(context.idle_method, {"_meta": {META_LEVEL: UNKNOWN_LEVEL}})
    else:
        exchange = context.session.send("logging/setLevel", {"level": UNKNOWN_LEVEL})
    if exchange.code != r.INVALID_PARAMS:
        yield Finding(f"the error -32602 for the level `{UNKNOWN_LEVEL}`", str(exchange))


def _check_subscription_acknowledged(context: CheckContext) -> Iterator[Finding]:
    notifications = declared_notifications(context)
    if not notifications:
        raise NotApplicable("notifications of changes")
    method, identifier = "subscriptions/listen", "listening"
    message = context.session.message(method, {"notifications": notifications}, identifier)
    headers = context.session.headers(method, None)
    exchange = context.session.post(message, headers, awaits=identifier, first=True)
    first = exchange.messages[0] if exchange.messages else None
    acknowledgement = first if isinstance(first, dict) else {}
    if acknowledgement.get("method") != "notifications/subscriptions/acknowledged":
        yield Finding("an acknowledgement comes first", str(exchange))
        return
    params = acknowledgement.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    subscription = meta.get(META_SUBSCRIPTION) if isinstance(meta, dict) else None
    if subscription != identifier:
        yield Finding("the subscription has the id of its request", printable(acknowledgement))
    message = context.session.message(method, {"notifications": {}}, "of-nothing")
    exchange = context.session.post(message, headers, awaits="of-nothing", first=True)
    if not exchange.messages or is_crash(exchange):
        yield Finding("an answer to a subscription with an empty filter", str(exchange), warns=True)


def _check_subscription_filter_respected(context: CheckContext) -> Iterator[Finding]:
    declared = declared_notifications(context)
    if not declared:
        raise NotApplicable("notifications of changes")
    name, value = next(iter(declared.items()))
    exchange = context.session.send(
        "subscriptions/listen",
        {"notifications": {name: value}},
        identifier="filtered",
        timeout=LISTENING_SECONDS,
    )
    granted: dict[str, Json] = {}
    expected = f"no notifications beside `{name}`, the only kind that was asked for"
    for message in exchange.flat_messages():
        method = message.get("method") if isinstance(message, dict) else None
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(method, str) and FILTERED.get(method, name) != name:
            yield Finding(expected, printable(message))
        notifications = params.get("notifications") if isinstance(params, dict) else None
        granted |= notifications if isinstance(notifications, dict) else {}
    if any(granted[key] for key in granted.keys() - {name}):
        yield Finding(expected, printable(granted))
    is_open = exchange.fault is not None and exchange.fault.kind is FaultKind.TIMEOUT
    if exchange.is_event_stream and not is_open and (granted or not exchange.response("filtered")):
        # Cancellation: a server that ends a subscription SHOULD send the response first; without a
        # reason to end, a granted subscription stays open.
        expected = "a stream that stays open, or grants nothing and ends with the response"
        yield Finding(expected, str(exchange), warns=True)


def declared_notifications(context: CheckContext) -> dict[str, Json]:
    """The filter for `subscriptions/listen`: every notification that the server declares."""
    notifications: dict[str, Json] = {
        name: True
        for capability, name in CHANGES.items()
        if context.session.has_capability(capability, "listChanged")
    }
    if context.session.has_capability("resources", "subscribe"):
        notifications["resourceSubscriptions"] = uris(context)[:1]
    return notifications


def _exchange_messages(context: CheckContext) -> list[ServerMessage]:
    """Sends a few requests; gives every message received beside the awaited responses."""
    context.session.open()
    context.session.send(context.idle_method)
    context.session.send("no/such/method")
    return context.session.messages_received


def _check_response_shape(context: CheckContext) -> Iterator[Finding]:
    _exchange_messages(context)
    for problem, method in context.session.response_faults.items():
        to = f"`{method}`" if method else "a malformed message"
        yield Finding("responses of the JSON-RPC shape", f"{problem}, in the answer to {to}")


def _check_result_status_200(context: CheckContext) -> Iterator[Finding]:
    _exchange_messages(context)
    for status, method in context.session.result_statuses.items():
        if status != 200:
            yield Finding(f"HTTP 200 with the result of `{method}`", f"HTTP {status}")


def _check_answered_once(context: CheckContext) -> Iterator[Finding]:
    for received in _exchange_messages(context):
        if "method" not in received.message:
            yield Finding(f"one response to `{received.method}`", printable(received.message))


def _check_client_capabilities_respected(context: CheckContext) -> Iterator[Finding]:
    for received in _exchange_messages(context):
        method = received.message.get("method")
        if "id" in received.message and (method in CLIENT_METHODS or (context.modern and method)):
            expected = "no request to a client that declared no capabilities"
            saw = f"{printable(method)} while it waited for `{received.method}`"
            # Up to 2025-03-26 both parties SHOULD use negotiated capabilities only.
            yield Finding(expected, saw, warns=context.revision < "2025-06-18")


def _check_progress_only_when_asked(context: CheckContext) -> Iterator[Finding]:
    for received in _exchange_messages(context):
        if received.message.get("method") == "notifications/progress" and not _has_own_token(
            received
        ):
            expected = "progress for the tokens of requests under way only"
            yield Finding(expected, f"{printable(received.message)} with `{received.method}`")


def _has_own_token(received: ServerMessage) -> bool:
    token = _params(received).get("progressToken")
    return (
        received.token is not None
        and token == received.token
        and type(token) is type(received.token)
    )


def _check_progress_token_taken(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    for token in TOKENS:
        before = len(context.session.messages_received)
        params = {"_meta": {"progressToken": token}}
        exchange = context.session.send(context.idle_method, params, identifier="progress")
        if not exchange.has_result("progress"):
            yield Finding(f"an answer to a request with the token {token!r}", str(exchange))
        yield from _find_progress_violations(context.session.messages_received[before:])


def _check_progress_goes_up(context: CheckContext) -> Iterator[Finding]:
    _ = context.sampled_calls
    by_token: dict[str, list[ServerMessage]] = {}
    for received in context.session.messages_received:
        if _has_own_token(received):
            by_token.setdefault(printable(received.token), []).append(received)
    for messages in by_token.values():
        yield from _find_progress_violations(messages)


def _find_progress_violations(messages: list[ServerMessage]) -> Iterator[Finding]:
    """Progress notifications that do not increase."""
    last: float | None = None
    for received in messages:
        if received.message.get("method") != "notifications/progress":
            continue
        progress = _params(received).get("progress")
        if isinstance(progress, bool) or not isinstance(progress, int | float):
            yield Finding("`progress` is a number", printable(received.message))
        elif last is not None and progress <= last:
            yield Finding("`progress` goes up with each notification", f"{progress} after {last}")
        else:
            last = progress


def _check_log_messages_allowed(context: CheckContext) -> Iterator[Finding]:
    for received in _exchange_messages(context):
        if received.message.get("method") != "notifications/message":
            continue
        params = _params(received)
        if not context.session.has_capability("logging"):
            yield Finding("no log messages, for `logging` is not declared", printable(params))
        elif context.modern and not received.has_log_level:
            yield Finding("no log messages to a request without a log level", printable(params))
        elif params.get("level") not in LEVELS or "data" not in params:
            yield Finding("a log message has one of the eight levels and `data`", printable(params))


def _check_cancellation_unknown_ignored(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    method = "notifications/cancelled"
    for params in ({"requestId": "never-sent", "reason": "a check"}, {"reason": "no id"}):
        message = context.session.message(method, params, None)
        exchange = context.session.post(message, context.session.headers(method, params))
        accepted = exchange.status == 202 and not exchange.body
        if not accepted and not 400 <= exchange.status < 500:
            subject = "an unknown request" if "requestId" in params else "no request"
            yield Finding(f"the cancellation of {subject} is ignored or refused", str(exchange))
    exchange = context.session.send(context.idle_method, identifier="after")
    if not exchange.has_result("after"):
        yield Finding("an answer to the request after a cancellation", str(exchange))


def _check_cancelled_call_stopped(context: CheckContext) -> Iterator[Finding]:
    older = [context.in_revision(revision) for revision in reversed(r.LEGACY)]
    context = next((candidate for candidate in older if candidate.session.is_supported), context)
    if context.modern:
        raise NotApplicable("revisions in which a notification cancels a request")
    slow = [call for call in context.sampled_calls if call.result and _is_slow(call)]
    if not slow:
        raise NotApplicable(f"tools that take {SLOW_SECONDS} s")
    call = min(slow, key=lambda call: call.exchange.seconds)
    seconds = call.exchange.seconds
    params: dict[str, Json] = {"name": call.name, "arguments": dict(call.arguments)}
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(
            context.session.send,
            "tools/call",
            params,
            identifier="cancelled",
            timeout=2 * seconds + SLOW_SECONDS,
        )
        time.sleep(seconds / 4)
        if pending.done():
            raise NotApplicable("a second call that takes as long as the first")
        cancel = {"requestId": "cancelled", "reason": "a check"}
        message = context.session.message("notifications/cancelled", cancel, None)
        context.session.post(message, context.session.headers(message["method"], cancel))
        cancelled = time.monotonic()
        exchange = pending.result()
    is_late = time.monotonic() - cancelled > CROSSING_SECONDS
    if is_late and "result" in (exchange.response("cancelled") or {}):
        expected = f"no result after the cancellation of a call that takes {seconds:.1f} s"
        yield Finding(expected, str(exchange), call.name)


def _is_slow(call: ToolCall) -> bool:
    return SLOW_SECONDS <= call.exchange.seconds <= LONGEST_SECONDS


def _check_log_level_respected(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("logging")
    context.session.open()
    fast = []
    for plan in plan_good_calls(context.tools, context.options)[:SAMPLED_CALLS]:
        started = time.monotonic()
        for level in _find_logged(context, plan, LEAST_LEVEL):
            if LEVELS.index(level) < LEVELS.index(LEAST_LEVEL):
                expected = f"no log messages below `{LEAST_LEVEL}`, the level that was set"
                yield Finding(expected, f"a message of the level `{level}`", str(plan.tool["name"]))
        if time.monotonic() - started < SLOW_SECONDS:
            fast.append(plan)
    for plan in fast:
        yield from _find_dropped_level(context, plan)


def _find_dropped_level(context: CheckContext, plan: PlannedCall) -> Iterator[Finding]:
    """A level whose messages disappear if the level is set. No sentence demands log messages, and a
    tool may log less the second time, so the finding is a warning, and the first call is repeated.
    """
    before = _find_logged(context, plan, LEVELS[0])
    for level in dict.fromkeys(level for level in before if level != LEVELS[0]):
        if level in _find_logged(context, plan, level):
            continue
        if level in _find_logged(context, plan, LEVELS[0]):
            expected = f"the messages of the level `{level}`, the level that was set"
            saw = f"the messages came with the level `{LEVELS[0]}` only"
            yield Finding(expected, saw, str(plan.tool["name"]), warns=True)


def _find_logged(context: CheckContext, plan: PlannedCall, minimum: str) -> list[str]:
    """The levels of the log messages of a call with the level `minimum`."""
    params: dict[str, Json] = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
    headers = None
    if context.modern:
        params["_meta"] = {META_LEVEL: minimum}
        headers = mirrored_headers(plan.tool, plan.arguments)
    else:
        context.session.send("logging/setLevel", {"level": minimum})
    before = len(context.session.messages_received)
    context.session.send("tools/call", params, headers=headers)
    return [
        level
        for received in context.session.messages_received[before:]
        if received.message.get("method") == "notifications/message"
        and (level := _params(received).get("level")) in LEVELS
    ]


def _check_error_codes_defined(context: CheckContext) -> Iterator[Finding]:
    _exchange_messages(context)
    for code in sorted(context.session.codes):
        if code in WITHDRAWN or (-32099 <= code <= -32020 and code not in DEFINED):
            yield Finding("codes that the revision defines, or your own", str(code))


def _check_input_requests_declared(context: CheckContext) -> Iterator[Finding]:
    calls = [
        call for call in context.calls if (call.result or {}).get("resultType") == "input_required"
    ]
    if not calls:
        raise NotApplicable("tools that ask for input")
    for call in calls:
        result = call.result or {}
        if not result.keys() & {"inputRequests", "requestState"}:
            expected = "`inputRequests` or `requestState` with `input_required`"
            yield Finding(expected, printable(result), call.name)
        if result.get("inputRequests"):
            expected = "the error -32021: the client declared no capability to be asked"
            yield Finding(expected, printable(result["inputRequests"]), call.name)


def _params(received: ServerMessage) -> dict[str, Json]:
    params = received.message.get("params")
    return params if isinstance(params, dict) else {}


def _check_messages_match_schema(context: CheckContext) -> Iterator[Finding]:
    _exchange_messages(context)
    if context.session.has_capability("tools"):
        _ = context.listing
    for problem, method in context.session.schema_faults.items():
        yield Finding(f"an answer to `{method}` as in the published schema", problem)


RULES = (
    _LOGGING_LEGACY.must("log-level-set", "Setting Log Level", _check_log_level_set),
    _LOGGING.should("log-level-unknown-32602", "Error Handling", _check_log_level_unknown_32602),
    _SUBSCRIPTIONS.must(
        "subscription-acknowledged", "Acknowledgment", _check_subscription_acknowledged
    ),
    _SUBSCRIPTIONS.must(
        "subscription-filter-respected", "Opening a Stream", _check_subscription_filter_respected
    ),
    _BASE.must("response-shape", "Responses", _check_response_shape),
    _HTTP.host("result-status-200", "§15.3.1", _check_result_status_200),
    _BASE.must(
        "answered-once", "Responses; Transports, Multiple Connections", _check_answered_once
    ),
    _NEGOTIATED.must(
        "client-capabilities-respected",
        "Capability Negotiation; 2026-07-28 Receiving Messages",
        _check_client_capabilities_respected,
    ),
    _PROGRESS.must(
        "progress-only-when-asked", "Behavior Requirements", _check_progress_only_when_asked
    ),
    _PROGRESS.must("progress-token-taken", "Progress Flow", _check_progress_token_taken),
    _PROGRESS.must(
        "progress-goes-up", "Behavior Requirements", _check_progress_goes_up, calls=True
    ),
    _LOGGING.must(
        "log-messages-allowed",
        "Capabilities; 2026-07-28 Per-request log level",
        _check_log_messages_allowed,
    ),
    _LOGGING.should(
        "log-level-respected",
        "Setting Log Level; 2026-07-28 Per-request log level",
        _check_log_level_respected,
        calls=True,
    ),
    _SCHEMA.host("messages-match-schema", "schema.json", _check_messages_match_schema),
    _CODES.must(
        "error-codes-defined", "-32020 to -32099, -32002, -32042", _check_error_codes_defined
    ),
    _ROUND_TRIPS.must(
        "input-requests-declared",
        "InputRequiredResult; Overview, Per-request protocol fields",
        _check_input_requests_declared,
        calls=True,
    ),
    _CANCELLATION.should(
        "cancellation-unknown-ignored", "Error Handling", _check_cancellation_unknown_ignored
    ),
    replace(_CANCELLATION, revisions=()).should(
        "cancelled-call-stopped",
        "Behavior Requirements",
        _check_cancelled_call_stopped,
        calls=True,
    ),
)
