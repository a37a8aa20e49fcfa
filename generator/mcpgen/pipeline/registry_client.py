"""HTTP client of a registry, `specs/openapi/agent-registry.yaml`. Every request has a deadline and
returns a value or raises `RegistryFailure`."""

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
    """The kind of a registry failure."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    BUSY = "busy"
    """A temporary failure with a response."""
    REJECTED = "rejected"
    GONE = "gone"
    """The registration is unknown."""
    STRANGE = "strange"
    """The response has an unexpected form."""
    DIFFERENT = "different"
    """The card differs from the registered card."""

    @property
    def passes(self) -> bool:
        """True if a retry may succeed."""
        return self in (
            RegistryErrorKind.UNREACHABLE,
            RegistryErrorKind.SLOW,
            RegistryErrorKind.BUSY,
        )


class RegistryFailure(Exception):
    """A failed request; the message is one clause without secrets. `wait`: seconds from
    `Retry-After`, 0 without the header."""

    def __init__(self, kind: RegistryErrorKind, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.kind = kind
        self.wait = wait


_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""Ids safe in a URL path, from any registry."""

_MAX_BYTES = 32 * 1024 * 1024
"""Maximum bytes of a response: the card of a thousand tools has one million bytes."""

_FAULTS = {FaultKind.TIMEOUT: RegistryErrorKind.SLOW, FaultKind.DEADLINE: RegistryErrorKind.SLOW}
_READ = {FaultKind.TOO_LARGE, FaultKind.NOT_HTTP, FaultKind.NOT_JSON, FaultKind.ENCODED}
_BUSY = (408, 425, 429)
_MISSING = (404, 410)


@dataclass(frozen=True, slots=True)
class RegisteredAgent:
    """Ids of a registered agent and endpoint. `ephemeral`: renewed instead of sending heartbeats."""

    id: str
    endpoint: str
    ephemeral: bool = False


@dataclass(frozen=True, slots=True)
class RegistryConnection:
    """URL, headers and timeout in seconds of a registry. `secrets` are redacted in messages."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 10.0
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def register(self, path: str, body: Json) -> str:
        """Sends a `POST` to `path`; returns the new id. Raises RegistryFailure."""
        return self._id(_response_object(self._send("POST", path, body)), path)

    def endpoint(self, id: str) -> str:
        """Returns the id of the first endpoint of an agent. Raises RegistryFailure."""
        endpoints = self._entry(f"/agents/{id}", id).get("endpoints")
        first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
        return self._id(first, f"/agents/{id}")

    def card(self, id: str) -> dict[str, Json]:
        """Returns the registry's card of an agent, as a JSON object. Raises RegistryFailure."""
        return self._entry(f"/mcp/servers/{id}", id)

    def renew(self, registration: RegisteredAgent) -> None:
        """Sends a heartbeat or renews the registration. Raises RegistryFailure."""
        word = "renew" if registration.ephemeral else "heartbeat"
        self._send("POST", f"/agents/{registration.id}/endpoints/{registration.endpoint}/{word}")

    def withdraw(self, id: str) -> None:
        """Deregisters an agent; an unknown agent counts as deregistered."""
        try:
            self._send("DELETE", f"/agents/{id}")
        except RegistryFailure as trouble:
            if trouble.kind is not RegistryErrorKind.GONE:
                raise

    def _entry(self, path: str, id: str) -> dict[str, Json]:
        """Returns the registry's entry of an agent. Raises RegistryFailure for another id."""
        tree = _response_object(self._send("GET", path))
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
        """Sends a request; returns the successful exchange. Raises RegistryFailure."""
        probe = Probe(self.url, timeout=self.timeout, deadline=self.timeout, max_bytes=_MAX_BYTES)
        head = {"Accept": "application/json", **self.headers}
        if body is not None:
            head["Content-Type"] = "application/json"
        target = urlsplit(self.url).path.rstrip("/") + path
        content = b"" if body is None else dumps(body)
        try:
            # The heartbeat waits itself as long as the registry demands.
            sending = ProbeRequest(method, head, content, target=target, waits=False)
            exchange = probe.send(sending)
        finally:
            probe.close()
        if trouble := _trouble(exchange):
            message = redact_text(f"{method} {path}: {exchange}", self.secrets)
            raise RegistryFailure(trouble, message, _wait(exchange) if trouble.passes else 0.0)
        return exchange


def _trouble(exchange: HttpExchange) -> RegistryErrorKind | None:
    """Classifies a failed exchange; None for success."""
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
    """Returns the seconds of `Retry-After`; https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3."""
    value = exchange.headers.get("retry-after", "").strip()
    try:
        if value.isdecimal():
            return float(value)
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _response_object(exchange: HttpExchange) -> dict[str, Json]:
    tree = exchange.messages[0] if exchange.messages else None
    if not isinstance(tree, dict):
        raise RegistryFailure(RegistryErrorKind.STRANGE, f"an object was expected; saw {exchange}")
    return tree
