"""A run: every selected check against one server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urljoin

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import callable_tools
from mcpgen.conformance.check_context import CheckContext, CheckTarget
from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.checks.clauses import revisions_with_clause
from mcpgen.conformance.checks.stdio import HTTP_ONLY, HTTP_PROFILES
from mcpgen.conformance.exchange import FaultKind, HttpExchange, printable
from mcpgen.conformance.model import (
    DEADLINE,
    CheckOutcome,
    CheckStatus,
    Finding,
    NotApplicable,
    PrerequisiteMissing,
    Report,
)
from mcpgen.conformance.official import second_opinion
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.selection import SelectedCheck, left_out, select_checks
from mcpgen.conformance.server_info import open_probe
from mcpgen.conformance.stdio_probe import NO_HTTP
from mcpgen.conformance.strict_json import Json

CREDENTIALS_HINT = (
    "the server requires credentials: send a token with `--bearer-env VAR`, other headers with "
    "`--header NAME:VALUE`"
)
REFUSED_HINT = "the server refuses the credentials"
SPEAKS = "speaks-mcp"
NOT_ASKED = "not asked: "
"""The beginning of the text of an exchange whose request was not sent, or refused by a rate limit."""

SAME_CAUSE = {
    "initialize-version-spoken": ("initialize-result-shape",),
    "batch-notifications-202": ("batch-answered",),
    "malformed-json-32700": ("malformed-json-refused",),
    "unknown-tool-32602": ("unknown-tool-error",),
    "session-deleted-404": ("session-delete-answered",),
    "tool-result-every-revision": ("tool-call-answered", "tool-result-shape"),
    "messages-match-schema": (
        "initialize-result-shape",
        "discover-result-shape",
        "cache-hints-present",
        "result-type-known",
        "pagination-ends",
        "tools-list-shape",
        "tool-result-shape",
        "tool-result-every-revision",
        "resources-list-shape",
        "resource-templates-shape",
        "resource-read-shape",
        "prompts-list-shape",
        "prompt-get-shape",
        "completion-shape",
        "progress-goes-up",
        "progress-only-when-asked",
        "log-messages-allowed",
    ),
}
"""By check: earlier checks with the same cause. If one of them failed, a failure of the check is
BLOCKED by it."""

_STATUS = re.compile(r"HTTP \d{3} (?:and|with) ")
"""The part of an expectation that is left out over stdio, where no HTTP status is sent."""

TIMEOUTS = (FaultKind.TIMEOUT, FaultKind.DEADLINE)


def check(url: str, options: CheckOptions = CheckOptions()) -> Report:  # noqa: B008
    """Makes every selected check on the MCP server at `url`.

    Raises ValueError for an unknown profile, SuiteUnavailable if the official suite is requested
    and cannot run. Failures of the server are outcomes, never exceptions: a check that cannot be made
    is BLOCKED, or FAILED without another cause.
    """
    started = time.monotonic()
    probe = open_probe(url, options)
    target = CheckTarget(probe, options)
    try:
        outcomes = tuple(outcomes_of(select_checks(options), target, options))
        remaining = options.deadline - (time.monotonic() - started)
        outcomes += tuple(second_opinion(url, target, options, remaining))
        notes = (*connection_hints(url, target), *_notes(target, options))
        tools, times = announced_tools(target), tuple(target.measurements)
        seconds = time.monotonic() - started
        return Report(url, outcomes, target.supported_revisions, notes, seconds, tools, times)
    finally:
        probe.close_all()


def outcomes_of(
    selection: Iterable[SelectedCheck], target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes of the selected checks on the target, in order."""
    supported = target.supported_revisions
    failed: set[tuple[str, str]] = set()
    for selected in selection:
        if selected.rule.stdio and not target.is_stdio:
            continue
        for outcome in _outcomes_of_check(selected, target, options, supported):
            if outcome.status is CheckStatus.FAILED:
                causes = SAME_CAUSE.get(outcome.check.id, ())
                if cause := next(
                    (c for c in causes if failed & {(c, outcome.revision), (c, "")}), ""
                ):
                    outcome = replace(outcome, status=CheckStatus.BLOCKED, blocked_by=cause)
                else:
                    failed.add((outcome.check.id, outcome.revision))
            elif outcome.blocked_by == SPEAKS and outcome.revision and supported:
                # A required revision that the server does not speak is one failure.
                missing = replace(
                    outcome, check=TABLE[SPEAKS], status=CheckStatus.FAILED, blocked_by=""
                )
                if (SPEAKS, outcome.revision) not in failed:
                    failed.add((SPEAKS, outcome.revision))
                    yield missing
            yield outcome


