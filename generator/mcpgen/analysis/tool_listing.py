"""What a server announces, and what is known of where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mcpgen.conformance.sizes import size_of
from mcpgen.conformance.strict_json import Json

Announced = Mapping[str, Json]
"""One tool as `tools/list` announces it; its `name` is a string. Or a resource or a prompt."""


@dataclass(frozen=True, slots=True)
class ConfigVariant:
    """What another choice would announce. `choice` is its stable word, `setting` how it is made in
    `mcpgen.toml`."""

    choice: str
    setting: str
    tools: tuple[Announced, ...]


@dataclass(frozen=True)
class ToolListing:
    """The announced tools in their order; `name` is what messages call the target.

    `operations` are the API's operations by tool name, and `deprecated` the tools whose operation the
    API calls deprecated; both are empty where only the tools themselves are known, of a server or a
    saved list. `alternatives` are what other choices would announce, beyond those that can be made on the
    announced tools. `resources`, templates among them, and `prompts` are as announced, None where nobody
    told. `notes` say what is not among the tools.
    """

    name: str
    tools: tuple[Announced, ...]
    operations: Mapping[str, str] = field(default_factory=dict)
    deprecated: frozenset[str] = frozenset()
    alternatives: tuple[ConfigVariant, ...] = ()
    notes: tuple[str, ...] = ()
    resources: tuple[Announced, ...] | None = None
    prompts: tuple[Announced, ...] | None = None

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The bytes of each tool as compact JSON, written once however many choices are weighed."""
        return tuple(size_of(tool).bytes for tool in self.tools)
