"""Schemas with low cost for every value are detected in advance, and need no counting."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.recursive_schemas import REF, TANGLED, TREE, closed, nested, schema_with_member

from mcpgen_runtime.validation import cost
from mcpgen_runtime.validation.cost import ValidationCost, longest_chain
from mcpgen_runtime.validation.validate import LazyValidator

MANY = {
    "$ref": "#/$defs/N",
    "$defs": {
        "N": {"anyOf": [{"$ref": f"#/$defs/V{number}"} for number in range(9)]},
        **{
            f"V{number}": {**schema_with_member({"type": "string"}), "not": {}}
            for number in range(8)
        },
        "V8": {"prefixItems": [{}, REF], "patternProperties": {"^x": REF}},
    },
}


@pytest.mark.parametrize(
    ("schema", "levels"),
    [
        (TREE, 2),
        (closed(schema_with_member(REF, additionalProperties=REF)), 2),
        (closed({"allOf": [schema_with_member(REF), {"properties": {"b": REF}}]}), 3),
        (closed({"anyOf": [{"items": REF}, {"additionalProperties": REF}]}), 3),
        (MANY, 5),
        *((closed(item), 0) for item in TANGLED.values()),
        (closed({"items": REF, "contains": REF}), 0),
        (closed({"prefixItems": [REF], "items": REF}), 0),
        (closed({"dependentSchemas": {"a": schema_with_member(REF)}, "properties": {"a": REF}}), 0),
        (closed({"items": REF, "pattern": "^(a|a)*\\1$"}), 0),
        (closed({"allOf": [{}] * 250, "items": REF}), 0),
        (closed(REF), 0),
        (closed({"allOf": [{"properties": {str(n): REF for n in range(3_000)}}] * 2}), 0),
    ],
)
def test_schemas_that_lead_back_are_known_beforehand_unless_they_ask_twice(
    schema: Any, levels: int
) -> None:
    assert longest_chain(schema, cost.MAX_PLAIN_SCHEMAS) == levels


def test_a_hundred_thousand_values_of_a_tree_are_judged_without_counting_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cost, "expand_schema", None)
    leaves = [{"a": str(number), "b": []} for number in range(50_000)]

    assert LazyValidator(lambda: TREE).problems({"b": leaves}) == []


def test_trees_that_are_too_deep_for_the_stack_are_counted() -> None:
    schema, deep = closed({"anyOf": [{"anyOf": [schema_with_member(REF)]}]}), nested(490, {})

    assert longest_chain(schema, cost.MAX_PLAIN_SCHEMAS) == 4
    assert ValidationCost(schema).can_be_judged(deep)
    assert not ValidationCost(schema).can_be_judged(nested(520, {}))
