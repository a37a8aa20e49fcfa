"""Runs the stages of a build: read → validate → parse → lower → emit → plan → write → smoke test."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from mcpgen import write
from mcpgen.cache import NO_CACHE, BuildCache
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.emit.runtime import has_copy
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server
from mcpgen.openspec.load import with_budgets
from mcpgen.parallel import IN_PROCESS, WorkerPool
from mcpgen.pipeline.load_spec import (
    LoadedSpec,
    failing,
    load_spec,
    lower_server,
    places,
    read_last_build,
)
from mcpgen.pipeline.project_checks import (
    PYPROJECT,
    read_pyproject,
    report_missing_dependencies,
    report_questions,
    report_unknown_hooks,
    report_unlocked_requirements,
    switched_pyproject,
    with_runtime_range,
)
from mcpgen.pipeline.result import (
    BuildOptions,
    BuildResult,
    BuildStatus,
    PhaseTimer,
    ProgressCallback,
)
from mcpgen.pipeline.workspace import (
    STDIN,
    Workspace,
    follow_archived_change,
    locate_folder,
    open_workspace,
)
from mcpgen.pipeline.write_project import BuildContext, diff_project, write_project

_MODELS = ("mcpgen.emit.models:load_library",)
"""Modules to load in the process that generates `models.py`."""


def build(
    spec: str = "",
    folder: str = "",
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    *,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> BuildResult:
    """Makes or updates the project of a specification and checks the built server.

    `spec` defaults to the specification in the folder's `mcpgen.toml`. `folder` defaults to the
    current folder if a project, else to a folder named after the API. `-` reads `stdin`; a document
    at a URL is fetched and stored in the project.

    Waits for another build of the same folder. Raises OSError for a fault of the machine, and
    KeyboardInterrupt; the folder is unchanged in both cases.
    """
    clock = PhaseTimer(tell)
    with (
        WorkerPool() as pool,
        WorkerPool(_MODELS, "datamodel_code_generator") as model_pool,
        ExitStack() as exit_stack,
    ):
        run = partial(_build, clock=clock, pool=pool, model_pool=model_pool, exit_stack=exit_stack)
        if not options.refresh and not has_scheme(spec):
            return run(spec, folder, options, stdin)
        # Loaded here: most builds fetch nothing.
        from mcpgen.pipeline.fetched_spec import build_from_url

        return build_from_url(
            spec,
            folder,
            options,
            clock,
            lambda path, name, merged_options: run(path, name, merged_options, None),
            lambda content, diagnostics: _name_of(content, options, clock, diagnostics),
        )


def _build(
    spec: str,
    folder: str,
    options: BuildOptions,
    stdin: bytes | None,
    *,
    clock: PhaseTimer,
    pool: WorkerPool,
    model_pool: WorkerPool,
    exit_stack: ExitStack,
) -> BuildResult:
    diagnostics = Diagnostics()
    name = locate_folder(folder)
    space = _open_locked(name, options, clock, diagnostics, exit_stack) if name else None
    if space and space.tell_newer_generator(options, diagnostics):
        return _failed_build(clock, diagnostics, space, LoadedSpec(), stdin)
    if space and not spec and space.config.spec and space.tell_absent_spec(diagnostics):
        return _failed_build(clock, diagnostics, space, LoadedSpec(), stdin)
    spec = space.spec(spec) if space else spec
    if not spec:
        label = space.config_name if space else CONFIG_NAME
        if not diagnostics.failed:
            diagnostics.add(config_codes.NO_SPEC, Location(label), path=label)
        return _failed_build(clock, diagnostics, space, LoadedSpec(), stdin)
    if space:
        space, options = follow_archived_change(space, spec, options, diagnostics)
    if space and (unchanged := _unchanged_result(space, spec, options, clock, diagnostics)):
        return unchanged
    merged_options = space.with_defaults(options) if space else options
    build_cache = read_last_build(space.folder) if space else NO_CACHE
    # With a filled cache, the start of a second process takes longer than the remaining work.
    hands = IN_PROCESS if build_cache.is_there else pool
    if not build_cache.is_there:
        # The library loads while the document is read.
        model_pool.start()
    loaded_spec = load_spec(spec, merged_options, stdin, clock, diagnostics, pool=hands)
    if loaded_spec.source is None or loaded_spec.api is None:
        return _failed_build(clock, diagnostics, space, loaded_spec, stdin)
    if space is None:
        space = _open_locked(_slug(loaded_spec.api), options, clock, diagnostics, exit_stack)
        if space.tell_newer_generator(options, diagnostics):
            return _failed_build(clock, diagnostics, space, loaded_spec, stdin)
        build_cache = read_last_build(space.folder)
        if unchanged := _unchanged_result(space, spec, options, clock, diagnostics):
            return unchanged
    space.tell_other_spec(spec, diagnostics)
    config = with_budgets(space.choices(spec, options), loaded_spec.capabilities)
    server, project = _generate(
        loaded_spec, loaded_spec.api, config, clock, diagnostics, pool, model_pool, build_cache
    )
    space.tell_other_name(server.slug, diagnostics)
    package = space.package_on_disk(server.package)
    report_unknown_hooks(server, space.folder, space.name, package, diagnostics)
    report_questions(server, space.folder, space.name, package, diagnostics)
    if failing(diagnostics, options) or project is None:
        return _failed_build(clock, diagnostics, space, loaded_spec, stdin, server)
    requiring = write.file_name(space.name, PYPROJECT)
    pyproject = content = read_pyproject(space.folder)
    if space.lock and bool(space.lock.runtime) != has_copy(project, server.package):
        pyproject = switched_pyproject(content, server, config, requiring, diagnostics)
    pyproject = with_runtime_range(pyproject, requiring, diagnostics)
    report_missing_dependencies(project, pyproject, requiring, diagnostics)
    report_unlocked_requirements(project, space.folder, pyproject, config, requiring, diagnostics)
    context = BuildContext(
        space=space,
        spec=spec,
        options=options,
        source=loaded_spec.source,
        server=server,
        project=project,
        clock=clock,
        diagnostics=diagnostics,
        pyproject=pyproject if pyproject != content else "",
    )
    outcome = diff_project(context) if options.check else write_project(context)
    return replace(
        outcome,
        validation=loaded_spec.validation,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
        places=places(loaded_spec, space, stdin),
    )


def _open_locked(
    name: str,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    exit_stack: ExitStack,
) -> Workspace:
    """Opens the workspace; locks the folder until `held` closes. Raises OSError for a folder
    without write permission."""
    if not options.check:
        write.require_writable(Path(name))
        exit_stack.enter_context(write.folder_lock(Path(name), partial(clock.phase, "wait")))
        write.recover(Path(name))
    return open_workspace(name, options, diagnostics)


def _unchanged_result(
    space: Workspace, spec: str, options: BuildOptions, clock: PhaseTimer, diagnostics: Diagnostics
) -> BuildResult | None:
    """Returns the result for an unchanged project; None if a build is necessary."""
    lock = space.lock
    if lock is None or options.check or options.strict or options.verbose or diagnostics.failed:
        return None
    if options.downgrade or (options.verify and not lock.verified):
        return None
    with clock.phase("compare"):
        facts = space.facts(spec, options)
        if not write.is_current(lock, space.folder, facts):
            return None
    ejected = write.WritePlan(changes=(), conflicts=(), files=lock.files, ejected=lock.ejected)
    write.report_conflicts(ejected, space.name, diagnostics)
    return BuildResult(
        BuildStatus.UNCHANGED,
        space.name,
        tools=lock.tools,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
    )


def has_scheme(spec: str) -> bool:
    """True for a URL of any scheme, False for a path.

    Example: `has_scheme("ftp://example.com/api.yaml")` gives `True`.
    """
    return "://" in spec or spec.lower().startswith("file:")


def _name_of(
    content: bytes, options: BuildOptions, clock: PhaseTimer, diagnostics: Diagnostics
) -> str:
    """Returns the project name for a document; `""` and diagnostics for an unreadable document."""
    own_diagnostics = Diagnostics()
    merged_options = replace(options, root="", overlays=())
    loaded_spec = load_spec(STDIN, merged_options, content, clock, own_diagnostics, validated=False)
    if loaded_spec.api is not None:
        return _slug(loaded_spec.api)
    diagnostics.add_translated(own_diagnostics)
    return ""


def _slug(api: ApiDescription) -> str:
    """Returns the default project name of an API."""
    from mcpgen.lower import lower

    return lower(replace(api, operations=()), Config(), Diagnostics()).slug


def _generate(
    loaded_spec: LoadedSpec,
    api: ApiDescription,
    config: Config,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    pool: WorkerPool,
    model_pool: WorkerPool,
    build_cache: BuildCache,
) -> tuple[Server, Project | None]:
    """Lowers and emits; returns the server, and the project unless there are errors."""
    server, config = lower_server(
        loaded_spec, api, config, clock, diagnostics, pool=pool, build_cache=build_cache
    )
    if diagnostics.failed:
        return server, None
    with clock.phase("emit"):
        from mcpgen.emit import emit

        project = emit(
            server, config, diagnostics, pool=pool, model_pool=model_pool, build_cache=build_cache
        )
        build_cache.save()
        return server, project


def _failed_build(
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    space: Workspace | None,
    loaded_spec: LoadedSpec,
    stdin: bytes | None,
    server: Server | None = None,
) -> BuildResult:
    """Returns the result of a build with errors."""
    return BuildResult(
        BuildStatus.FAILED,
        space.name if space else "",
        missing=server.missing if server else (),
        validation=loaded_spec.validation,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
        places=places(loaded_spec, space, stdin),
    )
