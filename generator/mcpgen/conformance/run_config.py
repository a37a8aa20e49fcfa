"""One run as configured: the server, the way to reach it, the options, the pass criteria."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit, urlunsplit

from mcpgen.conformance import baseline
from mcpgen.conformance.baseline import KnownFinding
from mcpgen.conformance.checks.run_checks import COMMAND_SERVES
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.redaction import in_address, redact_report
from mcpgen.conformance.run import check
from mcpgen.conformance.saved_listing import check_list
from mcpgen.conformance.targets.command import Command, run_server
from mcpgen.conformance.targets.credentials import OAuthClient, access_token


@dataclass(frozen=True, slots=True)
class PassCriteria:
    """The terms of a verdict. `strict` takes warnings for failures; `known` are the findings of a
    baseline, None without one; `secrets` stand in no report."""

    strict: bool = False
    known: frozenset[KnownFinding] | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


def apply_criteria(report: Report, terms: PassCriteria) -> Report:
    """The report on these terms."""
    report = redact_report(report, terms.secrets)
    if terms.known is not None:
        report = baseline.apply_baseline(report, terms.known)
    if not terms.strict:
        return report
    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.FAILED)
            if outcome.status is CheckStatus.WARNING
            else outcome
        )
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)


START_SECONDS = 30.0
"""How long a command has until its server listens, at most."""


@dataclass(frozen=True, slots=True)
class RunConfig:
    """A server to be checked: at `target`, a URL, where `command` starts it if there is one; or a
    saved answer to `tools/list` whose text is `listing` and whose name is `target`. `client` fetches
    an access token first."""

    target: str
    options: CheckOptions = field(default_factory=CheckOptions)
    command: Command | None = None
    listing: str | None = None
    client: OAuthClient | None = None
    terms: PassCriteria = field(default_factory=PassCriteria)


def run_checks(asked: RunConfig) -> Report:
    """The report on the server, judged.

    Raises NoToken when there is no access token, OSError when the command cannot be started, and
    ValueError for a profile there is not or a text that is no list of tools. The server and its
    children are stopped in every case.
    """
    asked = _authorize(asked)
    hidden = asked.terms.secrets | in_address(asked.target)
    return apply_criteria(_report_on_target(asked), replace(asked.terms, secrets=hidden))


def _authorize(asked: RunConfig) -> RunConfig:
    """The assignment with an access token among its headers, if a client is to fetch one."""
    if asked.client is None:
        return asked
    options = asked.options
    token = access_token(asked.client, options.timeout)
    headers = {**options.headers, "Authorization": f"Bearer {token}"}
    terms = replace(asked.terms, secrets=asked.terms.secrets | {token})
    return replace(asked, options=replace(options, headers=headers), terms=terms)


def _report_on_target(asked: RunConfig) -> Report:
    if asked.listing is not None:
        return check_list(asked.listing, asked.options, target=asked.target)
    if asked.command is None:
        return _check_url(asked)
    started = time.monotonic()
    with run_server(asked.command, min(START_SECONDS, asked.options.deadline)) as served:
        if served.problem:
            outcome = _serving_failed("a server that listens", served.problem)
            spent = time.monotonic() - started
            return Report(_public_url(asked.target), (outcome,), seconds=spent)
        report = _check_url(asked)
        ended = served.ended()
    outcome = _serving_failed("a server that lives", ended) if ended else _SERVED
    return replace(report, outcomes=(outcome, *report.outcomes))


_SERVED = CheckOutcome(COMMAND_SERVES, CheckStatus.PASSED, profiles=(COMMAND_SERVES.profile,))


def _serving_failed(expected: str, saw: str) -> CheckOutcome:
    return replace(_SERVED, status=CheckStatus.FAILED, expected=expected, saw=saw)


def _check_url(asked: RunConfig) -> Report:
    return replace(check(asked.target, asked.options), target=_public_url(asked.target))


def _public_url(url: str) -> str:
    """The URL without its query and without what stands before the host, where people put keys."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    user, _, host = parts.netloc.rpartition("@")
    query = "…" if parts.query else ""
    return urlunsplit(
        parts._replace(netloc=f"…@{host}" if user else host, query=query, fragment="")
    )
