"""A run: every selected check against one server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import callable_tools
from mcpgen.conformance.check_context import CheckContext, CheckTarget
from mcpgen.conformance.check_result import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.checks.reachability import SPEAKS_MCP
from mcpgen.conformance.connection_hints import advice
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.official import second_opinion
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.selection import SelectedCheck, left_out, select_checks
from mcpgen.conformance.strict_json import Json


def check(url: str, options: CheckOptions = CheckOptions()) -> Report:  # noqa: B008
    """The report of every selected check on the MCP server at `url`.

    Raises ValueError for a profile there is not, and nothing for what the server does: a check that
    could not be made has failed. Raises Unavailable where the official suite is asked for and cannot
    be run.
    """
    started = time.monotonic()
    probe = Probe(
        url,
        timeout=options.timeout,
        deadline=options.deadline,
        max_bytes=options.max_bytes,
        event_bytes=options.event_bytes,
    )
    target = CheckTarget(probe, options)
    try:
        outcomes = tuple(outcomes_of(select_checks(options), target, options))
        left = options.deadline - (time.monotonic() - started)
        outcomes += tuple(second_opinion(url, target, options, left))
        notes = (*advice(url, target), *_notes(target, options))
        tools, times = announced_tools(target), tuple(target.measurements)
        seconds = time.monotonic() - started
        return Report(url, outcomes, target.spoken, notes, seconds, tools, times)
    finally:
        probe.close()


def outcomes_of(
    choices: Iterable[SelectedCheck], target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes of each choice on the target, in the order of the choices."""
    spoken = target.spoken
    for choice in choices:
        asked = choice.rule.at_the_door and target.asks_for_credentials and not spoken
        if asked or choice.check.id == SPEAKS_MCP.id:
            yield from _judged(choice, target.visit(r.ALL[-1]), options)
        elif not spoken:
            yield _unmade(choice, "the server speaks MCP", "it does not: see `speaks-mcp`")
        elif choice.revision:
            yield from _in_revision(choice, target, options)
        else:
            yield from _once(choice, target, options)


def _in_revision(
    choice: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in one revision; a revision the server does not speak is not applicable,
    unless it is required."""
    revision = choice.revision
    if revision in target.spoken:
        yield from _judged(choice, target.visit(revision), options)
    elif choice.required:
        saw = str(target.visit(revision).talk.opening)
        yield _unmade(choice, f"the server speaks {revision}", saw)
    else:
        yield _outcome(choice, CheckStatus.NOT_APPLICABLE)


def _once(
    choice: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in the newest revision that is spoken and meant."""
    meant = choice.among or target.spoken
    found = [revision for revision in target.spoken if revision in meant]
    if found:
        yield from _judged(choice, target.visit(found[-1]), options)
    else:
        spoken = ", ".join(target.spoken)
        yield _unmade(choice, f"the server speaks {' or '.join(meant)}", f"it speaks {spoken}")


def _judged(
    choice: SelectedCheck, visit: CheckContext, options: CheckOptions
) -> Iterator[CheckOutcome]:
    try:
        findings = list(choice.rule.judge(visit))
    except NotApplicable:
        yield _outcome(choice, CheckStatus.NOT_APPLICABLE)
        return
    except PrerequisiteMissing as error:
        yield _unmade(choice, error.finding.expected, error.finding.saw)
        return
    except RecursionError:
        yield _unmade(choice, "answers that can be examined", "one is nested too deep")
        return
    if not findings:
        yield _outcome(choice, CheckStatus.PASSED)
    # What fails comes first, so that a long list of warnings does not hide it.
    findings.sort(key=lambda found: found.warns)
    for found in findings[: options.shown]:
        yield _violation(choice, found)
    if len(findings) > options.shown:
        rest = f"{len(findings) - options.shown} more of this kind"
        yield _violation(choice, replace(findings[options.shown], saw=rest, tool=""))


def _violation(choice: SelectedCheck, found: Finding) -> CheckOutcome:
    status = CheckStatus.FAILED if choice.fails and not found.warns else CheckStatus.WARNING
    return _outcome(choice, status, found.expected, found.saw, found.tool)


def _unmade(choice: SelectedCheck, expected: str, saw: str) -> CheckOutcome:
    """A check that could not be made has failed, whatever its level."""
    return _outcome(choice, CheckStatus.FAILED, expected, saw)


def _outcome(
    choice: SelectedCheck, status: CheckStatus, expected: str = "", saw: str = "", tool: str = ""
) -> CheckOutcome:
    return CheckOutcome(choice.check, status, expected, saw, tool, choice.revision, choice.profiles)


def announced_tools(target: CheckTarget) -> tuple[dict[str, Json], ...]:
    """The tools announced in the newest revision; none where they could not be had."""
    try:
        # A slice is iterated also after the end of the run.
        return target.visit(target.spoken[-1]).tools[:] if target.spoken else ()
    except (PrerequisiteMissing, NotApplicable):
        return ()


def _notes(target: CheckTarget, options: CheckOptions) -> Iterator[str]:
    """What was left out on purpose."""
    if intruding := sorted({choice.check.id for choice in left_out(options)}):
        yield f"checks that intrude were not made (they need `--active`): {', '.join(intruding)}"
    tools = announced_tools(target)
    called = callable_tools(tools, options)
    if len(called) < len(tools):
        left = len(tools) - len(called)
        yield f"{left} of {len(tools)} tools were not called (calls: {options.call})"
    if len(called) > options.bad_calls:
        yield f"bad arguments were sent to the first {options.bad_calls} of {len(called)} tools"
