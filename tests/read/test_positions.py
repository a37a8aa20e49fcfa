"""Locations as lines and columns."""

from __future__ import annotations

import json

import pytest
from tests.time_limits import works_at_most

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.source import Document
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings
from mcpgen.read.positions import Position, Positions

YAML = """\
# é
openapi: 3.0.0
"paths":
    /pets/{id}:
      'get': {tags: [a, "b"],	x: 1}
      parameters:
      - name: 😀
        in: path
      -   name: ü
          in: query
base: &base
  id: 1
copy: *base
merged:
  <<: *base
  own: 2
200:
  - - x
    - y
? key
: value
text: |
  not: a key
last:
"""

YAML_PLACES = {
    "": (2, 1),
    "openapi": (2, 1),
    "paths": (3, 1),
    "paths|/pets/{id}": (4, 5),
    "paths|/pets/{id}|get": (5, 7),
    "paths|/pets/{id}|get|tags|1": (5, 25),
    "paths|/pets/{id}|get|x": (5, 31),
    "paths|/pets/{id}|parameters|0": (7, 9),
    "paths|/pets/{id}|parameters|0|name": (7, 9),
    "paths|/pets/{id}|parameters|1|name": (9, 11),
    "paths|/pets/{id}|parameters|1|in": (10, 11),
    "paths|/pets/{id}|parameters|7|in": (6, 7),
    "paths|/pets/{id}|post|tags": (4, 5),
    "copy|id": (13, 1),
    "merged|id": (14, 1),
    "merged|own": (16, 3),
    "200|0|1": (19, 7),
    "key": (20, 3),
    "text|not": (22, 1),
    "last": (24, 1),
    "nope": (2, 1),
}

JSON = """\
{
  "é😀": [1, {"a": "x, {y}: [z"}, [[], {}, "\\"}"]],
\t"b\\u00e9": {"a": null, "" : {"~/": true}},
  "twice": 1, "twice": {"x": 2},
  "e": {}
}
"""

JSON_PLACES = {
    "": (1, 1),
    "é😀": (2, 3),
    "é😀|0": (2, 10),
    "é😀|1|a": (2, 14),
    "é😀|2|2": (2, 43),
    "é😀|9": (2, 3),
    "bé": (3, 2),
    "bé|a": (3, 14),
    "bé||~/": (3, 31),
    "twice|x": (4, 25),
    "e": (5, 3),
    "e|x": (5, 3),
    "twice|x|deeper|still": (4, 25),
}


def read(text: str, file: str = "api.yaml") -> Document:
    """Document of a text."""
    document = load_document(text.encode(), file, "", Findings(Diagnostics()))
    assert document is not None
    return document


def location_of(path: str, file: str = "api.yaml") -> Location:
    """Location for a path written with bars."""
    return Location(file, tuple(path.split("|")) if path else ())


@pytest.mark.parametrize("path", YAML_PLACES)
def test_a_place_in_yaml(path: str) -> None:
    positions = Positions([read(YAML)])

    result = positions(location_of(path))

    assert result == YAML_PLACES[path]


@pytest.mark.parametrize("path", JSON_PLACES)
def test_a_place_in_json(path: str) -> None:
    positions = Positions([read(JSON, "api.json")])

    result = positions(location_of(path, "api.json"))

    assert result == JSON_PLACES[path]


def test_unicode_line_separators_do_not_move_lines() -> None:
    positions = Positions([read('a: x\u2028y\nb: "\\ud83d\\ude00"\nc: 1\n')])

    result = positions(location_of("c"))

    assert result == (3, 1)


def test_a_location_that_knows_its_line_is_returned_as_it_is() -> None:
    positions = Positions([])

    result = positions(Location("elsewhere", ("a",), 7, 3))

    assert result == Position(7, 3)


def test_a_file_that_was_not_read_has_no_positions() -> None:
    positions = Positions([read(YAML)])

    result = positions(location_of("openapi", "other"))

    assert result is None


def test_a_key_written_as_an_alias_is_located_at_the_alias() -> None:
    positions = Positions([read("a: &k x\n*k : 1\n")])

    result = positions(location_of("x"))

    assert result == (2, 1)


@pytest.mark.parametrize("text", ["---\n---\na: 1\n", "\n\na: 1\n---\n# nothing\n"])
def test_an_empty_document_beside_it_does_not_move_a_value(text: str) -> None:
    positions = Positions([read(text)])

    result = positions(location_of("a"))

    assert result == (3, 1)


def test_a_container_as_key_does_not_move_later_values() -> None:
    positions = Positions([read("? [a, {b: 1}]\n: - c\n  - d\ne: 1\n")])

    result = [positions(location_of("?|1")), positions(location_of("e"))]

    assert result == [(3, 5), (4, 1)]


def test_the_last_of_several_entries_with_one_key_is_located() -> None:
    positions = Positions([read("a: {x: 1}\nb: 2\na: {y: 3}\n")])

    result = [positions(location_of("a|x")), positions(location_of("a|y"))]

    assert result == [(3, 1), (3, 5)]


@pytest.mark.repeated("the benchmark measures the same")
@pytest.mark.parametrize("indent", [None, 1], ids=["one line", "many lines"])
def test_a_hundred_places_in_thirteen_megabytes_are_found_soon(indent: int | None) -> None:
    numbers = [{"n": n} for n in range(40)]
    entry = {"description": "x" * 400, "tags": ["a", "b"], "items": numbers}
    tree = {"paths": {f"/p{n}": {"get": entry} for n in range(13_000)}}
    text = json.dumps(tree, indent=indent)
    positions = Positions([read(text, "api.json")])
    places = [location_of(f"paths|/p{n}|get|items|39|n", "api.json") for n in range(0, 13_000, 130)]

    with works_at_most(20):
        result = [positions(place) for place in places]

    assert len(set(result)) == 100
    assert len(text) > 11_000_000
