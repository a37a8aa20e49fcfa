"""Definitions are opened only if one value would be checked against too many definitions."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.parse.schemas.reference_cycles import MAX_CHAIN, MAX_DEFINITIONS

PREFIX = "#/components/schemas/"


def ladder(levels: int, width: int) -> dict[str, Any]:
    """Definitions with the next definition as all alternatives."""
    steps = {
        f"N{level}": {
            "description": f"Level {level}",
            "oneOf": [{"$ref": f"{PREFIX}N{level + 1}"} for _ in range(width)],
        }
        for level in range(levels)
    }
    return {**steps, f"N{levels}": {"type": "string"}}


def test_alternatives_of_alternatives_beyond_the_bound_allow_anything(schema):
    _, result = schema({"$ref": f"{PREFIX}N0"}, definitions=ladder(6, 10))

    schemas = {name: definition.json for name, definition in result.api.definitions.items()}
    assert schemas["N1"] == {"description": "Level 1", "oneOf": [{"$ref": "#/$defs/N2"}] * 10}
    assert schemas["N2"] == {"description": "Level 2"}
    assert result.names == ["tangled-schema"]
    assert f"the limit is {MAX_DEFINITIONS:,}" in result.finding.message


def test_as_many_ways_as_real_descriptions_have_stay(schema):
    definitions = ladder(3, 20)

    _, result = schema({"$ref": f"{PREFIX}N0"}, definitions=definitions)

    assert len(result.api.definitions["N0"].json["oneOf"]) == 20
    assert result.findings == []


@pytest.mark.parametrize(
    ("levels", "names"), [(MAX_CHAIN - 1, []), (MAX_CHAIN, ["tangled-schema"])]
)
def test_references_that_follow_each_other_have_a_bound(levels, names, schema):
    _, result = schema({"$ref": f"{PREFIX}N0"}, definitions=ladder(levels, 1))

    assert result.names == names


def test_schemas_below_properties_are_none_of_the_same_value(schema):
    steps = {
        f"N{level}": {"properties": {"a": {"$ref": f"{PREFIX}N{level + 1}"}}}
        for level in range(3 * MAX_CHAIN)
    }

    _, result = schema({"$ref": f"{PREFIX}N0"}, definitions={**steps, f"N{3 * MAX_CHAIN}": {}})

    assert result.findings == []


def test_a_long_cycle_is_reported_by_its_ends(schema):
    names = [f"N{number}" for number in range(30)]
    circle = {
        name: {"$ref": f"{PREFIX}{following}"}
        for name, following in zip(names, [*names[1:], names[0]], strict=True)
    }

    _, result = schema({"$ref": f"{PREFIX}N0"}, definitions=circle)

    assert result.names == ["endless-schema"]
    assert "N0 → N1 → N2 → N3 → 23 more → N27 → N28 → N29 → N0" in result.finding.message
