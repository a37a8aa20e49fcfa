"""Server card: a server's announcement for registries.

`McpServerCard` with the names of MCP's responses:
https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcpgen.ir.json_format import FormattedEntry, format_json
from mcpgen.ir.source import Json

Entries = Sequence[Mapping[str, Json]]
"""Entries of a protocol list, as announced."""


@dataclass(frozen=True, slots=True)
class ListedFeatures:
    """Capabilities with their flags, and the entries of all list pages."""

    capabilities: Mapping[str, Json]
    tools: Entries = ()
    resources: Entries = ()
    templates: Entries = ()
    prompts: Entries = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One server: protocol revision, server info, features.

    `address`: endpoint URL, or the path alone for an unknown host. `instructions`: `""` if absent.
    """

    revision: str
    identity: Mapping[str, Json]
    address: str
    instructions: str
    announced: ListedFeatures

    @property
    def wire(self) -> dict[str, Json]:
        """Returns the card as a JSON object without empty optional members."""
        features = self.announced
        card: dict[str, Json] = {
            "mcpVersion": self.revision,
            "serverInfo": dict(self.identity),
            "endpoints": {"streamableHttp": self.address},
            "capabilities": dict(features.capabilities),
            "tools": [dict(entry) for entry in features.tools],
            "resources": [dict(entry) for entry in features.resources],
        }
        if features.templates:
            card["resourceTemplates"] = [dict(entry) for entry in features.templates]
        card["prompts"] = [dict(entry) for entry in features.prompts]
        if self.instructions:
            card["instructions"] = self.instructions
        return card

    @property
    def text(self) -> str:
        """The card as the text of a file, in ASCII."""
        return format_json(self.wire)

    def text_with(self, tools: Sequence[FormattedEntry]) -> str:
        """Returns the card's text with already formatted tools. Every tool exceeds one line."""
        return format_json(self.wire | {"tools": list(tools)})


def card_from(tree: Json, address: str = "") -> Card:
    """Returns the card of a JSON object, with `address` replaced unless `""`.

    Raises ValueError in plain words for invalid cards and for members that would get lost.
    """
    if not isinstance(tree, dict):
        raise ValueError("it is no object")
    endpoints = tree.get("endpoints")
    endpoint = address or (endpoints.get("streamableHttp") if isinstance(endpoints, dict) else None)
    card = Card(
        _text_member(tree, "mcpVersion"),
        _object_member(tree, "serverInfo"),
        endpoint if isinstance(endpoint, str) else "",
        _text_member(tree, "instructions"),
        ListedFeatures(
            _object_member(tree, "capabilities"),
            *(
                _list_member(tree, key)
                for key in ("tools", "resources", "resourceTemplates", "prompts")
            ),
        ),
    )
    if not card.revision or not card.identity or not card.address:
        raise ValueError("it says no mcpVersion, no serverInfo or no endpoints.streamableHttp")
    if strange := sorted(tree.keys() - _MEMBERS):
        raise ValueError(f"it has a member `{json.dumps(strange[0])[1:61]}`, which no card has")
    return card


_MEMBERS = frozenset(
    {"mcpVersion", "serverInfo", "endpoints", "capabilities", "instructions"}
    | {"tools", "resources", "resourceTemplates", "prompts"}
)


def _text_member(tree: Mapping[str, Json], key: str) -> str:
    value = tree.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"`{key}` is no text")
    return value


def _object_member(tree: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = tree.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"`{key}` is no object")
    return value


def _list_member(tree: Mapping[str, Json], key: str) -> Entries:
    value = tree.get(key, [])
    if not isinstance(value, list):
        raise ValueError(f"`{key}` is no list")
    entries = [entry for entry in value if isinstance(entry, dict)]
    if len(entries) < len(value):
        raise ValueError(f"`{key}` holds something that is no object")
    return entries
