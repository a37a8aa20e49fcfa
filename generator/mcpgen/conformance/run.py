"""A run: every selected check against one server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import callable_tools
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.checks.reach import SPEAKS_MCP
from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.findings import NotDeclared, Unmet
from mcpgen.conformance.model import Check, Outcome, Report, Status
from mcpgen.conformance.options import Calls, Options
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.strict_json import Json
from mcpgen.conformance.target import Target, Visit


def check(url: str, options: Options = Options()) -> Report:  # noqa: B008 - it is immutable
    """The report of every selected check on the MCP server at `url`.

    Raises nothing for what the server does: a check that could not be made has failed.
    """
    started = time.monotonic()
    probe = Probe(
        url, timeout=options.timeout, deadline=options.deadline, max_bytes=options.max_bytes
    )
    target = Target(probe, options)
    try:
        outcomes = tuple(_outcomes(target, options))
        notes = tuple(_notes(target, options))
        tools = _tools(target)
        return Report(url, outcomes, target.spoken, notes, time.monotonic() - started, tools)
    finally:
        probe.close()


def selected(options: Options) -> Iterator[Rule]:
    """The rules that the options select, in the order of the table."""
    for rule in RULES:
        check = rule.check
        if check.profile not in options.profiles or check.id in options.skip:
            continue
        if options.only and check.id not in options.only:
            continue
        if check.profile == "promises" and not options.arguments:
            continue
        if rule.calls and options.call is Calls.NONE:
            continue
        if rule.active and not options.active:
            continue
        yield rule


def _left_out(options: Options) -> Iterator[Rule]:
    """The rules that the options would select if intruding were allowed."""
    if not options.active:
        chosen = selected(replace(options, active=True))
        yield from (rule for rule in chosen if rule.active)


def _outcomes(target: Target, options: Options) -> Iterator[Outcome]:
    spoken = target.spoken
    newest = spoken[-1] if spoken else ""
    for rule in selected(options):
        check = rule.check
        if check is SPEAKS_MCP:
            yield from _judged(rule, target.visit(r.ALL[-1]), "", options)
        elif not spoken and rule.at_the_door and target.asks_for_credentials:
            yield from _judged(rule, target.visit(r.ALL[-1]), "", options)
        elif not spoken:
            yield _unmade(check, "the server speaks MCP", "it does not: see `speaks-mcp`")
        elif not check.revisions:
            yield from _judged(rule, target.visit(newest), "", options)
        else:
            for revision in check.revisions:
                yield from _in_revision(rule, revision, options, target)


def _in_revision(rule: Rule, revision: str, options: Options, target: Target) -> Iterator[Outcome]:
    """The outcomes in one revision; a revision the server does not speak is not applicable,
    unless it is required."""
    if revision in target.spoken:
        yield from _judged(rule, target.visit(revision), revision, options)
    elif revision in options.require:
        saw = str(target.visit(revision).talk.opening)
        yield _unmade(rule.check, f"the server speaks {revision}", saw, revision)
    else:
        yield Outcome(rule.check, Status.NOT_APPLICABLE, revision=revision)


def _judged(rule: Rule, visit: Visit, revision: str, options: Options) -> Iterator[Outcome]:
    check = rule.check
    try:
        findings = list(rule.judge(visit))
    except NotDeclared:
        yield Outcome(check, Status.NOT_APPLICABLE, revision=revision)
        return
    except Unmet as error:
        yield _unmade(check, error.finding.expected, error.finding.saw, revision)
        return
    except RecursionError:
        yield _unmade(check, "answers that can be examined", "one is nested too deep", revision)
        return
    if not findings:
        yield Outcome(check, Status.PASSED, revision=revision)
    status = _violated(check, options)
    for found in findings[: options.shown]:
        yield Outcome(check, status, found.expected, found.saw, found.tool, revision)
    if len(findings) > options.shown:
        rest = f"{len(findings) - options.shown} more of this kind"
        yield Outcome(check, status, findings[0].expected, rest, "", revision)


def _unmade(check: Check, expected: str, saw: str, revision: str = "") -> Outcome:
    """A check that could not be made has failed, whatever its level."""
    return Outcome(check, Status.FAILED, expected, saw, "", revision)


def _violated(check: Check, options: Options) -> Status:
    return Status.FAILED if check.level in options.enforce else Status.WARNING


def _tools(target: Target) -> tuple[dict[str, Json], ...]:
    """The tools announced in the newest revision; none where they could not be had."""
    try:
        return target.visit(target.spoken[-1]).tools if target.spoken else ()
    except (Unmet, NotDeclared):
        return ()


def _notes(target: Target, options: Options) -> Iterator[str]:
    """What was left out on purpose."""
    if left := sorted(rule.check.id for rule in _left_out(options)):
        yield f"checks that intrude were not made (they need `active`): {', '.join(left)}"
    tools = _tools(target)
    called = callable_tools(tools, options)
    if len(called) < len(tools):
        left = len(tools) - len(called)
        yield f"{left} of {len(tools)} tools were not called (calls: {options.call})"
    if len(called) > options.bad_calls:
        yield f"bad arguments were sent to the first {options.bad_calls} of {len(called)} tools"
