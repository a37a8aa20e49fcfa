"""Analysis of a server's listing: sizes, hosts, size reductions, budgets, differences.

Pure functions over announced tools (the JSON of `tools/list`), so a description, a project, a
running server and a saved listing are analyzed alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mcpgen.conformance.sizes import size_of
from mcpgen.conformance.strict_json import Json

Announced = Mapping[str, Json]
"""A tool as in `tools/list`, with a string `name`; or a resource or prompt."""


@dataclass(frozen=True, slots=True)
class ConfigVariant:
    """Listing under a different option. `choice`: stable word. `setting`: line for
    `mcpgen.toml`."""

    choice: str
    setting: str
    tools: tuple[Announced, ...]


@dataclass(frozen=True)
class ToolListing:
    """Announced tools in order; `name` is the target in messages.

    `operations`: API operation by tool name. `deprecated`: tools of deprecated operations. Both are
    empty for a server or a saved listing. `alternatives`: listings under different options that
    need a new build. `resources` (with templates) and `prompts`: None if unknown. `notes`: limits
    of the listing in words.
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
        """Bytes of each tool as compact JSON, in order of `tools`; measured once for all
        options."""
        return tuple(size_of(tool).bytes for tool in self.tools)