def _outcomes_of_check(
    selected: SelectedCheck,
    target: CheckTarget,
    options: CheckOptions,
    supported: tuple[str, ...],
) -> Iterator[CheckOutcome]:
    if target.is_stdio and _needs_http(selected):
        yield _outcome(selected, CheckStatus.NOT_APPLICABLE, saw=f"it needs {NO_HTTP}")
        return
    unauthenticated = (
        selected.rule.unauthenticated and target.asks_for_credentials and not supported
    )
    if unauthenticated or selected.check.id == SPEAKS:
        yield from _make(selected, target.in_revision(r.ALL[-1]), options)
    elif not supported:
        saw = "it does not: see `speaks-mcp`"
        yield _not_made(selected, "the server speaks MCP", saw, SPEAKS)
    elif selected.revision:
        yield from _make_in_revision(selected, target, options)
    else:
        yield from _make_once(selected, target, options)


def _needs_http(selected: SelectedCheck) -> bool:
    return selected.check.id in HTTP_ONLY or selected.check.profile in HTTP_PROFILES


def _make_in_revision(
    selected: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in one revision. An unsupported revision is not applicable, unless required."""
    revision = selected.revision
    context = target.in_revision(revision)
    if revision in target.supported_revisions:
        yield from _make(selected, context, options)
    elif violations := list(_opening_violations(selected, context, options)):
        yield from violations
    elif selected.required:
        saw = str(context.session.opening)
        yield _not_made(selected, f"the server speaks {revision}", saw, SPEAKS)
    else:
        yield _outcome(selected, CheckStatus.NOT_APPLICABLE)


def _opening_violations(
    selected: SelectedCheck, context: CheckContext, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The violations in a revision that the server did not agree to: of checks `any_version` if the
    opening has a result, and of checks `without_opening`."""
    has_result = context.session.opening.has_result("opening")
    if (selected.rule.any_version and has_result) or selected.rule.without_opening:
        for outcome in _make(selected, context, options):
            if outcome.status in (CheckStatus.FAILED, CheckStatus.WARNING):
                yield outcome


def _make_once(
    selected: SelectedCheck, target: CheckTarget, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """The outcomes in the newest supported revision among `selected.among` that states the
    requirement.
    """
    stating = revisions_with_clause(selected.check.id)
    revisions_meant = selected.among or target.supported_revisions
    if not any(revision in stating for revision in revisions_meant):
        yield _outcome(selected, CheckStatus.NOT_APPLICABLE)
        return
    revisions_meant = tuple(revision for revision in revisions_meant if revision in stating)
    revisions = [revision for revision in target.supported_revisions if revision in revisions_meant]
    if revisions:
        outcomes = list(_make(selected, target.in_revision(revisions[-1]), options))
        if selected.rule.listing_only and outcomes[0].status is CheckStatus.PASSED:
            outcomes = _outcomes_of_other_lists(selected, target, options, revisions) or outcomes
        yield from outcomes
    else:
        supported = ", ".join(target.supported_revisions)
        yield _not_made(
            selected,
            f"the server speaks {' or '.join(revisions_meant)}",
            f"it speaks {supported}",
            SPEAKS,
        )


def _outcomes_of_other_lists(
    selected: SelectedCheck, target: CheckTarget, options: CheckOptions, revisions: list[str]
) -> list[CheckOutcome]:
    """The violations in the newest older revision whose tools differ and violate the requirement."""
    newest = target.in_revision(revisions[-1])
    for revision in reversed(revisions[:-1]):
        context = target.in_revision(revision)
        with suppress(PrerequisiteMissing, NotApplicable):
            if context.tools[:] == newest.tools[:]:
                continue
            problems = [
                outcome
                for outcome in _make(selected, context, options)
                if outcome.status in (CheckStatus.FAILED, CheckStatus.WARNING)
            ]
            if problems:
                return [replace(o, saw=f"{o.saw} (in revision {revision})") for o in problems]
    return []


def _make(
    selected: SelectedCheck, context: CheckContext, options: CheckOptions
) -> Iterator[CheckOutcome]:
    """Makes one check. Yields PASSED, NOT_APPLICABLE, a check that could not be made, or up to
    `options.shown` violations and the number of further ones. `unasked` requests, which were not sent
    or not answered before the end of the run, prevent a check.
    """
    unasked = context.session.probe.unasked
    before = len(unasked)
    try:
        findings = list(selected.rule.judge(context))
    except NotApplicable:
        yield _outcome(selected, CheckStatus.NOT_APPLICABLE)
        return
    except PrerequisiteMissing as error:
        finding = error.finding
        # A list is read once in a run, and its error is kept: for a later check only the text of the
        # error says that a request was not sent.
        late_now = len(unasked) > before or finding.saw.startswith(NOT_ASKED)
        cause = unasked[-1] if unasked and late_now else error.blocked_by
        yield _not_made(selected, finding.expected, finding.saw, cause)
        return
    except RecursionError:
        yield _not_made(selected, "answers that can be examined", "one is nested too deep")
        return
    if late := [finding for finding in findings if finding.saw.startswith(NOT_ASKED)]:
        yield _not_made(
            selected, late[0].expected, late[0].saw, unasked[-1] if unasked else DEADLINE
        )
        findings = [finding for finding in findings if finding not in late]
    elif len(unasked) > before:
        saw = "not every request of the check was sent and answered"
        yield _not_made(selected, "an answer to each request", saw, unasked[-1])
        # No finding names the missing answer, so every finding may be its consequence.
        findings = []
    elif not findings:
        yield _outcome(selected, CheckStatus.PASSED)
    if context.session.probe.is_stdio:
        findings = [
            replace(finding, expected=_STATUS.sub("", finding.expected)) for finding in findings
        ]
    # What fails comes first, so that a long list of warnings does not hide it.
    findings.sort(key=lambda finding: finding.warns)
    for finding in findings[: options.shown]:
        yield _violation(selected, finding)
    if len(findings) > options.shown:
        more = f"{len(findings) - options.shown} more of this kind"
        yield _violation(selected, replace(findings[options.shown], saw=more, tool=""))


def _violation(selected: SelectedCheck, finding: Finding) -> CheckOutcome:
    status = CheckStatus.FAILED if selected.fails and not finding.warns else CheckStatus.WARNING
    return _outcome(selected, status, finding.expected, finding.saw, finding.tool)


def _not_made(
    selected: SelectedCheck, expected: str, saw: str, blocked_by: str = ""
) -> CheckOutcome:
    """The outcome of a check that could not be made: BLOCKED by the cause `blocked_by`, another check
    or a limit such as `DEADLINE`; without another cause FAILED, also at the level SHOULD.
    """
    if not blocked_by or blocked_by == selected.check.id:
        return _outcome(selected, CheckStatus.FAILED, expected, saw)
    outcome = _outcome(selected, CheckStatus.BLOCKED, expected, saw)
    return replace(outcome, blocked_by=blocked_by)


def _outcome(
    selected: SelectedCheck, status: CheckStatus, expected: str = "", saw: str = "", tool: str = ""
) -> CheckOutcome:
    return CheckOutcome(
        selected.check, status, expected, saw, tool, selected.revision, selected.profiles
    )


def announced_tools(target: CheckTarget) -> tuple[dict[str, Json], ...]:
    """The tools of the newest supported revision; `()` if the list cannot be read."""
    try:
        # `[:]` makes a plain tuple; iteration of a TimedTuple ends with PrerequisiteMissing after the
        # deadline.
        return (
            target.in_revision(target.supported_revisions[-1]).tools[:]
            if target.supported_revisions
            else ()
        )
    except (PrerequisiteMissing, NotApplicable):
        return ()


def _notes(target: CheckTarget, options: CheckOptions) -> Iterator[str]:
    """Sentences about omitted checks and calls."""
    if intrusive := sorted({selected.check.id for selected in left_out(options)}):
        yield f"checks that intrude were not made (they need `--active`): {', '.join(intrusive)}"
    tools = announced_tools(target)
    callables = callable_tools(tools, options)
    if len(callables) < len(tools):
        uncalled = len(tools) - len(callables)
        yield f"{uncalled} of {len(tools)} tools were not called (calls: {options.call})"
    if len(callables) > options.bad_calls and target.has_sent_bad_calls:
        yield f"bad arguments were sent to the first {options.bad_calls} of {len(callables)} tools"


def connection_hints(url: str, target: CheckTarget) -> Iterator[str]:
    """A hint for an address where no MCP server answers; nothing for a server."""
    if target.supported_revisions:
        return
    context = target.in_revision(r.LEGACY[-1])
    opening = context.session.opening
    if opening.status in (401, 403):
        yield REFUSED_HINT if context.options.headers else CREDENTIALS_HINT
    elif 300 <= opening.status < 400:
        yield _redirect_hint(url, opening)
    elif context.session.serves_http_sse:
        yield "the server speaks HTTP+SSE of 2024-11-05; the checks need Streamable HTTP"
    elif opening.media_type == "text/html" or opening.status in (404, 405):
        yield "is the path right? The path of an MCP endpoint is often `/mcp`"
    elif opening.is_stdio and opening.fault and opening.fault.kind is FaultKind.DISCONNECTED:
        yield opening.fault.text
    elif opening.fault is not None and opening.fault.kind in TIMEOUTS:
        yield f"no answer within {context.options.timeout:g} s; `--timeout` waits longer"


def _redirect_hint(url: str, opening: HttpExchange) -> str:
    try:
        place = printable(urljoin(url, opening.headers.get("location", "")))
    except ValueError:
        place = "another address"
    return (
        "redirects are not followed, so that credentials reach no other server: check "
        f"`{place}` instead, if that is your server"
    )
