"""The collector of diagnostics, locations, and the table of codes."""

from __future__ import annotations

import re

import pytest

from mcpgen.diagnostics import Code, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import STAGES, TABLE

CODE = Code("MG998", "some-code", Severity.WARNING, "`{what}` is odd", hint="change `{what}`")
STAGES_IN_ORDER = ("read", "parse", "lower", "emit", "write", "config", "smoke_test", "lint")
STAGE_NUMBERS = {stage: number for number, stage in enumerate(STAGES_IN_ORDER, 1)}
STAGE_NUMBERS["extras"] = STAGE_NUMBERS["config"]
STAGE_NUMBERS["tool_options"] = STAGE_NUMBERS["lower"]
STAGE_NUMBERS["openspec"] = STAGE_NUMBERS["smoke_test"]

ROWS = [
    (stage.__name__.rpartition(".")[2], code)
    for stage in STAGES
    for code in vars(stage).values()
    if isinstance(code, Code)
]


def test_the_same_finding_at_the_same_place_is_kept_once() -> None:
    diagnostics = Diagnostics()

    for line in (1, 1, 2):
        diagnostics.add(CODE, Location("a", line=line), what="x")

    assert len(diagnostics) == 2


def test_facts_are_printed_and_never_interpreted() -> None:
    diagnostics = Diagnostics()

    diagnostics.add(CODE, Location("a"), what="{0.__class__} {what} %s")

    (diagnostic,) = diagnostics
    assert diagnostic.message == "`{0.__class__} {what} %s` is odd"
    assert diagnostic.hint == "change `{0.__class__} {what} %s`"


def test_a_missing_fact_raises_key_error() -> None:
    diagnostics = Diagnostics()

    with pytest.raises(KeyError):
        diagnostics.add(CODE, Location("a"))


def test_only_errors_fail() -> None:
    diagnostics = Diagnostics()

    diagnostics.add(CODE, Location("a"), what="x")
    before = diagnostics.failed
    diagnostics.add(CODE, Location("a"), severity=Severity.ERROR, what="x")

    assert not before
    assert diagnostics.failed


def test_the_order_of_printing_is_independent_of_the_order_of_finding() -> None:
    first, second = Diagnostics(), Diagnostics()
    places = [Location("b"), Location("a", ("x",)), Location("a"), Location("a", line=3)]

    for diagnostics, order in ((first, places), (second, places[::-1])):
        for place in order:
            diagnostics.add(CODE, place, what="x")

    assert first.sorted() == second.sorted()
    assert [diagnostic.at.file for diagnostic in first.sorted()] == ["a", "a", "a", "b"]


def test_a_child_of_a_location_has_one_more_key() -> None:
    location = Location("a") / "paths" / "/x~y" / 0

    assert location.path == ("paths", "/x~y", "0")
    assert location.pointer == "/paths/~1x~0y/0"


def test_ids_and_names_of_codes_are_unique() -> None:
    ids = [code.id for _, code in ROWS]
    names = [code.name for _, code in ROWS]

    assert len(set(ids)) == len(ids) == len(TABLE)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("stage", "code"), ROWS, ids=[row[1].id for row in ROWS])
def test_a_code_can_be_explained(stage: str, code: Code) -> None:
    assert re.fullmatch(rf"MG{STAGE_NUMBERS[stage]}\d\d", code.id)
    assert code.message[0] != " "
    assert not code.message.endswith(".")
    assert len(code.explanation) > 40
    assert not re.search(r"\{\{\w", code.explanation), "it is shown as it stands"


@pytest.mark.parametrize(("stage", "code"), ROWS, ids=[row[1].id for row in ROWS])
def test_a_code_says_what_to_do_with_and_without_facts(stage: str, code: Code) -> None:
    words = re.sub(r"\{\w+\}", "", code.hint).strip(" ;,.:`")
    is_name = "{nearest}" in code.hint

    assert code.hint
    assert words or code.remedy or is_name
    assert not (words and code.remedy), "the hint says it already"
