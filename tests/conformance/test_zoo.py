"""Every check fails on its broken server, no unrelated MUST check does, correct servers pass."""

from __future__ import annotations

import pytest
from zoo_animals import ANIMALS, CORRECT, Animal
from zoo_server import ZooServer, serving

from mcpgen.conformance import Calls, Level, Options, Report, Status, as_text, check
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.profiles import WORDS
from mcpgen.conformance.revisions import ALL

VOUCHED = {"echo": ({"text": "hello"},)}


def report_on(server: ZooServer) -> Report:
    """The report on a server of the zoo, with every check selected and every level enforced."""
    options = Options(
        call=Calls.ALL,
        profiles=WORDS,
        arguments=VOUCHED,
        require=ALL,
        enforce=frozenset(Level),
        timeout=3,
        deadline=30,
    )
    with serving(server) as url:
        return check(url, options)


def failed_ids(report: Report) -> set[str]:
    """The checks that failed somewhere."""
    return {o.check.id for o in report.outcomes if o.status is Status.FAILED}


@pytest.mark.parametrize("make", CORRECT, ids=lambda make: make.__name__)
def test_correct_server_passes_every_check(make: type[ZooServer]) -> None:
    report = report_on(make())

    assert not failed_ids(report), as_text(report)
    assert report.revisions == ALL
    assert not report.failed


@pytest.mark.parametrize(
    "animal", ANIMALS, ids=lambda animal: f"{animal.check}-{animal.make.__name__}"
)
def test_check_catches_its_animal_and_no_other_must_check_does(animal: Animal) -> None:
    musts = {rule.check.id for rule in RULES if rule.check.level is Level.MUST}

    report = report_on(animal.make())

    failed = failed_ids(report)
    assert animal.check in failed, as_text(report)
    if animal.check != "speaks-mcp":
        assert failed & musts <= {animal.check, *animal.related}, as_text(report)


def test_no_check_is_without_its_animal() -> None:
    caught = {animal.check for animal in ANIMALS}

    assert caught == {rule.check.id for rule in RULES}
