"""One assignment: which server, how to come to it, what to ask, and how to judge."""

from __future__ import annotations

import time
from dataclasses import field, replace
from urllib.parse import urlsplit, urlunsplit

from mcpgen.conformance.checks.judging import COMMAND_SERVES
from mcpgen.conformance.model import Outcome, Report, Status
from mcpgen.conformance.options import Options
from mcpgen.conformance.run import check
from mcpgen.conformance.secrets import in_address
from mcpgen.conformance.static import check_list
from mcpgen.conformance.targets.command import Command, serving
from mcpgen.conformance.targets.credentials import Client, access_token
from mcpgen.conformance.verdict import Terms, judged
from mcpgen.frozen import frozen

START_SECONDS = 30.0
"""How long a command has until its server listens, at most."""


@frozen
class Assignment:
    """A server to be checked: at `target`, a URL, where `command` starts it if there is one; or a
    saved answer to `tools/list` whose text is `listing` and whose name is `target`. `client` fetches
    an access token first."""

    target: str
    options: Options = field(default_factory=Options)
    command: Command | None = None
    listing: str | None = None
    client: Client | None = None
    terms: Terms = field(default_factory=Terms)


def carried_out(asked: Assignment) -> Report:
    """The report on the server, judged.

    Raises NoToken when there is no access token, OSError when the command cannot be started, and
    ValueError for a profile there is not or a text that is no list of tools. The server and its
    children are stopped in every case.
    """
    asked = _authorized(asked)
    hidden = asked.terms.secrets | in_address(asked.target)
    return judged(_reported(asked), replace(asked.terms, secrets=hidden))


def _authorized(asked: Assignment) -> Assignment:
    """The assignment with an access token among its headers, if a client is to fetch one."""
    if asked.client is None:
        return asked
    options = asked.options
    token = access_token(asked.client, options.timeout)
    headers = {**options.headers, "Authorization": f"Bearer {token}"}
    terms = replace(asked.terms, secrets=asked.terms.secrets | {token})
    return replace(asked, options=replace(options, headers=headers), terms=terms)


def _reported(asked: Assignment) -> Report:
    if asked.listing is not None:
        return check_list(asked.listing, asked.options, target=asked.target)
    if asked.command is None:
        return _checked(asked)
    started = time.monotonic()
    with serving(asked.command, min(START_SECONDS, asked.options.deadline)) as served:
        if served.problem:
            outcome = _unserved("a server that listens", served.problem)
            spent = time.monotonic() - started
            return Report(_shown(asked.target), (outcome,), seconds=spent)
        report = _checked(asked)
        ended = served.ended()
    outcome = _unserved("a server that lives", ended) if ended else _SERVED
    return replace(report, outcomes=(outcome, *report.outcomes))


_SERVED = Outcome(COMMAND_SERVES, Status.PASSED, profiles=(COMMAND_SERVES.profile,))


def _unserved(expected: str, saw: str) -> Outcome:
    return replace(_SERVED, status=Status.FAILED, expected=expected, saw=saw)


def _checked(asked: Assignment) -> Report:
    return replace(check(asked.target, asked.options), target=_shown(asked.target))


def _shown(url: str) -> str:
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
