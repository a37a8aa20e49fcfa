"""A run: every selected check against one server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import urljoin

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import callable_tools
from mcpgen.conformance.check_context import CheckContext, CheckTarget
from mcpgen.conformance.exchange import FaultKind, HttpExchange, printable
from mcpgen.conformance.model import (
    CheckOutcome,
    CheckStatus,
    Finding,
    NotApplicable,
    PrerequisiteMissing,
    Report,
)
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
        notes = (*connection_hints(url, target), *_notes(target, options))
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
        asked = choice.rule.unauthenticated and target.asks_for_credentials and not spoken
        if asked or choice.check.id == "speaks-mcp":
            yield from _make(choice, target.visit(r.ALL[-1]), options)
        elif not spoken:
            yield _not_made(choice, "the server speaks MCP", "it does not: see `speaks-mcp`")
        elif choice.revision:
            yield from _make_in_revision(choice, target, options)
        else:
            yield from _make_once(choice, target, options)


def _make_in_revision(
    choice: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in one revision; a revision the server does not speak is not applicable,
    unless it is required."""
    revision = choice.revision
    if revision in target.spoken:
        yield from _make(choice, target.visit(revision), options)
    elif choice.required:
        saw = str(target.visit(revision).talk.opening)
        yield _not_made(choice, f"the server speaks {revision}", saw)
    else:
        yield _outcome(choice, CheckStatus.NOT_APPLICABLE)


def _make_once(
    choice: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in the newest revision that is spoken and meant."""
    meant = choice.among or target.spoken
    found = [revision for revision in target.spoken if revision in meant]
    if found:
        yield from _make(choice, target.visit(found[-1]), options)
    else:
        spoken = ", ".join(target.spoken)
        yield _not_made(choice, f"the server speaks {' or '.join(meant)}", f"it speaks {spoken}")


def _make(
    choice: SelectedCheck, visit: CheckContext, options: CheckOptions
) -> Iterator[CheckOutcome]:
    try:
        findings = list(choice.rule.judge(visit))
    except NotApplicable:
        yield _outcome(choice, CheckStatus.NOT_APPLICABLE)
        return
    except PrerequisiteMissing as error:
        yield _not_made(choice, error.finding.expected, error.finding.saw)
        return
    except RecursionError:
        yield _not_made(choice, "answers that can be examined", "one is nested too deep")
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


def _not_made(choice: SelectedCheck, expected: str, saw: str) -> CheckOutcome:
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


CREDENTIALS_HINT = (
    "the server asks for credentials: send a token with `--bearer-env VAR`, anything else with "
    "`--header NAME:VALUE`"
)
REFUSED_HINT = "the credentials that were sent are not enough for this server"
TIMEOUTS = (FaultKind.TIMEOUT, FaultKind.DEADLINE)


def connection_hints(url: str, target: CheckTarget) -> Iterator[str]:
    """A sentence for what answered in place of a server; none for a server, or for no idea."""
    if target.spoken:
        return
    visit = target.visit(r.LEGACY[-1])
    opening = visit.talk.opening
    if opening.status in (401, 403):
        yield REFUSED_HINT if visit.options.headers else CREDENTIALS_HINT
    elif 300 <= opening.status < 400:
        yield _redirect_hint(url, opening)
    elif opening.media_type == "text/html" or opening.status in (404, 405):
        yield "is the path right? It is that of the MCP endpoint, often `/mcp`"
    elif opening.fault is not None and opening.fault.kind in TIMEOUTS:
        yield f"each answer was waited for {visit.options.timeout:g} s; `--timeout` waits longer"


def _redirect_hint(url: str, opening: HttpExchange) -> str:
    try:
        place = printable(urljoin(url, opening.headers.get("location", "")))
    except ValueError:
        place = "another address"
    return (
        "redirects are not followed, so that no credentials go to strangers: check "
        f"`{place}` instead, if that is your server"
    )
