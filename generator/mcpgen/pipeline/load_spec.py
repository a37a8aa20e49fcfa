"""Loads a specification: from the user's files to an `ApiDescription`, and to the `Server` of a build."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen import write
from mcpgen.cache import NO_CACHE, BuildCache, hash_texts
from mcpgen.config import Config
from mcpgen.config.tables.project import MANY_TOOLS
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import openspec as openspec_codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.codes import write as write_codes
from mcpgen.diagnostics.render import SourceMap
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.ir.source import Source
from mcpgen.openspec.load import bind_scenarios, is_openspec, load_requirements
from mcpgen.openspec.model.companion import Capability
from mcpgen.parallel import IN_PROCESS, WorkerPool
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

if TYPE_CHECKING:
    from mcpgen.pipeline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A specification, with None for parts after the first error. `validation` describes the
    validation. `capabilities` are set for OpenSpec."""

    source: Source | None = None
    api: ApiDescription | None = None
    validation: str = ""
    capabilities: tuple[Capability, ...] = ()


LARGE = 1_000_000
"""Size of a specification in characters from which a second process saves more time than the start
of the process takes."""


def places(
    loaded_spec: LoadedSpec, space: Workspace | None, stdin: bytes | None = None
) -> SourceMap:
    """Returns the positions and lines of the specification and the configuration."""
    from mcpgen.read.positions import Positions, SourceLines

    source = loaded_spec.source
    documents = (*source.documents.values(), *source.overlays) if source else ()
    texts = [(document.name, document.text) for document in documents]
    if space and space.config_text is not None:
        texts.append((space.config_name, space.config_text))
    return SourceMap(
        Positions(documents), SourceLines(texts, {"<stdin>": stdin} if stdin else None)
    )


def load_spec(
    spec: str,
    options: BuildOptions,
    stdin: bytes | None,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    *,
    validated: bool = True,
    pool: WorkerPool = IN_PROCESS,
) -> LoadedSpec:
    """Reads, validates (if `validated`) and parses the specification at `spec`. Starts `pool` for a
    large specification. Adds NO_REQUIREMENTS."""
    if is_openspec(spec):
        validate = partial(_validation, options=options, clock=clock, diagnostics=diagnostics)
        loaded = load_requirements(
            spec, options, clock.phase, diagnostics, validate if validated else None
        )
        return LoadedSpec(
            source=loaded.source,
            api=loaded.api,
            validation=loaded.validation,
            capabilities=loaded.capabilities,
        )
    for option in ("capability", "change", "openapi"):
        if getattr(options, option):
            at = Location(spec)
            diagnostics.add(openspec_codes.NO_REQUIREMENTS, at, option=option, path=spec)
            return LoadedSpec()
    with clock.phase("read"):
        from mcpgen.read import read

        source = read(
            spec,
            diagnostics,
            stdin=stdin,
            root=options.root or None,
            overlays=options.overlays,
            allow_remote=options.allow_remote,
            source=options.source,
        )
    if source is None or source.is_unusable:
        return LoadedSpec(source)
    if sum(len(document.text) for document in source.documents.values()) >= LARGE:
        pool.start()
    validation = _validation(source, options, clock, diagnostics) if validated else ""
    with clock.phase("parse"):
        from mcpgen.parse import parse

        api = parse(source, diagnostics)
    if validation:
        from mcpgen.parse.validate import drop_repeated_findings

        drop_repeated_findings(diagnostics)
    return LoadedSpec(source, api, validation)


def _validation(
    source: Source, options: BuildOptions, clock: PhaseTimer, diagnostics: Diagnostics
) -> str:
    with clock.phase("validate"):
        from mcpgen.parse.validate import validate

        in_full = options.strict or bool(os.environ.get("CI"))
        return validate(
            source, diagnostics, mode="always" if in_full else "auto", cache=cache_folder()
        )


def failing(diagnostics: Diagnostics, options: BuildOptions) -> bool:
    """True if the diagnostics stop the build."""
    if diagnostics.failed:
        return True
    return options.strict and any(
        diagnostic.severity is Severity.WARNING for diagnostic in diagnostics
    )


def cache_folder() -> Path | None:
    """Returns the cache folder of the platform; None without a home folder. `MCPGEN_CACHE`
    overrides the folder."""
    if folder := os.environ.get("MCPGEN_CACHE"):
        return Path(folder)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mcpgen"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "mcpgen"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "mcpgen"


def read_last_build(folder: Path) -> BuildCache:
    """Opens the build cache of the project in a folder."""
    cache = cache_folder()
    if cache is None:
        return NO_CACHE
    name = hash_texts(os.path.abspath(folder))[:32]
    return BuildCache(cache / "builds" / f"{name}.json", f"{write.generator_hash()} {sys.version}")


def lower_server(
    loaded_spec: LoadedSpec,
    api: ApiDescription,
    config: Config,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    *,
    scenarios: bool = True,
    pool: WorkerPool = IN_PROCESS,
    build_cache: BuildCache = NO_CACHE,
) -> tuple[Server, Config]:
    """Returns the server, and the configuration with budgets in bytes. Without `scenarios` tools
    have no scenarios, which saves the time of sampling. Adds NOTHING_LEFT and the findings of
    `lower` and `check_budgets`."""
    if config.keep_going:
        diagnostics.soften(parse_codes.PER_OPERATION)
    with clock.phase("lower"):
        from mcpgen.lower import lower

        server = lower(
            api, config, diagnostics, scenarios=scenarios, pool=pool, build_cache=build_cache
        )
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
