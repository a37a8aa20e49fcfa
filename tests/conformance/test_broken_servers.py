"""Every check fails on its broken server, no unrelated MUST check does, correct servers pass."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from all_servers import ANIMALS, CORRECT, Animal
from base_server import BrokenServer, serving
from docs_page import DOCUMENT, document

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
from mcpgen.conformance.hosts.facts import CHECKS
from mcpgen.conformance.profiles import WORDS
from mcpgen.conformance.revisions import ALL

OPTIONS = CheckOptions(
    call=CallableTools.ALL,
    profiles=WORDS,
    arguments={"echo": ({"text": "hello"},)},
    require=ALL,
    enforce=frozenset(Level),
    timeout=3,
    deadline=30,
    shown=200,
    active=True,
)
"""Every check selected, those that intrude too, and every level enforced."""


def report_on(
    server: BrokenServer, options: CheckOptions = OPTIONS, host: str = "127.0.0.1"
) -> Report:
    """The report on a server of the zoo, asked by this host name, with the credentials it wants and
    for the revisions it has."""
    if server.credentials:
        options = replace(options, headers={**server.credentials, **options.headers})
    if server.speaks != ALL:
        options = replace(options, require=server.speaks, profiles=("protocol", "security"))
    with serving(server) as url:
        return check(url.replace("127.0.0.1", host), options)


def failed_ids(report: Report) -> set[str]:
    """The checks that failed somewhere."""
    return {o.check.id for o in report.outcomes if o.status is CheckStatus.FAILED}


def violations(report: Report) -> set[tuple[str, str, str]]:
    """Every violation: the check, what was expected, and the tool."""
    found = (CheckStatus.FAILED, CheckStatus.WARNING)
    return {(o.check.id, o.expected, o.tool) for o in report.outcomes if o.status in found}


@cache
def usual() -> set[tuple[str, str, str]]:
    """What hosts mind even about the correct server, none of it a failure."""
    return violations(report_on(BrokenServer()))


@pytest.mark.parametrize("make", CORRECT, ids=lambda make: make.__name__)
def test_correct_server_passes_every_check(make: type[BrokenServer]) -> None:
    report = report_on(make())

    assert not failed_ids(report), as_text(report)
    assert report.revisions == make.speaks
    assert not report.failed


OF_ALL_ANSWERS = {"error-codes-defined"}
"""The checks that look at the answers to the requests of all other checks."""


def name_of(animal: Animal) -> str:
    """The id of a broken server's tests."""
    return f"{animal.check}-{animal.make.__name__}"


@pytest.mark.parametrize("animal", ANIMALS, ids=name_of)
def test_check_catches_its_animal(animal: Animal) -> None:
    only = frozenset() if animal.check in OF_ALL_ANSWERS else frozenset({animal.check})
    options = replace(OPTIONS, only=only, **animal.options)

    report = report_on(animal.make(), options, animal.host)

    # A check that never fails, such as one about what a host merely loses, warns.
    unusual = {id for id, _, _ in violations(report) - usual()}
    assert animal.check in (unusual if animal.warned else failed_ids(report)), as_text(report)


SAMPLE = {name_of(animal) for animal in ANIMALS[::8]}


@pytest.mark.parametrize(
    "animal",
    [
        pytest.param(
            animal,
            id=name_of(animal),
            marks=(
                ()
                if name_of(animal) in SAMPLE
                else pytest.mark.thorough("repeats the proof with all other broken servers")
            ),
        )
        for animal in ANIMALS
        if animal.check != "speaks-mcp"
    ],
)
def test_no_other_must_check_fails_on_an_animal(animal: Animal) -> None:
    musts = {rule.check.id for rule in RULES if rule.check.level is Level.MUST}

    report = report_on(animal.make(), replace(OPTIONS, **animal.options), animal.host)

    assert failed_ids(report) & musts <= {animal.check, *animal.related}, as_text(report)


def test_no_check_is_without_its_animal() -> None:
    caught = {animal.check for animal in ANIMALS}

    assert caught == {rule.check.id for rule in RULES} | {check.id for check in CHECKS.values()}


def test_the_page_about_the_zoo_is_current() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "run `python -m tests.broken`"
