"""Intrusive checks (`--active`): oversize and deep bodies, hostile arguments, bursts, generated
requests."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance import fuzz
from mcpgen.conformance.calls import (
    PlannedCall,
    ToolCall,
    callable_tools,
    make_calls,
    plan_good_calls,
)
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import is_crash
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.schemas import value_problem
from mcpgen.conformance.strict_json import Json, dumps

_TOOLS = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), profile="security")
_SCHEMAS = SpecPage("Overview", spec_url("2026-07-28", "basic"), profile="security")
_RESOURCES = SpecPage("Resources", spec_url("2025-11-25", "server/resources"), profile="security")
_RATES = SpecPage(
    "Additional HTTP Status Codes", "https://www.rfc-editor.org/rfc/rfc6585", profile="security"
)
_IDS = SpecPage("Overview", spec_url("2025-11-25", "basic"), profile="security")
_MESSAGES = SpecPage("Overview", spec_url("2025-11-25", "basic"))
OVERSIZE = 16 * 1024 * 1024
"""Bytes of padding in a body, more than any sensible request has; the body is a little larger."""

DEPTH = 100_000
"""Levels of nested arrays in a body."""

TOOLS = 10
"""Number of tools that are called with hostile arguments."""

FUZZED = 400
"""Number of requests made from the grammar: about three seconds at 8 ms a request."""

MAX_VIOLATIONS = 5
"""Number of shown violations after which no more requests are generated: to find the smallest request
of a violation takes up to `fuzz.STEPS` requests."""

BURST = 60
"""Number of requests of a burst."""

AT_ONCE = 6
"""Requests of a burst that wait for an answer at the same time."""

PATHS = ("../../../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd\x00.txt")
"""Values of arguments that name a file outside of a folder: by `..`, percent-encoded, before a NUL."""

LINES = ("x\r\nX-Injected: yes", "x\nSet-Cookie: injected=yes", "x\u2028y\x00z")
"""Values of arguments with line breaks and controls. The first two add a header to a response that
repeats the value in a header unescaped."""

FILES = ("file:///etc/passwd", "file:///../../../../etc/passwd", "../../../../etc/passwd")
"""URIs of resources that name a file of the server."""

PASSWD_START = "root:x:0:0"
"""First characters of /etc/passwd."""


def _check_oversize_body_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    message = context.session.message(context.idle_method, {"padding": "?"}, "oversize")
    exchange = _raw(context, dumps(message).replace(b"?", b"x" * OVERSIZE))
    # A server that closes the connection while the body is still coming has refused it, too.
    is_closed = exchange.status == 0 and exchange.fault is not None
    if not is_closed and not 400 <= exchange.status < 500:
        yield Finding(f"HTTP 413 for a body of {OVERSIZE:,} bytes", str(exchange))
    yield from _check_alive(context, "an oversize body")


def _check_deep_json_survived(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    message = context.session.message(context.idle_method, {"deep": "?"}, "deep")
    raw = dumps(message).replace(b'"?"', b"[" * DEPTH + b"]" * DEPTH)
    exchange = _raw(context, raw)
    if is_crash(exchange):
        yield Finding(f"a refusal of JSON that is {DEPTH:,} levels deep", str(exchange))
    yield from _check_alive(context, "deep JSON")


def _raw(context: CheckContext, body: bytes) -> HttpExchange:
    context.session.open()
    return context.session.post(None, context.session.headers(context.idle_method, None), raw=body)


def _check_alive(context: CheckContext, cause: str) -> Iterator[Finding]:
    after = context.session.send(context.idle_method)
    if is_crash(after):
        yield Finding(f"the server answers after {cause}", str(after))


def _check_path_like_arguments_safe(context: CheckContext) -> Iterator[Finding]:
    for call in _hostile(context, PATHS):
        if PASSWD_START in call.exchange.body.decode("utf-8", "replace"):
            yield Finding(f"no file of the server for {call.fault}", PASSWD_START, call.name)
        elif is_crash(call.exchange):
            yield _crash(f"a result or a refusal for {call.fault}", call.exchange, call.name)


def _check_header_like_arguments_safe(context: CheckContext) -> Iterator[Finding]:
    for call in _hostile(context, LINES):
        injected = {"x-injected", "set-cookie"} & set(call.exchange.headers)
        if (
            injected and "injected" in "".join(call.exchange.headers.get(n, "") for n in injected)
        ) or "x-injected" in injected:
            yield Finding("no header that came in as an argument", str(injected), call.name)
        elif is_crash(call.exchange):
            yield _crash(f"a result or a refusal for {call.fault}", call.exchange, call.name)


def _crash(expected: str, exchange: HttpExchange, tool: str = "") -> Finding:
    """Reports a crash. An answer only warns: no revision forbids -32603 or 5xx for invalid input."""
    return Finding(expected, str(exchange), tool, warns=exchange.status != 0)


def _hostile(context: CheckContext, values: tuple[str, ...]) -> list[ToolCall]:
    """Calls of the first `TOOLS` tools with a text argument, once for each value.

    Tools that crash on good arguments are left out. Raises NotApplicable if no tool remains.
    """
    context.session.open()
    broken = {call.name for call in context.calls if is_crash(call.exchange)}
    plans_by_tool: dict[str, list[PlannedCall]] = {}
    for plan in plan_good_calls(callable_tools(context.tools, context.options), context.options):
        name = _first_text_argument(plan)
        if name and plan.tool["name"] not in broken and len(plans_by_tool) < TOOLS:
            plans_by_tool.setdefault(str(plan.tool["name"]), _with_values(plan, name, values))
    if not plans_by_tool:
        raise NotApplicable("tools that take texts")
    return make_calls(context.session, [plan for plans in plans_by_tool.values() for plan in plans])


def _with_values(plan: PlannedCall, name: str, values: tuple[str, ...]) -> list[PlannedCall]:
    return [
        PlannedCall(plan.tool, {**plan.arguments, name: value}, fault=f"`{name}` = {value!r}")
        for value in values
    ]


def _first_text_argument(plan: PlannedCall) -> str:
    """Name of the first argument of type string that accepts `PATHS[0]`, or `""`. Other values may
    violate the schema of the argument."""
    schema = plan.tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, declared in properties.items() if isinstance(properties, dict) else ():
        is_text = isinstance(declared, dict) and declared.get("type") == "string"
        if is_text and not value_problem(declared, PATHS[0]):
            return str(name)
    return ""


def _check_resource_files_safe(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("resources")
    announced = uris(context)
    for uri in FILES:
        if uri in announced:
            continue
        exchange = context.session.send("resources/read", {"uri": uri})
        if PASSWD_START in exchange.body.decode("utf-8", "replace"):
            yield Finding(f"no file of the server for `{uri}`", PASSWD_START)
        elif is_crash(exchange):
            yield _crash(f"a refusal of `{uri}`", exchange)


def _check_rate_limit_says_when(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [
            pool.submit(context.session.send, context.idle_method, waits=False)
            for _ in range(BURST)
        ]
        answers = [answer.result() for answer in futures]
    crashes = [answer for answer in answers if is_crash(answer) and answer.status != 503]
    if crashes:
        yield Finding(f"an answer to each of {BURST} requests in a row", str(crashes[0]))
    limited = [answer for answer in answers if answer.status in (429, 503)]
    if not limited and not crashes:
        raise NotApplicable("a limit of requests")
    for answer in limited:
        if "retry-after" not in answer.headers:
            yield Finding(f"`Retry-After` with HTTP {answer.status}", str(answer))
            return


def _check_duplicate_ids_survived(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    with ThreadPoolExecutor(2) as pool:
        futures = [
            pool.submit(context.session.send, context.idle_method, identifier="twin")
            for _ in range(2)
        ]
        answers = [answer.result() for answer in futures]
    for answer in answers:
        if is_crash(answer):
            yield Finding("an answer or a refusal to each of two requests of one id", str(answer))
            break
    yield from _check_alive(context, "two requests of one id")


def _check_fuzzed_requests_answered(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    revision, categories, finding_count = context.revision, set[str](), 0

    def send(message: Json) -> HttpExchange:
        return fuzz.send(context.session, message)

    for message in fuzz.make_requests(context.session, FUZZED):
        category = fuzz.find_violation(revision, message, send(message))
        if not category or category in categories:
            continue
        smallest = fuzz.shrink(message, send, revision)
        # An answer that is right the second time is no violation that can be shown.
        if smallest.category and smallest.category not in categories:
            request = printable(smallest.message, 400)
            yield Finding("an answer that the schema allows", f"{smallest.category}, to {request}")
            finding_count += 1
        categories |= {category, smallest.category}
        if finding_count >= MAX_VIOLATIONS:
            break
    yield from _check_alive(context, f"{FUZZED} requests made from a grammar")


RULES = (
    _SCHEMAS.host(
        "oversize-body-refused",
        "Schema bounds and resource use",
        _check_oversize_body_refused,
        active=True,
    ),
    _SCHEMAS.host(
        "deep-json-survived",
        "Schema bounds and resource use",
        _check_deep_json_survived,
        active=True,
    ),
    _TOOLS.must(
        "path-like-arguments-safe",
        "Security Considerations, 1",
        _check_path_like_arguments_safe,
        calls=True,
        active=True,
    ),
    _TOOLS.must(
        "header-like-arguments-safe",
        "Security Considerations, 1",
        _check_header_like_arguments_safe,
        calls=True,
        active=True,
    ),
    _RESOURCES.must(
        "resource-files-safe", "Security Considerations, 1", _check_resource_files_safe, active=True
    ),
    _RATES.host("rate-limit-says-when", "§4", _check_rate_limit_says_when, active=True),
    _MESSAGES.host(
        "fuzzed-requests-answered", "Messages", _check_fuzzed_requests_answered, active=True
    ),
    _IDS.host("duplicate-ids-survived", "Requests", _check_duplicate_ids_survived, active=True),
)
