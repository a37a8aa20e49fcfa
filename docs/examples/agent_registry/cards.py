"""From a card to capabilities, and from capabilities to a card."""

from __future__ import annotations

from collections.abc import Iterator

from docs.examples.agent_registry.domain import Agent, Capability, Card, Endpoint

REVISION = "2025-11-25"
"""The revision of a card that nobody has written."""

KINDS = {"tools": "tool", "resources": "resource", "prompts": "prompt"}
"""The tag of capabilities that stand for an entry of each list of a card."""

ADDED = frozenset({"id", "isLive"})
"""What a registry adds to a card."""

_SYNTHETIC = {
    "tools": "Exposes callable tools",
    "resources": "Exposes readable resources",
    "prompts": "Exposes prompt templates",
}
"""What is said of a server that declares a list and does not show what stands in it."""


def capabilities_of(card: Card) -> Iterator[Capability]:
    """What a server of this card can do: a capability for each entry of its lists, or one for a list that
    it declares and does not show."""
    for key, tag in KINDS.items():
        entries = card.get(key) or []
        for entry in entries:
            told = entry.get("description")
            yield Capability(entry["name"], told if isinstance(told, str) else "", (tag, "mcp"))
        if key in card["capabilities"] and not entries:
            yield Capability(key, _SYNTHETIC[key], (tag, "mcp"))


def card_of(agent: Agent, endpoint: Endpoint, *, live: bool) -> Card:
    """The card of a server: the registered one as it came, or else one of what is known of it; and
    what the registry adds."""
    card = endpoint.card if endpoint.card is not None else _synthesised(agent, endpoint)
    return {**card, "id": agent.id, "isLive": live}


def _synthesised(agent: Agent, endpoint: Endpoint) -> Card:
    """A card without descriptors: nobody has registered any."""
    tags = {tag for capability in agent.capabilities for tag in capability.tags}
    return {
        "mcpVersion": REVISION,
        "serverInfo": {"name": agent.name, "version": "unknown"},
        "endpoints": {"streamableHttp": endpoint.address},
        "capabilities": {key: {} for key, tag in KINDS.items() if tag in tags},
        "tools": [],
        "resources": [],
        "prompts": [],
    }
