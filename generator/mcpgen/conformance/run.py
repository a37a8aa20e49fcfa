"""A run: every selected check against one server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.advice import advice
from mcpgen.conformance.calls import callable_tools
from mcpgen.conformance.checks.reach import SPEAKS_MCP
from mcpgen.conformance.findings import Finding, NotDeclared, Unmet
from mcpgen.conformance.model import Outcome, Report, Status
from mcpgen.conformance.official import second_opinion
from mcpgen.conformance.options import Options
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.selection import Choice, chosen, left_out
from mcpgen.conformance.strict_json import Json
from mcpgen.conformance.target import Target, Visit


def check(url: str, options: Options = Options()) -> Report:  # noqa: B008 - it is immutable
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
    target = Target(probe, options)
    try:
        outcomes = tuple(outcomes_of(chosen(options), target, options))
        left = options.deadline - (time.monotonic() - started)
        outcomes += tuple(second_opinion(url, target, options, left))
        notes = (*advice(url, target), *_notes(target, options))
        tools, times = announced(target), tuple(target.measurements)
        seconds = time.monotonic() - started
        return Report(url, outcomes, target.spoken, notes, seconds, tools, times)
    finally:
        probe.close()


def outcomes_of(choices: Iterable[Choice], target: Target, options: Options) -> Iterator[Outcome]:
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


def _in_revision(choice: Choice, target: Target, options: Options) -> Iterator[Outcome]:
    """The outcomes in one revision; a revision the server does not speak is not applicable,
    unless it is required."""
    revision = choice.revision
    if revision in target.spoken:
        yield from _judged(choice, target.visit(revision), options)
    elif choice.required:
        saw = str(target.visit(revision).talk.opening)
        yield _unmade(choice, f"the server speaks {revision}", saw)
    else:
        yield _outcome(choice, Status.NOT_APPLICABLE)


def _once(choice: Choice, target: Target, options: Options) -> Iterator[Outcome]:
    """The outcomes in the newest revision that is spoken and meant."""
    meant = choice.among or target.spoken
    found = [revision for revision in target.spoken if revision in meant]
    if found:
        yield from _judged(choice, target.visit(found[-1]), options)
    else:
        spoken = ", ".join(target.spoken)
        yield _unmade(choice, f"the server speaks {' or '.join(meant)}", f"it speaks {spoken}")


def _judged(choice: Choice, visit: Visit, options: Options) -> Iterator[Outcome]:
    try:
        findings = list(choice.rule.judge(visit))
    except NotDeclared:
        yield _outcome(choice, Status.NOT_APPLICABLE)
        return
    except Unmet as error:
        yield _unmade(choice, error.finding.expected, error.finding.saw)
        return
    except RecursionError:
        yield _unmade(choice, "answers that can be examined", "one is nested too deep")
        return
    if not findings:
        yield _outcome(choice, Status.PASSED)
    # What fails comes first, so that a long list of warnings does not hide it.
    findings.sort(key=lambda found: found.warns)
    for found in findings[: options.shown]:
        yield _violation(choice, found)
    if len(findings) > options.shown:
        rest = f"{len(findings) - options.shown} more of this kind"
        yield _violation(choice, replace(findings[options.shown], saw=rest, tool=""))


def _violation(choice: Choice, found: Finding) -> Outcome:
    status = Status.FAILED if choice.fails and not found.warns else Status.WARNING
    return _outcome(choice, status, found.expected, found.saw, found.tool)


def _unmade(choice: Choice, expected: str, saw: str) -> Outcome:
    """A check that could not be made has failed, whatever its level."""
    return _outcome(choice, Status.FAILED, expected, saw)


def _outcome(
    choice: Choice, status: Status, expected: str = "", saw: str = "", tool: str = ""
) -> Outcome:
    return Outcome(choice.check, status, expected, saw, tool, choice.revision, choice.profiles)


def announced(target: Target) -> tuple[dict[str, Json], ...]:
    """The tools announced in the newest revision; none where they could not be had."""
    try:
        # A slice is iterated also after the end of the run.
        return target.visit(target.spoken[-1]).tools[:] if target.spoken else ()
    except (Unmet, NotDeclared):
        return ()


def _notes(target: Target, options: Options) -> Iterator[str]:
    """What was left out on purpose."""
    if intruding := sorted({choice.check.id for choice in left_out(options)}):
        yield f"checks that intrude were not made (they need `--active`): {', '.join(intruding)}"
    tools = announced(target)
    called = callable_tools(tools, options)
    if len(called) < len(tools):
        left = len(tools) - len(called)
        yield f"{left} of {len(tools)} tools were not called (calls: {options.call})"
    if len(called) > options.bad_calls:
        yield f"bad arguments were sent to the first {options.bad_calls} of {len(called)} tools"
