"""The mutants of conforming servers are stable, and the checks notice most of a sample."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest
from benchmarks.mutation import javascript_source, python_source
from benchmarks.mutation.judge import measure_baseline, with_token
from benchmarks.mutation.measure import (
    NOTICED,
    mutants,
    run_mutant,
    sample,
    unnoticed_wire_mutants,
)
from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.report import DOCUMENT, is_argued, judgments
from benchmarks.mutation.servers import fixture
from benchmarks.mutation.servers.plain import PlainServer, serving

SOURCE = '''\
def answer(request, limit=3):
    """Says hello."""
    if request.size > limit and not request.old:
        logger.info("too large")
        raise ValueError("it is too large")
    request.seen = True
    return {"status": 200, "body": request.body}
'''
SCRIPT = """\
//#region src/server/answer.ts
function answer(request) {
\tif (request.size >= 3 && !/"/.test(request.name)) throw new Error("it is too large");
\trequest.seen = true;
\treturn { status: 200, body: request.body };
}
//#endregion
"""
SAMPLED, MIN_NOTICED = 100, 0.8
"""The size of a sample, and the share that has to be noticed, equivalent mutants included."""
PARTS = 4
"""Tests for a sample: a run waits for event streams longer than it computes (17 s for 100 mutants)."""


@cache
def wire_mutants() -> list[Mutant]:
    """The mutants of the plain server's answers; making the mutants takes seconds."""
    return mutants(["plain"], "wire")


def test_conforming_plain_server_has_no_failure() -> None:
    with serving(PlainServer(fixture.TOKEN)) as url:
        baseline = measure_baseline(url, with_token(fixture.TOKEN))

    assert baseline.failed == {}
    assert len(baseline.revisions) == 5


@pytest.mark.repeated("repeats with the Python SDK what the sample holds")
def test_every_mutant_has_an_id_of_its_own() -> None:
    result = mutants(["plain", "python-sdk"])

    assert len({mutant.id for mutant in result}) == len(result) > 1_000


def test_sample_depends_on_seed_and_id_alone() -> None:
    result = wire_mutants()

    assert sample(result, 10, 1) == sample(list(reversed(result)), 10, 1)
    assert sample(result, 10, 1) != sample(result, 10, 2)


def test_sample_has_every_area_and_revision() -> None:
    result = wire_mutants()
    strata = {(mutant.area, mutant.revision) for mutant in result}

    mutants = sample(result, len(strata) + 50, 1)

    assert {(mutant.area, mutant.revision) for mutant in mutants} == strata
    assert len(mutants) == len(strata) + 50


def test_python_mutations_change_the_source_and_parse() -> None:
    mutations = python_source.source_mutations(SOURCE)
    before = ast.unparse(ast.parse(SOURCE))
    changed_sources = [python_source.apply_mutation(SOURCE, mutation) for mutation in mutations]

    assert all(source != before and ast.parse(source) for source in changed_sources)
    assert {mutation.operator for mutation in mutations} >= {
        *("negate-condition", "compare", "and-or", "drop-not", "constant"),
        *("drop-statement", "return-none", "drop-entry-0"),
    }


def test_texts_for_people_are_not_mutated() -> None:
    mutations = python_source.source_mutations(SOURCE)
    constants = [mutation.text for mutation in mutations if mutation.operator == "constant"]

    assert constants
    assert not any(word in text for text in constants for word in ("hello", "too large"))


def test_javascript_mutations_change_one_place_in_a_region() -> None:
    mutations = javascript_source.token_mutations(SCRIPT, frozenset({"answer.ts"}))
    changes = {(SCRIPT[m.start : m.end], m.new) for m in mutations}

    assert (">=", ">") in changes
    assert ("&&", "||") in changes
    assert ("3", "4") in changes
    assert ("!", "") in changes
    assert ("request.seen = true;", ";") in changes
    assert ("return { status: 200, body: request.body };", "return void 0;") in changes
    assert {mutation.function for mutation in mutations} == {"answer"}
    assert not javascript_source.token_mutations(SCRIPT, frozenset({"other.ts"}))


def test_patterns_of_judgments_compile_and_have_a_reason() -> None:
    for judgment in judgments():
        assert re.compile(judgment.pattern)
        assert judgment.reason.endswith((".", ")"))


def test_page_names_the_command_that_writes_it() -> None:
    text = DOCUMENT.read_text("utf-8")

    assert "python -m benchmarks.mutation --report" in text
    assert "## Score" in text


@pytest.mark.repeated("tests/broken has a server for each check")
@pytest.mark.parametrize("part", range(PARTS))
def test_default_run_notices_each_sampled_wire_mutant_that_is_not_equivalent(part: int) -> None:
    known_judgments = judgments()

    unnoticed_mutants = unnoticed_wire_mutants(sample(wire_mutants(), SAMPLED, 3)[part::PARTS])

    # All were noticed when the test was written.
    assert [
        mutant.id for mutant in unnoticed_mutants if not is_argued(mutant, known_judgments)
    ] == []


@pytest.mark.thorough("repeats the proof with a process for each mutant")
def test_checks_notice_most_mutants_of_a_sample() -> None:
    results = [run_mutant(mutant) for mutant in sample(wire_mutants(), SAMPLED, 2)]

    unnoticed_ids = [result.id for result in results if result.status not in NOTICED]
    assert len(unnoticed_ids) <= (1 - MIN_NOTICED) * len(results), unnoticed_ids
