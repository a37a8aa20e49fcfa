"""The cost of a validation is known in advance, in bounded time."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.sampling import ReachableDefs, sample, valid
from mcpgen.sampling.validators import MAX_COST, validation_cost


def ladder(levels: int) -> dict[str, Any]:
    """Returns definitions of nested objects, each in two parts of an `allOf`."""
    steps = {
        f"N{level}": {
            "allOf": [
                {"required": ["a"], "properties": {"a": {"$ref": f"#/$defs/N{level + 1}"}}},
                {"type": "object", "properties": {"a": {"$ref": f"#/$defs/N{level + 1}"}}},
            ]
        }
        for level in range(levels)
    }
    return {**steps, f"N{levels}": {"type": "string"}}


def tower(levels: int) -> Any:
    """Returns a value of the first definition."""
    value: Any = "sample"
    for _ in range(levels):
        value = {"a": value}
    return value


def tower_cost(levels: int) -> int:
    """Returns the cost of validating the value."""
    definitions = ladder(levels)
    return validation_cost(
        tower(levels), {"$ref": "#/$defs/N0"}, lambda name: definitions[name.split("/")[-1]]
    )


@pytest.mark.parametrize("levels", [1, 2, 10])
def test_a_schema_counts_as_often_as_a_way_leads_to_it(levels: int) -> None:
    # A reference, then at each level a definition, its two parts and a reference in each of them.
    expected = 1 + sum(5 * 2**level for level in range(levels)) + 2**levels

    assert tower_cost(levels) == expected


def test_what_a_value_does_not_have_is_not_asked() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}

    assert validation_cost({"a": "x"}, schema, lambda name: True) == 2


def closed(
    levels: int, keyword: str, rest_keyword: str = "unevaluatedProperties"
) -> dict[str, Any]:
    """Returns nested schemas, each with an `unevaluated…` keyword."""
    schema: dict[str, Any] = {"properties": {"a": {"type": "integer"}}}
    for _ in range(levels):
        schema = {keyword: [schema], rest_keyword: False}
    return schema


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
@pytest.mark.parametrize(
    ("levels", "expected"), [(1, 1 + 2), (2, 1 + 2 + 5), (4, 1 + 2 + 5 + 13 + 34)]
)
def test_whoever_speaks_of_the_rest_has_all_below_asked_again(
    keyword: str, levels: int, expected: int
) -> None:
    cost = validation_cost({"a": 1}, closed(levels, keyword), lambda name: True)

    # As often as a level is asked, so is what it says of the member.
    assert cost == 2 * expected


def test_what_lies_between_is_asked_again_as_well() -> None:
    plain: dict[str, Any] = {"allOf": [{"allOf": [{"allOf": [{}]}]}]}

    assert validation_cost([], plain, lambda name: True) == 1 + 1 + 1 + 1
    assert (
        validation_cost([], {**plain, "unevaluatedItems": False}, lambda name: True)
        == 1 + 2 + 3 + 4
    )


def test_members_are_not_asked_what_they_have_looked_at() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"allOf": [{}, {}]}}, "unevaluatedProperties": {}}

    assert validation_cost({"a": 1}, schema, lambda name: True) == 1 + 1 + 2 + 1


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
@pytest.mark.parametrize("rest_keyword", ["unevaluatedProperties", "unevaluatedItems"])
def test_a_value_is_not_held_against_what_asks_again_and_again(
    keyword: str, rest_keyword: str
) -> None:
    assert ReachableDefs({}).by({"a": 1}, closed(12, keyword, rest_keyword)) == {}
    assert ReachableDefs({}).by({"a": 1}, closed(18, keyword, rest_keyword)) is None


def test_counting_ends_beyond_the_bound() -> None:
    assert MAX_COST < tower_cost(5_000) < 10 * MAX_COST


def test_a_value_beyond_the_bound_is_not_known_to_fit() -> None:
    schema = {"$ref": "#/$defs/N0"}

    assert valid(tower(10), schema, ladder(10))
    assert not valid(tower(30), schema, ladder(30))


def test_a_sample_does_not_depend_on_what_others_have_compiled() -> None:
    last = {"N1000": {"type": "object"}}
    steps = {f"N{n}": {"allOf": [{"$ref": f"#/$defs/N{n + 1}"}]} for n in range(1_000)}
    definitions = steps | last
    impossible_schema = {"type": "integer", "not": {"type": "integer"}}
    properties = {
        f"p{n}": {
            "anyOf": [impossible_schema, {"type": "string"}],
            "dependentSchemas": {"x": {"$ref": "#/$defs/N0"}},
        }
        for n in range(25)
    }
    schema = {
        "properties": {**properties, "none": impossible_schema},
        "required": [*properties, "none"],
    }

    first = sample(schema, definitions)

    assert set(map(type, first.values())) == {int, str}
    assert sample(schema, definitions) == first


def test_a_sample_beyond_the_bound_is_made_all_the_same() -> None:
    assert sample({"$ref": "#/$defs/N0"}, ladder(30)) == tower(30)
