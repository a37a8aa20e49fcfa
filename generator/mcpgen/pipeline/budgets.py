"""Budgets of a project, checked before anything is written, and the tool lists of other
configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mcpgen.analysis.size_reductions import (
    Overrun,
    SizeLimits,
    SizeReduction,
    bytes_of,
    largest,
    overruns,
)
from mcpgen.analysis.sizes import ToolSize
from mcpgen.analysis.tool_listing import ConfigVariant
from mcpgen.config import Config, DeprecatedArguments, DiscoveryMode, OutputMode
from mcpgen.config.tables.budgets import MANY_TOOLS
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.lower import lower
from mcpgen.lower.discovery import discovery
from mcpgen.pipeline.load_tools import surface_of

CUTS = 3
"""The maximum number of suggestions in a diagnostic."""

ELSE = "choose fewer under `[select]`, or raise the budget"


def check_budgets(
    api: ApiDescription, server: Server, config: Config, diagnostics: Diagnostics
) -> None:
    """Reports exceeded budgets: an error for a configured budget, a warning for more than
    `MANY_TOOLS` tools without a configured limit.

    Adds OVER_BUDGET, OVER_TOOL_BUDGET, UNMEETABLE_BUDGET and MANY_TOOLS.
    """
    chosen = config.budgets
    limits = SizeLimits(chosen.tools, chosen.tools_list_bytes, chosen.tool_bytes, chosen.tokens)
    surface = replace(surface_of(api, server), alternatives=discovery_variant(api, server, config))
    places = {tool.name: tool.at for tool in server.listed}
    for found in overruns(surface, limits):
        at = config.at("budgets", *found.key.split(".")) or api.at
        if found.meetable and found.tool:
            _report_tool(found, places[found.tool], diagnostics)
        elif found.meetable:
            _report_list(found, at, largest(surface), diagnostics)
        else:
            facts = {"key": found.key, "limit": f"{found.limit:,}", "least": f"{found.least:,}"}
            diagnostics.add(codes.UNMEETABLE_BUDGET, at, severity=None, **facts)
    if not limits.tools:
        for found in overruns(surface, SizeLimits(tools=MANY_TOOLS)):
            facts = {
                "count": f"{found.found:,}",
                "limit": str(MANY_TOOLS),
                "cuts": _suggest(found.cuts),
            }
            diagnostics.add(codes.MANY_TOOLS, api.at, severity=None, **facts)


def in_bytes(config: Config) -> Config:
    """Converts the token budget to bytes, the smaller budget wins: a generated project has no token
    estimates."""
    chosen = config.budgets
    known = bytes_of(SizeLimits(tools_list_bytes=chosen.tools_list_bytes, tokens=chosen.tokens))
    return replace(config, budgets=replace(chosen, tools_list_bytes=known))


def _report_list(
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


def _report_tool(found: Overrun, at: Location, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        codes.OVER_TOOL_BUDGET,
        at,
        name=found.tool,
        limit=f"{found.limit:,}",
        found=f"{found.found:,}",
        part=found.part,
    )


def _suggest(cuts: Iterable[SizeReduction]) -> str:
    """Lists discovery mode first: the only reduction for lists of any length."""
    return _describe_reductions(sorted(cuts, key=lambda cut: cut.choice != FOUND))


def _describe_reductions(cuts: Iterable[SizeReduction]) -> str:
    """Describes the first `CUTS` reductions; `""` for an empty list."""
    told = [f"`{cut.setting}` leaves {cut.tools:,} tools of {cut.bytes:,} bytes" for cut in cuts]
    return "; ".join(told[:CUTS])


DEPRECATED = "Deprecated."
"""The text in the description of a deprecated argument."""


FOUND = "discovery"
"""The id of the discovery mode variant."""


def config_variants(api: ApiDescription, server: Server, config: Config) -> Iterator[ConfigVariant]:
    """Yields the tool lists with discovery mode, without deprecated arguments and with shallow
    output schemas; skips settings already made."""
    yield from discovery_variant(api, server, config)
    if config.flattening.deprecated is DeprecatedArguments.KEEP:
        dropped = replace(config.flattening, deprecated=DeprecatedArguments.DROP)
        yield ConfigVariant(
            "no-deprecated-arguments",
            '[flatten] deprecated = "drop"',
            _lower_again(api, server, replace(config, flattening=dropped), _has_deprecated),
        )
    if config.output_schemas is OutputMode.FULL:
        yield ConfigVariant(
            "output-shallow",
            '[output] schemas = "shallow"',
            _lower_again(
                api, server, replace(config, output_schemas=OutputMode.SHALLOW), _has_output
            ),
        )


def discovery_variant(
    api: ApiDescription, server: Server, config: Config
) -> tuple[ConfigVariant, ...]:
    """Returns the variant with discovery mode; empty for a server without tools or with discovery
    mode."""
    if server.discovery or not server.tools:
        return ()
    chosen = replace(config, finding=replace(config.finding, mode=DiscoveryMode.ON))
    found = discovery(api, api.operations, server.tools, chosen, Diagnostics())
    listed = replace(server, discovery=found).listed
    tools = tuple(tool.announced for tool in listed)
    return (ConfigVariant(FOUND, '[discovery] mode = "on"', tools),)


def _has_deprecated(tool: ToolSpec) -> bool:
    return any(DEPRECATED in str(one.schema.get("description")) for one in tool.arguments)


def _has_output(tool: ToolSpec) -> bool:
    return tool.output is not None


def _lower_again(
    api: ApiDescription, server: Server, config: Config, concerns: Callable[[ToolSpec], bool]
) -> tuple[dict[str, object], ...]:
    """Returns the announced tools; lowers only the tools with `concerns(tool)` again."""
    names = {tool.operation: tool.name for tool in server.tools}
    concerned = {tool.operation for tool in server.tools if concerns(tool)}
    if not concerned:
        return tuple(tool.announced for tool in server.tools)
    some = replace(api, operations=tuple(one for one in api.operations if one.key in concerned))
    # The variant is never built: the findings are dropped.
    made = lower(some, replace(config, tool_names=names), Diagnostics(), scenarios=False)
    anew = {tool.operation: tool for tool in made.tools}
    return tuple(anew.get(tool.operation, tool).announced for tool in server.tools)
