"""A tool announces as many enumerated values as hosts accept; the server checks all values."""

from __future__ import annotations

from typing import Any

from mcpgen.lower.flatten.strict import MAX_VALUES


def enum(count: int, prefix: str) -> dict[str, Any]:
    """Returns a string schema with `count` values."""
    return {"type": "string", "enum": [f"{prefix}{number}" for number in range(count)]}


def test_the_largest_enumerations_are_checked_and_not_announced(build: Any) -> None:
    properties = {
        "currency": enum(600, "c"),
        "countries": {"type": "array", "items": enum(500, "n")},
        "color": enum(3, "x"),
    }

    lowering = build.of_body({"type": "object", "properties": properties})

    currency, countries = lowering.arguments["currency"], lowering.arguments["countries"]
    assert "enum" not in currency.schema
    assert currency.check == properties["currency"]
    assert "One of: c0, c1" in currency.schema["description"]
    assert countries.schema["items"]["enum"] == properties["countries"]["items"]["enum"]
    assert lowering.arguments["color"].schema["enum"] == ["x0", "x1", "x2"]
    assert "MG327" in lowering.codes


def test_lists_of_enumerated_values_are_dropped_from_the_items(build: Any) -> None:
    tags = {"type": "array", "items": enum(700, "t")}

    lowering = build.of_body(
        {"type": "object", "properties": {"tags": tags, "kind": enum(400, "k")}}
    )

    assert lowering.arguments["tags"].schema["items"] == {"type": "string"}
    assert lowering.arguments["tags"].check == tags


def test_values_within_the_limit_are_all_announced(build: Any) -> None:
    half = MAX_VALUES // 2

    lowering = build.of_body(
        {"type": "object", "properties": {"a": enum(half, "a"), "b": enum(half, "b")}}
    )

    assert all("enum" in lowering.arguments[name].schema for name in "ab")
    assert "MG327" not in lowering.codes
