"""The tools list of a server: the entries, their sizes, and the contract test of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.config import Config
from mcpgen.emit.code import identifier, integer, literal
from mcpgen.emit.views import ContractView
from mcpgen.ir.json_format import format_entry
from mcpgen.ir.server import Server, ToolSpec


@dataclass(frozen=True, slots=True)
class ListingEntry:
    """A tool as announced: the text of the entry in the card, and the bytes of the entry as compact
    JSON."""

    text: str
    bytes: int


def entry(tool: ToolSpec) -> ListingEntry:
    """The entry of a tool."""
    announced = tool.announced
    compact = json.dumps(announced, ensure_ascii=False, separators=(",", ":"))
    return ListingEntry(str(format_entry(announced)), len(compact.encode("utf-8", "replace")))


def contract_view(
    server: Server, config: Config, entries: Mapping[str, ListingEntry]
) -> ContractView:
    """The tool names, the bytes of the list, and the budgets. `entries` are the entries of all
    listed tools, by name."""
    chosen = config.budgets
    budgets = {
        key: most
        for key, most in (
            ("tools", chosen.tools),
            ("tools_list_bytes", chosen.tools_list_bytes),
            ("tool_bytes", chosen.tool_bytes),
        )
        if most
    }
    names = [tool.name for tool in server.listed]
    unsaid = [name for name in names if name in server.policy.secret]
    # With a comma between two, and the brackets around all.
    weight = sum(entries[name].bytes for name in names) + max(len(names) - 1, 0) + 2
    return ContractView(
        package=identifier(server.package),
        names=tuple(literal(name) for name in names),
        list_bytes=integer(weight),
        has_budgets=bool(budgets),
        budgets=literal(budgets, before=len("BUDGETS = ")),
        has_unsaid=bool(unsaid),
        has_sessions=server.sessions,
        unsaid=literal(unsaid, before=len("UNSAID = ")),
    )
