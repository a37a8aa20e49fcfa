"""The two ways to register an MCP server: by its card, or by what any agent says of itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.conformance.exchange import printable
from mcpgen.ir.server_card import Card, Entries
from mcpgen.ir.source import Json
from mcpgen.pipeline.registry.client import (
    RegisteredAgent,
    RegistryConnection,
    RegistryErrorKind,
    RegistryFailure,
)

INTERVAL = 30.0
"""Seconds between heartbeats, as registries expect of a server that was registered by its card."""

_ADDED = ("id", "isLive")
"""What a registry adds to a card."""


class RegistrationFlow(StrEnum):
    """How a server is registered."""

    NATIVE = "native"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class RegistrationPlan:
    """How a server is registered, and how it stays alive: by heartbeats every so many seconds, or, with
    a `ttl`, by being renewed before these seconds are over."""

    flow: RegistrationFlow = RegistrationFlow.NATIVE
    every: float = INTERVAL
    ttl: int = 0

    @property
    def pause(self) -> float:
        """Seconds between signs of life; two fit into a time to live, so that one may be lost."""
        return self.ttl / 2.5 if self.ttl else self.every


def register(card: Card, registry: RegistryConnection, terms: RegistrationPlan) -> RegisteredAgent:
    """The registration of a server, whose card was read back. Raises Trouble; what was registered is
    withdrawn before, if the registry takes that."""
    native = terms.flow is RegistrationFlow.NATIVE
    path = "/mcp/servers" if native else "/agents"
    body = {"serverCard": card.wire} if native else _agent(card, terms)
    id = registry.register(path, body)
    try:
        made = RegisteredAgent(id, registry.endpoint(id), bool(terms.ttl))
        shown = registry.card(id)
        if native:
            _require_same(card.wire, shown)
        else:
            _require_address(card, shown)
    except (RegistryFailure, KeyboardInterrupt):
        with suppress(RegistryFailure):
            registry.withdraw(id)
        raise
    return made


def _agent(card: Card, terms: RegistrationPlan) -> dict[str, Json]:
    """What any agent says of itself."""
    liveness: dict[str, Json] = {
        "livenessModel": "Persistent",
        "heartbeatIntervalSeconds": max(1, round(terms.every)),
    }
    if terms.ttl:
        liveness = {"livenessModel": "Ephemeral", "ttlSeconds": terms.ttl}
    endpoint = {
        "name": "streamable-http",
        "transport": "Http",
        "protocol": "MCP",
        "address": card.address,
        **liveness,
    }
    found = card.announced
    capabilities = [
        *_capabilities("tool", found.tools),
        *_capabilities("resource", (*found.resources, *found.templates)),
        *_capabilities("prompt", found.prompts),
    ]
    return {
        "name": str(card.identity.get("title") or card.identity.get("name")),
        "description": card.instructions,
        "capabilities": capabilities,
        "endpoints": [endpoint],
    }


def _capabilities(tag: str, entries: Entries) -> Iterator[dict[str, Json]]:
    for entry in entries:
        told = entry.get("description")
        described = {"description": told} if isinstance(told, str) else {}
        yield {"name": str(entry.get("name")), **described, "tags": [tag, "mcp"]}


def _require_same(given: Mapping[str, Json], shown: Mapping[str, Json]) -> None:
    """Raises Trouble unless the bytes of both are the same; members of an object have no order."""
    left = {name: value for name, value in shown.items() if name not in _ADDED}
    if _bytes(given) != _bytes(left):
        told = printable(_difference(dict(given), left))
        raise RegistryFailure(
            RegistryErrorKind.DIFFERENT, f"the registry shows another card: {told}"
        )


def _require_address(card: Card, shown: Mapping[str, Json]) -> None:
    """Raises Trouble unless a card that a registry has made leads to the server."""
    endpoints = shown.get("endpoints")
    address = endpoints.get("streamableHttp") if isinstance(endpoints, dict) else None
    if address != card.address:
        raise RegistryFailure(
            RegistryErrorKind.DIFFERENT, "the registry shows another address than the server's"
        )


def _bytes(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _difference(given: Json, shown: Json, place: str = "$") -> str:
    """The first place at which two values differ, with what is wrong there; `""` if none."""
    if isinstance(given, dict) and isinstance(shown, dict):
        for key in {**given, **shown}:
            if key not in shown:
                return f"`{place}.{key}` is missing"
            if key not in given:
                return f"`{place}.{key}` was never registered"
            if found := _difference(given[key], shown[key], f"{place}.{key}"):
                return found
        return ""
    if isinstance(given, list) and isinstance(shown, list) and len(given) == len(shown):
        pairs = enumerate(zip(given, shown, strict=True))
        each = (_difference(a, b, f"{place}[{number}]") for number, (a, b) in pairs)
        return next((told for told in each if told), "")
    return "" if _bytes(given) == _bytes(shown) else f"`{place}` is another value"


SHORTEST_PAUSE = 1.0
"""Seconds until a sign of life that was lost is sent once more; then twice as many, up to the usual."""

LONGEST_WAIT = 300.0
"""Seconds for which a registry that wants it is left alone at most."""


def stay(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    made: RegisteredAgent,
    tell: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Sends signs of life until it is interrupted, then withdraws the server.

    One that is lost is sent again soon, or when the registry wants it; a registry that has forgotten the server is told of it anew.
    Raises Trouble when the registry refuses, and KeyboardInterrupt, each after the server was withdrawn.
    """
    held, lost, wait = made, 0, 0.0
    try:
        while True:
            sleep(_pause(terms, lost, wait))
            try:
                held = _renewed(card, registry, terms, held, tell)
                lost, wait = 0, 0.0
            except RegistryFailure as trouble:
                # While a registry comes back, whatever stands before it may know nothing of it.
                if not trouble.kind.passes and trouble.kind is not RegistryErrorKind.GONE:
                    raise
                lost, wait = lost + 1, trouble.wait
                pause = _pause(terms, lost, wait)
                tell(f"a sign of life was lost, the next is in {pause:g} s: {trouble}")
    finally:
        _withdraw(registry, held, tell)


def _pause(terms: RegistrationPlan, lost: int, wait: float) -> float:
    """Seconds until the next sign of life, after so many were lost; the registry wants `wait` of them."""
    if not lost:
        return terms.pause
    soon = float(min(SHORTEST_PAUSE * 2 ** min(lost - 1, 20), terms.pause))
    return max(soon, min(wait, LONGEST_WAIT))


def _renewed(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    held: RegisteredAgent,
    tell: Callable[[str], None],
) -> RegisteredAgent:
    """The registration after a sign of life: the same, or another if the registry knew it no more."""
    try:
        registry.renew(held)
        return held
    except RegistryFailure as trouble:
        if trouble.kind is not RegistryErrorKind.GONE:
            raise
    # What it has lost but in part would be there once more each time.
    with suppress(RegistryFailure):
        registry.withdraw(held.id)
    anew = register(card, registry, terms)
    tell(f"the registry had forgotten the server: registered anew as {anew.id}")
    return anew


def _withdraw(
    registry: RegistryConnection, held: RegisteredAgent, tell: Callable[[str], None]
) -> None:
    try:
        registry.withdraw(held.id)
        tell(f"withdrawn: {held.id}")
    except RegistryFailure as trouble:
        tell(
            f"{held.id} could not be withdrawn, the registry will miss its signs of life: {trouble}"
        )
