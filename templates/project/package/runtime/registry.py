"""A registry of agents over HTTP. Every request ends in time, in a value or in `Trouble`."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp

TIMEOUT_SECONDS = 10
"""How long a registry may take over one answer."""

_LARGEST = 32 * 1024 * 1024
_ID = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]{1,200}")
"""What can stand in a path as the id of something, whoever gave it."""


class Trouble(Exception):
    """Why a registry has not done what it was asked for, in one clause."""


class Forgotten(Trouble):
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
        """What a file holds, None for nothing."""
        return Registration(**json.loads(text)) if text else None


class Registry:
    """The registry at a URL; with a `ttl` in seconds, servers live so long unless they are renewed."""

    def __init__(self, url: str, token: str = "", ttl: int = 0) -> None:
        self._url, self._ttl = url, ttl
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=timeout)
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def register(self, card: dict[str, Any]) -> Registration:
        """The registration of a server. One whose card the registry shows otherwise than it was given is
        withdrawn again, and so is one that ends before it is done."""
        path, body = ("/agents", _agent(card, self._ttl)) if self._ttl else _native(card)
        id = _id(await self._asked("POST", path, body))
        try:
            agent = await self._asked("GET", f"/agents/{id}")
            endpoints = agent.get("endpoints") if isinstance(agent, dict) else None
            first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
            registration = Registration(id, _id(first))
            if not self._ttl:
                _require_same(card, await self._asked("GET", f"/mcp/servers/{id}"))
        except (Trouble, asyncio.CancelledError):
            with suppress(Trouble):
                await self.withdraw(id)
            raise
        return registration

    async def renew(self, registration: Registration) -> None:
        """Says that the server is alive."""
        word = "renew" if self._ttl else "heartbeat"
        path = f"/agents/{registration.id}/endpoints/{registration.endpoint}/{word}"
        await self._asked("POST", path)

    async def withdraw(self, id: str) -> None:
        """Takes a server out; what is gone already is out."""
        try:
            await self._asked("DELETE", f"/agents/{id}")
        except Forgotten:
            return

    async def _asked(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer, None where it has none."""
        assert self._session
        try:
            async with self._session.request(
                method, self._url + path, json=body, allow_redirects=False
            ) as response:
                if response.status in (404, 410):
                    raise Forgotten(f"{method} {path}: HTTP {response.status}")
                if not 200 <= response.status < 300:
                    raise Trouble(f"{method} {path}: HTTP {response.status}")
                content = await _content(response)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise Trouble(f"{method} {path}: {type(error).__name__}") from error
        try:
            return json.loads(content) if content else None
        except (ValueError, RecursionError) as error:
            raise Trouble(f"{method} {path}: the answer is no JSON") from error


async def _content(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_chunked(2**16):
        content += chunk
        if len(content) > _LARGEST:
            raise Trouble("the answer is too large")
    return bytes(content)


def _native(card: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "/mcp/servers", {"serverCard": card}


def _agent(card: dict[str, Any], ttl: int) -> dict[str, Any]:
    """What any agent says of itself."""
    kinds = {"tools": "tool", "resources": "resource", "prompts": "prompt"}
    endpoint = {
        "name": "streamable-http",
        "transport": "Http",
        "protocol": "MCP",
        "address": card["endpoints"]["streamableHttp"],
        "livenessModel": "Ephemeral",
        "ttlSeconds": ttl,
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
            for key, tag in kinds.items()
            for entry in card[key]
        ],
        "endpoints": [endpoint],
    }


def _id(tree: Any) -> str:
    id = tree.get("id") if isinstance(tree, dict) else None
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise Trouble("the registry gives no id")
    return id


def _require_same(card: dict[str, Any], shown: Any) -> None:
    """Raises `Trouble` unless the bytes of both are the same; members of an object have no order."""
    left = dict(shown) if isinstance(shown, dict) else {}
    for added in ("id", "isLive"):
        left.pop(added, None)
    if json.dumps(card, sort_keys=True) != json.dumps(left, sort_keys=True):
        raise Trouble("the registry shows another card than it was given")
