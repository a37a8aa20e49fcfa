"""Registers an MCP server by card or as a generic agent, and sends heartbeats until interrupted."""

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
from mcpgen.pipeline.registry_client import (
    RegisteredAgent,
    RegistryConnection,
    RegistryErrorKind,
    RegistryFailure,
)

INTERVAL = 30.0
"""Seconds between heartbeats, as registries expect of servers registered by card."""

_ADDED = ("id", "isLive")
"""Members added to a card by the registry."""


class RegistrationFlow(StrEnum):
    """The way of registration."""

    NATIVE = "native"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class RegistrationPlan:
    """The way of registration, and the liveness: heartbeats every `every` seconds, or renewal
    within `ttl` seconds if `ttl` is set."""

    flow: RegistrationFlow = RegistrationFlow.NATIVE
    every: float = INTERVAL
    ttl: int = 0

    @property
    def pause(self) -> float:
        """Seconds between heartbeats. Two renewals fit into `ttl`, so one renewal may be lost."""
        return self.ttl / 2.5 if self.ttl else self.every


def register_agent(
    card: Card, registry: RegistryConnection, terms: RegistrationPlan
) -> RegisteredAgent:
    """Registers a server and compares the registry's card. Raises RegistryFailure; the server is
    deregistered first, if possible."""
    native = terms.flow is RegistrationFlow.NATIVE
    path = "/mcp/servers" if native else "/agents"
    body = {"serverCard": card.wire} if native else _generic_agent(card, terms)
    id = registry.register(path, body)
    try:
        agent = RegisteredAgent(id, registry.endpoint(id), bool(terms.ttl))
        card_shown = registry.card(id)
        if native:
            _require_same_card(card.wire, card_shown)
        else:
            _require_same_address(card, card_shown)
    except (RegistryFailure, KeyboardInterrupt):
        with suppress(RegistryFailure):
            registry.withdraw(id)
        raise
    return agent


def _generic_agent(card: Card, terms: RegistrationPlan) -> dict[str, Json]:
    """Returns the body of a generic registration."""
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
    announced = card.announced
    capabilities = [
        *_tagged_capabilities("tool", announced.tools),
        *_tagged_capabilities("resource", (*announced.resources, *announced.templates)),
        *_tagged_capabilities("prompt", announced.prompts),
    ]
    return {
        "name": str(card.identity.get("title") or card.identity.get("name")),
        "description": card.instructions,
        "capabilities": capabilities,
        "endpoints": [endpoint],
    }


def _tagged_capabilities(tag: str, entries: Entries) -> Iterator[dict[str, Json]]:
    for entry in entries:
        text = entry.get("description")
        description = {"description": text} if isinstance(text, str) else {}
        yield {"name": str(entry.get("name")), **description, "tags": [tag, "mcp"]}


def _require_same_card(sent: Mapping[str, Json], returned: Mapping[str, Json]) -> None:
    """Raises RegistryFailure unless both cards are equal; the order of members is ignored."""
    rest = {name: value for name, value in returned.items() if name not in _ADDED}
    if _encode_json(sent) != _encode_json(rest):
        difference = printable(_difference(dict(sent), rest))
        raise RegistryFailure(
            RegistryErrorKind.DIFFERENT, f"the registry shows another card: {difference}"
        )


def _require_same_address(card: Card, returned: Mapping[str, Json]) -> None:
    """Raises RegistryFailure unless the registry's card has the server's address."""
    endpoints = returned.get("endpoints")
    address = endpoints.get("streamableHttp") if isinstance(endpoints, dict) else None
    if address != card.address:
        raise RegistryFailure(
            RegistryErrorKind.DIFFERENT, "the registry shows another address than the server's"
        )


def _encode_json(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _difference(sent: Json, returned: Json, place: str = "$") -> str:
    """Describes the first difference of two values; `""` for equal values."""
    if isinstance(sent, dict) and isinstance(returned, dict):
        for key in {**sent, **returned}:
            if key not in returned:
                return f"`{place}.{key}` is missing"
            if key not in sent:
                return f"`{place}.{key}` was never registered"
            if difference := _difference(sent[key], returned[key], f"{place}.{key}"):
                return difference
        return ""
    if isinstance(sent, list) and isinstance(returned, list) and len(sent) == len(returned):
        pairs = enumerate(zip(sent, returned, strict=True))
        differences = (_difference(a, b, f"{place}[{number}]") for number, (a, b) in pairs)
        return next((text for text in differences if text), "")
    return "" if _encode_json(sent) == _encode_json(returned) else f"`{place}` is another value"


MIN_PAUSE = 1.0
"""Seconds until a lost heartbeat is repeated; doubled per failure up to the usual pause."""

MAX_WAIT = 300.0
"""Maximum seconds of a `Retry-After`."""


def keep_registered(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    registered: RegisteredAgent,
    tell: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Sends heartbeats until interrupted, then deregisters the server.

    Repeats a lost heartbeat soon, or after `Retry-After`. Registers again after a registry restart
    without memory of the server. Raises RegistryFailure for a rejection, and KeyboardInterrupt; the
    server is deregistered first.
    """
    agent, failures, wait = registered, 0, 0.0
    try:
        while True:
            sleep(_pause(terms, failures, wait))
            try:
                agent = _renew(card, registry, terms, agent, tell)
                failures, wait = 0, 0.0
            except RegistryFailure as trouble:
                # During a registry's restart, a proxy in front may answer 404.
                if not trouble.kind.passes and trouble.kind is not RegistryErrorKind.GONE:
                    raise
                failures, wait = failures + 1, trouble.wait
                pause = _pause(terms, failures, wait)
                tell(f"a sign of life was lost, the next is in {pause:g} s: {trouble}")
    finally:
        _withdraw_agent(registry, agent, tell)


def _pause(terms: RegistrationPlan, failures: int, wait: float) -> float:
    """Returns the seconds until the next heartbeat after `failures` in a row; `wait`: seconds from
    `Retry-After`."""
    if not failures:
        return terms.pause
    soon = float(min(MIN_PAUSE * 2 ** min(failures - 1, 20), terms.pause))
    return max(soon, min(wait, MAX_WAIT))


def _renew(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    agent: RegisteredAgent,
    tell: Callable[[str], None],
) -> RegisteredAgent:
    """Sends a heartbeat; registers again if the registration is unknown."""
    try:
        registry.renew(agent)
        return agent
    except RegistryFailure as trouble:
        if trouble.kind is not RegistryErrorKind.GONE:
            raise
    # A half lost registration would be duplicated by every new registration.
    with suppress(RegistryFailure):
        registry.withdraw(agent.id)
    new_agent = register_agent(card, registry, terms)
    tell(f"the registry had forgotten the server: registered anew as {new_agent.id}")
    return new_agent


def _withdraw_agent(
    registry: RegistryConnection, agent: RegisteredAgent, tell: Callable[[str], None]
) -> None:
    try:
        registry.withdraw(agent.id)
        tell(f"withdrawn: {agent.id}")
    except RegistryFailure as trouble:
        tell(
            f"{agent.id} could not be withdrawn, the registry will miss its signs of life: {trouble}"
        )
