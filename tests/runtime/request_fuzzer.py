"""Requests of all kinds, from plain to malformed, drawn from a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

MODERN = "2026-07-28"
REVISIONS = (None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, MODERN, MODERN)
ACCEPTS = (
    *["application/json, text/event-stream"] * 4,
    *["application/json"] * 3,
    "*/*",
    "text/event-stream",
)
META = "io.modelcontextprotocol/"
ABLE: tuple[dict[str, Any], ...] = ({}, {"elicitation": {}}, {"elicitation": {"url": {}}})
"""Client capabilities for elicitation."""

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 1.5, 2**53, 2**63, -(2**70), 1e300, "", "1", " ", "é", "\u2028",
    "\ud800", "a" * 300, [], [1], {}, {"a": 1}, {"name": "echo"}, float("nan"), float("inf"), [[[[]]]],
)  # fmt: skip
"""Values that a lenient reader could mistake for another value."""

ODD_TEXT = (
    "",
    "2.0",
    "tools/list",
    "tools/call",
    "echo",
    "é",
    "a\tb",
    "=?base64?ZWNobw==?=",
    "null",
)

HEADERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("accept", ("", "application/*", "text/*", "application/json;q=0", "image/png", "TEXT/EVENT-STREAM")),
    ("content-type", ("", "text/plain", "application/json; charset=utf-8", "APPLICATION/JSON", "application/jsonx")),
    ("mcp-protocol-version", ("", "2025-11-25", MODERN, "1999-01-01", "2026-07-28 ", "draft")),
    ("mcp-method", ("", "tools/list", "tools/call", "Tools/List", "ping")),
    ("mcp-name", ("", "echo", "fail", "=?base64?ZWNobw==?=", "=?base64?e?=", "é")),
    ("mcp-session-id", ("", "1", "a b")),
    ("mcp-param-city", ("", "Paris", "=?base64?UGFyaXM=?=")),
    ("last-event-id", ("1",)),
    ("origin", ("http://localhost:8000", "https://evil.example", "null", "")),
    ("host", ("evil.example", "127.0.0.1", "LOCALHOST", "", "[::1]:1")),
    ("content-length", ("0", "7", "x", "99999999")),
    ("traceparent", ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",)),
    ("authorization", ("Bearer reader", "Bearer writer", "Bearer stranger", "Basic eA==", "")),
    ("x-request-id", ("one", "two three")),
)  # fmt: skip
"""Headers, with values to send instead of the correct value."""


@dataclass
class Request:
    """HTTP request. The body is sent in one piece more than the number of `cuts`."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes
    cuts: Sequence[int] = ()


@dataclass
class Kinds:
    """Targets of requests: tool names with valid arguments, and paths."""

    calls: Sequence[tuple[str, dict[str, Any]]]
    paths: Sequence[str] = ("/mcp",)
    headers: Mapping[str, Sequence[str]] = field(default_factory=dict)


def request(random: Random, kinds: Kinds) -> Request:
    """Returns a random request; nearly half of the requests are valid."""
    revision = random.choice(REVISIONS)
    message = _message(random, kinds, revision)
    headers = _headers(random, kinds, revision, message)
    changes = random.choice((0, 0, 0, 1, 1, 2, 3))
    body: Any = message
    for _ in range(changes):
        if random.random() < 0.5:
            headers = _other_headers(random, headers)
        else:
            body = _other_message(random, body)
    if random.random() < 0.04:
        body = [body, *(_message(random, kinds, revision) for _ in range(random.randrange(3)))]
    raw = _encode_json(random, body)
    if changes and random.random() < 0.15:
        raw = _other_bytes(random, raw)
    if not any(name == "content-length" for name, _ in headers):
        headers.append(("content-length", str(len(raw))))
    cuts = (
        sorted(random.sample(range(len(raw)), 2)) if len(raw) > 2 and random.random() < 0.1 else ()
    )
    method = "POST" if random.random() < 0.98 else random.choice(("GET", "DELETE", "PUT", "HEAD"))
    return Request(method, random.choice(kinds.paths), headers, raw, cuts)


