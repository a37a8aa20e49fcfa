"""The straight line: read → validate → parse → lower → emit → plan → write → trial."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from mcpgen import write
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import Config
from mcpgen.config.tables.budgets import MANY_TOOLS
from mcpgen.crew import ALONE, Crew
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.codes import write as write_codes
from mcpgen.ir.api import Api
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server
from mcpgen.memory import FORGETFUL, Memory
from mcpgen.pipeline.clock import Clock
from mcpgen.pipeline.finish import compared, written
from mcpgen.pipeline.hooks import tell_unknown_hooks
from mcpgen.pipeline.job import Job
from mcpgen.pipeline.openspec import with_budgets
from mcpgen.pipeline.outcome import Options, Outcome, Status, Tell
from mcpgen.pipeline.proven import proven
from mcpgen.pipeline.requirements import NAME, tell_missing, tell_unlocked
from mcpgen.pipeline.understand import failing, places, remembered, understood
from mcpgen.pipeline.understood import Understood
from mcpgen.pipeline.workspace import STDIN, Workspace, known_folder, opened

_LOAD_MODELS = "from mcpgen.emit.models import load_library; load_library()"
"""The statements of the process that generates `models.py`."""


def build(
    spec: str = "",
    folder: str = "",
    options: Options = Options(),  # noqa: B008 - it is immutable
    *,
    stdin: bytes | None = None,
    tell: Tell | None = None,
) -> Outcome:
    """Makes or updates the project of a specification, and tries the server it made.

    Without `spec` it is the one that the folder's `mcpgen.toml` names; without `folder` it is the
    current one if that is a project, else one named after the API. `-` reads `stdin`; a URL is
    fetched, and the document kept in the project.

    Another build of the same folder is waited for. Raises OSError for what is wrong with the machine,
    and KeyboardInterrupt; the folder is untouched then.
    """
    clock = Clock(tell)
    with (
        Crew() as crew,
        Crew(_LOAD_MODELS, "datamodel_code_generator") as modeller,
        ExitStack() as held,
    ):
        run = partial(_built, clock=clock, crew=crew, modeller=modeller, held=held)
        if not options.refresh and not has_scheme(spec):
            return run(spec, folder, options, stdin)
        # Loaded here: most builds fetch nothing.
        from mcpgen.pipeline.fetched_spec import build_fetched

        return build_fetched(
            spec,
            folder,
            options,
            clock,
            lambda path, name, asked: run(path, name, asked, None),
            lambda content, diagnostics: _name_of(content, options, clock, diagnostics),
        )


def _built(
    spec: str,
    folder: str,
    options: Options,
    stdin: bytes | None,
    *,
    clock: Clock,
    crew: Crew,
    modeller: Crew,
    held: ExitStack,
) -> Outcome:
    diagnostics = Diagnostics()
    name = known_folder(folder)
    space = _opened(name, options, clock, diagnostics, held) if name else None
    if space and space.tell_newer_generator(options, diagnostics):
        return _failed(clock, diagnostics, space, Understood(), stdin)
    spec = space.spec(spec) if space else spec
    if not spec:
        told = space.config_name if space else CONFIG_NAME
        if not diagnostics.failed:
            diagnostics.add(config_codes.NO_SPEC, Location(told), path=told)
        return _failed(clock, diagnostics, space, Understood(), stdin)
    if space and (unchanged := _unchanged(space, spec, options, clock, diagnostics)):
        return unchanged
    asked = space.asked(options) if space else options
    memory = remembered(space.folder) if space else FORGETFUL
    # Of what is remembered too little is left to do for a second process to pay.
    hands = ALONE if memory.is_there else crew
    if not memory.is_there:
        # The library loads while the document is read.
        modeller.start()
    known = understood(spec, asked, stdin, clock, diagnostics, crew=hands)
    if known.source is None or known.api is None:
        return _failed(clock, diagnostics, space, known, stdin)
    if space is None:
        space = _opened(_slug(known.api), options, clock, diagnostics, held)
        if space.tell_newer_generator(options, diagnostics):
            return _failed(clock, diagnostics, space, known, stdin)
        memory = remembered(space.folder)
        if unchanged := _unchanged(space, spec, options, clock, diagnostics):
            return unchanged
    space.tell_other_spec(spec, diagnostics)
    config = with_budgets(space.choices(spec, options), known.companion)
    server, project = _generated(
        known, known.api, config, clock, diagnostics, crew, modeller, memory
    )
    space.tell_other_name(server.slug, diagnostics)
    package = space.package_on_disk(server.package)
    tell_unknown_hooks(server, space.folder, space.name, package, diagnostics)
    if failing(diagnostics, options) or project is None:
        return _failed(clock, diagnostics, space, known, stdin, server)
    requiring = write.file_name(space.name, NAME)
    tell_missing(project, space.folder, requiring, diagnostics)
    tell_unlocked(project, space.folder, config, requiring, diagnostics)
    job = Job(space, spec, options, known.source, server, project, clock, diagnostics, crew)
    outcome = compared(job) if options.check else written(job)
    return replace(
        outcome,
        validation=known.validation,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
        places=places(known, space, stdin),
    )


def _opened(
    name: str, options: Options, clock: Clock, diagnostics: Diagnostics, held: ExitStack
) -> Workspace:
    """The workspace, ready to be built in and `held` against other builds. Raises OSError if it cannot
    be written to."""
    if not options.check:
        write.require_writable(Path(name))
        held.enter_context(write.folder_lock(Path(name), partial(clock.phase, "wait")))
        write.recover(Path(name))
    return opened(name, options, diagnostics)


def _unchanged(
    space: Workspace, spec: str, options: Options, clock: Clock, diagnostics: Diagnostics
) -> Outcome | None:
    """The outcome if the project already is what would be built; None if it has to be looked at."""
    lock = space.lock
    if lock is None or options.check or options.strict or options.verbose or diagnostics.failed:
        return None
    if options.verify and not lock.verified:
        return None
    with clock.phase("compare"):
        facts = space.facts(spec, options)
        if not write.is_current(lock, space.folder, facts):
            return None
    ejected = write.Plan((), (), lock.files, lock.ejected)
    write.add_findings(ejected, space.name, diagnostics)
    return Outcome(
        Status.UNCHANGED,
        space.name,
        tools=lock.tools,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
    )


def has_scheme(spec: str) -> bool:
    """Whether a specification is named by a URL, of whichever scheme, and not by a path."""
    return "://" in spec or spec.lower().startswith("file:")


def _name_of(content: bytes, options: Options, clock: Clock, diagnostics: Diagnostics) -> str:
    """The name of the project of a document; `""`, with the findings, if it cannot be read."""
    found = Diagnostics()
    asked = replace(options, root="", overlays=())
    known = understood(STDIN, asked, content, clock, found, validated=False)
    if known.api is not None:
        return _slug(known.api)
    diagnostics.adopt(found)
    return ""


def _slug(api: Api) -> str:
    """The name of the API's project, when nobody has chosen one."""
    from mcpgen.lower import lower

    return lower(replace(api, operations=()), Config(), Diagnostics()).slug


