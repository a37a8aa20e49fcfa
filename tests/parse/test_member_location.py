"""Locations of properties that come from references, `allOf` and unions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.parse import parse
from mcpgen.read import read

SCHEMAS: dict[str, Any] = {
    "Pet": {
        "allOf": [
            {"$ref": "#/components/schemas/Animal"},
            {"properties": {"owner": {"$ref": "other.json#/Person"}}},
        ]
    },
    "Animal": {"properties": {"kind": {"type": "string"}}},
    "Maybe": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Animal"}]},
    "Own": {
        "properties": {"kind": {"type": "integer"}},
        "allOf": [{"$ref": "#/components/schemas/Animal"}],
    },
    "Circle": {"allOf": [{"$ref": "#/components/schemas/Circle"}]},
    "Lost": {"$ref": "#/components/schemas/Nowhere"},
}
OTHER: dict[str, Any] = {"Person": {"properties": {"name": {"type": "string"}}}}


@pytest.mark.parametrize(
    ("path", "file", "pointer"),
    [
        ("Pet|properties|kind", "api.json", "/components/schemas/Animal/properties/kind"),
        ("Pet|properties|owner", "api.json", "/components/schemas/Pet/allOf/1/properties/owner"),
        ("Pet|properties|owner|properties|name", "other.json", "/Person/properties/name"),
        (
            "Maybe|properties|kind|type",
            "api.json",
            "/components/schemas/Animal/properties/kind/type",
        ),
        ("Own|properties|kind", "api.json", "/components/schemas/Own/properties/kind"),
        ("Animal|properties|size", "api.json", "/components/schemas/Animal/properties"),
        ("Circle|properties|kind", "api.json", "/components/schemas/Circle"),
        ("Lost|properties|kind", "api.json", "/components/schemas/Lost"),
    ],
)
def test_a_location_follows_references_and_joined_schemas(
    document: Any, source: Any, path: str, file: str, pointer: str
) -> None:
    tree = document(components={"schemas": SCHEMAS})
    diagnostics = Diagnostics()
    parse(source(tree, {"other.json": OTHER}), diagnostics)

    location = diagnostics.find_written_location(
        Location("api.json", ("components", "schemas", *path.split("|")))
    )

    assert (location.file, location.pointer) == (file, pointer)


def test_a_search_for_a_location_is_bounded(document: Any, source: Any) -> None:
    branch = {"allOf": [{"$ref": "#/components/schemas/B0"}] * 3_000}
    tree = document(components={"schemas": {"A": branch, "B0": {"allOf": [{}] * 3_000}}})
    diagnostics = Diagnostics()
    parse(source(tree), diagnostics)

    location = diagnostics.find_written_location(
        Location("api.json", ("components", "schemas", "A", "items", "not"))
    )

    assert location.pointer == "/components/schemas/A"


def test_a_chain_of_references_longer_than_the_stack_ends_the_search(
    document: Any, source: Any
) -> None:
    chain = {f"R{nth}": {"$ref": f"#/components/schemas/R{nth + 1}"} for nth in range(3_000)}
    tree = document(components={"schemas": chain})
    diagnostics = Diagnostics()
    parse(source(tree), diagnostics)

    location = diagnostics.find_written_location(
        Location("api.json", ("components", "schemas", "R0", "properties"))
    )

    assert location.pointer == "/components/schemas/R0"


def test_a_location_in_a_part_that_an_overlay_added_is_in_the_overlay(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(
        'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/a: {get: {}}}\n'
        "components: {schemas: {Pet: {allOf: [{$ref: '#/components/schemas/Animal'}]}}}\n"
    )
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(
        'overlay: 1.1.0\ninfo: {title: O, version: "1"}\nactions:\n'
        "- target: $.components.schemas\n"
        "  update: {Animal: {properties: {kind: {type: string}}}}\n"
    )
    diagnostics = Diagnostics()
    source = read(str(tmp_path / "api.yaml"), diagnostics, overlays=[str(overlay)])
    assert source is not None
    parse(source, diagnostics)
    path = ("components", "schemas", "Pet", "properties", "kind")

    location = diagnostics.find_written_location(Location(source.root.name, path))

    assert Path(location.file).name == "overlay.yaml"
    assert location.pointer == "/actions/0/update/Animal/properties/kind"
