"""The third stage: an API description becomes the MCP server that serves it."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.config import Config, FlattenMode
from mcpgen.crew import ALONE, Crew
from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Api, Operation
from mcpgen.ir.registry import Registry
from mcpgen.ir.server import Missing, Server, Tool, Toolset
from mcpgen.lower.api_schemas import api_schemas
from mcpgen.lower.beside import beside_names, docs, elicit, script, tell_same_names
from mcpgen.lower.choices import with_choices
from mcpgen.lower.confirm import confirmation
from mcpgen.lower.connector import with_connector
from mcpgen.lower.crafting import crafted
from mcpgen.lower.credentials import with_credentials
from mcpgen.lower.discovery import discovery, indexed
from mcpgen.lower.fields import tell_unmatched
from mcpgen.lower.flatten import Refusal
from mcpgen.lower.identity import identity
from mcpgen.lower.idle import tell_idle
from mcpgen.lower.limits import knowledge, limits
from mcpgen.lower.logins import tell_logins
from mcpgen.lower.modules import modules as modules_of
from mcpgen.lower.names import modules, named
from mcpgen.lower.offers import offers, with_announced
from mcpgen.lower.outward import with_outward
from mcpgen.lower.policy import policy
from mcpgen.lower.policy.endpoint import bound
from mcpgen.lower.published_names import moved_operations, tell_lost_names, with_moved_names
from mcpgen.lower.remembered import Common
from mcpgen.lower.representation import tell_unknown_bodies
from mcpgen.lower.select import missed, selected, with_parents
from mcpgen.lower.tool import Workshop, workshop
from mcpgen.lower.toolsets import toolsets
from mcpgen.lower.upstream import allowed_schemes, upstream
from mcpgen.memory import FORGETFUL, Memory


def lower(
    api: Api,
    config: Config,
    diagnostics: Diagnostics,
    *,
    scenarios: bool = True,
    crew: Crew = ALONE,
    memory: Memory = FORGETFUL,
) -> Server:
    """The server of an API: its selected operations as tools, in document order.

    Without `scenarios` the tools have none: whoever only looks at them need not wait for these. The
    tools of a large server are made with `crew`, and those that `memory` has are not made again.
    What cannot be done is told in `diagnostics`; an operation that cannot become a tool stands in
    `Server.missing`, after those that could not be read.
    """
    api = with_credentials(api)
    operations = selected(api, config, diagnostics)
    operations = with_choices(operations, config, diagnostics, api.at)
    config = with_connector(operations, config, diagnostics, api.at)
    moved = moved_operations(api, config)
    names = named(operations, with_moved_names(config, moved), diagnostics, api.at)
    tell_lost_names(api, operations, config, moved, names, diagnostics)
    tell_unmatched(operations, config, diagnostics, api.at)
    tell_unknown_bodies(operations, config, diagnostics, api.at)
    files = modules(list(names.values()))
    fixed = bound(api, operations, config, diagnostics)
    shop = workshop(api, config, len(operations), diagnostics, fixed, scenarios=scenarios)
    tools: list[Tool] = []
    missing: list[Missing] = []
    orders = [(each, names[each.key], files[names[each.key]]) for each in operations]
    common = Common(replace(api, operations=()), config, len(operations), fixed, scenarios)
    done = crafted(common, shop, orders, diagnostics, crew, memory)
    for operation, made in zip(operations, done, strict=True):
        if isinstance(made, Refusal):
            missing.append(_missing(operation, made, config, diagnostics))
        else:
            tools.append(made)
    shop.shaper.tell_unmet(config, api.at, diagnostics)
    tell_logins(api, operations, tools, diagnostics)
    grouped = with_parents(replace(api, operations=operations))
    config = with_announced(api, operations, tools, config, diagnostics)
    offered, kept = offers(tools, operations, shop.schemas, config, diagnostics, api.at)
    tools = list(kept)
    callable_ = [tool for tool in tools if not tool.withheld]
    found = discovery(api, operations, callable_, config, diagnostics)
    called = identity(api, config, diagnostics)
    guarded = policy(tools, operations, fixed, config, diagnostics)
    sets = toolsets(grouped, tools, config, diagnostics)
    tell_same_names(config, diagnostics, api.at)
    tell_idle(config, diagnostics, has_resources=bool(offered.resources))
    divided = modules_of(operations, tools)
    told = config.registry
    server = Server(
        slug=called.slug,
        package=called.package,
        title=called.title,
        version=called.version,
        instructions=indexed(called.instructions, found, tools, guarded.unlisted),
        upstream=_upstream(api, tools, config, diagnostics),
        tools=tuple(tools),
        security_schemes=allowed_schemes(api, diagnostics),
        definitions=_definitions(shop, tools),
        api_schemas=api_schemas(shop.schemas, operations, tools, config.api_models),
        missing=(*missed(api, config, diagnostics), *missing),
        flat=config.flattening.mode is FlattenMode.FLAT,
        policy=guarded,
        toolsets=sets if found is None else _told(sets, called.instructions),
        toolset=config.toolset if config.toolset in config.toolsets else "",
        discovery=found,
        script=script(divided, tools, guarded.unlisted, config, api.at),
        docs=docs(divided, config, api.at),
        elicit=elicit(config, api.at),
        sessions=config.eliciting.sessions,
        resumable=config.eliciting.sessions and config.eliciting.resumable,
        confirmation=confirmation(tools, guarded, config, diagnostics, api.at),
        limits=limits(
            config, [*(tool.name for tool in tools), *beside_names(config)], diagnostics, api.at
        ),
        knowledge=knowledge(config),
        capability=api.capability,
        offers=offered,
        registry=Registry(told.name, told.url, told.ttl, told.generic),
        operation_ids={each.key: each.id for each in operations if each.id and not each.declared},
    )
    return with_outward(server, config, diagnostics)


def _upstream(api: Api, tools: list[Tool], config: Config, diagnostics: Diagnostics) -> str:
    """The base URL of the API; nobody misses it where no tool sends anything by itself."""
    if not config.upstream and not api.servers and not any(tool.route for tool in tools):
        return ""
    return upstream(api, config.upstream, diagnostics)


def _told(sets: tuple[Toolset, ...], instructions: str) -> tuple[Toolset, ...]:
    """The sets with instructions of their own, where those of the server tell how to find tools,
    which stand in the list of a set."""
    return tuple(replace(each, instructions=each.instructions or instructions) for each in sets)


def _missing(
    operation: Operation, refusal: Refusal, config: Config, diagnostics: Diagnostics
) -> Missing:
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
    return Missing(operation.key, refusal.reason, refusal.at)


def _definitions(shop: Workshop, tools: list[Tool]) -> dict[str, object]:
    """The schemas that the tools' checks lead to, in order of name."""
    reached = shop.checks.reached({name for tool in tools for name in tool.definitions})
    return {name: shop.checks.definition(name) for name in sorted(reached)}


__all__ = ["lower"]