def _generated(
    known: Understood,
    api: Api,
    config: Config,
    clock: Clock,
    diagnostics: Diagnostics,
    crew: Crew,
    modeller: Crew,
    memory: Memory,
) -> tuple[Server, Project | None]:
    """The server, and the project unless errors were found."""
    if config.keep_going:
        diagnostics.soften(parse_codes.PER_OPERATION)
    with clock.phase("lower"):
        from mcpgen.lower import lower

        server = lower(api, config, diagnostics, crew=crew, memory=memory)
        server = proven(server, known, diagnostics)
    if server.missing and not server.tools:
        count = len(server.missing)
        diagnostics.add(write_codes.NOTHING_LEFT, api.at, count=count)
    if config.budgets.limits_tools or len(server.listed) > MANY_TOOLS:
        # To weigh tools takes modules that no other build has to load.
        with clock.phase("lower"):
            from mcpgen.pipeline.budgets import hold_budgets, in_bytes

            hold_budgets(api, server, config, diagnostics)
            config = in_bytes(config)
    if diagnostics.failed:
        return server, None
    with clock.phase("emit"):
        from mcpgen.emit import emit

        project = emit(server, config, diagnostics, crew=crew, modeller=modeller, memory=memory)
        modeller.end()
        memory.save()
        return server, project


def _failed(
    clock: Clock,
    diagnostics: Diagnostics,
    space: Workspace | None,
    known: Understood,
    stdin: bytes | None,
    server: Server | None = None,
) -> Outcome:
    """A build that errors have stopped."""
    return Outcome(
        Status.FAILED,
        space.name if space else "",
        missing=server.missing if server else (),
        validation=known.validation,
        seconds=clock.seconds,
        diagnostics=tuple(diagnostics.sorted()),
        places=places(known, space, stdin),
    )
