"""The third stage: turns an API description into the MCP server that serves the API."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.cache import NO_CACHE, BuildCache
from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.policy import RegistrySpec
from mcpgen.ir.server import MissingTool, Server, Toolset, ToolSpec
from mcpgen.lower.api_schemas import api_schemas
from mcpgen.lower.builtin_tools import (
    beside_names,
    docs_tool,
    elicit_tool,
    report_duplicate_tools,
    script_tool,
)
from mcpgen.lower.connector import with_connector
from mcpgen.lower.discovery import build_index, discovery
from mcpgen.lower.endpoint_parameters import endpoint_parameters
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.lower_tools import ToolContext, lower_tools
from mcpgen.lower.media_type_choice import report_unknown_bodies
from mcpgen.lower.names import module_names, name_tools
from mcpgen.lower.overrides import report_unused_keys, with_choices
from mcpgen.lower.policy import knowledge, limits, lower_confirmation, policy
from mcpgen.lower.project_name import identity
from mcpgen.lower.published_names import moved_operations, report_lost_names, with_moved_names
from mcpgen.lower.resources import add_announced_resources, lower_features
from mcpgen.lower.response_fields import report_unmatched_fields
from mcpgen.lower.selectors import select_operations, unread_operations, with_parents
from mcpgen.lower.tool import ToolLowering, tool_lowering
from mcpgen.lower.toolsets import group_operations as modules_of
from mcpgen.lower.toolsets import lower_toolsets
from mcpgen.lower.upstream import allow_schemes, upstream
from mcpgen.lower.upstream_auth import report_login_operations, with_credentials, with_outward
from mcpgen.parallel import IN_PROCESS, WorkerPool


def lower(
    api: ApiDescription,
    config: Config,
    diagnostics: Diagnostics,
    *,
    scenarios: bool = True,
    crew: WorkerPool = IN_PROCESS,
    memory: BuildCache = NO_CACHE,
) -> Server:
    """The server of an API: its selected operations as tools, in document order.

    Without `scenarios` the tools have none: whoever only looks at them need not wait for these. The
    tools of a large server are made with `crew`, and those that `memory` has are not made again.
    What cannot be done is told in `diagnostics`; an operation that cannot become a tool stands in
    `Server.missing`, after those that could not be read.
    """
    api = with_credentials(api)
    operations = select_operations(api, config, diagnostics)
    operations = with_choices(operations, config, diagnostics, api.at)
    config = with_connector(operations, config, diagnostics, api.at)
    moved = moved_operations(api, config)
    names = name_tools(operations, with_moved_names(config, moved), diagnostics, api.at)
    report_lost_names(api, operations, config, moved, names, diagnostics)
    report_unmatched_fields(operations, config, diagnostics, api.at)
    report_unknown_bodies(operations, config, diagnostics, api.at)
    files = module_names(list(names.values()))
    fixed = endpoint_parameters(api, operations, config, diagnostics)
    shop = tool_lowering(api, config, len(operations), diagnostics, fixed, scenarios=scenarios)
    tools: list[ToolSpec] = []
    missing: list[MissingTool] = []
    orders = [(each, names[each.key], files[names[each.key]]) for each in operations]
    common = ToolContext(replace(api, operations=()), config, len(operations), fixed, scenarios)
    done = lower_tools(common, shop, orders, diagnostics, crew, memory)
    for operation, made in zip(operations, done, strict=True):
        if isinstance(made, Unsupported):
            missing.append(_missing(operation, made, config, diagnostics))
        else:
            tools.append(made)
    shop.shaper.tell_unmet(config, api.at, diagnostics)
    report_login_operations(api, operations, tools, diagnostics)
    grouped = with_parents(replace(api, operations=operations))
    config = add_announced_resources(api, operations, tools, config, diagnostics)
    offered, kept = lower_features(tools, operations, shop.schemas, config, diagnostics, api.at)
    tools = list(kept)
    callable_ = [tool for tool in tools if not tool.withheld]
    found = discovery(api, operations, callable_, config, diagnostics)
    called = identity(api, config, diagnostics)
    guarded = policy(tools, operations, fixed, config, diagnostics)
    sets = lower_toolsets(grouped, tools, config, diagnostics)
    report_duplicate_tools(config, diagnostics, api.at)
    report_unused_keys(config, diagnostics, has_resources=bool(offered.resources))
    divided = modules_of(operations, tools)
    told = config.registry
    server = Server(
        slug=called.slug,
        package=called.package,
        title=called.title,
        version=called.version,
        instructions=build_index(called.instructions, found, tools, guarded.unlisted),
        upstream=_upstream(api, tools, config, diagnostics),
        tools=tuple(tools),
        security_schemes=allow_schemes(api, diagnostics),
        definitions=_definitions(shop, tools),
        api_schemas=api_schemas(shop.schemas, operations, tools, config.api_models),
        missing=(*unread_operations(api, config, diagnostics), *missing),
        flat=config.flattening.mode is FlattenMode.FLAT,
        policy=guarded,
        toolsets=sets if found is None else _with_instructions(sets, called.instructions),
        toolset=config.toolset if config.toolset in config.toolsets else "",
        discovery=found,
        script=script_tool(divided, tools, guarded.unlisted, config, api.at),
        docs=docs_tool(divided, config, api.at),
        elicit=elicit_tool(config, api.at),
        sessions=config.eliciting.sessions,
        resumable=config.eliciting.sessions and config.eliciting.resumable,
        confirmation=lower_confirmation(tools, guarded, config, diagnostics, api.at),
        limits=limits(
            config, [*(tool.name for tool in tools), *beside_names(config)], diagnostics, api.at
        ),
        knowledge=knowledge(config),
        capability=api.capability,
        offers=offered,
        registry=RegistrySpec(told.name, told.url, told.ttl, told.generic),
        operation_ids={each.key: each.id for each in operations if each.id and not each.declared},
    )
    return with_outward(server, config, diagnostics)


def _upstream(
    api: ApiDescription, tools: list[ToolSpec], config: Config, diagnostics: Diagnostics
) -> str:
    """The base URL of the API; nobody misses it where no tool sends anything by itself."""
    if not config.upstream and not api.servers and not any(tool.route for tool in tools):
        return ""
    return upstream(api, config.upstream, diagnostics)


def _with_instructions(sets: tuple[Toolset, ...], instructions: str) -> tuple[Toolset, ...]:
    """Gives toolsets without instructions the server's own, without the index of groups:
    toolsets list their tools."""
    return tuple(replace(each, instructions=each.instructions or instructions) for each in sets)


def _missing(
    operation: Operation, refusal: Unsupported, config: Config, diagnostics: Diagnostics
) -> MissingTool:
    severity = Severity.WARNING if config.keep_going else None
    diagnostics.add(
        codes.MISSING_OPERATION,
        refusal.at,
        severity=severity,
        operation=operation.key,
        reason=refusal.reason,
        hint=(
            "correct the description, or exclude the operation"
            if config.keep_going
            else "exclude the operation, or build the rest with `--keep-going`"
        ),
    )
    return MissingTool(operation.key, refusal.reason, refusal.at)


def _definitions(shop: ToolLowering, tools: list[ToolSpec]) -> dict[str, object]:
    """Returns the schemas reachable from the tools' checks, in order of name."""
    reached = shop.checks.reached({name for tool in tools for name in tool.definitions})
    return {name: shop.checks.definition(name) for name in sorted(reached)}


__all__ = ["lower"]
