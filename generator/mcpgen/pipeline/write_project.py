"""Ends a build: compares the project with the folder, or writes the project, starts the server and
checks the server. Ejects files."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mcpgen import __version__, write
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import toml_position
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.diagnostics.codes import smoke_test as codes
from mcpgen.emit.headers import eject_header
from mcpgen.emit.runtime import has_copy, runtime_environment, runtime_version
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server
from mcpgen.ir.source import Source
from mcpgen.pipeline.load_spec import failing
from mcpgen.pipeline.project_checks import HOOKS, PYPROJECT, missing_extras
from mcpgen.pipeline.result import BuildOptions, BuildResult, BuildStatus, PhaseTimer
from mcpgen.pipeline.workspace import STDIN, Workspace

if TYPE_CHECKING:
    from mcpgen.conformance import Report
    from mcpgen.conformance.options import CheckOptions
    from mcpgen.conformance.run_config import PassCriteria


@dataclass(frozen=True, slots=True)
class BuildContext:
    """A generated project with the inputs of the write. `pyproject` is the new text of `pyproject.toml`
    after a change of the runtime, otherwise `""`: the file is the user's."""

    space: Workspace
    spec: str
    options: BuildOptions
    source: Source
    server: Server
    project: Project
    clock: PhaseTimer
    diagnostics: Diagnostics
    pyproject: str = ""

    def plan(self) -> write.WritePlan:
        """Plans the changes of the folder; adds conflicts to the diagnostics."""
        lock = self.space.lock
        paths = {file.path for file in self.project.files}
        if lock:
            paths |= {*lock.files, *lock.ejected}
        with self.clock.phase("plan"):
            disk = write.snapshot(self.space.folder, sorted(paths))
            if lock and lock.package and lock.package != self.server.package:
                plan = self._plan_move(lock, disk)
            else:
                plan = write.plan(self.project, lock, disk)
        write.report_conflicts(plan, self.space.name, self.diagnostics)
        return write.with_text(plan, PYPROJECT, self.pyproject) if self.pyproject else plan

    def _plan_move(self, lock: write.Lock, disk: write.ProjectSnapshot) -> write.WritePlan:
        """Plans a project with a renamed package; moves the user's files."""
        space, package = self.space, self.server.package
        lock = write.lock_after_move(lock, package, disk)
        plan = write.plan(self.project, lock, disk)
        move = write.move_package(plan, self.project, lock, space.folder, package)
        line, column = toml_position(space.config_text or "", ("package",))
        at = Location(space.config_name, ("package",), line, column)
        write.add_move_findings(move, lock.package, package, at, space.name, self.diagnostics)
        return move.plan

    def lock(self, plan: write.WritePlan, *, passed: bool, failed: bool = False) -> write.Lock:
        """Returns the lock after the build. A `failed` check omits the hooks from the lock, so
        `--check` checks the server again."""
        space = self.space
        inputs = self._inputs()
        if failed:
            inputs = {name: digest for name, digest in inputs.items() if name not in self.hooks}
        written = {file.path for file in self.project.files}
        facts = space.facts(self.spec, self.options, written)
        fetched = any(is_remote(name) for name in inputs)
        unread = any(
            diagnostic.code in parse_codes.REFUSED_REFERENCES for diagnostic in self.diagnostics
        )
        # Without a digest the next build reads everything: local files do not tell whether standard
        # input, a fetched document or an unread reference has changed; missing tools are reported again.
        never_current = self.spec == STDIN or fetched or unread or self.server.missing
        return write.Lock(
            mcpgen=__version__,
            digest="" if never_current else write.inputs_digest(inputs, facts),
            verified=passed,
            name=self.server.slug,
            package=self.server.package,
            inputs=inputs,
            files=plan.files,
            tools=self.project.tools,
            ejected=plan.ejected,
            operation_ids=self.server.operation_ids,
            runtime=runtime_version() if has_copy(self.project, self.server.package) else "",
        )

    def report_changed_references(self) -> None:
        """Reports remote documents changed since the last build.

        Adds CHANGED_REFERENCE: a warning for `--check`, a note otherwise.
        """
        hashes = self.space.lock.inputs if self.space.lock else {}
        severity = None if self.options.check else Severity.NOTE
        for key, document in self.source.documents.items():
            if is_remote(key) and hashes.get(key, document.sha256) != document.sha256:
                at = Location(self.source.root.name)
                self.diagnostics.add(read_codes.CHANGED_REFERENCE, at, severity=severity, url=key)

    def _inputs(self) -> dict[str, str]:
        """Returns the hashes of the input files: of documents and configuration as they were read, of
        `hooks.py` as the file is now."""
        space = self.space
        inputs = {}
        if self.spec != STDIN:
            root = PurePosixPath(space.spec_name(self.spec))
            for key, document in self.source.documents.items():
                if is_remote(document.key) and not is_remote(key):
                    continue  # A fetched relative reference: the URL is an input as well.
                path = posixpath.normpath(root.parent / key) if key else str(root)
                inputs[key if is_remote(key) else path] = document.sha256
        names = space.overlay_names(self.options)
        for name, overlay in zip(names, self.source.overlays, strict=True):
            inputs[name] = overlay.sha256
        folder = space.config_path.parent
        for path, content in space.config.files.items():
            inputs[write.input_name(folder / path, space.folder)] = write.hash_of(content)
        if space.config_hash:
            inputs[write.input_name(space.config_path, space.folder)] = space.config_hash
        else:
            for file in self.project.files:
                if file.path == CONFIG_NAME:
                    inputs[CONFIG_NAME] = write.hash_of(file.text.encode())
        return inputs | self.hooks

    @property
    def hooks(self) -> dict[str, str]:
        """Returns the hash of the user's `hooks.py`, by path; `{}` without the file. No file is
        made from `hooks.py`, but the checked server runs the hooks."""
        name = f"{self.server.package}/{HOOKS}"
        return write.hash_inputs(self.space.folder, [name]) or {}

    def outcome(self, status: BuildStatus, plan: write.WritePlan) -> BuildResult:
        """Returns the result without `report`, `diff`, `validation`, `seconds`, `diagnostics` and
        `places`, which the callers fill in."""
        # Imported here: an unchanged build needs no `BuildContext`.
        from mcpgen.emit.required_variables import limit_store, required_variables

        return BuildResult(
            status,
            self.space.name,
            self.server.package,
            changes=plan.moves,
            tools=self.project.tools,
            missing=self.server.missing,
            required=(
                *required_variables(self.server, self.space.config.runtime, is_local=True),
                *limit_store(self.server),
            ),
        )


