"""The cost of any `pattern` on any text is bounded."""

from __future__ import annotations

from random import Random

import pytest
from tests.runtime.recursive_schemas import schema_with_member
from tests.time_limits import works_at_most

from mcpgen_runtime.validation.cost import ValidationCost
from mcpgen_runtime.validation.validate import LazyValidator


@pytest.mark.parametrize("pattern", ["(?=(a+)+$)b", "^(a|a)*\\1$"])
def test_a_pattern_that_goes_back_is_searched_in_short_texts_only(pattern: str) -> None:
    check = LazyValidator(lambda: {"type": "string", "pattern": pattern})

    with works_at_most(5):
        long = check.problems("a" * 1_000_000)
        short = check.problems("cc")

    assert [problem.keyword for problem in long] == ["unjudged"]
    assert [problem.keyword for problem in short] == ["pattern"]


@pytest.mark.parametrize("pattern", ["(a|b)*a(a|b){3000}c", "(a|b)*a((a|b){60}){50}c"])
def test_a_pattern_that_counts_far_is_searched_in_short_texts_only(pattern: str) -> None:
    check = LazyValidator(lambda: {"type": "string", "pattern": pattern})
    text = "".join(Random(1).choices("ab", k=3_000))

    with works_at_most(10):
        long = check.problems(text * 200)
        short = check.problems(text)

    assert [problem.keyword for problem in long] == ["unjudged"]
    assert [problem.keyword for problem in short] == ["pattern"]


@pytest.mark.parametrize(
    "pattern",
    [
        *("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "^.{0,255}$", "^(?:a|b)+$", "\\d{4}-[*+]"),
        *(r"^\p{L}+$", r"^\(?\d{3}\)?$", "^(?i)abc$", r"^(?<year>\d{4})$", r"^(?P<year>\d{4})$"),
        *(r"^[.*+?^$(){}]+$", r"^[\w\-\(\?\)]+$", r"^(?!\s*$).+", r"^(?=.*\d)(?!(a|b)+$)\w{8,}$"),
    ],
)
def test_patterns_of_everyday_are_searched_without_counting(pattern: str) -> None:
    assert ValidationCost({"pattern": pattern}).is_plain


@pytest.mark.parametrize(
    "pattern",
    [
        *("^(?!(?=(a+)+$)b)", "^(?=a)*(?!b)", "^(?!a)b|(?=(a+)+$)b", r"^(?!a)(a|b)*\1", "(?x)a"),
        *("a{2}+", "(?>a)", "^(?!a)(?=b)*", "^(?:(?:a{0,100}){100}){0,1}(?:b){0}!", "(x){0}a{501}"),
    ],
)
def test_others_are_counted(pattern: str) -> None:
    assert not ValidationCost({"pattern": pattern}).is_plain


@pytest.mark.parametrize("pattern", [r"^(?!\s*$).+", r"^((?!<script>)[\s\S])*$"])
def test_no_text_is_too_long_to_look_ahead_in_it(pattern: str) -> None:
    check = LazyValidator(
        lambda: {"type": "object", **schema_with_member({"type": "string", "pattern": pattern})}
    )

    assert check.problems({"a": "a word " * 2_857}) == []


def test_names_that_a_pattern_goes_back_in_are_counted() -> None:
    check = LazyValidator(lambda: {"patternProperties": {"^(a|a)*\\1$": {"type": "integer"}}})

    with works_at_most(10):
        (problem,) = check.problems({"a" * 30 + str(number): 1 for number in range(50_000)})

    assert problem.keyword == "unjudged"
