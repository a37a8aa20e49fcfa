"""The configuration of a run: the server, the way to reach the server, options and pass criteria."""

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
from mcpgen.conformance.stdio_probe import is_stdio
from mcpgen.conformance.targets.command import Command, run_server
from mcpgen.conformance.targets.credentials import OAuthClient, access_token

START_SECONDS = 30.0
"""Seconds until the server of a command has to listen."""

_SERVED = CheckOutcome(COMMAND_SERVES, CheckStatus.PASSED, profiles=(COMMAND_SERVES.profile,))


@dataclass(frozen=True, slots=True)
class PassCriteria:
    """The criteria of the verdict.

    `strict`: warnings are failures. `known`: entries of a baseline, None without a baseline.
    `secrets`: texts to redact in the report.
    """

    strict: bool = False
    known: frozenset[KnownFinding] | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


def apply_criteria(report: Report, criteria: PassCriteria) -> Report:
    """Redacts a report and applies baseline and strictness."""
    report = redact_report(report, criteria.secrets)
    if criteria.known is not None:
        report = baseline.apply_baseline(report, criteria.known)
    if not criteria.strict:
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


@dataclass(frozen=True, slots=True)
class RunConfig:
    """The configuration of one run.

    `target`: a URL, or the name of a saved list. `command`: starts the server at the URL.
    `listing`: the text of a saved `tools/list`. `client`: fetches an access token first. `terms`:
    the pass criteria.
    """

    target: str
    options: CheckOptions = field(default_factory=CheckOptions)
    command: Command | None = None
    listing: str | None = None
    client: OAuthClient | None = None
    terms: PassCriteria = field(default_factory=PassCriteria)


def run_checks(config: RunConfig) -> Report:
    """Runs the checks and applies the pass criteria.

    Raises TokenError without an access token, OSError if the command cannot be started, ValueError
    for an unknown profile or a text that is not a list of tools. The server and its child processes
    are always stopped.
    """
    config = _authorize(config)
    secrets = config.terms.secrets | in_address(config.target)
    return apply_criteria(_report_on_target(config), replace(config.terms, secrets=secrets))


def _authorize(config: RunConfig) -> RunConfig:
    """The configuration with an access token among the headers, if `client` is set."""
    if config.client is None:
        return config
    options = config.options
    token = access_token(config.client, options.timeout)
    headers = {**options.headers, "Authorization": f"Bearer {token}"}
    terms = replace(config.terms, secrets=config.terms.secrets | {token})
    return replace(config, options=replace(options, headers=headers), terms=terms)


def _report_on_target(config: RunConfig) -> Report:
    if config.listing is not None:
        return check_list(config.listing, config.options, target=config.target)
    if config.command is None:
        return _check_url(config)
    started = time.monotonic()
    with run_server(config.command, min(START_SECONDS, config.options.deadline)) as server:
        if server.problem:
            outcome = _serving_failed("a server that listens", server.problem)
            spent = time.monotonic() - started
            return Report(_public_url(config.target), (outcome,), seconds=spent)
        report = _check_url(config)
        reason = server.ended()
    outcome = _serving_failed("a server that lives", reason) if reason else _SERVED
    return replace(report, outcomes=(outcome, *report.outcomes))


def _serving_failed(expected: str, saw: str) -> CheckOutcome:
    return replace(_SERVED, status=CheckStatus.FAILED, expected=expected, saw=saw)


def _check_url(config: RunConfig) -> Report:
    return replace(check(config.target, config.options), target=_public_url(config.target))


def _public_url(url: str) -> str:
    """The URL without query and user information, which may carry secrets; a command as it is."""
    if is_stdio(url):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    user, _, host = parts.netloc.rpartition("@")
    query = "…" if parts.query else ""
    return urlunsplit(
        parts._replace(netloc=f"…@{host}" if user else host, query=query, fragment="")
    )
