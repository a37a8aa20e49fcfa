"""Every check fails on its broken server; no unrelated MUST check fails; conforming servers pass."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from functools import cache

import pytest
import stdio
from all_servers import BROKEN_CASES, CONFORMING, BrokenCase
from base_server import ConformingServer, serving
from docs.site.reference import PAGES, spell_out

from mcpgen.conformance import (
    CallableTools,
    CheckOptions,
    CheckStatus,
    Level,
    Report,
    as_text,
    check,
)
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.checks.run_checks import HOST_CHECKS
from mcpgen.conformance.checks.stdio import HTTP_ONLY
from mcpgen.conformance.profiles import WORDS
from mcpgen.conformance.revisions import ALL

OPTIONS = CheckOptions(
    call=CallableTools.ALL,
    profiles=WORDS,
    arguments={"echo": ({"text": "hello"},)},
    require=ALL,
    enforce=frozenset(Level),
    timeout=6,
    call_timeout=6,
    deadline=120,
    shown=200,
    active=True,
)
"""Options that select and enforce every check, intrusive ones included."""

PATIENT = replace(OPTIONS, timeout=30, call_timeout=30, deadline=300, pace=10)
"""For servers that answer everything: a loaded machine answers late."""


def report_on(
    server: ConformingServer, options: CheckOptions = OPTIONS, host: str = "127.0.0.1"
) -> Report:
    """The report on a test server, reached by this host name, with the server's credentials and
    revisions."""
    if server.credentials:
        options = replace(options, headers={**server.credentials, **options.headers})
    if server.speaks != ALL:
        options = replace(options, require=server.speaks, profiles=("protocol", "security"))
    if isinstance(server, stdio.OverStdio):
        # Each session starts a process.
        options = replace(options, deadline=max(options.deadline, 120))
        program = (sys.executable, stdio.__file__, type(server).__name__)
        return check(f"stdio:{shlex.join(program)}", options)
    with serving(server) as url:
        return check(url.replace("127.0.0.1", host), options)


def failed_ids(report: Report) -> set[str]:
    """Ids of failed checks."""
    return {o.check.id for o in report.outcomes if o.status is CheckStatus.FAILED}


def violations(report: Report) -> set[tuple[str, str, str]]:
    """Every violation: check id, expectation, tool."""
    result = (CheckStatus.FAILED, CheckStatus.WARNING)
    return {(o.check.id, o.expected, o.tool) for o in report.outcomes if o.status in result}


@cache
def usual() -> set[tuple[str, str, str]]:
    """The warnings of host facts about the conforming server."""
    return violations(report_on(ConformingServer(), PATIENT))


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            make,
            id=make.__name__,
            marks=(
                ()
                if make is ConformingServer
                else (
                    pytest.mark.thorough("repeats the proof with one more server")
                    if number % 3
                    else pytest.mark.repeated("repeats the proof with one more server")
                )
            ),
        )
        for number, make in enumerate(CONFORMING)
    ],
)
def test_conforming_server_passes_every_check(make: type[ConformingServer]) -> None:
    report = report_on(make(), PATIENT)

    assert not failed_ids(report), as_text(report)
    assert report.revisions == make.speaks
    assert not report.failed


OF_ALL_ANSWERS = {"error-codes-defined", "messages-match-schema"}
"""Checks that judge the answers to the requests of all other checks."""


def name_of(case: BrokenCase) -> str:
    """The id of a broken server's tests."""
    return f"{case.check}-{case.make.__name__}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=name_of(case),
            marks=(
                pytest.mark.repeated("repeats the proof with the other broken servers")
                if number % 4
                else ()
            ),
        )
        for number, case in enumerate(BROKEN_CASES)
    ],
)
def test_check_fails_on_its_broken_server(case: BrokenCase) -> None:
    only_checks = frozenset() if case.check in OF_ALL_ANSWERS else frozenset({case.check})
    options = replace(OPTIONS, only=only_checks, **case.options)

    report = report_on(case.make(), options, case.host)

    # A check that never fails, such as one about what a host merely loses, warns.
    unusual = {id for id, _, _ in violations(report) - usual()}
    assert case.check in (unusual if case.warned else failed_ids(report)), as_text(report)


BY_MESSAGE = {"lifecycle", "jsonrpc", "lists", "tool_calls", "features", "revision_2026_07_28"}
"""Modules with servers whose messages are broken, so that the check fails over stdio, too."""

BY_CONNECTION = {
    "lists-same-on-every-connection",
    "concurrent-ids-kept",
    # The broken message stands on an event stream.
    "log-level-respected",
    *HTTP_ONLY,
    *OF_ALL_ANSWERS,
}
OVER_STDIO = [
    case
    for case in BROKEN_CASES
    if case.make.__module__ in BY_MESSAGE and case.check not in BY_CONNECTION
]


@pytest.mark.repeated(
    "repeats over stdio the proof that test_check_fails_on_its_broken_server makes over HTTP"
)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=name_of(case),
            marks=(
                ()
                if number % 16 == 1
                else pytest.mark.thorough("repeats the proof with all servers of broken messages")
            ),
        )
        for number, case in enumerate(OVER_STDIO)
    ],
)
def test_check_fails_on_its_broken_server_over_stdio(case: BrokenCase) -> None:
    name = f"{case.make.__module__}.{case.make.__name__}"
    command = shlex.join((sys.executable, stdio.__file__, name))
    options = replace(OPTIONS, only=frozenset({case.check}), deadline=120, **case.options)

    report = check(f"stdio:{command}", options)

    unusual = {id for id, _, _ in violations(report) - usual()}
    assert case.check in (unusual if case.warned else failed_ids(report)), as_text(report)


SAMPLE = {name_of(case) for case in BROKEN_CASES[::20]}
SMALL_SAMPLE = {name_of(case) for case in BROKEN_CASES[::40]}
ON_A_SAMPLE = pytest.mark.repeated("repeats the proof with a sample of the broken servers")
ON_ALL = pytest.mark.thorough("repeats the proof with all other broken servers")


def length_marks(case: BrokenCase) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a server in a test that every server could repeat."""
    if name_of(case) in SMALL_SAMPLE:
        return ()
    return (ON_A_SAMPLE,) if name_of(case) in SAMPLE else (ON_ALL,)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name_of(case), marks=length_marks(case))
        for case in BROKEN_CASES
        if case.check != "speaks-mcp"
    ],
)
def test_no_unrelated_must_check_fails_on_a_broken_server(case: BrokenCase) -> None:
    musts = {rule.check.id for rule in RULES if rule.check.level is Level.MUST}

    report = report_on(case.make(), replace(OPTIONS, **case.options), case.host)

    assert failed_ids(report) & musts <= {case.check, *case.related}, as_text(report)


def test_every_check_has_a_broken_server() -> None:
    checks = {case.check for case in BROKEN_CASES}

    assert checks == {rule.check.id for rule in RULES} | {
        check.id for check in HOST_CHECKS.values()
    }


def test_the_reference_names_the_broken_servers_of_every_check() -> None:
    sections = dict(
        section.split("\n", 1) for section in PAGES["checks"]().split("\n### ") if "\n" in section
    )

    missing = [
        f"{case.check}: {case.make.__name__}"
        for case in BROKEN_CASES
        if spell_out(case.make.__name__) not in sections[case.check]
    ]

    assert missing == []
