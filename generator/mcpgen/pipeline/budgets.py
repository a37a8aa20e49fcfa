"""Budgets of a project, checked before anything is written, and the tool lists of other
configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mcpgen.analysis import ConfigVariant
from mcpgen.analysis.size_reductions import (
    Overrun,
    SizeLimits,
    SizeReduction,
    byte_limit,
    largest,
    overruns,
)
from mcpgen.analysis.sizes import ToolSize
from mcpgen.config import Config, DeprecatedArguments, DiscoveryMode, OutputMode
from mcpgen.config.tables.project import MANY_TOOLS
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.lower import lower
from mcpgen.lower.discovery import discovery
from mcpgen.pipeline.load_tools import listing_of_server

MAX_CUTS = 3
"""The maximum number of suggestions in a diagnostic."""

ELSE = "choose fewer under `[select]`, or raise the budget"


def check_budgets(
    api: ApiDescription, server: Server, config: Config, diagnostics: Diagnostics
) -> None:
    """Reports exceeded budgets: an error for a configured budget, a warning for more than
    `MANY_TOOLS` tools without a configured limit.

    Adds OVER_BUDGET, OVER_TOOL_BUDGET, UNMEETABLE_BUDGET and MANY_TOOLS.
    """
    budgets = config.budgets
    limits = SizeLimits(budgets.tools, budgets.tools_list_bytes, budgets.tool_bytes, budgets.tokens)
    listing = replace(
        listing_of_server(api, server), alternatives=discovery_variant(api, server, config)
    )
    places = {tool.name: tool.at for tool in server.listed}
    for overrun in overruns(listing, limits):
        at = config.at("budgets", *overrun.key.split(".")) or api.at
        if overrun.meetable and overrun.tool:
            _report_tool(overrun, places[overrun.tool], diagnostics)
        elif overrun.meetable:
            _report_list(overrun, at, largest(listing), diagnostics)
        else:
            facts = {
                "key": overrun.key,
                "limit": f"{overrun.limit:,}",
                "least": f"{overrun.least:,}",
            }
            diagnostics.add(codes.UNMEETABLE_BUDGET, at, severity=None, **facts)
    if not limits.tools:
        for overrun in overruns(listing, SizeLimits(tools=MANY_TOOLS)):
            facts = {
                "count": f"{overrun.found:,}",
                "limit": str(MANY_TOOLS),
                "cuts": _suggest(overrun.cuts),
            }
            diagnostics.add(codes.MANY_TOOLS, api.at, severity=None, **facts)


def in_bytes(config: Config) -> Config:
    """Converts the token budget to bytes, the smaller budget wins: a generated project has no token
    estimates."""
    budgets = config.budgets
    most_bytes = byte_limit(
        SizeLimits(tools_list_bytes=budgets.tools_list_bytes, tokens=budgets.tokens)
    )
    return replace(config, budgets=replace(budgets, tools_list_bytes=most_bytes))


_UNITS = {"tools": "tools", "tools_list_bytes": "bytes", "tokens": "tokens"}
"""The unit of a budget by its key."""


def _report_list(
    overrun: Overrun, at: Location, heaviest: Iterable[ToolSize], diagnostics: Diagnostics
) -> None:
    names = ", ".join(f"`{size.name}` ({size.bytes:,} bytes)" for size in heaviest)
    diagnostics.add(
        codes.OVER_BUDGET,
        at,
        key=overrun.key,
        unit=_UNITS[overrun.key.partition(".")[0]],
        limit=f"{overrun.limit:,}",
        found=f"{overrun.found:,}",
        largest=names,
        cuts=_describe_reductions(overrun.cuts) or ELSE,
    )


def _report_tool(overrun: Overrun, at: Location, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        codes.OVER_TOOL_BUDGET,
        at,
        name=overrun.tool,
        limit=f"{overrun.limit:,}",
        found=f"{overrun.found:,}",
        part=overrun.part,
    )


def _suggest(cuts: Iterable[SizeReduction]) -> str:
    """Lists discovery mode first: the only reduction for lists of any length."""
    return _describe_reductions(sorted(cuts, key=lambda cut: cut.choice != FOUND))


def _describe_reductions(cuts: Iterable[SizeReduction]) -> str:
    """Describes the first `MAX_CUTS` reductions; `""` for an empty list."""
    texts = [f"`{cut.setting}` leaves {cut.tools:,} tools of {cut.bytes:,} bytes" for cut in cuts]
    return "; ".join(texts[:MAX_CUTS])


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
    variant = replace(config, finding=replace(config.finding, mode=DiscoveryMode.ON))
    discovery_tools = discovery(api, api.operations, server.tools, variant, Diagnostics())
    listed = replace(server, discovery=discovery_tools).listed
    tools = tuple(tool.announced for tool in listed)
    return (ConfigVariant(FOUND, '[discovery] mode = "on"', tools),)


def _has_deprecated(tool: ToolSpec) -> bool:
    return any(DEPRECATED in str(argument.schema.get("description")) for argument in tool.arguments)


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
    part = replace(
        api,
        operations=tuple(operation for operation in api.operations if operation.key in concerned),
    )
    # The variant is never built: the findings are dropped.
    variant = lower(part, replace(config, tool_names=names), Diagnostics(), scenarios=False)
    variant_tools = {tool.operation: tool for tool in variant.tools}
    return tuple(variant_tools.get(tool.operation, tool).announced for tool in server.tools)
