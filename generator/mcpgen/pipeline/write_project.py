"""How a build ends: the project is compared with the folder, or written into it and tried."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from mcpgen import write
from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import smoke_test as codes
from mcpgen.pipeline.build_context import BuildContext
from mcpgen.pipeline.load_spec import failing
from mcpgen.pipeline.result import BuildResult, BuildStatus
from mcpgen.pipeline.verify import can_start, verify_project

if TYPE_CHECKING:
    from mcpgen.conformance import Report


def diff_project(job: BuildContext) -> BuildResult:
    """The differences between the project and the folder, for `--check`. A server whose `hooks.py` has
    changed since the last build is tried, so that CI notices hooks that keep it from starting."""
    job.tell_drift()
    made = job.plan()
    lock = job.space.lock
    promised = lock is not None and lock.promises(job.lock(made, passed=False))
    good = promised and not made.moves and not made.conflicts
    outcome = job.outcome(BuildStatus.CURRENT if good else BuildStatus.DRIFTED, made)
    outcome = replace(outcome, diff=write.unified_diff(made, job.space.folder))
    if not good or not job.options.verify or lock is None or _has_hooks_of(lock, job):
        return outcome
    report = _tried(job)
    unfit = report is not None and (report.failed or failing(job.diagnostics, job.options))
    return replace(outcome, report=report, status=BuildStatus.UNFIT if unfit else outcome.status)


def _has_hooks_of(lock: write.Lock, job: BuildContext) -> bool:
    """Whether the project's `hooks.py` is the one of the last build."""
    return job.hooks.items() <= lock.inputs.items()


def _tried(job: BuildContext) -> Report | None:
    """The report on the server in the folder, None if packages are missing to start it."""
    space = job.space
    if not can_start(space.folder, space.name, job.diagnostics):
        return None
    return verify_project(job.server, space.folder, space.name, job.clock, job.diagnostics)


def write_project(job: BuildContext) -> BuildResult:
    """The plan, carried out, and the server tried."""
    job.tell_drift()
    made = job.plan()
    if made.conflicts:
        return job.outcome(BuildStatus.FAILED, made)
    lock = job.space.lock
    was_verified = lock is not None and lock.verified and _has_hooks_of(lock, job)
    known_good = was_verified and not made.moves and not job.options.strict
    report = None
    with ExitStack() as stack:
        with job.clock.phase("write"):
            seal = stack.enter_context(_sealed(job, made))
        wanted = job.options.verify and not known_good
        if wanted:
            report = _tried(job)
        failed = report is not None and report.failed
        passed = known_good if report is None else not failed
        with job.clock.phase("write"):
            seal(job.lock(made, passed=passed, failed=failed))
    if not job.options.verify:
        at = Location(job.space.name)
        job.diagnostics.add(codes.NOT_TRIED, at, reason="`--no-verify`")
    outcome = job.outcome(BuildStatus.BUILT if made.moves else BuildStatus.UNCHANGED, made)
    unfit = wanted and (failed or failing(job.diagnostics, job.options))
    return replace(outcome, report=report, status=BuildStatus.UNFIT if unfit else outcome.status)


def _sealed(
    job: BuildContext, made: write.WritePlan
) -> AbstractContextManager[Callable[[write.Lock], None]]:
    """The plan carried out; the function it gives writes the lock, if it is not as it should be."""
    if made.moves:
        return write.apply_plan(made, job.space.folder)

    def seal(lock: write.Lock) -> None:
        if lock != job.space.lock:
            write.write_lock(lock, job.space.folder)

    return nullcontext(seal)
