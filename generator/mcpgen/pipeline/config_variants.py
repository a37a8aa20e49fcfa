"""The lists of tools that other choices would make, of which the announced tools cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mcpgen.analysis.tool_listing import ConfigVariant
from mcpgen.config import Config, DeprecatedArguments, DiscoveryMode, OutputMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.lower import lower
from mcpgen.lower.discovery import discovery

DEPRECATED = "Deprecated."
"""What the description of a deprecated argument says."""


FOUND = "discovery"
"""The choice by which tools are not listed but found."""


def config_variants(api: ApiDescription, server: Server, config: Config) -> Iterator[ConfigVariant]:
    """The choices that would change what a server announces; nothing for those it has made already."""
    yield from discovery_variant(api, server, config)
    if config.flattening.deprecated is DeprecatedArguments.KEEP:
        dropped = replace(config.flattening, deprecated=DeprecatedArguments.DROP)
        yield ConfigVariant(
            "no-deprecated-arguments",
            '[flatten] deprecated = "drop"',
            _again(api, server, replace(config, flattening=dropped), _has_deprecated),
        )
    if config.output_schemas is OutputMode.FULL:
        yield ConfigVariant(
            "output-shallow",
            '[output] schemas = "shallow"',
            _again(api, server, replace(config, output_schemas=OutputMode.SHALLOW), _has_output),
        )


def discovery_variant(
    api: ApiDescription, server: Server, config: Config
) -> tuple[ConfigVariant, ...]:
    """Discovery mode, for a server that has tools and is not in it."""
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


def _again(
    api: ApiDescription, server: Server, config: Config, concerns: Callable[[ToolSpec], bool]
) -> tuple[dict[str, object], ...]:
    """The tools as announced, of which those that a choice concerns are made anew with it."""
    names = {tool.operation: tool.name for tool in server.tools}
    concerned = {tool.operation for tool in server.tools if concerns(tool)}
    if not concerned:
        return tuple(tool.announced for tool in server.tools)
    some = replace(api, operations=tuple(one for one in api.operations if one.key in concerned))
    # Nobody builds this, so its findings are of no use to anybody.
    made = lower(some, replace(config, tool_names=names), Diagnostics(), scenarios=False)
    anew = {tool.operation: tool for tool in made.tools}
    return tuple(anew.get(tool.operation, tool).announced for tool in server.tools)
