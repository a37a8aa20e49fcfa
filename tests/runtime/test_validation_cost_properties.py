"""The cost of validation never exceeds the counted cost, for any schema and any value."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.runtime.recursive_schemas import REF
from tests.thorough import examples

from mcpgen_runtime.validation import cost
from mcpgen_runtime.validation.cost import ValidationCost, longest_chain
from mcpgen_runtime.validation.validate import LazyValidator

NAMES = st.sampled_from(["a", "b"])
SCALARS = st.sampled_from([None, 1, "a", True])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=6,
)
SIMPLE = st.sampled_from([REF, {"type": "object"}, {"type": "string"}, {}, True])
ONE_INSIDE = [
    *("items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"),
    *("not", "if", "then", "else", "propertyNames"),
]
SCHEMAS = st.recursive(
    SIMPLE,
    lambda inner: st.dictionaries(
        st.sampled_from(["allOf", "anyOf", "oneOf"]),
        st.lists(inner, min_size=1, max_size=2),
        max_size=2,
    )
    | st.dictionaries(
        st.sampled_from(ONE_INSIDE),
        inner,
        max_size=3,
    )
    | st.fixed_dictionaries(
        {"prefixItems": st.lists(inner, min_size=1, max_size=2), "items": inner}
    )
    | st.dictionaries(
        st.sampled_from(["properties", "patternProperties", "dependentSchemas"]),
        st.dictionaries(NAMES, inner, max_size=2),
        max_size=2,
    )
    | st.tuples(inner, st.sampled_from(["unevaluatedProperties", "unevaluatedItems"])).map(
        lambda pair: {"anyOf": [pair[0], {"required": ["b"]}], pair[1]: False}
    ),
    max_leaves=6,
)
"""Schemas that may refer to the whole schema, which applies to inner values."""


def parts(value: Any) -> int:
    """Returns the number of values and member names in a value."""
    if isinstance(value, dict):
        return 1 + sum(1 + parts(member) for member in value.values())
    return 1 + (sum(map(parts, value)) if isinstance(value, list) else 0)


class Counter:
    """Keyword for counting the evaluations of a schema."""

    asked = 0

    def __init__(self, *_: Any) -> None:
        pass

    def validate(self, _: Any) -> None:
        """Counts one evaluation, without errors."""
        Counter.asked += 1


def add_counter(schema: Any) -> Any:
    """Returns the schema with the counting keyword first in every subschema, before keywords that
    may end the evaluation."""
    if isinstance(schema, list):
        return [add_counter(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {"counted": True, **{key: _count_inside(key, part) for key, part in schema.items()}}


def _count_inside(key: str, part: Any) -> Any:
    if key in ("properties", "patternProperties", "dependentSchemas", "$defs"):
        return {name: add_counter(subschema) for name, subschema in part.items()}
    return part if key in ("type", "required", "$ref") else add_counter(part)


@settings(max_examples=examples(150, 500), deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_no_more_is_asked_than_was_counted(schema: Any, value: Any) -> None:
    # Keywords on the value itself must not refer back to the whole schema, as in emitted schemas.
    root_schema = {
        "properties": {"a": schema},
        "items": schema,
        "$defs": {"N": {"properties": {"b": schema}}},
    }
    validator = jsonschema_rs.Draft202012Validator(
        add_counter(root_schema), keywords={"counted": Counter}
    )

    Counter.asked = 0
    validator.is_valid(value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cost, "MAX_EVALUATIONS", Counter.asked - 1)
        patch.setattr(ValidationCost, "_longest", 0)
        validation_cost = ValidationCost(root_schema)
        assert validation_cost.is_plain or not validation_cost.can_be_judged(value)
        assert not validation_cost.is_plain or Counter.asked <= cost.MAX_PLAIN_SCHEMAS * parts(
            value
        )


@settings(max_examples=examples(80, 200), deadline=None)
@given(schema=SCHEMAS, value=VALUES, maximum=st.integers(1, 12))
def test_of_no_value_is_more_asked_than_was_known_beforehand(
    schema: Any, value: Any, maximum: int
) -> None:
    root_schema = {"properties": {"a": schema}, "items": schema, "$defs": {"N": {"items": schema}}}
    validator = jsonschema_rs.Draft202012Validator(
        add_counter(root_schema), keywords={"counted": Counter}
    )

    Counter.asked = 0
    validator.is_valid(value)

    assert not longest_chain(root_schema, maximum) or Counter.asked <= maximum * parts(value)


@settings(max_examples=examples(80, 200), deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_what_is_counted_at_once_is_what_is_counted_one_by_one(schema: Any, value: Any) -> None:
    root_schema = {"properties": {"a": schema}, "items": schema, "$defs": {"N": {"items": schema}}}
    counting = ValidationCost(root_schema)
    step_count = next(
        index
        for index in range(10_000)
        if counting._stays_within(index, lambda _: 1, value, lambda *_: None)
    )

    assert counting._stays_within(step_count, cost._decision_cost, value, counting._alikes)
    assert not counting._stays_within(step_count - 1, cost._decision_cost, value, counting._alikes)


@settings(max_examples=examples(100, 300), deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_what_is_within_bounds_is_judged_as_ever(schema: Any, value: Any) -> None:
    root_schema = {"properties": {"a": schema}, "$defs": {"N": {"properties": {"b": schema}}}}

    problems = LazyValidator(lambda: root_schema).problems(value)

    assert bool(problems) is not Draft202012Validator(root_schema).is_valid(value)
