"""A sample matches its schema, is deterministic, and prefers the author's values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.time_limits import works_at_most

from mcpgen.sampling import sample, valid
from mcpgen.sampling.resolved_schema import ResolvedSchema, resolve_schema
from mcpgen.sampling.validators import validators_for

DEFINITIONS: dict[str, Any] = {
    "Pet": {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "owner": {"$ref": "#/$defs/Person"},
            "kind": {"enum": ["cat", "dog"]},
        },
    },
    "Person": {
        "type": "object",
        "required": ["email"],
        "properties": {
            "email": {"type": "string", "format": "email"},
            "pets": {"type": "array", "items": {"$ref": "#/$defs/Pet"}},
        },
    },
    "Tree": {
        "type": "object",
        "required": ["value", "children"],
        "properties": {
            "value": {"type": "integer"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    },
    "Expression": {
        "oneOf": [
            {
                "type": "object",
                "required": ["left", "right"],
                "properties": {
                    "left": {"$ref": "#/$defs/Expression"},
                    "right": {"$ref": "#/$defs/Expression"},
                },
            },
            {"type": "object", "required": ["value"], "properties": {"value": {"type": "number"}}},
        ]
    },
    "Linked": {"$ref": "#/$defs/Person"},
    "odd/name~x": {"const": "odd"},
}

FITTING: dict[str, Any] = {
    "anything": {},
    "true": True,
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "null": {"type": "null"},
    "array": {"type": "array"},
    "object": {"type": "object"},
    "nullable": {"type": ["null", "string"]},
    "least": {"type": "integer", "minimum": 5},
    "most": {"type": "integer", "maximum": -5},
    "negative zone": {"type": "integer", "minimum": -10, "maximum": -5},
    "exclusive": {"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 7},
    "fraction": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "narrow fraction": {"type": "number", "minimum": 0.25, "maximum": 0.25},
    "below an exclusive bound": {"type": "number", "exclusiveMaximum": -3},
    "integer between fractions": {"type": "integer", "minimum": 1.2, "maximum": 2.9},
    "both bounds": {"type": "integer", "minimum": 3, "exclusiveMinimum": 3},
    "multiple": {"type": "integer", "multipleOf": 7, "minimum": 20},
    "multiple below": {"type": "integer", "multipleOf": 7, "maximum": -1},
    "cents": {"type": "number", "multipleOf": 0.01, "minimum": 0.015},
    "exclusive multiple": {"type": "number", "multipleOf": 0.5, "exclusiveMinimum": 1},
    "fractional step for integers": {"type": "integer", "multipleOf": 1.5},
    "hundredths of integers": {"type": "integer", "multipleOf": 0.01, "minimum": 2, "maximum": 5},
    "short": {"type": "string", "maxLength": 2},
    "empty": {"type": "string", "maxLength": 0},
    "long": {"type": "string", "minLength": 50},
    "exact": {"type": "string", "minLength": 9, "maxLength": 9},
    "pattern": {"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"},
    "pattern with length": {
        "type": "string",
        "pattern": "^[a-z]+$",
        "minLength": 12,
        "maxLength": 14,
    },
    "pattern and format": {"type": "string", "format": "uuid", "pattern": "^3fa"},
    "enum": {"enum": ["a", "b"]},
    "enum with null": {"type": ["string", "null"], "enum": [None, "a"]},
    "enum of another type": {"type": "integer", "enum": ["a", 3]},
    "const": {"const": {"a": [1]}},
    "list of three": {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    "distinct texts": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 5,
        "uniqueItems": True,
    },
    "distinct enum": {
        "type": "array",
        "items": {"enum": [1, 2, 3]},
        "minItems": 3,
        "uniqueItems": True,
    },
    "distinct booleans": {
        "type": "array",
        "items": {"type": "boolean"},
        "minItems": 2,
        "uniqueItems": True,
    },
    "distinct patterns": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[ab]{2}$"},
        "minItems": 3,
        "uniqueItems": True,
    },
    "distinct objects": {
        "type": "array",
        "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
        "minItems": 3,
        "uniqueItems": True,
    },
    "no items": {"type": "array", "maxItems": 0},
    "tuple": {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "integer"}],
        "items": False,
        "minItems": 2,
    },
    "tuple and more": {
        "type": "array",
        "prefixItems": [{"const": 1}],
        "items": {"type": "string"},
        "minItems": 3,
    },
    "contains": {"type": "array", "contains": {"const": 7}, "minContains": 2},
    "required without properties": {"type": "object", "required": ["a", "b"]},
    "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    "map of at least three": {
        "type": "object",
        "additionalProperties": {"type": "integer"},
        "minProperties": 3,
    },
    "at least two of three": {
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "at most one": {
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}},
        "required": ["b"],
        "maxProperties": 1,
    },
    "property names": {
        "type": "object",
        "propertyNames": {"pattern": "^x-[a-z]+$"},
        "minProperties": 2,
    },
    "pattern properties": {
        "type": "object",
        "patternProperties": {"^n_": {"type": "integer"}},
        "additionalProperties": False,
        "minProperties": 1,
    },
    "required by pattern": {
        "type": "object",
        "required": ["n_x"],
        "patternProperties": {"^n_": {"type": "integer"}},
    },
    "dependent": {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"], "b": ["c"]},
    },
    "forbidden property": {"type": "object", "properties": {"a": False, "b": {}}},
    "implied object": {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
    "implied array": {"items": {"type": "integer"}, "minItems": 1},
    "implied string": {"minLength": 3},
    "implied number": {"minimum": 3},
    "allOf": {
        "allOf": [
            {
                "type": "object",
                "properties": {"a": {"type": "integer", "minimum": 3}},
                "required": ["a"],
            },
            {"properties": {"a": {"maximum": 4}, "b": {"type": "string"}}, "required": ["b"]},
        ]
    },
    "allOf of types": {"allOf": [{"type": ["integer", "string"]}, {"type": "number"}]},
    "allOf of enums": {"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
    "allOf with alternatives": {
        "allOf": [
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"anyOf": [{"required": ["c"]}, {"required": ["d"]}]},
        ],
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}, "d": {}},
    },
    "anyOf": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "integer"}]},
    "nullable by anyOf": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    "oneOf that overlaps": {"oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "string"}]},
    "oneOf beside properties": {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
        "oneOf": [
            {"properties": {"kind": {"const": "a"}}},
            {"properties": {"kind": {"const": "b"}}},
        ],
    },
    "first branch impossible": {"anyOf": [False, {"type": "integer"}]},
    "not": {"type": "string", "not": {"const": "a"}},
    "if": {
        "type": "object",
        "properties": {"a": {"const": 1}},
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
    },
    "reference": {"$ref": "#/$defs/Pet"},
    "reference to a reference": {"$ref": "#/$defs/Linked"},
    "reference with more": {"$ref": "#/$defs/Pet", "required": ["kind"]},
    "recursion": {"$ref": "#/$defs/Tree"},
    "recursion in the first branch": {"$ref": "#/$defs/Expression"},
    "escaped name": {"$ref": "#/$defs/odd~1name~0x"},
    "percent-encoded name": {"$ref": "#/$defs/odd~1name%7E0x"},
    "own definitions": {"$ref": "#/$defs/Own", "$defs": {"Own": {"type": "integer", "minimum": 9}}},
}

FORMATS = [
    "date",
    "date-time",
    "time",
    "duration",
    "uuid",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "idn-email",
    "idn-hostname",
    "iri-reference",
]


@pytest.mark.parametrize("optional", [True, False])
@pytest.mark.parametrize("name", FITTING)
def test_a_sample_fits_its_schema(name: str, optional: bool) -> None:
    schema = FITTING[name]

    value = sample(schema, DEFINITIONS, optional=optional)

    assert valid(value, schema, DEFINITIONS), value


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_three_distinct_values(name: str) -> None:
    items = {"type": "string", "format": name}
    schema = {"type": "array", "items": items, "minItems": 3, "uniqueItems": True}

    value = sample(schema)

    assert valid(value, schema)
    assert valid(value[0], items)


def test_a_format_that_nobody_knows_is_ignored() -> None:
    assert sample({"type": "string", "format": "flavour"}) == "sample"


CHOSEN = {
    "an example": ({"type": "string", "examples": ["Rex"]}, "Rex"),
    "an example before the default": ({"type": "string", "default": "a", "examples": ["b"]}, "b"),
    "the default": ({"type": "integer", "default": 12}, 12),
    "the constant": ({"const": 5, "examples": [6]}, 5),
    "the first of an enum": ({"type": "string", "enum": ["b", "a"]}, "b"),
    "an example out of an enum": ({"enum": ["b", "a"], "examples": ["a"]}, "a"),
    "the second example when the first does not fit": (
        {"type": "integer", "examples": ["five", 5]},
        5,
    ),
    "no example that does not fit": ({"type": "integer", "examples": ["five"]}, 1),
    "no default out of bounds": ({"type": "integer", "default": 0, "minimum": 4}, 4),
    "no example of the wrong format": (
        {"type": "string", "format": "date", "examples": ["tomorrow"]},
        "2026-01-15",
    ),
    "an example of a whole object": (
        {"type": "object", "properties": {"a": {}}, "examples": [{"a": "x"}]},
        {"a": "x"},
    ),
    "the example of what is referred to": (
        {"$ref": "#/$defs/Named", "$defs": {"Named": {"type": "string", "examples": ["Ada"]}}},
        "Ada",
    ),
    "the word beside a reference": (
        {"$ref": "#/$defs/N", "default": "b", "$defs": {"N": {"type": "string", "default": "a"}}},
        "b",
    ),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_the_author_is_believed_where_the_schema_agrees(name: str) -> None:
    schema, expected = CHOSEN[name]

    assert sample(schema) == expected


def test_optional_properties_are_there_only_if_wanted() -> None:
    schema = {"$ref": "#/$defs/Pet"}

    full_sample = sample(schema, DEFINITIONS)
    lean_sample = sample(schema, DEFINITIONS, optional=False)

    assert full_sample == {"name": "sample", "owner": {"email": "ada@example.com"}, "kind": "cat"}
    assert lean_sample == {"name": "sample"}


def test_an_example_is_reduced_to_what_is_required() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {}},
        "examples": [{"a": 7, "b": "x"}],
    }

    assert sample(schema, optional=False) == {"a": 7}


def test_an_array_shows_an_item_where_none_is_required() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}

    assert sample(schema, optional=False) == [1]


def test_every_property_at_the_top_is_there_however_large_the_first_is() -> None:
    wide = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(300)}}
    schema = {"type": "object", "properties": {"a": wide, **{f"q{n}": {} for n in range(100)}}}

    value = sample(schema)

    assert len(value) == 101


IMPOSSIBLE: dict[str, Any] = {
    "false": False,
    "contradiction": {"type": "integer", "minimum": 5, "maximum": 4},
    "not anything": {"not": {}},
    "infinite": {"$ref": "#/$defs/Loop"},
    "circle of references": {"$ref": "#/$defs/Circle"},
    "circle of allOf": {"$ref": "#/$defs/AllCircle"},
    "unknown reference": {"$ref": "#/$defs/Nowhere", "type": "string"},
    "empty enum": {"enum": []},
    "pattern that is none": {"type": "string", "pattern": "(["},
    "pattern beyond Python": {"type": "string", "pattern": "^\\p{Script=Greek}+$"},
    "pattern without match": {"type": "string", "pattern": "a^"},
    "odd keywords": {"type": 5, "properties": [], "required": "a", "enum": 3, "items": 4},
    "odd numbers": {"type": "array", "minItems": "3", "maxItems": True},
    "odd alternatives": {"anyOf": 5, "oneOf": {}, "allOf": "x"},
    "odd references": {"$ref": 5},
    "unknown type": {"type": "flavour"},
}

LOOPS = {
    "Loop": {
        "type": "object",
        "required": [f"p{n}" for n in range(10)],
        "properties": {f"p{n}": {"$ref": "#/$defs/Loop"} for n in range(10)},
    },
    "Circle": {"$ref": "#/$defs/Circle"},
    "AllCircle": {"allOf": [{"$ref": "#/$defs/AllCircle"}, {"type": "string"}]},
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_schema_that_cannot_be_met_gives_some_value_soon(name: str) -> None:
    with works_at_most(20):
        value = sample(IMPOSSIBLE[name], LOOPS)

    json.dumps(value)


HUGE: dict[str, Any] = {
    "length": {"type": "string", "minLength": 10**12},
    "items": {"type": "array", "items": {"type": "string"}, "minItems": 10**9},
    "distinct items": {"type": "array", "items": {}, "minItems": 10**9, "uniqueItems": True},
    "properties": {"type": "object", "minProperties": 10**9},
    "repetition": {"type": "string", "pattern": "^(a{1000}){1000}$"},
    "catastrophe": {"type": "string", "pattern": "^(a+)+$", "minLength": 5000},
    "backtracking": {"type": "string", "pattern": "(x+x+)+y", "maxLength": 50},
    "deep pattern": {"type": "string", "pattern": "(" * 900 + "a" + ")" * 900},
    "contained": {"type": "array", "contains": {}, "minContains": 10**9},
    "alternatives": {"oneOf": [{"type": "string"}] * 300},
    "deep allOf": {"allOf": [{"allOf": [{"type": "string"}] * 100}] * 100},
}


@pytest.mark.parametrize("name", HUGE)
def test_a_schema_that_asks_for_too_much_is_cut_short(name: str) -> None:
    with works_at_most(50):
        value = sample(HUGE[name])

    assert len(json.dumps(value)) < 1_000_000


def test_nothing_is_fetched() -> None:
    schema = {"$ref": "http://127.0.0.1:1/schema.json"}

    value = sample(schema)

    assert value == "sample"
    assert not valid("sample", schema)


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (1, {"type": "integer"}, True),
        ("1", {"type": "integer"}, False),
        (True, {"const": 1}, False),
        ({"name": "Rex"}, {"$ref": "#/$defs/Pet"}, True),
        ({"name": 5}, {"$ref": "#/$defs/Pet"}, False),
        ({"name": "x", "owner": {}}, {"$ref": "#/$defs/Pet"}, False),
        ("x", {"$ref": "#/$defs/Nowhere"}, False),
        ("x", {"type": "flavour"}, False),
        ("not a date", {"type": "string", "format": "date"}, False),
        ("x", False, False),
        ("x", True, True),
    ],
)
def test_validity_is_judged_against_the_definitions(
    value: Any, schema: Any, expected: bool
) -> None:
    assert valid(value, schema, DEFINITIONS) is expected


def test_definitions_of_different_calls_are_not_confused() -> None:
    schema = {"$ref": "#/$defs/A"}

    values = [sample(schema, {"A": {"const": n}}) for n in range(20)]

    assert values == list(range(20))


def test_a_sample_is_the_same_under_every_hash_seed() -> None:
    program = (
        "import json, sys; from mcpgen.sampling import sample\n"
        "schemas, definitions = json.load(sys.stdin)\n"
        "print(json.dumps([sample(schema, definitions) for schema in schemas]))"
    )
    value = json.dumps([[*FITTING.values()], DEFINITIONS])
    path = str(Path(__file__).parents[2] / "generator")

    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=value,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(outputs) == 1


def test_a_schema_is_joined_once_for_all_references_to_it() -> None:
    parts = {"Pet": {"allOf": [{"$ref": "#/$defs/Animal"}]}, "Animal": {"type": "object"}}
    library = validators_for(True, parts)

    first = resolve_schema({"$ref": "#/$defs/Pet"}, library)
    second = resolve_schema({"$ref": "#/$defs/Pet"}, library)

    assert first == ResolvedSchema({"type": "object"}, frozenset({"Pet", "Animal"}))
    assert second is first
