"""Values for property tests: of the types that a JSON Schema describes, inside and outside of the bounds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["listPets", "GET /pets", "pets", "*", "a", "A b"])
SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    ("", "a", "x y", "https://example.com", "3/second", "off", "tag:pets", "a.b", "user")
) | st.sampled_from((0, 1, -1, 50, 10**10, 1.5, True, False))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=3,
)


def near(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the type that a schema of `document` describes, and one in ten any value."""
    return st.integers(0, 9).flatmap(
        lambda number: VALUES if number == 0 else _values_of_type(schema, document)
    )


def _values_of_type(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the type that a schema describes."""
    if "$ref" in schema:
        return _values_of_type(document["$defs"][schema["$ref"].rpartition("/")[2]], document)
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    kind = schema.get("type")
    if "anyOf" in schema and kind is None:
        return st.sampled_from(schema["anyOf"]).flatmap(
            lambda branch: _values_of_type(branch, document)
        )
    if kind == "object":
        return _tables(schema, document)
    if kind == "array" and "items" in schema:
        return st.lists(near(schema["items"], document), max_size=2)
    if kind == "boolean":
        return st.booleans()
    if kind == "integer":
        bounds = [schema.get("minimum", 0), schema.get("maximum", 1)]
        return st.sampled_from([*bounds, bounds[0] - 1, bounds[1] + 1, 0, 600])
    return SCALARS if kind else VALUES


def _tables(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Objects with some of the known members, most of the required ones, and members of the author."""
    members = schema.get("properties", {})
    search_strategy = (
        st.lists(st.sampled_from(sorted(members)), max_size=4) if members else st.just([])
    )
    required_names: st.SearchStrategy[list[str]] = st.sampled_from([schema.get("required", []), []])
    fixed = st.tuples(search_strategy, required_names).flatmap(
        lambda names: st.fixed_dictionaries(
            {
                name: near(members[name], document)
                for name in dict.fromkeys([*names[0], *names[1]])
                if name in members
            }
        )
    )
    additional_schema = schema.get("additionalProperties")
    return (
        st.dictionaries(NAMES, near(additional_schema, document), max_size=2) | fixed
        if additional_schema
        else fixed
    )
