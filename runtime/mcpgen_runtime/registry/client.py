"""A registry of agents over HTTP. Every request ends in time, in a value or in `RegistryError`."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp

from ..upstream.response import retry_after

INTERVAL_SECONDS = 30.0
"""How often a server that is persistent says that it is alive."""

TIMEOUT_SECONDS = 10
"""How long a registry may take over one answer."""

LEAST_BYTES = 64 * 1024
"""Bytes that every answer may have; one with a card may have four times those of the card that was
sent. What is larger would hold up the server while it is read."""

_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""What can stand in a path as the id of something, whoever gave it."""


class RegistryError(Exception):
    """Why a registry has not done what it was asked for, in one clause, and how many seconds it wants to
    be left alone, 0 if it does not say."""

    def __init__(self, told: str, wait: float = 0.0) -> None:
        super().__init__(told)
        self.wait = wait


class RegistrationLost(RegistryError):
    """The registry knows nothing of what was registered."""


@dataclass(frozen=True)
class Registration:
    """What a registry has taken: the ids of the server and of its endpoint."""

    id: str
    endpoint: str

    def text(self) -> str:
        """The registration as a file holds it."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> Registration | None:
        """What a file holds, None for nothing, or for what a process that was killed has begun."""
        try:
            return Registration(**json.loads(text))
        except (ValueError, TypeError):
            return None


@dataclass(frozen=True)
class RegistrationTerms:
    """How a server is registered: by its card or, if `generic`, as any agent. It stays alive by
    heartbeats `every` so many seconds, or, with a `ttl` in seconds, by being renewed before they are
    over; that is for agents alone."""

    generic: bool = False
    ttl: int = 0
    every: float = INTERVAL_SECONDS

    @property
    def pause(self) -> float:
        """Seconds between signs of life; two fit into a time to live, so that one may be lost."""
        return self.ttl / 2.5 if self.ttl else self.every

    @property
    def liveness(self) -> dict[str, Any]:
        """What an agent says of it."""
        if self.ttl:
            return {"livenessModel": "Ephemeral", "ttlSeconds": self.ttl}
        interval = max(1, round(self.every))
        return {"livenessModel": "Persistent", "heartbeatIntervalSeconds": interval}


_STANDARD = RegistrationTerms()


class RegistryClient:
    """The registry at a URL, which takes servers on the same `terms`."""

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
        """The registration of a server. One that the registry shows otherwise than it was told is
        withdrawn again, and so is one that ends before it is done."""
        generic = self._terms.generic
        path = "/agents" if generic else "/mcp/servers"
        body = _agent(card, self._terms) if generic else {"serverCard": card}
        most = LEAST_BYTES + 4 * len(json.dumps(card))
        try:
            id = _id(await self._asked("POST", path, body, most))
        except RegistrationLost as trouble:
            raise RegistryError(f"it takes no servers there: {trouble}") from trouble
        try:
            agent = await self._asked("GET", f"/agents/{id}", most=most)
            shown = await self._asked("GET", f"/mcp/servers/{id}", most=most)
            _require_id(id, agent, shown)
            endpoints = agent.get("endpoints")
            first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
            registration = Registration(id, _id(first))
            if generic:
                _require_address(card, shown)
            else:
                _require_same(card, shown)
        except (RegistryError, asyncio.CancelledError):
            with suppress(RegistryError):
                await self.withdraw(id)
            raise
        return registration

    async def renew(self, registration: Registration) -> None:
        """Says that the server is alive."""
        word = "renew" if self._terms.ttl else "heartbeat"
        path = f"/agents/{registration.id}/endpoints/{registration.endpoint}/{word}"
        await self._asked("POST", path)

    async def withdraw(self, id: str) -> None:
        """Takes a server out; what is gone already is out."""
        try:
            await self._asked("DELETE", f"/agents/{id}")
        except RegistrationLost:
            return

    async def _asked(
        self, method: str, path: str, body: Any = None, most: int = LEAST_BYTES
    ) -> Any:
        """The JSON of an answer of at most so many bytes, None where it has none."""
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
                content = await _content(response, most)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise RegistryError(f"{method} {path}: {type(error).__name__}") from error
        try:
            return json.loads(content) if content else None
        except (ValueError, RecursionError) as error:
            raise RegistryError(f"{method} {path}: the answer is no JSON") from error


async def _content(response: aiohttp.ClientResponse, most: int) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_chunked(2**16):
        content += chunk
        if len(content) > most:
            raise RegistryError("the answer is too large")
    return bytes(content)


_TAGS = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource",
    "prompts": "prompt",
}
"""The tag of what stands in each list of a card."""


def _agent(card: dict[str, Any], terms: RegistrationTerms) -> dict[str, Any]:
    """What any agent says of itself."""
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


def _id(tree: Any) -> str:
    id = tree.get("id") if isinstance(tree, dict) else None
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise RegistryError("the registry gives no id")
    return id


def _require_id(id: str, *shown: Any) -> None:
    """Raises `RegistryError` unless all that is shown is of the id that was given."""
    if any(not isinstance(tree, dict) or tree.get("id") != id for tree in shown):
        raise RegistryError("the registry shows something else than what it was given")


def _require_address(card: dict[str, Any], shown: dict[str, Any]) -> None:
    """Raises `RegistryError` unless a card that the registry has made leads to the server."""
    if shown.get("endpoints") != card["endpoints"]:
        raise RegistryError("the registry shows another address than the server's")


def _require_same(card: dict[str, Any], shown: dict[str, Any]) -> None:
    """Raises `RegistryError` unless the bytes of both are the same; members of an object have no order."""
    left = {name: value for name, value in shown.items() if name not in ("id", "isLive")}
    try:
        same = json.dumps(card, sort_keys=True) == json.dumps(left, sort_keys=True)
    except RecursionError:
        same = False
    if not same:
        raise RegistryError("the registry shows another card than it was given")
