"""The reachable definitions decide the validity of a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.sampling import ReachableDefs

NAMES = ("A", "B", "C", "D")
KEYS = st.sampled_from(["a", "b", "ab"])
LEAVES = st.sampled_from(
    [
        True,
        False,
        {"type": "string"},
        {"type": "integer", "minimum": 2},
        {"required": ["a"]},
        {"enum": [1, "a", None]},
        {"maxProperties": 1},
        *({"$ref": f"#/$defs/{name}"} for name in NAMES),
    ]
)


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, min_size=1, max_size=2)
    maps = st.dictionaries(KEYS, inner, min_size=1, max_size=2)
    of_lists = st.sampled_from(["allOf", "anyOf", "oneOf", "prefixItems"])
    of_maps = st.sampled_from(["properties", "patternProperties", "dependentSchemas"])
    of_one = st.sampled_from(
        [
            "items",
            "contains",
            "not",
            "if",
            "then",
            "else",
            "additionalProperties",
            "unevaluatedProperties",
            "unevaluatedItems",
            "propertyNames",
        ]
    )
    pairs = st.tuples(of_lists, lists) | st.tuples(of_maps, maps) | st.tuples(of_one, inner)
    return st.lists(pairs, min_size=1, max_size=3).map(dict)


SCHEMAS = st.recursive(LEAVES, _deeper, max_leaves=6)
DEFINITIONS = st.fixed_dictionaries(dict.fromkeys(NAMES, SCHEMAS))
VALUES = st.recursive(
    st.sampled_from(["a", "b", 1, 2, None, True]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def judge(value: Any, schema: Any, definitions: dict[str, Any]) -> bool | None:
    """Returns the validity of a value, None for a schema that only refers to itself."""
    root_schema = {"allOf": [schema], "$defs": definitions}
    try:
        return jsonschema_rs.Draft202012Validator(root_schema).is_valid(value)
    except ValueError:
        return None


@settings(max_examples=examples(150, 400), deadline=None)
@given(SCHEMAS, DEFINITIONS, VALUES)
def test_the_definitions_that_a_value_meets_judge_it_as_all_do(
    schema: Any, definitions: dict[str, Any], value: Any
) -> None:
    # A circle of references alone has no meaning, and validators differ over it.
    circle = {
        name: {"minLength": 0, "allOf": [definition]} for name, definition in definitions.items()
    }
    if _goes_round(circle, value):
        return

    needed_definitions = ReachableDefs(circle).by(value, schema)

    assert needed_definitions is not None
    assert judge(value, schema, needed_definitions) == judge(value, schema, circle)


def _goes_round(definitions: dict[str, Any], value: Any) -> bool:
    """True if a definition leads to itself without a step into the value."""

    def same_place_references(schema: Any) -> set[str]:
        if not isinstance(schema, dict):
            return set()
        result = {schema["$ref"].rpartition("/")[2]} if "$ref" in schema else set()
        for keyword in ("allOf", "anyOf", "oneOf", "not", "if", "then", "else"):
            part = schema.get(keyword, [])
            for subschema in part if isinstance(part, list) else [part]:
                result |= same_place_references(subschema)
        for subschema in schema.get("dependentSchemas", {}).values():
            result |= same_place_references(subschema)
        return result

    steps = {name: same_place_references(schema) for name, schema in definitions.items()}
    for _ in steps:
        steps = {
            name: targets.union(*(steps[target] for target in targets))
            for name, targets in steps.items()
        }
    return any(name in targets for name, targets in steps.items())


def test_what_a_value_does_not_meet_is_not_looked_at() -> None:
    definitions = {
        "Pet": {
            "properties": {"name": {"$ref": "#/$defs/Name"}, "owner": {"$ref": "#/$defs/Owner"}}
        },
        "Name": {"type": "string"},
        "Owner": {"properties": {"address": {"$ref": "#/$defs/Address"}}},
        "Address": {"type": "object"},
    }

    needed_definitions = ReachableDefs(definitions).by({"name": "Rex"}, {"$ref": "#/$defs/Pet"})

    expected_pet = {"properties": {"name": {"$ref": "#/$defs/Name"}}}
    assert needed_definitions == {"Name": definitions["Name"], "Owner": True, "Pet": expected_pet}


def test_a_schema_that_has_itself_as_a_part_is_met_once() -> None:
    definitions = {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}

    needed_definitions = ReachableDefs(definitions).by(
        {"next": {"next": {}}}, {"$ref": "#/$defs/Node"}
    )

    assert needed_definitions == definitions


class Listless(dict[str, Any]):
    """Definitions with lookup and without iteration."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("one value met all the definitions there are")

    keys = __iter__  # type: ignore[assignment]


def test_a_value_is_not_compared_with_definitions_that_nothing_leads_to() -> None:
    definitions = Listless({"A": {"$ref": "#/$defs/B"}, "B": True, "C": {"type": "string"}})

    assert ReachableDefs(definitions).by(1, {"$ref": "#/$defs/A"}) == {
        "A": {"$ref": "#/$defs/B"},
        "B": True,
    }
