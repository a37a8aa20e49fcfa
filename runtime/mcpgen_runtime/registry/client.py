"""HTTP client of an agent registry. Every request ends within a timeout, with a value or a
`RegistryError`."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp

from ..upstream.retry_after import retry_after

INTERVAL_SECONDS = 30.0
"""Interval of heartbeats of a persistent server."""

TIMEOUT_SECONDS = 10
"""Timeout of a request to the registry."""

MAX_RESPONSE_BYTES = 64 * 1024
"""Maximum bytes of every response; a response with a card may be four times the size of the card
sent in addition. Reading larger responses would block the server."""

_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""An id that is safe as a path segment."""


class RegistryError(Exception):
    """A failed request: the reason as a clause, and the registry's `Retry-After` in seconds, 0 if
    absent."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class RegistrationLost(RegistryError):
    """The registry does not know the registration."""


@dataclass(frozen=True)
class Registration:
    """A registration: the ids of server and endpoint."""

    id: str
    endpoint: str

    def text(self) -> str:
        """The registration as file content."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> Registration | None:
        """Parses file content; None if empty, or incomplete after a killed process."""
        try:
            return Registration(**json.loads(text))
        except (ValueError, TypeError):
            return None


@dataclass(frozen=True)
class RegistrationTerms:
    """Terms of a registration: by server card, or as an agent if `generic`. Liveness by heartbeats
    `every` so many seconds; with a `ttl` in seconds, for agents only, by renewal before expiry."""

    generic: bool = False
    ttl: int = 0
    every: float = INTERVAL_SECONDS

    @property
    def pause(self) -> float:
        """Seconds between heartbeats; two renewals fit into a `ttl`, so that one may fail."""
        return self.ttl / 2.5 if self.ttl else self.every

    @property
    def liveness(self) -> dict[str, Any]:
        """The liveness members of an agent's endpoint."""
        if self.ttl:
            return {"livenessModel": "Ephemeral", "ttlSeconds": self.ttl}
        interval = max(1, round(self.every))
        return {"livenessModel": "Persistent", "heartbeatIntervalSeconds": interval}


_STANDARD = RegistrationTerms()


class RegistryClient:
    """The client of the registry at a URL; registers on `terms`."""

    def __init__(self, url: str, token: str = "", terms: RegistrationTerms = _STANDARD) -> None:
        self._url, self._terms = url, terms
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        self._session = aiohttp.ClientSession(
            headers=self._headers, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
        )
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def register(self, card: dict[str, Any]) -> Registration:
        """Registers a server. Deregisters if the registry's card differs from ours, or if the task
        is cancelled."""
        generic = self._terms.generic
        path = "/agents" if generic else "/mcp/servers"
        body = _agent(card, self._terms) if generic else {"serverCard": card}
        max_bytes = MAX_RESPONSE_BYTES + 4 * len(json.dumps(card))
        try:
            id = _read_id(await self._request("POST", path, body, max_bytes))
        except RegistrationLost as error:
            raise RegistryError(f"it takes no servers there: {error}") from error
        try:
            agent = await self._request("GET", f"/agents/{id}", max_bytes=max_bytes)
            server = await self._request("GET", f"/mcp/servers/{id}", max_bytes=max_bytes)
            _require_id(id, agent, server)
            endpoints = agent.get("endpoints")
            first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
            registration = Registration(id, _read_id(first))
            if generic:
                _require_address(card, server)
            else:
                _require_same(card, server)
        except (RegistryError, asyncio.CancelledError):
            with suppress(RegistryError):
                await self.withdraw(id)
            raise
        return registration

    async def renew(self, registration: Registration) -> None:
        """Sends a heartbeat or renewal."""
        action = "renew" if self._terms.ttl else "heartbeat"
        path = f"/agents/{registration.id}/endpoints/{registration.endpoint}/{action}"
        await self._request("POST", path)

    async def withdraw(self, id: str) -> None:
        """Deregisters a server; an unknown server counts as deregistered."""
        try:
            await self._request("DELETE", f"/agents/{id}")
        except RegistrationLost:
            return

    async def _request(
        self, method: str, path: str, body: Any = None, max_bytes: int = MAX_RESPONSE_BYTES
    ) -> Any:
        """The JSON of a response of at most `max_bytes` bytes, None without content."""
        assert self._session
        try:
            async with self._session.request(
                method, self._url + path, json=body, allow_redirects=False
            ) as response:
                if response.status in (404, 410):
                    raise RegistrationLost(f"{method} {path}: HTTP {response.status}")
                if not 200 <= response.status < 300:
                    wait = retry_after(response.headers.get("Retry-After", ""))
                    raise RegistryError(f"{method} {path}: HTTP {response.status}", wait or 0.0)
                content = await _read_content(response, max_bytes)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise RegistryError(f"{method} {path}: {type(error).__name__}") from error
        try:
            return json.loads(content) if content else None
        except (ValueError, RecursionError) as error:
            raise RegistryError(f"{method} {path}: the answer is no JSON") from error


async def _read_content(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_chunked(2**16):
        content += chunk
        if len(content) > max_bytes:
            raise RegistryError("the answer is too large")
    return bytes(content)


_TAGS = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource",
    "prompts": "prompt",
}
"""Tags of capabilities, by list of the card."""


def _agent(card: dict[str, Any], terms: RegistrationTerms) -> dict[str, Any]:
    """The registration as an agent."""
    endpoint = {
        "name": "streamable-http",
        "transport": "Http",
        "protocol": "MCP",
        "address": card["endpoints"]["streamableHttp"],
        **terms.liveness,
    }
    return {
        "name": card["serverInfo"].get("title") or card["serverInfo"]["name"],
        "description": card.get("instructions", ""),
        "capabilities": [
            {
                "name": entry["name"],
                "description": entry.get("description", ""),
                "tags": [tag, "mcp"],
            }
            for key, tag in _TAGS.items()
            for entry in card.get(key, ())
        ],
        "endpoints": [endpoint],
    }


def _read_id(tree: Any) -> str:
    id = tree.get("id") if isinstance(tree, dict) else None
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise RegistryError("the registry gives no id")
    return id


def _require_id(id: str, *responses: Any) -> None:
    """Raises `RegistryError` unless all responses have the given id."""
    if any(not isinstance(response, dict) or response.get("id") != id for response in responses):
        raise RegistryError("the registry shows something else than what it was given")


def _require_address(card: dict[str, Any], server: dict[str, Any]) -> None:
    """Raises `RegistryError` unless the registry's card has the server's endpoints."""
    if server.get("endpoints") != card["endpoints"]:
        raise RegistryError("the registry shows another address than the server's")


def _require_same(card: dict[str, Any], server: dict[str, Any]) -> None:
    """Raises `RegistryError` unless both cards are equal as JSON; the order of members is
    ignored."""
    registered = {name: value for name, value in server.items() if name not in ("id", "isLive")}
    try:
        is_same = json.dumps(card, sort_keys=True) == json.dumps(registered, sort_keys=True)
    except RecursionError:
        is_same = False
    if not is_same:
        raise RegistryError("the registry shows another card than it was given")
