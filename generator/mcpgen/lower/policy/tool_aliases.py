"""The tools of a server under all the names that the user may call them by."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.selectors import closest_match

EVERY = "*"
"""Stands for every tool that has no entry of its own."""


@dataclass(frozen=True, slots=True)
class ToolAliases:
    """What a policy speaks of."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    config: Config
    diagnostics: Diagnostics
    _by_key: Mapping[str, Operation] = field(init=False)

    def __post_init__(self) -> None:
        """Finds each operation once, since every tool is asked for its own."""
        object.__setattr__(self, "_by_key", {each.key: each for each in self.operations})

    def operation(self, tool: ToolSpec) -> Operation:
        """The operation of a tool."""
        return self._by_key[tool.operation]

    def named(self, asked: str) -> ToolSpec | None:
        """The tool called so: by its own name, its operationId or `GET /pets/{id}`."""
        return next((tool for tool in self.tools if asked in self._names(tool)), None)

    def by_tool(
        self,
        table: str,
        entries: Mapping[str, tuple[str, ...]],
        beside: Collection[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """The entries of a table of `mcpgen.toml` by tool name, those of `*` for all without one but
        the tools `beside` those of the API. Adds UNKNOWN_TOOL."""
        found: dict[str, tuple[str, ...]] = {}
        for asked, listed in entries.items():
            if asked == EVERY:
                continue
            if tool := self.named(asked):
                found[tool.name] = listed
            elif asked in beside:
                found[asked] = listed
            else:
                self.tell_unknown(table, asked, self.at(table, asked))
        rest = entries.get(EVERY, ())
        given = {tool.name: found.get(tool.name, rest) for tool in self.tools}
        return {name: listed for name, listed in {**given, **found}.items() if listed}

    def at(self, *path: str) -> Location:
        """Where the file says something, or where it would."""
        return self.config.at(*path) or Location("mcpgen.toml", path)

    def tell_unknown(self, table: str, asked: str, at: Location) -> None:
        """Says that there is no such tool."""
        names = [name for tool in self.tools for name in self._names(tool)]
        hint = closest_match(asked, names) or "see the tools in the README of the project"
        self.diagnostics.add(codes.UNKNOWN_TOOL, at, table=table, asked=asked, nearest=hint)

    def _names(self, tool: ToolSpec) -> tuple[str, ...]:
        id = self.operation(tool).id
        return (tool.name, tool.operation, *((id,) if id else ()))
