"""A registry over HTTP, as `specs/openapi/agent-registry.yaml` describes it. Every request ends in time,
and in a value or in `Trouble`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from mcpgen.conformance.exchange import Exchange, FaultKind
from mcpgen.conformance.probe import Probe, Sending
from mcpgen.conformance.redaction import hidden
from mcpgen.conformance.strict_json import dumps
from mcpgen.frozen import frozen
from mcpgen.ir.source import Json
from mcpgen.pipeline.registering.trouble import Kind, Trouble

_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""What can stand in a path as the id of something, whoever gave it."""

_LARGEST = 32 * 1024 * 1024
"""Bytes of an answer: a card of a thousand tools has one million."""

_FAULTS = {FaultKind.TIMEOUT: Kind.SLOW, FaultKind.DEADLINE: Kind.SLOW}
_READ = {FaultKind.TOO_LARGE, FaultKind.NOT_HTTP, FaultKind.NOT_JSON, FaultKind.ENCODED}
_BUSY = (408, 425, 429)
_MISSING = (404, 410)


@frozen
class Registration:
    """What a registry has taken: the ids of the agent and of its endpoint, and whether that is renewed or
    sends heartbeats."""

    id: str
    endpoint: str
    ephemeral: bool = False


@frozen
class Registry:
    """Where a registry is, what it is shown, and how long it may take over an answer, in seconds.
    `secrets` stand in no message."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 10.0
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def register(self, path: str, body: Json) -> str:
        """The id of what `POST` to a path registers."""
        return self._id(_json(self._send("POST", path, body)), path)

    def endpoint(self, id: str) -> str:
        """The id of the first endpoint of an agent."""
        endpoints = self._shown(f"/agents/{id}", id).get("endpoints")
        first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
        return self._id(first, f"/agents/{id}")

    def card(self, id: str) -> dict[str, Json]:
        """The card that the registry shows of an agent."""
        return self._shown(f"/mcp/servers/{id}", id)

    def renew(self, registration: Registration) -> None:
        """Says that the server is alive."""
        word = "renew" if registration.ephemeral else "heartbeat"
        self._send("POST", f"/agents/{registration.id}/endpoints/{registration.endpoint}/{word}")

    def withdraw(self, id: str) -> None:
        """Takes an agent out; what is gone already is out."""
        try:
            self._send("DELETE", f"/agents/{id}")
        except Trouble as trouble:
            if trouble.kind is not Kind.GONE:
                raise

    def _shown(self, path: str, id: str) -> dict[str, Json]:
        """What the registry shows of an agent. Raises Trouble if it is of another one."""
        tree = _json(self._send("GET", path))
        if tree.get("id") != id:
            raise Trouble(Kind.DIFFERENT, f"{path} shows something of another id")
        return tree

    def _id(self, tree: Json, path: str) -> str:
        id = tree.get("id") if isinstance(tree, dict) else None
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise Trouble(Kind.STRANGE, f"{path} is answered without an id")
        return id

    def _send(self, method: str, path: str, body: Json = None) -> Exchange:
        """The answer to a request that was carried out. Raises Trouble."""
        probe = Probe(self.url, timeout=self.timeout, deadline=self.timeout, max_bytes=_LARGEST)
        head = {"Accept": "application/json", **self.headers}
        if body is not None:
            head["Content-Type"] = "application/json"
        target = urlsplit(self.url).path.rstrip("/") + path
        content = b"" if body is None else dumps(body)
        try:
            exchange = probe.send(Sending(method, head, content, target=target))
        finally:
            probe.close()
        if trouble := _trouble(exchange):
            told = hidden(f"{method} {path}: {exchange}", self.secrets)
            raise Trouble(trouble, told, _wait(exchange) if trouble.passes else 0.0)
        return exchange


def _trouble(exchange: Exchange) -> Kind | None:
    """Why a request was not carried out, None if it was."""
    status, fault = exchange.status, exchange.fault
    if status == 0:
        kind = fault.kind if fault else FaultKind.UNREACHABLE
        return Kind.STRANGE if kind in _READ else _FAULTS.get(kind, Kind.UNREACHABLE)
    if status in _MISSING:
        return Kind.GONE
    if status >= 500 or status in _BUSY:
        return Kind.BUSY
    if status >= 400:
        return Kind.REJECTED
    if not 200 <= status < 300 or (fault and status != 204):
        return _FAULTS.get(fault.kind, Kind.STRANGE) if fault else Kind.STRANGE
    return None


def _wait(exchange: Exchange) -> float:
    """The seconds that `Retry-After` names; https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3."""
    told = exchange.headers.get("retry-after", "").strip()
    try:
        if told.isdecimal():
            return float(told)
        return max((parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _json(exchange: Exchange) -> dict[str, Json]:
    tree = exchange.messages[0] if exchange.messages else None
    if not isinstance(tree, dict):
        raise Trouble(Kind.STRANGE, f"an object was expected; saw {exchange}")
    return tree
