"""Files of other formats are reported with the format's name, and text is read in any Unicode
encoding."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.read import read

Writes = Callable[[dict[str, str | bytes]], Path]

OPENAPI = {"openapi": "3.0.3", "info": {"title": "Café", "version": "1"}, "paths": {}}

FOREIGN: dict[str, tuple[str, str | bytes, str]] = {
    "gzip": ("api.json", gzip.compress(b"{}"), "a gzip archive"),
    "zip": ("api.yaml", b"PK\x03\x04" + bytes(26), "a zip archive"),
    "PDF": ("api.yaml", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
    "page": ("api.yaml", "<!DOCTYPE html>\n<html>\n\t<p>a: b</p>\n</html>\n", "an HTML page"),
    "page as JSON": ("api.json", "\n<HTML lang='en'><body>Sign in</body></HTML>", "an HTML page"),
    "page behind a comment": ("api.json", "<!-- x --><!doctype HTML>", "an HTML page"),
    "WSDL": ("api.wsdl", '<?xml version="1.0"?>\n<definitions/>', "XML"),
    "RAML": ("api.raml", "#%RAML 1.0\ntitle: a\n", "a RAML document"),
    "GraphQL": ("api.graphql", "# ours\n\ntype Query {\n  a: String\n}\n", "a GraphQL schema"),
    "protobuf": ("api.proto", '// ours\nsyntax = "proto3";\n', "protobuf"),
    "AsyncAPI": ("api.yaml", "asyncapi: 3.0.0\ninfo: {}\n", "an AsyncAPI document"),
    "Arazzo": ("api.yaml", "arazzo: 1.0.0\nworkflows: []\n", "an Arazzo document"),
    "overlay": ("api.yaml", "overlay: 1.0.0\nactions: []\n", "an overlay"),
    "Swagger 1.2": ("api.json", '{"swaggerVersion": "1.2", "apis": []}', "Swagger 1.x"),
    "discovery": ("api.json", '{"discoveryVersion": "v1"}', "a Google API discovery document"),
    "Postman": ("api.json", '{"info": {"_postman_id": "1"}, "item": []}', "a Postman collection"),
    "Insomnia": ("api.json", '{"__export_format": 4, "resources": []}', "an Insomnia export"),
    "Swagger UI": ("api.json", '{"configUrl": "/c"}', "the configuration of Swagger UI"),
    "JSON Schema": ("api.json", '{"$schema": "x", "type": "object"}', "a JSON Schema"),
    "text": ("api.json", json.dumps(json.dumps(OPENAPI)), "a document inside a text"),
    "base64": ("api.json", '"eyJvcGVuYXBpIjoiMy4wLjEifQ=="', "a text in base64"),
    "wrapped": (
        "api.json",
        json.dumps({"status": 200, "data": OPENAPI}),
        "a mapping that holds an API description under `data`",
    ),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_file_of_another_format_is_called_what_it_is(case: str, writes: Writes) -> None:
    name, content, expected = FOREIGN[case]
    diagnostics = Diagnostics()

    source = read(str(writes({name: content}) / name), diagnostics)

    (diagnostic,) = diagnostics
    assert source is None
    assert (diagnostic.code.name, diagnostic.message) == ("other-format", f"the file is {expected}")


@pytest.mark.parametrize(
    "text",
    ["type: object\nproperties: {}\n", "title: a\n", "schema: {a: 1}\n", "paths: {}\n$schema: x\n"],
)
def test_an_unknown_format_only_lacks_a_version(text: str, writes: Writes) -> None:
    diagnostics = Diagnostics()

    read(str(writes({"api.yaml": text}) / "api.yaml"), diagnostics)

    assert [diagnostic.code.name for diagnostic in diagnostics] == ["no-version"]


def test_an_address_is_not_taken_for_a_missing_file() -> None:
    diagnostics = Diagnostics()

    read("https://api.example.com/openapi.json", diagnostics)

    (diagnostic,) = diagnostics
    assert diagnostic.code.name == "unfetched-specification"
    assert "`mcpgen build URL`, which fetches the document" in diagnostic.hint


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_text_is_read_in_its_encoding_with_or_without_a_mark(
    encoding: str, mark: str, writes: Writes
) -> None:
    text = mark + json.dumps(OPENAPI, ensure_ascii=False)
    diagnostics = Diagnostics()

    source = read(str(writes({"api.json": text.encode(encoding)}) / "api.json"), diagnostics)

    assert source is not None
    assert source.root.tree == OPENAPI
    assert not list(diagnostics)
