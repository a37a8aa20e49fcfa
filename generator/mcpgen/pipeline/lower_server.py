"""Lowers a loaded specification to the server of a build."""

from __future__ import annotations

from mcpgen.cache import NO_CACHE, BuildCache
from mcpgen.config import Config
from mcpgen.config.tables.budgets import MANY_TOOLS
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.codes import write as write_codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.openspec.load import bind_scenarios
from mcpgen.parallel import IN_PROCESS, WorkerPool
from mcpgen.pipeline.load_spec import LoadedSpec
from mcpgen.pipeline.result import PhaseTimer


def lower_server(
    loaded_spec: LoadedSpec,
    api: ApiDescription,
    config: Config,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    *,
    scenarios: bool = True,
    crew: WorkerPool = IN_PROCESS,
    memory: BuildCache = NO_CACHE,
) -> tuple[Server, Config]:
    """Returns the server, and the configuration with budgets in bytes. Without `scenarios` tools
    have no scenarios, which saves the time of sampling. Adds NOTHING_LEFT and the findings of
    `lower` and `check_budgets`."""
    if config.keep_going:
        diagnostics.soften(parse_codes.PER_OPERATION)
    with clock.phase("lower"):
        from mcpgen.lower import lower

        server = lower(api, config, diagnostics, scenarios=scenarios, crew=crew, memory=memory)
        server = bind_scenarios(server, loaded_spec.capabilities, diagnostics)
    if server.missing and not server.tools:
        count = len(server.missing)
        diagnostics.add(write_codes.NOTHING_LEFT, api.at, count=count)
    if config.budgets.limits_tools or len(server.listed) > MANY_TOOLS:
        # Imported here: `mcpgen.analysis` is needed for budgets only.
        with clock.phase("lower"):
            from mcpgen.pipeline.budgets import check_budgets, in_bytes

            check_budgets(api, server, config, diagnostics)
            config = in_bytes(config)
    return server, config
