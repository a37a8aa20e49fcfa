"""Mutants of members of results and notifications, generated from the published JSON Schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.schema_facts import METHODS, facts
from benchmarks.mutation.servers import fixture
from benchmarks.mutation.servers.plain import (
    HANDSHAKE,
    PREFIX,
    STATELESS,
    Answer,
    Exchange,
    PlainServer,
    Request,
)

ALL = (*HANDSHAKE, STATELESS)
AREAS = {
    "initialize": "lifecycle",
    "server/discover": "lifecycle",
    "tools/list": "tools",
    "tools/call": "tool calls",
    "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources",
    "prompts/list": "prompts",
    "prompts/get": "prompts",
    "completion/complete": "completion",
    "resources/subscribe": "resources",
    "resources/unsubscribe": "resources",
    "logging/setLevel": "logging",
    "notifications/progress": "progress",
    "notifications/message": "logging",
    "notifications/subscriptions/acknowledged": "subscriptions",
}
WRONG = {
    "string": 7,
    "number": "7",
    "integer": "7",
    "boolean": "true",
    "object": [],
    "array": {},
}
"""A value of another JSON type, by type."""

_ABSENT = object()


@dataclass(frozen=True)
class MemberChange:
    """A change of one member of the messages of a method.

    `path`: as in `schema_facts.facts`. `value`: the new value, or absent for `remove`.
    """

    revision: str
    method: str
    path: tuple[str, ...]
    operator: str
    value: Any = _ABSENT

    def change(self, exchange: Exchange, answer: Answer) -> bool:
        """Changes the first message of the answer that has the member's object."""
        if exchange.revision != self.revision:
            return False
        for message in messages(answer):
            if self.method.startswith("notifications/"):
                target = message if message.get("method") == self.method else None
            else:
                target = message.get("result") if exchange.method == self.method else None
            if target is not None and self._apply(target, self.path):
                return True
        return False

    def _apply(self, node: Any, path: tuple[str, ...]) -> bool:
        head, *path_below = path
        if head == "*":
            if not isinstance(node, list) or not node:
                return False
            if path_below:
                return any(self._apply(entry, tuple(path_below)) for entry in node)
            node[0] = self.value
            return True
        if not isinstance(node, dict):
            return False
        if head.startswith("?"):
            name, _, value = head[1:].partition("=")
            has = name in node and (not value or node[name] == value)
            return has and self._apply(node, tuple(path_below))
        if path_below:
            return head in node and self._apply(node[head], tuple(path_below))
        if self.operator == "remove":
            return node.pop(head, _ABSENT) is not _ABSENT
        node[head] = copy.deepcopy(self.value)
        return True


def messages(answer: Answer) -> list[dict[str, Any]]:
    """The JSON-RPC messages of an answer."""
    if answer.events is not None:
        return [event.message for event in answer.events if event.message is not None]
    result = answer.body if isinstance(answer.body, list) else [answer.body]
    return [message for message in result if isinstance(message, dict)]


@cache
def member_changes() -> dict[str, tuple[Mutant, MemberChange]]:
    """Every mutant with its change, by id; members whose object no answer has are left out."""
    result = {}
    samples = _sample_answers()
    for revision, (method, definition) in product(ALL, METHODS.items()):
        for fact in facts(revision, definition):
            for operator, value in _operators(fact):
                change = MemberChange(revision, method, tuple(fact["path"]), operator, value)
                if _reaches(change, samples[revision]):
                    mutant = _mutant(change)
                    result[mutant.id] = (mutant, change)
    return result


def _mutant(change: MemberChange) -> Mutant:
    place = "/".join(change.path)
    message = "is missing" if change.operator == "remove" else f"is {json.dumps(change.value)}"
    return Mutant(
        f"wire:{change.revision}:{change.method}:{place}:{change.operator}",
        "plain",
        "wire",
        AREAS[change.method],
        f"member {change.operator}",
        f"`{place}` of {change.method} {message}",
        change.revision,
    )


def _operators(fact: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The changes that break a fact: operator and value."""
    if fact["required"]:
        yield "remove", _ABSENT
        if "null" not in fact["kinds"]:
            yield "null", None
    for kind in fact["kinds"]:
        if type(WRONG.get(kind)) not in [_TYPES.get(fact_kind) for fact_kind in fact["kinds"]]:
            yield "type", WRONG.get(kind)
            break
    else:
        yield "type", True
    if "values" in fact:
        yield "value", "another"
    if "minimum" in fact:
        yield "minimum", fact["minimum"] - 1
    if "maximum" in fact:
        yield "maximum", fact["maximum"] + 1


_TYPES = {"string": str, "number": int, "integer": int, "object": dict, "array": list}


def _reaches(change: MemberChange, samples: list[tuple[Exchange, Answer]]) -> bool:
    """True if a sample answer is different after the change."""
    return any(change.change(exchange, copy.deepcopy(answer)) for exchange, answer in samples)


def _sample_answers() -> dict[str, list[tuple[Exchange, Answer]]]:
    """Answers of the plain server to one request of each kind, by revision."""
    samples: dict[str, list[tuple[Exchange, Answer]]] = {}
    for revision in ALL:
        server = PlainServer()
        session = ""
        samples[revision] = []
        for method, params in _requests(revision):
            headers = {
                "host": "127.0.0.1:1",
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
                "mcp-protocol-version": revision,
                "mcp-method": method,
                "mcp-param-region": "north",
                "mcp-param-year": "2026",
                "mcp-param-brief": "true",
            }
            headers |= {"mcp-session-id": session} if session else {}
            name = params.get("name", params.get("uri"))
            headers |= {"mcp-name": name} if name else {}
            meta: dict[str, Any] = {"progressToken": 1}
            if revision not in HANDSHAKE:
                meta |= {
                    PREFIX + "protocolVersion": revision,
                    PREFIX + "clientCapabilities": {},
                    PREFIX + "logLevel": "debug",
                }
            body = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": method,
                "params": {**params, "_meta": meta},
            }
            exchange = Exchange(Request("POST", "/mcp", headers, json.dumps(body).encode()))
            answer = server.answer(exchange)
            session = answer.headers.get("Mcp-Session-Id", session)
            samples[revision].append((exchange, answer))
    return samples


def _requests(revision: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A request of each kind: method and parameters."""
    if revision in HANDSHAKE:
        client = {"name": "sample", "version": "1"}
        params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
        yield "initialize", params
    else:
        yield "server/discover", {}
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        yield method, {}
    arguments: dict[str, dict[str, Any]] = {
        "add": {"left": 1, "right": 2},
        "repeat_text": {"text": "a"},
        "region_report": {"region": "north", "year": 2026, "brief": True},
    }
    for name in fixture.TOOL_BY_NAME:
        yield "tools/call", {"name": name, "arguments": arguments.get(name, {})}
    for uri in fixture.CONTENTS:
        yield "resources/read", {"uri": uri}
    prompt_arguments = {"arg1": "1", "arg2": "2", "resourceUri": "test://static-text"}
    for prompt in fixture.PROMPTS:
        yield "prompts/get", {"name": prompt["name"], "arguments": prompt_arguments}
    reference = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
    argument = {"name": "arg1", "value": ""}
    yield "completion/complete", {"ref": reference, "argument": argument}
    if revision in HANDSHAKE:
        yield "logging/setLevel", {"level": "debug"}
        yield "resources/subscribe", {"uri": "test://watched-resource"}
        yield "resources/unsubscribe", {"uri": "test://watched-resource"}
    else:
        yield "subscriptions/listen", {"notifications": {"toolsListChanged": True}}


Change = Callable[[Exchange, Answer], bool]
