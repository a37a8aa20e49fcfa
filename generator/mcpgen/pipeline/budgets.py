"""The budgets of a project, held before anything is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mcpgen.analysis.size_reductions import (
    Overrun,
    SizeLimits,
    SizeReduction,
    byte_limit,
    largest,
    overruns,
)
from mcpgen.analysis.sizes import ToolSize
from mcpgen.config import Config
from mcpgen.config.tables.budgets import MANY_TOOLS
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.pipeline.config_variants import FOUND, discovery_variant
from mcpgen.pipeline.load_tools import listing_of

CUTS = 3
"""How many ways to meet a budget are told."""

ELSE = "choose fewer under `[select]`, or raise the budget"


def check_budgets(
    api: ApiDescription, server: Server, config: Config, diagnostics: Diagnostics
) -> None:
    """Tells which budgets the tools exceed: an error where one was set, a warning where more tools
    than models choose well among were nobody's decision.

    Adds OVER_BUDGET, OVER_TOOL_BUDGET, UNMEETABLE_BUDGET and MANY_TOOLS.
    """
    chosen = config.budgets
    limits = SizeLimits(chosen.tools, chosen.tools_list_bytes, chosen.tool_bytes, chosen.tokens)
    surface = replace(listing_of(api, server), alternatives=discovery_variant(api, server, config))
    places = {tool.name: tool.at for tool in server.listed}
    for found in overruns(surface, limits):
        at = config.at("budgets", *found.key.split(".")) or api.at
        if found.meetable and found.tool:
            _tell_tool(found, places[found.tool], diagnostics)
        elif found.meetable:
            _tell_list(found, at, largest(surface), diagnostics)
        else:
            facts = {"key": found.key, "limit": f"{found.limit:,}", "least": f"{found.least:,}"}
            diagnostics.add(codes.UNMEETABLE_BUDGET, at, severity=None, **facts)
    if not limits.tools:
        for found in overruns(surface, SizeLimits(tools=MANY_TOOLS)):
            facts = {
                "count": f"{found.found:,}",
                "limit": str(MANY_TOOLS),
                "cuts": _suggested(found.cuts),
            }
            diagnostics.add(codes.MANY_TOOLS, api.at, severity=None, **facts)


def in_bytes(config: Config) -> Config:
    """The configuration whose budget of the list's bytes holds that of its tokens, too: a project has
    no estimates of tokens, and need not know any."""
    chosen = config.budgets
    known = byte_limit(SizeLimits(tools_list_bytes=chosen.tools_list_bytes, tokens=chosen.tokens))
    return replace(config, budgets=replace(chosen, tools_list_bytes=known))


def _tell_list(
    found: Overrun, at: Location, heaviest: Iterable[ToolSize], diagnostics: Diagnostics
) -> None:
    named = ", ".join(f"`{one.name}` ({one.bytes:,} bytes)" for one in heaviest)
    diagnostics.add(
        codes.OVER_BUDGET,
        at,
        key=found.key,
        limit=f"{found.limit:,}",
        found=f"{found.found:,}",
        largest=named,
        cuts=_describe_reductions(found.cuts) or ELSE,
    )


def _tell_tool(found: Overrun, at: Location, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        codes.OVER_TOOL_BUDGET,
        at,
        name=found.tool,
        limit=f"{found.limit:,}",
        found=f"{found.found:,}",
        part=found.part,
    )


def _suggested(cuts: Iterable[SizeReduction]) -> str:
    """The cut that suits a list of any length before the others: tools that are found by asking."""
    return _describe_reductions(sorted(cuts, key=lambda cut: cut.choice != FOUND))


def _describe_reductions(cuts: Iterable[SizeReduction]) -> str:
    """The cheapest cuts that meet a budget; `""` for none."""
    told = [f"`{cut.setting}` leaves {cut.tools:,} tools of {cut.bytes:,} bytes" for cut in cuts]
    return "; ".join(told[:CUTS])
