"""The stage `emit`: a `Server` becomes the files of a project, in memory."""

from __future__ import annotations

import sys

from mcpgen.cache import NO_CACHE, BuildCache
from mcpgen.config import Config
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import emit as codes
from mcpgen.ir.project import File, Project
from mcpgen.ir.server import Server
from mcpgen.parallel import IN_PROCESS, WorkerPool

_NEEDED = frozenset({"aiohttp", "anyio", "httpx2", "jsonschema", "jsonschema_rs", "mcp"})
_NEEDED |= {"mcp_types", "pydantic", "pydantic_core", "pydantic_settings", "pytest", "referencing"}
_NEEDED |= {"starlette", "tests", "uvicorn"}
"""The modules that a generated project imports from outside, except the standard library."""


def emit(
    server: Server,
    config: Config,
    diagnostics: Diagnostics,
    *,
    pool: WorkerPool = IN_PROCESS,
    model_pool: WorkerPool = IN_PROCESS,
    build_cache: BuildCache = NO_CACHE,
) -> Project:
    """Renders the files of the server's project, sorted by path. `pool` renders the files of
    projects with many tools, `model_pool` generates the models, and `build_cache` supplies cached
    results. Both pools end. Adds MG401, MG402, MG626 and MG629."""
    # Both modules import `openspec.emit`, whose modules import modules of this package.
    from mcpgen.emit.deployment import report_unpinned_images
    from mcpgen.emit.project import files

    if server.package in _NEEDED or server.package in sys.stdlib_module_names:
        chosen = config.at("package") or Location("mcpgen.toml", ("package",))
        diagnostics.add(codes.PACKAGE_HIDES_MODULE, chosen, package=server.package)
        return Project((), {})
    report_unpinned_images(server, config, diagnostics)
    if config.deployment.sbom and config.runtime is RuntimeMode.PACKAGE:
        chosen = config.at("deploy", "sbom") or Location("mcpgen.toml", ("deploy",))
        diagnostics.add(config_codes.SBOM_WITHOUT_LOCK, chosen)
        return Project((), {})
    ordered = sorted(
        files(server, config, pool, model_pool, build_cache), key=lambda file: file.path
    )
    _refuse_clashes(ordered, diagnostics)
    return Project(tuple(ordered), {tool.operation: tool.name for tool in server.tools})


def _refuse_clashes(files: list[File], diagnostics: Diagnostics) -> None:
    """Adds MG401 for two paths that are equal on a case-insensitive disk."""
    taken: dict[str, str] = {}
    for file in files:
        first = taken.setdefault(file.path.casefold(), file.path)
        if first is not file.path:
            at = Location(file.path)
            diagnostics.add(codes.FILE_CLASH, at, path=file.path, first=first)


__all__ = ["emit"]
