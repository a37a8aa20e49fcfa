"""A predicted saving equals the size of the server built with the option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen.analysis.report import build_listing_report
from mcpgen.analysis.size_reductions import SENTENCE
from mcpgen.pipeline import BuildOptions
from mcpgen.pipeline.load_tools import load_tools

ANSWER = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "What the animal is known by. " * 3},
        "owner": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
PARAMETERS = [
    {"name": "old", "in": "query", "deprecated": True, "schema": {"type": "string"}},
    {"name": "new", "in": "query", "schema": {"type": "string"}},
]


def _operation(name: str, **more: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": ANSWER}}
    return {
        "operationId": name,
        "summary": f"Says much about {name}: " + "very " * 60,
        "responses": {"200": {"description": "ok", "content": content}},
        **more,
    }


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """Writes a description in which every option saves bytes."""
    paths = {
        "/a": {"get": _operation("getA", parameters=PARAMETERS), "post": _operation("addA")},
        "/b": {"get": _operation("getB", deprecated=True)},
    }
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    file = tmp_path / "api.json"
    file.write_text(json.dumps(document))
    return str(file)


FULL = '[output]\nschemas = "full"\n'
CHOICES = {
    "sentence": ("", f"[descriptions]\nlimit = {SENTENCE}\n"),
    "no-deprecated-arguments": ("", '[flatten]\ndeprecated = "drop"\n'),
    "no-deprecated": ("", '[select]\nexclude = ["GET /b"]\n'),
    "read-only": ("", '[select]\nexclude = [{ method = "POST" }]\n'),
    "output-shallow": (FULL, '[output]\nschemas = "shallow"\n'),
    "output-off": (FULL, ""),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_a_saving_is_that_of_a_server_with_the_choice(
    choice: str, spec: str, tmp_path: Path
) -> None:
    before, after = (tmp_path / "before.toml", tmp_path / "after.toml")
    before.write_text(CHOICES[choice][0])
    after.write_text(CHOICES[choice][1])

    listing = load_tools(spec, BuildOptions(config=str(before))).listing
    smaller = load_tools(spec, BuildOptions(config=str(after))).listing

    assert listing is not None
    assert smaller is not None
    (saving,) = [
        size_reduction
        for size_reduction in build_listing_report(listing).savings
        if size_reduction.choice == choice
    ]
    assert saving.bytes == build_listing_report(smaller).bytes < build_listing_report(listing).bytes
    assert saving.tools == len(smaller.tools)


def test_tools_that_are_found_instead_of_listed_are_weighed_as_they_would_be(
    tmp_path: Path,
) -> None:
    paths = {f"/{number}": {"get": _operation(f"get{number}")} for number in range(20)}
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    spec, config = tmp_path / "api.json", tmp_path / "found.toml"
    spec.write_text(json.dumps(document))
    config.write_text('[discovery]\nmode = "on"\n')

    listing, result = (
        load_tools(str(spec)).listing,
        load_tools(str(spec), BuildOptions(config=str(config))).listing,
    )

    assert listing is not None
    assert result is not None
    (saving,) = [
        size_reduction
        for size_reduction in build_listing_report(listing).savings
        if size_reduction.choice == "discovery"
    ]
    assert (saving.tools, saving.bytes) == (3, build_listing_report(result).bytes)


def test_in_discovery_mode_it_is_reported_how_many_tools_are_not_in_the_list(
    spec: str, tmp_path: Path
) -> None:
    config = tmp_path / "found.toml"
    config.write_text('[discovery]\nmode = "on"\npinned = ["getA"]\n')

    listing = load_tools(spec, BuildOptions(config=str(config))).listing

    assert listing is not None
    assert listing.tools[-1]["name"] == "get_a"
    assert listing.notes == ("tools that are not listed, but found by `search_tools`: 2",)
    assert "discovery" not in {saving.choice for saving in build_listing_report(listing).savings}


def test_a_choice_that_is_made_already_saves_nothing_more(spec: str, tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text('[flatten]\ndeprecated = "drop"\n')

    listing = load_tools(spec, BuildOptions(config=str(config))).listing

    assert listing is not None
    words = {saving.choice for saving in build_listing_report(listing).savings}
    assert words.isdisjoint({"no-deprecated-arguments", "output-shallow", "output-off"})
