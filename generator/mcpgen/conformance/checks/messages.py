"""What a server says beside its answers, and the shape of everything it says.

These checks look at all that was heard in a conversation; each first makes sure of some talk.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import callable_tools, good_plans, mirrored_headers
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.server_messages import ServerMessage
from mcpgen.conformance.strict_json import Json

_BASE = SpecPage("Overview", page("2025-11-25", "basic"), r.ALL)
_CODES = SpecPage("Overview, Error Codes", page("2026-07-28", "basic"), r.MODERN)
_NEGOTIATED = SpecPage("Lifecycle", page("2025-11-25", "basic/lifecycle"), r.ALL)
_CANCELLATION = SpecPage(
    "Cancellation", page("2025-11-25", "basic/utilities/cancellation"), r.LEGACY
)
_PROGRESS = SpecPage("Progress", page("2025-11-25", "basic/utilities/progress"), r.ALL)
_LOGGING = SpecPage("Logging", page("2025-11-25", "server/utilities/logging"), r.ALL)
_ROUND_TRIPS = SpecPage(
    "Multi Round-Trip Requests", page("2026-07-28", "basic/patterns/mrtr"), r.MODERN
)
CLIENT_METHODS = ("sampling/createMessage", "elicitation/create", "roots/list")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
DEFINED = (-32020, -32021, -32022)
WITHDRAWN = (-32002, -32042)
TOKENS: tuple[Json, ...] = ("a progress token", 7_000_002)


def _talked(visit: CheckContext) -> list[ServerMessage]:
    """All that was heard, after some talk."""
    visit.talk.ready()
    visit.talk.send(visit.idle_method)
    visit.talk.send("no/such/method")
    return visit.talk.heard


def _shape(visit: CheckContext) -> Iterator[Finding]:
    _talked(visit)
    for problem, method in visit.talk.misshapen.items():
        to = f"`{method}`" if method else "a malformed message"
        yield Finding("responses of the JSON-RPC shape", f"{problem}, in the answer to {to}")


def _once(visit: CheckContext) -> Iterator[Finding]:
    for one in _talked(visit):
        if "method" not in one.message:
            yield Finding(f"one response to `{one.method}`", printable(one.message))


def _asks_nothing(visit: CheckContext) -> Iterator[Finding]:
    for one in _talked(visit):
        method = one.message.get("method")
        if "id" in one.message and (method in CLIENT_METHODS or (visit.modern and method)):
            expected = "no request to a client that declared no capabilities"
            yield Finding(expected, f"{printable(method)} while it waited for `{one.method}`")


def _progress_asked(visit: CheckContext) -> Iterator[Finding]:
    for one in _talked(visit):
        if one.message.get("method") == "notifications/progress" and not _own_token(one):
            expected = "progress for the tokens of requests under way only"
            yield Finding(expected, f"{printable(one.message)} with `{one.method}`")


def _own_token(one: ServerMessage) -> bool:
    token = _params(one).get("progressToken")
    return one.token is not None and token == one.token and type(token) is type(one.token)


def _progress(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    for token in TOKENS:
        before = len(visit.talk.heard)
        sent = {"_meta": {"progressToken": token}}
        exchange = visit.talk.send(visit.idle_method, sent, identifier="progress")
        if exchange.response("progress") is None or exchange.error:
            yield Finding(f"an answer to a request with the token {token!r}", str(exchange))
        yield from _rising(visit.talk.heard[before:])


def _call_progress(visit: CheckContext) -> Iterator[Finding]:
    for plan in good_plans(callable_tools(visit.tools, visit.options), visit.options)[:1]:
        before = len(visit.talk.heard)
        params = {
            "name": plan.tool["name"],
            "arguments": dict(plan.arguments),
            "_meta": {"progressToken": TOKENS[0]},
        }
        headers = mirrored_headers(plan.tool, plan.arguments) if visit.modern else None
        visit.talk.send("tools/call", params, headers=headers)
        yield from _rising(visit.talk.heard[before:])


def _rising(heard: list[ServerMessage]) -> Iterator[Finding]:
    """The progress notifications that do not go up."""
    last: float | None = None
    for one in heard:
        if one.message.get("method") != "notifications/progress":
            continue
        progress = _params(one).get("progress")
        if isinstance(progress, bool) or not isinstance(progress, int | float):
            yield Finding("`progress` is a number", printable(one.message))
        elif last is not None and progress <= last:
            yield Finding("`progress` goes up with each notification", f"{progress} after {last}")
        else:
            last = progress


def _logs(visit: CheckContext) -> Iterator[Finding]:
    for one in _talked(visit):
        if one.message.get("method") != "notifications/message":
            continue
        params = _params(one)
        if not visit.talk.declares("logging"):
            yield Finding("no log messages, for `logging` is not declared", printable(params))
        elif visit.modern:
            yield Finding("no log messages to a request without a log level", printable(params))
        elif params.get("level") not in LEVELS or "data" not in params:
            yield Finding("a log message has one of the eight levels and `data`", printable(params))


def _cancelled(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    method = "notifications/cancelled"
    for params in ({"requestId": "never-sent", "reason": "a check"}, {"reason": "no id"}):
        message = visit.talk.message(method, params, None)
        exchange = visit.talk.post(message, visit.talk.headers(method, params))
        accepted = exchange.status == 202 and not exchange.body
        if not accepted and not 400 <= exchange.status < 500:
            shown = "an unknown request" if "requestId" in params else "no request"
            yield Finding(f"the cancellation of {shown} is ignored or refused", str(exchange))
    exchange = visit.talk.send(visit.idle_method, identifier="after")
    if exchange.response("after") is None or exchange.error:
        yield Finding("an answer to the request after a cancellation", str(exchange))


def _codes(visit: CheckContext) -> Iterator[Finding]:
    _talked(visit)
    for code in sorted(visit.talk.codes):
        if code in WITHDRAWN or (-32099 <= code <= -32020 and code not in DEFINED):
            yield Finding("codes that the revision defines, or your own", str(code))


def _inputs(visit: CheckContext) -> Iterator[Finding]:
    asking = [
        call for call in visit.calls if (call.result or {}).get("resultType") == "input_required"
    ]
    if not asking:
        raise NotApplicable("tools that ask for input")
    for call in asking:
        result = call.result or {}
        if not result.keys() & {"inputRequests", "requestState"}:
            expected = "`inputRequests` or `requestState` with `input_required`"
            yield Finding(expected, printable(result), call.name)
        if result.get("inputRequests"):
            expected = "the error -32021: the client declared no capability to be asked"
            yield Finding(expected, printable(result["inputRequests"]), call.name)


def _params(one: ServerMessage) -> dict[str, Json]:
    found = one.message.get("params")
    return found if isinstance(found, dict) else {}


RULES = (
    CheckDef(
        _BASE.must(
            "response-shape",
            "A response has `jsonrpc`, the id, and either a result or an error with a whole-number "
            "code and a message.",
            "Responses",
            "Clients drop what is not of this shape, and the call waits until it times out.",
            "Let one function build every response.",
        ),
        _shape,
    ),
    CheckDef(
        _BASE.must(
            "answered-once",
            "A request brings its own response, once, and no other.",
            "Responses; Transports, Multiple Connections",
            "A second response, or the response to another request, is given to the wrong caller.",
            "Write to a stream only what belongs to its request.",
        ),
        _once,
    ),
    CheckDef(
        _NEGOTIATED.must(
            "client-capabilities-respected",
            "The server asks nothing (sampling, elicitation, roots) of a client that did not offer "
            "it.",
            "Capability Negotiation; 2026-07-28 Receiving Messages",
            "Such a client never answers, and the call hangs.",
            "Look at the client's capabilities first; answer with an error, or do without.",
        ),
        _asks_nothing,
    ),
    CheckDef(
        _PROGRESS.must(
            "progress-only-when-asked",
            "Progress is told only to requests that gave a token, by their own token.",
            "Behavior Requirements",
            "Clients count by token; a foreign one moves another call's progress, or none.",
            "Send `notifications/progress` only with the token of the request under way.",
        ),
        _progress_asked,
    ),
    CheckDef(
        _PROGRESS.must(
            "progress-token-taken",
            "A request with a progress token, a text or a number, is answered like any other.",
            "Progress Flow",
            "Hosts put a token into every request; a server may ignore it, but not refuse it.",
            "Leave `_meta` keys you do not use alone; let `progress` go up.",
        ),
        _progress,
    ),
    CheckDef(
        _PROGRESS.must(
            "progress-goes-up",
            "The progress of a call goes up with each notification.",
            "Behavior Requirements",
            "Users see a bar run backwards, and hosts take a call that stands still for dead.",
            "Count what is done, not what is left.",
        ),
        _call_progress,
        calls=True,
    ),
    CheckDef(
        _LOGGING.must(
            "log-messages-allowed",
            "Log messages come from servers that declare `logging`, in 2026-07-28 only to requests "
            "that ask for them.",
            "Capabilities; 2026-07-28 Per-request log level",
            "Clients that expect none may take a log line for the answer.",
            "Declare `logging`, or write to standard error.",
        ),
        _logs,
    ),
    CheckDef(
        _CODES.must(
            "error-codes-defined",
            "No error has a code that the specification keeps for itself or has withdrawn.",
            "-32020 to -32099, -32002, -32042",
            "Clients act on these codes; one of another meaning starts the wrong recovery.",
            "Choose codes of your own outside of -32768 to -32000.",
        ),
        _codes,
    ),
    CheckDef(
        _ROUND_TRIPS.must(
            "input-requests-declared",
            "A result that asks for input asks only for what the client can give.",
            "InputRequiredResult; Overview, Per-request protocol fields",
            "A client without the capability cannot go on, and shows the user an empty result.",
            "Answer HTTP 400 with the error -32021 and `data.requiredCapabilities`.",
        ),
        _inputs,
        calls=True,
    ),
    CheckDef(
        _CANCELLATION.should(
            "cancellation-unknown-ignored",
            "The cancellation of a request that is unknown, or over, is ignored.",
            "Error Handling",
            "Cancellations cross with answers on their way; that is no error and must harm nobody.",
            "Look the request up; when it is not there, answer 202 and do nothing.",
        ),
        _cancelled,
    ),
)