def diff_project(context: BuildContext) -> BuildResult:
    """Compares the project with the folder for `--check`. Starts and checks the server if `hooks.py`
    has changed since the last build and nothing else differs, so CI notices broken hooks."""
    context.report_changed_references()
    plan = context.plan()
    lock = context.space.lock
    promised = lock is not None and lock.promises(context.lock(plan, passed=False))
    good = promised and not plan.moves and not plan.conflicts
    outcome = context.outcome(BuildStatus.CURRENT if good else BuildStatus.DRIFTED, plan)
    outcome = replace(outcome, diff=write.unified_diff(plan, context.space.folder))
    if not good or lock is None:
        return outcome
    needs_check = context.options.verify and not _has_hooks_of(lock, context)
    report = _verify_written(context) if needs_check else None
    failed = report is not None and report.failed
    unfit = failed or failing(context.diagnostics, context.options)
    return replace(outcome, report=report, status=BuildStatus.UNFIT if unfit else outcome.status)


def _has_hooks_of(lock: write.Lock, context: BuildContext) -> bool:
    """True if `hooks.py` is unchanged since the last build."""
    return context.hooks.items() <= lock.inputs.items()


def _verify_written(context: BuildContext) -> Report | None:
    """Checks the server in the folder; None if packages are missing."""
    space = context.space
    if not can_start(space.folder, space.name, context.diagnostics):
        return None
    return verify_project(
        context.server, space.folder, space.name, context.clock, context.diagnostics
    )


def write_project(context: BuildContext) -> BuildResult:
    """Writes the planned changes and checks the server. Adds NOT_TRIED."""
    context.report_changed_references()
    plan = context.plan()
    if plan.conflicts:
        return context.outcome(BuildStatus.FAILED, plan)
    lock = context.space.lock
    was_verified = lock is not None and lock.verified and _has_hooks_of(lock, context)
    is_verified = was_verified and not plan.moves
    needs_check = context.options.verify and (context.options.strict or not is_verified)
    report = None
    with ExitStack() as stack:
        with context.clock.phase("write"):
            seal = stack.enter_context(_apply(context, plan))
        if needs_check:
            report = _verify_written(context)
        failed = report is not None and report.failed
        passed = is_verified if report is None else not failed
        with context.clock.phase("write"):
            seal(context.lock(plan, passed=passed, failed=failed))
    if not context.options.verify:
        at = Location(context.space.name)
        context.diagnostics.add(codes.NOT_TRIED, at, reason="`--no-verify`")
    outcome = context.outcome(BuildStatus.BUILT if plan.moves else BuildStatus.UNCHANGED, plan)
    unfit = failed or failing(context.diagnostics, context.options)
    return replace(outcome, report=report, status=BuildStatus.UNFIT if unfit else outcome.status)


def _apply(
    context: BuildContext, plan: write.WritePlan
) -> AbstractContextManager[Callable[[write.Lock], None]]:
    """Applies the plan; the yielded function writes the lock if changed."""
    if plan.moves:
        return write.apply_plan(plan, context.space.folder)

    def seal(lock: write.Lock) -> None:
        if lock != context.space.lock:
            write.write_lock(lock, context.space.folder)

    return nullcontext(seal)


