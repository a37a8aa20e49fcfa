"""A server card: what a server announces, in the form that registries take.

The form is the `McpServerCard` of registries that list servers by their tools, with the words of
MCP's own answers: https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcpgen.ir.json_layout import laid_out
from mcpgen.ir.source import Json

Entries = Sequence[Mapping[str, Json]]
"""What stands in a list of the protocol, as it was announced."""


@dataclass(frozen=True, slots=True)
class Announced:
    """What a server offers: its capabilities with their flags, and the entries of its lists, all pages
    of them."""

    capabilities: Mapping[str, Json]
    tools: Entries = ()
    resources: Entries = ()
    templates: Entries = ()
    prompts: Entries = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One server: the revision in which it was asked, who it says it is, and what it offers.

    `address` is where its endpoint is: a URL, or only the path where nobody has said the host.
    `instructions` are `""` for a server that gives none.
    """

    revision: str
    identity: Mapping[str, Json]
    address: str
    instructions: str
    announced: Announced

    @property
    def wire(self) -> dict[str, Json]:
        """The card as JSON; members that a card may lack stand in it only with something to say."""
        found = self.announced
        card: dict[str, Json] = {
            "mcpVersion": self.revision,
            "serverInfo": dict(self.identity),
            "endpoints": {"streamableHttp": self.address},
            "capabilities": dict(found.capabilities),
            "tools": [dict(entry) for entry in found.tools],
            "resources": [dict(entry) for entry in found.resources],
        }
        if found.templates:
            card["resourceTemplates"] = [dict(entry) for entry in found.templates]
        card["prompts"] = [dict(entry) for entry in found.prompts]
        if self.instructions:
            card["instructions"] = self.instructions
        return card

    @property
    def text(self) -> str:
        """The card as the text of a file, in ASCII."""
        return laid_out(self.wire)
