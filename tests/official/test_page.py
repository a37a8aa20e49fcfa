"""docs/official.md is current."""

from __future__ import annotations

from tests.official.page import _PARTLY, DOCUMENT, document

from mcpgen.conformance.official.scenarios import PARTS, SCENARIOS


def test_the_page_is_current() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "run `python -m tests.official`"


def test_documented_needs_of_parts_match_the_code() -> None:
    messages = {need for needs in _PARTLY.values() for need in needs}

    assert messages == {need for needs in PARTS.values() for need in needs}
    assert {*_PARTLY} <= {scenario.name for scenario in SCENARIOS if not scenario.needs}
