"""What a server must withstand. These checks intrude and are made only when that is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance.calls import PlannedCall, ToolCall, callable_tools, good_plans, make
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, page
from mcpgen.conformance.checks.predicates import is_crash
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.schemas import value_problem
from mcpgen.conformance.strict_json import dumps

_TOOLS = SpecPage("Tools", page("2026-07-28", "server/tools"), profile="security")
_SCHEMAS = SpecPage("Overview", page("2026-07-28", "basic"), profile="security")
_RESOURCES = SpecPage("Resources", page("2025-11-25", "server/resources"), profile="security")
_LIMITS = SpecPage("Additional HTTP Status Codes", "https://www.rfc-editor.org/rfc/rfc6585")
_RATES = SpecPage(_LIMITS.name, _LIMITS.url, profile="security")
_IDS = SpecPage("Overview", page("2025-11-25", "basic"), profile="security")
OVERSIZE = 16 * 1024 * 1024
"""Bytes of a body that no request to a tool needs."""

DEPTH = 100_000
TOOLS = 10
"""Tools that are called with hostile arguments."""

BURST = 60
AT_ONCE = 6
PATHS = ("../../../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd\x00.txt")
LINES = ("x\r\nX-Injected: yes", "x\nSet-Cookie: injected=yes", "x\u2028y\x00z")
FILES = ("file:///etc/passwd", "file:///../../../../etc/passwd", "../../../../etc/passwd")
LEAK = "root:x:0:0"
"""How a file begins that is nobody's business."""


def _check_oversize_body_refused(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.opened()
    message = visit.talk.message(visit.idle_method, {"padding": "?"}, "oversize")
    exchange = _raw(visit, dumps(message).replace(b"?", b"x" * OVERSIZE))
    # A server that closes the connection while the body is still coming has refused it, too.
    closed = exchange.status == 0 and exchange.fault is not None
    if not closed and not 400 <= exchange.status < 500:
        yield Finding(f"HTTP 413 for a body of {OVERSIZE:,} bytes", str(exchange))
    yield from _dead(visit, "an oversize body")


def _check_deep_json_survived(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.opened()
    message = visit.talk.message(visit.idle_method, {"deep": "?"}, "deep")
    raw = dumps(message).replace(b'"?"', b"[" * DEPTH + b"]" * DEPTH)
    exchange = _raw(visit, raw)
    if is_crash(exchange):
        yield Finding(f"a refusal of JSON that is {DEPTH:,} levels deep", str(exchange))
    yield from _dead(visit, "deep JSON")


def _raw(visit: CheckContext, body: bytes) -> HttpExchange:
    visit.talk.ready()
    return visit.talk.post(None, visit.talk.headers(visit.idle_method, None), raw=body)


def _dead(visit: CheckContext, cause: str) -> Iterator[Finding]:
    after = visit.talk.send(visit.idle_method)
    if is_crash(after):
        yield Finding(f"the server answers after {cause}", str(after))


def _check_path_like_arguments_safe(visit: CheckContext) -> Iterator[Finding]:
    for call in _hostile(visit, PATHS):
        if LEAK in call.exchange.body.decode("utf-8", "replace"):
            yield Finding(f"no file of the server for {call.fault}", LEAK, call.name)
        elif is_crash(call.exchange):
            yield Finding(f"a result or a refusal for {call.fault}", str(call.exchange), call.name)


def _check_header_like_arguments_safe(visit: CheckContext) -> Iterator[Finding]:
    for call in _hostile(visit, LINES):
        injected = {"x-injected", "set-cookie"} & set(call.exchange.headers)
        if (
            injected and "injected" in "".join(call.exchange.headers.get(n, "") for n in injected)
        ) or "x-injected" in injected:
            yield Finding("no header that came in as an argument", str(injected), call.name)
        elif is_crash(call.exchange):
            yield Finding(f"a result or a refusal for {call.fault}", str(call.exchange), call.name)


def _hostile(visit: CheckContext, values: tuple[str, ...]) -> list[ToolCall]:
    """The first tools that take texts, called with each value in one of them; without those that
    break on any call."""
    visit.talk.ready()
    broken = {call.name for call in visit.calls if is_crash(call.exchange)}
    found: dict[str, list[PlannedCall]] = {}
    for plan in good_plans(callable_tools(visit.tools, visit.options), visit.options):
        name = _text(plan)
        if name and plan.tool["name"] not in broken and len(found) < TOOLS:
            found.setdefault(str(plan.tool["name"]), _with_values(plan, name, values))
    if not found:
        raise NotApplicable("tools that take texts")
    return make(visit.talk, [plan for plans in found.values() for plan in plans])


def _with_values(plan: PlannedCall, name: str, values: tuple[str, ...]) -> list[PlannedCall]:
    return [
        PlannedCall(plan.tool, {**plan.arguments, name: value}, fault=f"`{name}` = {value!r}")
        for value in values
    ]


def _text(plan: PlannedCall) -> str:
    """The first argument that may be any text, or `""`."""
    schema = plan.tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, declared in properties.items() if isinstance(properties, dict) else ():
        is_text = isinstance(declared, dict) and declared.get("type") == "string"
        if is_text and not value_problem(declared, PATHS[0]):
            return str(name)
    return ""


def _check_resource_files_safe(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("resources")
    known = uris(visit)
    for uri in FILES:
        if uri in known:
            continue
        exchange = visit.talk.send("resources/read", {"uri": uri})
        if LEAK in exchange.body.decode("utf-8", "replace"):
            yield Finding(f"no file of the server for `{uri}`", LEAK)
        elif is_crash(exchange):
            yield Finding(f"a refusal of `{uri}`", str(exchange))


def _check_rate_limit_says_when(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = [pool.submit(visit.talk.send, visit.idle_method) for _ in range(BURST)]
        answers = [one.result() for one in sent]
    broken = [one for one in answers if is_crash(one) and one.status != 503]
    if broken:
        yield Finding(f"an answer to each of {BURST} requests in a row", str(broken[0]))
    limited = [one for one in answers if one.status in (429, 503)]
    if not limited and not broken:
        raise NotApplicable("a limit of requests")
    for one in limited:
        if "retry-after" not in one.headers:
            yield Finding(f"`Retry-After` with HTTP {one.status}", str(one))
            return


def _check_duplicate_ids_survived(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    with ThreadPoolExecutor(2) as pool:
        sent = [
            pool.submit(visit.talk.send, visit.idle_method, identifier="twin") for _ in range(2)
        ]
        answers = [one.result() for one in sent]
    for one in answers:
        if is_crash(one):
            yield Finding("an answer or a refusal to each of two requests of one id", str(one))
            break
    yield from _dead(visit, "two requests of one id")


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
    _IDS.host("duplicate-ids-survived", "Requests", _check_duplicate_ids_survived, active=True),
)
