"""`uniqueItems` and one invalid item take time bounded by the length of a long list."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.recursive_schemas import REF, TREE, closed, schema_with_member
from tests.time_limits import works_at_most

from mcpgen_runtime.validation import cost
from mcpgen_runtime.validation.cost import ValidationCost
from mcpgen_runtime.validation.engine import Engine
from mcpgen_runtime.validation.subschemas import expand_schema
from mcpgen_runtime.validation.validate import LazyValidator

VECTORS = {
    "anyOf": [{"items": {"type": "number"}}, {"items": {"$ref": "#"}}, schema_with_member({}), {}]
}
ROWS = {
    "items": {**schema_with_member({"type": "string"}), "additionalProperties": {"type": "integer"}}
}
VALID: dict[str, tuple[Any, Any]] = {
    "floats": (VECTORS, [[number + 0.5 for number in range(768)]] * 10),
    "rows": (closed(ROWS), [{"a": "v", "b": 1, "c": number} for number in range(3_000)]),
    "a tree": (TREE, {"b": [{"a": str(number), "b": []} for number in range(1_700)]}),
    "texts": ({"items": {"pattern": "^(?!xn--)[a-z.]+$"}}, ["a.example"] * 20_000),
}


@pytest.mark.parametrize("kind", VALID)
def test_large_values_of_everyday_are_judged(kind: str) -> None:
    schema, value = VALID[kind]

    assert LazyValidator(lambda: schema).problems(value) == []


@pytest.mark.parametrize(
    "item",
    [{"type": "number"}, {"$ref": "#/$defs/F"}, {"anyOf": [{"type": "number"}, REF, {}]}, True],
)
def test_numbers_in_a_list_are_counted_at_once(item: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {
        "items": item,
        "$defs": {"F": {"type": "number"}, "N": schema_with_member({"$ref": "#"})},
    }
    schemas: list[Any] = []

    def record_schema(schema: Any, *arguments: Any) -> Any:
        schemas.append(schema)
        return expand_schema(schema, *arguments)

    monkeypatch.setattr(cost, "expand_schema", record_schema)
    monkeypatch.setattr(cost, "MAX_PLAIN_SCHEMAS", 0)

    assert ValidationCost(schema).can_be_judged([0.5] * 50_000)
    assert len(schemas) == 2


@pytest.mark.parametrize(
    ("items", "alike"),
    [
        ([{"a": number} for number in range(20_000)], False),
        ([[number, True] for number in range(20_000)], False),
        ([1, True], False),
        ([0, False, "0", None, "", [], {}], False),
        ([1, 1.0], True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], True),
        ([1e308, 10**308 * 2], False),
    ],
)
def test_a_long_list_is_searched_once_for_what_it_repeats(items: Any, alike: bool) -> None:
    with works_at_most(5):
        passes = Engine({"uniqueItems": True}).passes(items)

    assert passes is not alike


FIELDS = {name: {"type": "string"} for name in "abcdefgh"}
ROW = dict.fromkeys(FIELDS, "a text")


@pytest.mark.parametrize(
    ("item", "items", "path"),
    [
        ({"type": "integer"}, [*range(10_000), "x"], (10_000,)),
        (
            {"type": "object", "properties": FIELDS, "additionalProperties": False},
            [*[ROW] * 599, {**ROW, "c": 1}],
            (599, "c"),
        ),
    ],
)
def test_one_mistake_among_many_values_is_told_with_its_place(
    item: Any, items: Any, path: Any
) -> None:
    (problem,) = LazyValidator(lambda: {"items": item}).problems(items)

    assert (problem.path, problem.keyword) == (path, "type")
