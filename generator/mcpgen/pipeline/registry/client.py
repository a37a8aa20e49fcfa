"""A registry over HTTP, as `specs/openapi/agent-registry.yaml` describes it. Every request ends in time,
and in a value or in `RegistryFailure`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import urlsplit

from mcpgen.conformance.exchange import FaultKind, HttpExchange
from mcpgen.conformance.probe import Probe, ProbeRequest
from mcpgen.conformance.redaction import redact_text
from mcpgen.conformance.strict_json import dumps
from mcpgen.ir.source import Json


class RegistryErrorKind(StrEnum):
    """Why a registry has not done what it was asked for."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    BUSY = "busy"
    """It answers, and could not do it just now."""
    REJECTED = "rejected"
    GONE = "gone"
    """It knows nothing of what was registered."""
    STRANGE = "strange"
    """What it answers is not what registries say."""
    DIFFERENT = "different"
    """It shows another card than the one it was given."""

    @property
    def passes(self) -> bool:
        """Whether the same request may do better in a moment."""
        return self in (
            RegistryErrorKind.UNREACHABLE,
            RegistryErrorKind.SLOW,
            RegistryErrorKind.BUSY,
        )


class RegistryFailure(Exception):
    """What a registry has not done; the message says it in one clause, without any secret. `wait` are the
    seconds that it wants to be left alone, 0 if it does not say."""

    def __init__(self, kind: RegistryErrorKind, told: str, wait: float = 0.0) -> None:
        super().__init__(told)
        self.kind = kind
        self.wait = wait


_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""What can stand in a path as the id of something, whoever gave it."""

_LARGEST = 32 * 1024 * 1024
"""Bytes of an answer: a card of a thousand tools has one million."""

_FAULTS = {FaultKind.TIMEOUT: RegistryErrorKind.SLOW, FaultKind.DEADLINE: RegistryErrorKind.SLOW}
_READ = {FaultKind.TOO_LARGE, FaultKind.NOT_HTTP, FaultKind.NOT_JSON, FaultKind.ENCODED}
_BUSY = (408, 425, 429)
_MISSING = (404, 410)


@dataclass(frozen=True, slots=True)
class RegisteredAgent:
    """What a registry has taken: the ids of the agent and of its endpoint, and whether that is renewed or
    sends heartbeats."""

    id: str
    endpoint: str
    ephemeral: bool = False


@dataclass(frozen=True, slots=True)
class RegistryConnection:
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

    def renew(self, registration: RegisteredAgent) -> None:
        """Says that the server is alive."""
        word = "renew" if registration.ephemeral else "heartbeat"
        self._send("POST", f"/agents/{registration.id}/endpoints/{registration.endpoint}/{word}")

    def withdraw(self, id: str) -> None:
        """Takes an agent out; what is gone already is out."""
        try:
            self._send("DELETE", f"/agents/{id}")
        except RegistryFailure as trouble:
            if trouble.kind is not RegistryErrorKind.GONE:
                raise

    def _shown(self, path: str, id: str) -> dict[str, Json]:
        """What the registry shows of an agent. Raises Trouble if it is of another one."""
        tree = _json(self._send("GET", path))
        if tree.get("id") != id:
            raise RegistryFailure(
                RegistryErrorKind.DIFFERENT, f"{path} shows something of another id"
            )
        return tree

    def _id(self, tree: Json, path: str) -> str:
        id = tree.get("id") if isinstance(tree, dict) else None
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise RegistryFailure(RegistryErrorKind.STRANGE, f"{path} is answered without an id")
        return id

    def _send(self, method: str, path: str, body: Json = None) -> HttpExchange:
        """The answer to a request that was carried out. Raises Trouble."""
        probe = Probe(self.url, timeout=self.timeout, deadline=self.timeout, max_bytes=_LARGEST)
        head = {"Accept": "application/json", **self.headers}
        if body is not None:
            head["Content-Type"] = "application/json"
        target = urlsplit(self.url).path.rstrip("/") + path
        content = b"" if body is None else dumps(body)
        try:
            exchange = probe.send(ProbeRequest(method, head, content, target=target))
        finally:
            probe.close()
        if trouble := _trouble(exchange):
            told = redact_text(f"{method} {path}: {exchange}", self.secrets)
            raise RegistryFailure(trouble, told, _wait(exchange) if trouble.passes else 0.0)
        return exchange


def _trouble(exchange: HttpExchange) -> RegistryErrorKind | None:
    """Why a request was not carried out, None if it was."""
    status, fault = exchange.status, exchange.fault
    if status == 0:
        kind = fault.kind if fault else FaultKind.UNREACHABLE
        return (
            RegistryErrorKind.STRANGE
            if kind in _READ
            else _FAULTS.get(kind, RegistryErrorKind.UNREACHABLE)
        )
    if status in _MISSING:
        return RegistryErrorKind.GONE
    if status >= 500 or status in _BUSY:
        return RegistryErrorKind.BUSY
    if status >= 400:
        return RegistryErrorKind.REJECTED
    if not 200 <= status < 300 or (fault and status != 204):
        return (
            _FAULTS.get(fault.kind, RegistryErrorKind.STRANGE)
            if fault
            else RegistryErrorKind.STRANGE
        )
    return None


def _wait(exchange: HttpExchange) -> float:
    """The seconds that `Retry-After` names; https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3."""
    told = exchange.headers.get("retry-after", "").strip()
    try:
        if told.isdecimal():
            return float(told)
        return max((parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _json(exchange: HttpExchange) -> dict[str, Json]:
    tree = exchange.messages[0] if exchange.messages else None
    if not isinstance(tree, dict):
        raise RegistryFailure(RegistryErrorKind.STRANGE, f"an object was expected; saw {exchange}")
    return tree
