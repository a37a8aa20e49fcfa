"""What a server must withstand. These checks intrude and are made only when that is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance.calls import PlannedCall, ToolCall, callable_tools, good_plans, make
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import is_crash
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import HttpExchange
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


def _oversize(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.opened()
    message = visit.talk.message(visit.idle_method, {"padding": "?"}, "oversize")
    exchange = _raw(visit, dumps(message).replace(b"?", b"x" * OVERSIZE))
    # A server that closes the connection while the body is still coming has refused it, too.
    closed = exchange.status == 0 and exchange.fault is not None
    if not closed and not 400 <= exchange.status < 500:
        yield Finding(f"HTTP 413 for a body of {OVERSIZE:,} bytes", str(exchange))
    yield from _dead(visit, "an oversize body")


def _deep(visit: CheckContext) -> Iterator[Finding]:
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


def _paths(visit: CheckContext) -> Iterator[Finding]:
    for call in _hostile(visit, PATHS):
        if LEAK in call.exchange.body.decode("utf-8", "replace"):
            yield Finding(f"no file of the server for {call.fault}", LEAK, call.name)
        elif is_crash(call.exchange):
            yield Finding(f"a result or a refusal for {call.fault}", str(call.exchange), call.name)


def _lines(visit: CheckContext) -> Iterator[Finding]:
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


def _files(visit: CheckContext) -> Iterator[Finding]:
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


def _burst(visit: CheckContext) -> Iterator[Finding]:
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


def _twins(visit: CheckContext) -> Iterator[Finding]:
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
    CheckDef(
        _SCHEMAS.host(
            "oversize-body-refused",
            "A body of 16 MiB is refused, and the server lives on.",
            "Schema bounds and resource use",
            "Without a limit a single request can use up the memory of the server.",
            "Limit the body (4 MiB is common) and answer 413.",
        ),
        _oversize,
        active=True,
    ),
    CheckDef(
        _SCHEMAS.host(
            "deep-json-survived",
            "JSON that is nested very deep is refused or ignored, and the server lives on.",
            "Schema bounds and resource use",
            "Recursive parsers run out of stack; some take the whole process with them.",
            "Catch the parser's recursion error and answer HTTP 400 with the error -32700.",
        ),
        _deep,
        active=True,
    ),
    CheckDef(
        _TOOLS.must(
            "path-like-arguments-safe",
            "Arguments that look like paths open no file and break nothing.",
            "Security Considerations, 1",
            "A text that ends in a path or an address leads out of the folder or to another "
            "endpoint.",
            "Encode texts for the place they go to; refuse `..` segments and NUL.",
        ),
        _paths,
        calls=True,
        active=True,
    ),
    CheckDef(
        _TOOLS.must(
            "header-like-arguments-safe",
            "Arguments with line breaks add no headers and break nothing.",
            "Security Considerations, 1",
            "A text that ends in a header and is not checked writes headers of its own.",
            "Refuse CR, LF and NUL before a text becomes part of a header.",
        ),
        _lines,
        calls=True,
        active=True,
    ),
    CheckDef(
        _RESOURCES.must(
            "resource-files-safe",
            "Reading a resource by a made-up path opens no file of the server.",
            "Security Considerations, 1",
            "A URI that is joined to a folder leads out of it.",
            "Compare the URI with those you offer; resolve paths and check where they end.",
        ),
        _files,
        active=True,
    ),
    CheckDef(
        _RATES.host(
            "rate-limit-says-when",
            "A server that limits requests says with HTTP 429 when to come again.",
            "§4",
            "Clients that are not told try again at once and make it worse.",
            "Add `Retry-After` with the seconds to every 429.",
        ),
        _burst,
        active=True,
    ),
    CheckDef(
        _IDS.host(
            "duplicate-ids-survived",
            "Two requests with the same id at the same time do no harm.",
            "Requests",
            "The client is at fault, but a server that waits for ever for the first one's end can "
            "be stopped by anyone.",
            "Refuse the second one, or answer both; keep no request waiting without end.",
        ),
        _twins,
        active=True,
    ),
)