def _message(random: Random, kinds: Kinds, revision: str | None) -> dict[str, Any]:
    method = random.choice(
        ("tools/list", "tools/list", *["tools/call"] * 6, "ping", "initialize", "server/discover")
    )
    params: dict[str, Any] = {}
    if method == "tools/call":
        name, arguments = random.choice(kinds.calls)
        params = {"name": name, "arguments": dict(arguments)}
        if random.random() < 0.1:
            params["name"] = random.choice(("nobody", "", "é", "search_tools"))
        if not arguments and random.random() < 0.3:
            del params["arguments"]
    elif method == "initialize":
        info = {"name": "fuzz", "version": "1"}
        params = {
            "protocolVersion": revision or "2025-03-26",
            "capabilities": {},
            "clientInfo": info,
        }
    if revision == MODERN:
        capabilities = random.choice(ABLE)
        params["_meta"] = {
            f"{META}protocolVersion": MODERN,
            f"{META}clientCapabilities": capabilities,
        }
        if random.random() < 0.1:
            params["_meta"][f"{META}logLevel"] = random.choice(("debug", "error", "loud"))
        if random.random() < 0.7:
            params["_meta"][f"{META}clientInfo"] = {"name": "fuzz", "version": "1"}
    if random.random() < 0.1:
        params.setdefault("_meta", {})["progressToken"] = random.choice((1, "a", 1.5, None, True))
    if random.random() < 0.05:
        params["cursor"] = random.choice(("", "a", None, 1))
    id = random.choice((1, 7, 0, -3, "a", "long " * 9, "é", 2**40))
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    if not params and random.random() < 0.5:
        del message["params"]
    return message


def _headers(
    random: Random, kinds: Kinds, revision: str | None, message: dict[str, Any]
) -> list[tuple[str, str]]:
    headers = [
        ("host", "localhost:8000"),
        ("content-type", "application/json"),
        ("accept", random.choice(ACCEPTS)),
        *((name, random.choice(values)) for name, values in kinds.headers.items()),
    ]
    if revision:
        headers.append(("mcp-protocol-version", revision))
    if revision == MODERN:
        headers.append(("mcp-method", message["method"]))
        if message["method"] == "tools/call":
            headers.append(("mcp-name", message["params"]["name"]))
    return headers


def _other_headers(random: Random, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Returns the headers with one header missing, doubled, changed, padded, moved or added."""
    headers = list(headers)
    name, values = random.choice(HEADERS)
    place = random.randrange(len(headers))
    change = random.randrange(6)
    if change == 0:
        del headers[place]
    elif change == 1:
        headers.append(headers[place])
    elif change == 2:
        headers = [pair for pair in headers if pair[0] != name] + [(name, random.choice(values))]
    elif change == 3:
        headers.insert(place, (name, random.choice(values)))
    elif change == 4:
        headers[place] = (headers[place][0], f" {headers[place][1]}\t")
    else:
        random.shuffle(headers)
    return headers


def _other_message(random: Random, message: Any) -> Any:
    """Returns the message with one member changed, missing or added, at any depth."""
    if not isinstance(message, dict) or not message:
        return random.choice(ODD)
    message = dict(message)
    key = random.choice(list(message))
    change = random.randrange(7)
    if isinstance(message[key], dict) and change < 4:
        message[key] = _other_message(random, message[key])
    elif change < 3:
        message[key] = random.choice((*ODD, *ODD_TEXT))
    elif change == 3:
        del message[key]
    elif change == 4:
        message[random.choice(("cursor", "task", "inputResponses", "requestState", "x", "id"))] = (
            random.choice((*ODD, *ODD_TEXT))
        )
    elif change == 5:
        message[random.choice(("result", "error", "_meta", "name", "arguments"))] = random.choice(
            ODD
        )
    else:
        message[f"{key} "] = message.pop(key)
    return message


def _encode_json(random: Random, body: Any) -> bytes:
    """Returns the body as JSON, with a random choice of escapes and separators."""
    ascii = random.random() < 0.5
    compact = (",", ":") if random.random() < 0.5 else None
    text = json.dumps(body, ensure_ascii=ascii, separators=compact)
    return text.encode("utf-8", "surrogatepass")


def _other_bytes(random: Random, raw: bytes) -> bytes:
    """Returns the bytes cut, garbled, doubled or in another encoding."""
    if not raw:
        return raw
    place = random.randrange(len(raw))
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: raw[:place],
        lambda: raw[:place] + bytes([random.randrange(256)]) + raw[place + 1 :],
        lambda: b"\xef\xbb\xbf" + raw,
        lambda: raw.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass"),
        lambda: raw + raw,
        lambda: b" \n\t" + raw + b"\r\n",
        lambda: raw + b"\x00",
        lambda: raw.replace(b'"id"', b'"id":5,"id"', 1),
        lambda: raw.replace(b'"method"', b'"method":"ping","method"', 1),
        lambda: raw.replace(b'"name"', b'"name":"nobody","name"', 1),
        lambda: raw.replace(b"tools", b"t\\u006fols", 1),
        lambda: raw[:place] + raw[place : place + 9] + raw[place:],
        lambda: raw.replace(b":1", b":" + b"1" * 5000, 1),
        lambda: raw.replace(b"{}", b'{"a":' * 300 + b"1" + b"}" * 300, 1),
    )
    return random.choice(changes)()