def project_of(path: Path) -> Path | None:
    """Returns the project folder of a file; None outside of projects."""
    above = path.absolute().parents
    return next((folder for folder in above if (folder / write.NAME).is_file()), None)


def eject_project_files(folder: Path, paths: Sequence[str]) -> BuildResult:
    """Ejects files of the project in `folder`, by relative path: all files or none. The first line of
    an ejected file then says that the file is the user's.

    Raises OSError if the lock or a file cannot be written.
    """
    diagnostics = Diagnostics()
    with write.folder_lock(folder):
        write.recover(folder)
        lock = write.read_lock(folder, write.NAME, diagnostics)
        if lock is not None:
            ejected = write.eject_files(lock, paths, write.NAME, diagnostics)
            if ejected != lock:
                write.write_lock(ejected, folder)
                for path in set(ejected.ejected) - set(lock.ejected):
                    _mark_as_ejected(folder / path)
    status = BuildStatus.FAILED if diagnostics.failed else BuildStatus.BUILT
    return BuildResult(status, str(folder), diagnostics=tuple(diagnostics.sorted()))


def _mark_as_ejected(file: Path) -> None:
    """Replaces the header of mcpgen in a plain file. Bytes are read and written, and bytes of another
    encoding are kept, so that nothing else of the user's edit changes."""
    if file.is_file() and not file.is_symlink():
        text = file.read_bytes().decode(errors="surrogateescape")
        file.write_bytes(eject_header(text).encode(errors="surrogateescape"))


TOOL_NAME_CHECK = "universal-tool-name"
"""The check of tool names with the strictest rule of all hosts."""

CHECKS_OF_CODES = {config_codes.MANY_TOOLS: "universal-tool-count"}
"""Codes of a build with the id of the equivalent check on a running server."""


def _accept_declared_names(report: Report) -> Report:
    """Lowers a failed TOOL_NAME_CHECK to a warning for a name outside of mcpgen's own pattern: only the
    author of a companion can declare such a name. `mcpgen tools` lists the hosts that reject a name.
    """
    from mcpgen.conformance.model import CheckStatus
    from mcpgen.lower.names import is_legal_tool_name

    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.WARNING)
            if outcome.check.id == TOOL_NAME_CHECK
            and outcome.status is CheckStatus.FAILED
            and not is_legal_tool_name(outcome.tool)
            else outcome
        )
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)


def can_start(
    folder: Path, name: str, diagnostics: Diagnostics, severity: Severity | None = None
) -> bool:
    """True if every package is installed that the project in `folder` needs and that mcpgen installs
    only with an extra. Otherwise adds PACKAGES_MISSING at `name` with `severity`."""
    missing = missing_extras(folder)
    if missing:
        diagnostics.add(
            config_codes.PACKAGES_MISSING,
            Location(name),
            severity=severity,
            packages=", ".join(f"`{distribution}`" for distribution in missing),
            extras=",".join(sorted(set(missing.values()))),
        )
    return not missing


def verify_project(
    server: Server,
    folder: Path,
    name: str,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    checks: CheckOptions | None = None,
    terms: PassCriteria | None = None,
) -> Report:
    """Starts the project in a folder, named `name` in messages, and checks the server.

    Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED, at the operation of the affected tool.
    """
    with clock.phase("smoke_test"):
        from mcpgen.conformance.run_config import apply_criteria
        from mcpgen.smoke_test.runner import run_smoke_test

        report = _accept_declared_names(
            run_smoke_test(server, folder, checks, environment=runtime_environment())
        )
        report = apply_criteria(report, terms) if terms else report
    report_outcomes(report, server, name, diagnostics)
    return report


def report_outcomes(report: Report, server: Server, name: str, diagnostics: Diagnostics) -> None:
    """Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED for the outcomes of a run, except for
    checks already reported by the build."""
    from mcpgen.conformance import CheckStatus
    from mcpgen.conformance.checks.run_checks import STARTS

    reported_checks = {
        CHECKS_OF_CODES[diagnostic.code]
        for diagnostic in diagnostics
        if diagnostic.code in CHECKS_OF_CODES
    }
    places = {tool.name: tool.at for tool in server.tools}
    kinds = {CheckStatus.FAILED: codes.CHECK_FAILED, CheckStatus.WARNING: codes.CHECK_WARNED}
    for outcome in report.outcomes:
        at = places.get(outcome.tool, Location(name))
        if outcome.check is STARTS and outcome.status is CheckStatus.FAILED:
            # A diagnostic has a single line.
            reason = ": ".join(outcome.saw.splitlines())
            diagnostics.add(codes.DID_NOT_START, at, reason=reason, package=server.package)
        elif (code := kinds.get(outcome.status)) and outcome.check.id not in reported_checks:
            subject = f"the tool `{outcome.tool}`" if outcome.tool else "the built server"
            facts = {"check": outcome.check.id, "expected": outcome.expected, "saw": outcome.saw}
            diagnostics.add(code, at, severity=None, subject=subject, **facts)
