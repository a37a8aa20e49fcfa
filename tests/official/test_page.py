"""The page about the official suite says what the code does."""

from __future__ import annotations

from tests.official.page import _PARTLY, DOCUMENT, document

from mcpgen.conformance.official.scenarios import PARTS, SCENARIOS


def test_the_page_is_current() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "run `python -m tests.official`"


def test_needs_of_parts_are_those_that_are_left_out() -> None:
    told = {need for needs in _PARTLY.values() for need in needs}

    assert told == {need for needs in PARTS.values() for need in needs}
    assert {*_PARTLY} <= {scenario.name for scenario in SCENARIOS if not scenario.needs}
