"""Requests made from a grammar: valid by the schema, nearly valid, hostile; and smaller requests with
the same violation.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.conformance import revisions as r
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import FaultKind, HttpExchange, printable
from mcpgen.conformance.message_schemas import result_problem
from mcpgen.conformance.server_messages import response_problem
from mcpgen.conformance.strict_json import Json

Path = tuple[str | int, ...]

SEED = 20260728
"""Seed of the generator: every run sends the same requests to the same server."""

STEPS = 60
"""Limit for the requests that shrink one violation."""

MAX_NAME = 4_096
"""Characters of the longest `Mcp-Name` header that is sent. Servers close a connection at headers longer
than 8 or 16 KiB, and the client may lose the answer that precedes the close."""

UNKNOWN = "no_such_name_anywhere"

IDS: tuple[Json, ...] = (1, 0, -1, 2**53 - 1, "a", "", "ü", "x" * 200, "null")
METAS: tuple[dict[str, Json], ...] = (
    {"progressToken": "t"},
    {"progressToken": 0},
    {"example.com/trace": {"a": [1, None, "b"]}},
    {},
)
NEARLY: tuple[Json, ...] = (None, True, 0, -1, 1.5, "", "x", [], {}, [None], {"a": 1})
HOSTILE: tuple[Json, ...] = (
    10**30,
    -1e308,
    "\x00",
    "\u202e\ufeff",
    "x" * 65_536,
    "../../../../etc/passwd",
    "{{7*7}}${7*7}",
    "'; DROP TABLE users; --",
    [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],
    ["x"] * 1_000,
    {"__proto__": {"polluted": True}, "constructor": {"prototype": {"polluted": True}}},
)
MALFORMED = (r.PARSE_ERROR, r.INVALID_REQUEST, r.INVALID_PARAMS)
"""Codes of errors that call the request malformed."""

MEMBERS = ("_meta", "cursor", "extra", "__proto__", "result", "error")
"""Names of members that a mutation adds."""

Send = Callable[[Json], HttpExchange]


@dataclass(frozen=True, slots=True)
class FuzzedViolation:
    """A violation with the smallest request found. `category`: the violation in words."""

    category: str
    message: Json
    exchange: HttpExchange


def make_requests(session: ProbeSession, count: int) -> Iterator[dict[str, Json]]:
    """`count` messages: a third valid by the schema, a third with one mutation, a third with up to
    three hostile mutations.

    No message calls a tool: names of tools, prompts and resources are unknown.
    """
    generator = random.Random(SEED)
    templates = [*_templates(session)]
    for number in range(count):
        # Three requests for each template in turn: one of each kind.
        method, params = templates[number // 3 % len(templates)]
        arguments = dict(params)
        if generator.random() < 0.5:
            arguments["_meta"] = dict(generator.choice(METAS))
        if method in r.LISTS and generator.random() < 0.5:
            arguments["cursor"] = UNKNOWN
        message = session.message(method, arguments, generator.choice(IDS))
        if number % 3 == 1:
            message = _mutated(message, NEARLY, generator)
        elif number % 3 == 2:
            for _ in range(generator.randint(1, 3)):
                message = _mutated(message, (*NEARLY, *HOSTILE), generator)
        yield message


def _templates(session: ProbeSession) -> Iterator[tuple[str, dict[str, Json]]]:
    yield ("server/discover" if session.modern else "ping"), {}
    for method, (capability, _) in r.LISTS.items():
        if session.has_capability(capability):
            yield method, {}
    templates: dict[str, tuple[str, dict[str, Json]]] = {
        "tools": ("tools/call", {"name": UNKNOWN, "arguments": {"a": 1}}),
        "prompts": ("prompts/get", {"name": UNKNOWN, "arguments": {"a": "b"}}),
        "resources": ("resources/read", {"uri": f"nowhere:{UNKNOWN}"}),
    }
    for capability, template in templates.items():
        if session.has_capability(capability):
            yield template
    if session.has_capability("completions"):
        argument: Json = {"name": "a", "value": "b"}
        yield "completion/complete", {
            "ref": {"type": "ref/prompt", "name": UNKNOWN},
            "argument": argument,
        }
    if session.has_capability("logging") and not session.modern:
        yield "logging/setLevel", {"level": "emergency"}


def _mutated(
    message: dict[str, Json], values: tuple[Json, ...], generator: random.Random
) -> dict[str, Json]:
    """A copy with one member replaced, removed or added; `jsonrpc` stays."""
    mutated = copy.deepcopy(message)
    paths = [path for path in _paths(mutated) if path != ("jsonrpc",)]
    # A server of 2026-07-28 refuses a request without the required `_meta` before it reads the
    # other members, so most mutations leave `_meta` alone.
    if generator.random() < 0.8:
        paths = [path for path in paths if path[:2] != ("params", "_meta")] or paths
    if not paths:
        return mutated
    path = generator.choice(paths)
    parent, key = _parent(mutated, path)
    action = generator.random()
    if action < 0.5:
        parent[key] = copy.deepcopy(generator.choice(values))
    elif action < 0.75:
        del parent[key]
    else:
        objects = [mutated, *(node for node in mutated.values() if isinstance(node, dict))]
        generator.choice(objects)[generator.choice(MEMBERS)] = copy.deepcopy(
            generator.choice(values)
        )
    return mutated


def _paths(value: Json, path: Path = ()) -> Iterator[Path]:
    """The path of every member and item, outer first; an item of a list is its number."""
    items: Iterator[tuple[str | int, Json]] = iter(())
    if isinstance(value, dict):
        items = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    for key, item in items:
        yield (*path, key)
        yield from _paths(item, (*path, key))


def _parent(value: Json, path: Path) -> tuple[Json, str | int]:
    for key in path[:-1]:
        value = value[key]
    return value, path[-1]


def send(session: ProbeSession, message: Json) -> HttpExchange:
    """Sends a message with the headers that its members ask for; `Mcp-Name` up to `MAX_NAME`."""
    members: Mapping[str, Json] = message if isinstance(message, dict) else {}
    method, params = members.get("method"), members.get("params")
    printed = method if isinstance(method, str) and _is_header_text(method) else "ping"
    headers = session.headers(printed, params if isinstance(params, dict) else None)
    if len(headers.get("Mcp-Name", "")) > MAX_NAME:
        del headers["Mcp-Name"]
    return session.post(message, headers, awaits=members.get("id"))


def _is_header_text(text: str) -> bool:
    return len(text) < 200 and all(0x21 <= ord(c) <= 0x7E for c in text)


def find_violation(revision: str, message: Json, exchange: HttpExchange) -> str:
    """The violation in the answer to a message, `""` for none.

    Every refusal is an answer: an HTTP error of the client, or a JSON-RPC error with any code.
    """
    if exchange.fault is not None and exchange.fault.kind is FaultKind.DEADLINE:
        return ""
    if exchange.status == 0:
        return f"no answer: {exchange.fault.text if exchange.fault else 'nothing'}"
    if exchange.status >= 500 and exchange.error is None:
        return f"HTTP {exchange.status} without a JSON-RPC error"
    if exchange.fault is not None:
        return exchange.fault.text
    if exchange.status < 300 and _is_request(message) and not exchange.flat_messages():
        return f"HTTP {exchange.status} without a response"
    for response in exchange.flat_messages():
        if isinstance(response, dict) and "method" not in response and "jsonrpc" in response:
            if problem := response_problem(response):
                return problem
            if problem := _response_violation(revision, message, response):
                return problem
    return ""


def _is_request(message: Json) -> bool:
    """True for a message that no reader takes for a notification or a response."""
    if not isinstance(message, dict) or {"result", "error"} & {*message}:
        return False
    return _is_id(message.get("id")) and isinstance(message.get("method"), str)


def _is_id(value: Json) -> bool:
    """True for a string or an integer."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _same_id(left: Json, right: Json) -> bool:
    """True for equal ids; numbers are compared as 64-bit floats, as JavaScript reads both."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return float(left) == float(right)
    return bool(left == right)


def _response_violation(revision: str, message: Json, response: dict[str, Json]) -> str:
    request: Mapping[str, Json] = message if isinstance(message, dict) else {}
    identifier = response.get("id")
    # The id of an error may differ if the request is malformed (2025-11-25 Overview, Responses).
    error = response.get("error")
    malformed = isinstance(error, dict) and error.get("code") in MALFORMED
    is_checked = "result" in response or (_is_request(message) and not malformed)
    if is_checked and identifier is not None and not _same_id(identifier, request.get("id")):
        return f"a response with another id: {printable(identifier)}"
    if "result" in response:
        return result_problem(revision, str(request.get("method")), response["result"])
    return ""


def shrink(message: Json, send_message: Send, revision: str) -> FuzzedViolation:
    """The smallest message found whose answer has the same violation.

    Members are removed and values are replaced by simpler ones, as long as the violation stays; at
    most `STEPS` requests.
    """
    exchange = send_message(message)
    category = find_violation(revision, message, exchange)
    steps, progress = 0, bool(category)
    while progress and steps < STEPS:
        progress = False
        for candidate in _simpler(message):
            steps += 1
            answer = send_message(candidate)
            if find_violation(revision, candidate, answer) == category:
                message, exchange, progress = candidate, answer, True
                break
            if steps >= STEPS:
                break
    return FuzzedViolation(category, message, exchange)


def _simpler(message: Json) -> Iterator[Json]:
    """Copies with the id 1, then without a member, outer members first, then with a shorter value."""
    if isinstance(message, dict) and message.get("id", 1) != 1:
        yield {**message, "id": 1}
    paths = [path for path in _paths(message) if path not in (("jsonrpc",), ("id",), ("method",))]
    for path in paths:
        copied = copy.deepcopy(message)
        parent, key = _parent(copied, path)
        del parent[key]
        yield copied
    for path in paths:
        copied = copy.deepcopy(message)
        parent, key = _parent(copied, path)
        value = parent[key]
        if isinstance(value, str | list) and len(value) > 1:
            parent[key] = value[: len(value) // 2]
            yield copied
