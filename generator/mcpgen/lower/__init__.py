"""The third stage: turns an API description into the MCP server that serves the API.

`lower()` is a list of steps. Each step takes the value of the step before, so their order is a matter
of types: `OperationSelection` → `LoweredTools` → `ServerContents` → `ToolGroups` → `Server`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.cache import NO_CACHE, BuildCache
from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.builtin_tools import DocsSpec, ScriptSpec
from mcpgen.ir.policy import Policy
from mcpgen.ir.resources_prompts import ServerFeatures
from mcpgen.ir.server import DiscoverySpec, MissingTool, Server, Toolset, ToolSpec
from mcpgen.lower.api_schemas import api_schemas
from mcpgen.lower.builtin_tools import (
    docs_tool,
    elicit_tool,
    listed_builtin_names,
    report_duplicate_tools,
    script_tool,
)
from mcpgen.lower.connector import with_connector_names
from mcpgen.lower.discovery import build_index, discovery
from mcpgen.lower.endpoint_parameters import EndpointParameters, endpoint_parameters
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.lower_tools import ToolContext, lower_tools
from mcpgen.lower.media_type_choice import report_unknown_bodies
from mcpgen.lower.names import module_names, name_tools
from mcpgen.lower.overrides import report_unused_keys, with_tool_options
from mcpgen.lower.policy import lower_confirmation, lower_policy, report_unknown_limits
from mcpgen.lower.published_names import (
    ProjectNames,
    moved_operations,
    project_names,
    report_lost_names,
    with_moved_names,
)
from mcpgen.lower.resources import add_announced_resources, lower_features
from mcpgen.lower.response_schemas import report_unmatched_fields
from mcpgen.lower.selectors import select_operations, unread_operations, with_parents
from mcpgen.lower.tool import ToolLowering, tool_lowering
from mcpgen.lower.toolsets import group_operations, lower_toolsets
from mcpgen.lower.upstream import allow_schemes, upstream_url
from mcpgen.lower.upstream_auth import report_login_operations, with_credentials, with_upstream_auth
from mcpgen.parallel import IN_PROCESS, WorkerPool


@dataclass(frozen=True, slots=True)
class OperationSelection:
    """The selected operations in document order, and the tool name of each by `Operation.key`.

    `operations` and `config` have the options of single tools and of the connector merged in.
    """

    api: ApiDescription
    operations: tuple[Operation, ...]
    config: Config
    names: Mapping[str, str]
    endpoint: EndpointParameters


@dataclass(frozen=True, slots=True)
class LoweredTools:
    """The tools, and the operations that cannot become tools, both in document order."""

    tools: tuple[ToolSpec, ...]
    missing: tuple[MissingTool, ...]
    lowering: ToolLowering


@dataclass(frozen=True, slots=True)
class ServerContents:
    """Everything a server offers, with its access policy; resource-only tools are withheld.

    `config` has the resources and prompts of the document merged in.
    """

    tools: tuple[ToolSpec, ...]
    features: ServerFeatures
    policy: Policy
    config: Config


@dataclass(frozen=True, slots=True)
class ToolGroups:
    """The tools as clients, scripts and documentation see them."""

    project: ProjectNames
    instructions: str
    discovery: DiscoverySpec | None
    toolsets: tuple[Toolset, ...]
    script: ScriptSpec | None
    docs: DocsSpec | None


def lower(
    api: ApiDescription,
    config: Config,
    diagnostics: Diagnostics,
    *,
    scenarios: bool = True,
    pool: WorkerPool = IN_PROCESS,
    build_cache: BuildCache = NO_CACHE,
) -> Server:
    """Lowers an API to a server: its selected operations as tools, in document order.

    Without `scenarios` tools have none, which saves the time of sampling. `pool` lowers the tools of
    a large server in parallel; unchanged tools come from `build_cache`. An operation that cannot become a
    tool is in `Server.missing`, behind the unreadable ones.
    """
    selection = _select_operations(api, config, diagnostics)
    lowered = _lower_operations(selection, diagnostics, scenarios, pool, build_cache)
    contents = _add_features(selection, lowered, diagnostics)
    groups = _group_tools(selection, contents, diagnostics)
    server = _build_server(selection, lowered, contents, groups, diagnostics)
    return with_upstream_auth(server, contents.config, diagnostics)


def _select_operations(
    api: ApiDescription, config: Config, diagnostics: Diagnostics
) -> OperationSelection:
    """Selects the operations, merges the options of single tools, and names the tools."""
    api = with_credentials(api)
    operations = select_operations(api, config, diagnostics)
    operations = with_tool_options(operations, config, diagnostics, api.at)
    config = with_connector_names(operations, config, diagnostics, api.at)
    moved = moved_operations(api, config)
    names = name_tools(operations, with_moved_names(config, moved), diagnostics, api.at)
    report_lost_names(api, operations, config, moved, names, diagnostics)
    report_unmatched_fields(operations, config, diagnostics, api.at)
    report_unknown_bodies(operations, config, diagnostics, api.at)
    endpoint = endpoint_parameters(api, operations, config, diagnostics)
    return OperationSelection(api, operations, config, names, endpoint)


def _lower_operations(
    selection: OperationSelection,
    diagnostics: Diagnostics,
    scenarios: bool,
    pool: WorkerPool,
    build_cache: BuildCache,
) -> LoweredTools:
    """Lowers every selected operation. Adds MISSING_OPERATION."""
    api, config, names = selection.api, selection.config, selection.names
    operations, endpoint = selection.operations, selection.endpoint
    count = len(operations)
    lowering = tool_lowering(api, config, count, diagnostics, endpoint, scenarios=scenarios)
    context = ToolContext(replace(api, operations=()), config, count, endpoint, scenarios)
    modules = module_names(list(names.values()))
    jobs = [
        (operation, names[operation.key], modules[names[operation.key]]) for operation in operations
    ]
    results = lower_tools(context, lowering, jobs, diagnostics, pool, build_cache)
    tools = tuple(tool for tool in results if isinstance(tool, ToolSpec))
    missing = tuple(
        _report_missing(operation, result, config, diagnostics)
        for operation, result in zip(operations, results, strict=True)
        if isinstance(result, Unsupported)
    )
    lowering.overrides.report_unmatched(config, api.at, diagnostics)
    report_login_operations(api, operations, tools, diagnostics)
    return LoweredTools(tools, missing, lowering)


def _add_features(
    selection: OperationSelection, lowered: LoweredTools, diagnostics: Diagnostics
) -> ServerContents:
    """Adds resources and prompts, and decides the access policy."""
    api, operations = selection.api, selection.operations
    config = add_announced_resources(api, operations, lowered.tools, selection.config, diagnostics)
    features, tools = lower_features(
        lowered.tools, operations, lowered.lowering.schemas, config, diagnostics, api.at
    )
    access = lower_policy(tools, operations, selection.endpoint, config, diagnostics)
    return ServerContents(tools, features, access, config)


def _group_tools(
    selection: OperationSelection, contents: ServerContents, diagnostics: Diagnostics
) -> ToolGroups:
    """Groups the tools for discovery mode, toolsets, scripts and documentation."""
    api, operations = selection.api, selection.operations
    tools, config, unlisted = contents.tools, contents.config, contents.policy.unlisted_tools
    reachable = [tool for tool in tools if not tool.withheld]
    finder = discovery(api, operations, reachable, config, diagnostics)
    project = project_names(api, config, diagnostics)
    tagged = with_parents(replace(api, operations=operations))
    toolsets = lower_toolsets(tagged, tools, config, diagnostics)
    report_duplicate_tools(config, diagnostics, api.at)
    modules = group_operations(operations, tools)
    return ToolGroups(
        project=project,
        instructions=build_index(project.instructions, finder, tools, unlisted),
        discovery=finder,
        toolsets=_with_instructions(toolsets, project.instructions) if finder else toolsets,
        script=script_tool(modules, tools, unlisted, config, api.at),
        docs=docs_tool(modules, config, api.at),
    )


def _build_server(
    selection: OperationSelection,
    lowered: LoweredTools,
    contents: ServerContents,
    groups: ToolGroups,
    diagnostics: Diagnostics,
) -> Server:
    """Puts the server together with its limits, and reports keys without effect."""
    api, operations = selection.api, selection.operations
    tools, config, schemas = contents.tools, contents.config, lowered.lowering.schemas
    names = [*(tool.name for tool in tools), *listed_builtin_names(config)]
    report_unused_keys(config, diagnostics, has_resources=bool(contents.features.resources))
    report_unknown_limits(config, names, diagnostics, api.at)
    return Server(
        slug=groups.project.slug,
        package=groups.project.package,
        title=groups.project.title,
        version=groups.project.version,
        instructions=groups.instructions,
        upstream=_base_url(api, tools, config, diagnostics),
        tools=tools,
        security_schemes=allow_schemes(api, diagnostics),
        definitions=_definitions(lowered.lowering, tools),
        api_schemas=api_schemas(schemas, operations, tools, config.api_models),
        missing=(*unread_operations(api, config, diagnostics), *lowered.missing),
        flat=config.flattening.mode is FlattenMode.FLAT,
        policy=contents.policy,
        toolsets=groups.toolsets,
        toolset=config.toolset if config.toolset in config.toolsets else "",
        discovery=groups.discovery,
        script=groups.script,
        docs=groups.docs,
        elicit=elicit_tool(config, api.at),
        sessions=config.eliciting.sessions,
        resumable=config.eliciting.sessions and config.eliciting.resumable,
        asks_in_hooks=config.eliciting.hooks,
        confirmation=lower_confirmation(tools, contents.policy, config, diagnostics, api.at),
        limits=config.limits,
        observability=config.observability,
        capability=api.capability,
        offers=contents.features,
        registry=config.registry,
        operation_ids={
            operation.key: operation.id
            for operation in operations
            if operation.id and not operation.declared
        },
    )


def _base_url(
    api: ApiDescription, tools: Sequence[ToolSpec], config: Config, diagnostics: Diagnostics
) -> str:
    """Returns the base URL of the API, `""` without a report if no tool sends requests."""
    if not config.upstream and not api.servers and not any(tool.route for tool in tools):
        return ""
    return upstream_url(api, config.upstream, diagnostics)


def _with_instructions(toolsets: Sequence[Toolset], instructions: str) -> tuple[Toolset, ...]:
    """Returns the toolsets with the API's instructions, without the index of discovery mode.

    A toolset lists its tools, so its clients need no index.
    """
    return tuple(
        replace(toolset, instructions=toolset.instructions or instructions) for toolset in toolsets
    )


def _report_missing(
    operation: Operation, refusal: Unsupported, config: Config, diagnostics: Diagnostics
) -> MissingTool:
    """Adds MISSING_OPERATION, a warning with `--keep-going`."""
    diagnostics.add(
        codes.MISSING_OPERATION,
        refusal.at,
        severity=Severity.WARNING if config.keep_going else None,
        operation=operation.key,
        reason=refusal.reason,
        hint=(
            "correct the operation in the API description, or exclude it under `[select]`"
            if config.keep_going
            else "correct the operation in the API description, exclude it under `[select]`, or "
            "build the others with `--keep-going`"
        ),
    )
    return MissingTool(operation.key, refusal.reason, refusal.at)


def _definitions(lowering: ToolLowering, tools: Sequence[ToolSpec]) -> dict[str, object]:
    """Returns the schemas reachable from the tools' checks, in order of name."""
    names = lowering.checks.reached({name for tool in tools for name in tool.definitions})
    return {name: lowering.checks.definition(name) for name in sorted(names)}


__all__ = ["lower"]
