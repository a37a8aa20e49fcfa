"""The cost of validation is bounded for any schema and any invalid value."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.recursive_schemas import REF, TANGLED, closed, nested, schema_with_member
from tests.time_limits import works_at_most

from mcpgen_runtime.validation.cost import ValidationCost
from mcpgen_runtime.validation.engine import Engine
from mcpgen_runtime.validation.validate import LazyValidator


@pytest.mark.parametrize("keyword", TANGLED)
@pytest.mark.parametrize("innermost", [None, "wrong"])
def test_a_few_bytes_do_not_keep_a_validator_busy(keyword: str, innermost: Any) -> None:
    with works_at_most(5):
        problems = LazyValidator(lambda: closed(TANGLED[keyword])).problems(nested(40, innermost))

    assert [problem.keyword for problem in problems] == ["unjudged"]


@pytest.mark.parametrize("keyword", TANGLED)
def test_what_can_be_judged_is_judged_by_the_same_schemas(keyword: str) -> None:
    check = LazyValidator(lambda: closed(TANGLED[keyword]))

    assert bool(check.problems(nested(3, None))) is (keyword == "oneOf")
    assert check.problems(nested(3, "wrong"))


def test_what_takes_too_much_to_tell_is_judged_all_the_same() -> None:
    with works_at_most(5):
        (problem,) = LazyValidator(lambda: closed(TANGLED["anyOf"])).problems(nested(13, "wrong"))

    assert problem.keyword == "untold"


@pytest.mark.parametrize(
    "schema",
    [
        schema_with_member(
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
        ),
        schema_with_member({"type": "string", "pattern": "^(a+)+$"}),
        {"properties": {f"p{number}": {"type": "string"} for number in range(150)}},
    ],
)
def test_values_of_a_plain_schema_are_not_counted(schema: Any) -> None:
    assert ValidationCost(schema).is_plain


@pytest.mark.parametrize(
    "schema",
    [
        closed(schema_with_member(REF)),
        {"allOf": [schema_with_member({"type": "string"})] * 150},
        {"pattern": "(?!a)"},
        {"anyOf": [{}], "unevaluatedProperties": False},
        {"allOf": [{}], "unevaluatedItems": False},
        {"patternProperties": {"(a)\\1": {}}},
        closed({"properties": {"default": REF, "enum": REF, "$defs": REF}}),
    ],
)
def test_values_of_any_other_are(schema: Any) -> None:
    assert not ValidationCost(schema).is_plain


def nest_unevaluated(times: int, keyword: str) -> Any:
    """Returns nested schemas, each with `unevaluatedProperties`, so each level needs the evaluated
    members of the level below."""
    inner: Any = schema_with_member({"type": "integer"})
    for _ in range(times):
        inner = {keyword: [inner], "unevaluatedProperties": False}
    return inner


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
@pytest.mark.parametrize(("times", "expected"), [(8, []), (14, ["unjudged"]), (20, ["unjudged"])])
def test_what_rules_the_rest_inside_one_another_is_counted_as_often_as_it_asks(
    keyword: str, times: int, expected: list[str]
) -> None:
    check = LazyValidator(lambda: nest_unevaluated(times, keyword))

    with works_at_most(3):
        problems = check.problems({"a": 1})

    assert [problem.keyword for problem in problems] == expected


def test_schemas_that_follow_each_other_too_far_below_one_another_are_not_asked() -> None:
    chain = {f"C{number}": {"anyOf": [{"$ref": f"#/$defs/C{number + 1}"}]} for number in range(90)}
    schema = {
        "$ref": "#/$defs/C0",
        "$defs": {**chain, "C90": schema_with_member({"$ref": "#/$defs/C0"})},
    }

    (problem,) = LazyValidator(lambda: schema).problems(nested(190, 1))

    assert problem.keyword == "unjudged"


def test_a_long_number_is_divided_too() -> None:
    assert Engine({"multipleOf": 7}).passes(7 * 10**4_000)
    assert not Engine({"type": "number", "multipleOf": 0.5}).passes(float("inf"))
