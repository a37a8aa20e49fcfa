"""Every finding about a document is located at the value in the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.oracle.documents import corpus_documents, drawn_from, own_documents, swagger
from tests.thorough import keep

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read
from mcpgen.read.positions import Positions

Mark = tuple[int, int]

OURS = own_documents() | swagger() | drawn_from()
DOCUMENTS = OURS | corpus_documents()
SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
REPEATS = "repeats the proof on documents of other people"
NESTED = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    post:
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
      responses: {"204": {description: Done.}}
components:
  schemas:
    Pet:
      allOf:
      - $ref: "#/components/schemas/Animal"
    Animal:
      type: object
      required: [home]
      properties:
        home: {$ref: "#/components/schemas/Home"}
    Home:
      type: object
      required: [place]
      properties:
        place:
          type: object
          required: [city]
          properties:
            city:
              type: object
              properties: {name: {type: string}}
"""


def test_a_finding_about_a_property_behind_references_stands_at_the_property(
    tmp_path: Path,
) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(NESTED)

    diagnostics, positions, _ = _findings(path)

    (location,) = [diagnostic.at for diagnostic in diagnostics if diagnostic.code.id == "MG316"]
    position = positions(location)
    assert location.pointer == "/components/schemas/Home/properties/place/properties/city"
    assert position is not None
    assert (position.line, position.column) == (30, 13)


@pytest.mark.parametrize("name", keep(DOCUMENTS, OURS.keys(), REPEATS))
def test_every_finding_stands_at_a_value_of_its_file(name: str) -> None:
    diagnostics, positions, texts = _findings(DOCUMENTS[name])
    nodes = {file: _Nodes(text) for file, text in texts.items()}

    misplaced_findings = [
        (diagnostic.code.id, diagnostic.at.file, diagnostic.at.pointer, position)
        for diagnostic in diagnostics
        if not diagnostic.at.line
        if (position := positions(diagnostic.at)) is None
        or (position.line, position.column) not in nodes[diagnostic.at.file].marks(diagnostic.at)
    ]

    assert misplaced_findings == []


def _findings(path: Path) -> tuple[Diagnostics, Positions, dict[str, str]]:
    """Returns the findings about a document, their positions, and the text of each file."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    assert source is not None
    api = parse(source, diagnostics)
    assert api is not None
    diagnostics.soften(parse_codes.PER_OPERATION)
    lower(api, Config(keep_going=True), diagnostics, scenarios=False)
    documents = source.documents.values()
    return (
        diagnostics,
        Positions(documents),
        {document.name: document.text for document in documents},
    )


class _Nodes:
    """A text parsed by PyYAML with positions of values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Any = None

    def marks(self, location: Location) -> set[Mark]:
        """Returns the possible positions of a location: key and value; empty for a missing
        value."""
        if self._root is None:
            # PyYAML refuses the escapes of surrogates, which JSON has.
            readable = SURROGATE.sub(r"\\u0041", self._text)
            self._root = yaml.compose(readable, yaml.CSafeLoader)
        node = self._root
        result = {_mark(node)}
        for key in location.path:
            entry = next(iter([pair for pair in _entries(node) if pair[0] == key][-1:]), None)
            if entry is None:
                return set()
            _, start, node = entry
            result = {start}
        return result


def _entries(node: Any) -> Iterator[tuple[str, Mark, Any]]:
    """Yields key or index, position and value of the members of a mapping or list."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key.value, _mark(key), value
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield str(index), _mark(value), value


def _mark(node: Any) -> Mark:
    return node.start_mark.line + 1, node.start_mark.column + 1
