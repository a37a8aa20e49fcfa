"""Every documented serialization writes the bytes of the specification: the table in
`serializations.yaml`, sent by the runtime of generated servers and read by the parsers of servers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml
from tests.lower.flatten_inverse import flat
from tests.oracle.comparison import difference
from tests.oracle.drawing.document import Document, Operation
from tests.oracle.project import BuiltServer, build_server
from tests.oracle.recorder import unsent_record
from tests.runtime_harness import InvalidArguments, UpstreamRequest, at_work

from mcpgen.ir.server import ToolSpec

TABLE = yaml.safe_load((Path(__file__).parent / "serializations.yaml").read_text(encoding="utf-8"))
RESERVED = ":/?#[]@!$&'()*+;=%"
CASES = ("empty", "one", "many", "reserved", "unicode", "inside")
TYPES = ("string", "array", "object")
VERSIONS = {2.0: "2.0", 3.0: "3.0.4", 3.1: "3.1.1", 3.2: "3.2.0"}
SCHEMAS: Mapping[str, Any] = {
    "string": {"type": "string"},
    "array": {"type": "array", "items": {"type": "string"}},
    "object": {
        "type": "object",
        "properties": {"k": {"type": "string"}, "l": {"type": "string"}},
    },
}
MEDIA = {"form": "application/x-www-form-urlencoded", "multipart": "multipart/form-data"}


@dataclass(frozen=True)
class Cell:
    """A value of a row in a version of OpenAPI, and the expected text."""

    path: str
    row: Mapping[str, Any]
    kind: str
    case: str

    @property
    def value(self) -> Any:
        """The value that the caller passes."""
        text_with_delimiter = f"a{self.row.get('delimiter', ',')}b"
        text = {
            "one": "a",
            "many": "a b",
            "reserved": RESERVED,
            "unicode": "é",
            "inside": text_with_delimiter,
        }
        if self.kind == "string":
            return text.get(self.case, "")
        if self.case == "empty":
            return [] if self.kind == "array" else {}
        if self.case == "many":
            return ["a", "b"] if self.kind == "array" else {"k": "a", "l": "b"}
        return [text[self.case]] if self.kind == "array" else {"k": text[self.case]}

    @property
    def expected(self) -> Any:
        """The text of the table, with reserved characters instead of short forms."""
        encoded_text = quote(RESERVED, safe="")
        text = json.dumps(self.row[self.kind][self.case])
        text = text.replace("{E}", encoded_text).replace("{R}", RESERVED)
        return json.loads(text)

    def __str__(self) -> str:
        keys = ("in", "style", "explode", "collectionFormat", "content", "allowReserved")
        message = " ".join(f"{key}={self.row[key]}" for key in keys if key in self.row)
        return f"{message} {self.kind} {self.case} ({self.row['clause']})"


def cells(version: float) -> Iterator[Cell]:
    """The cells of a version, with the path of the operation that has the row's parameter."""
    for number, row in enumerate(TABLE):
        if version in row["versions"]:
            for kind in TYPES:
                for case in CASES if kind in row else ():
                    yield Cell(f"/r{number}_{kind}", row, kind, case)


def document_of(version: float) -> dict[str, Any]:
    """A document with one operation per row and type."""
    paths: dict[str, Any] = {}
    for cell in cells(version):
        operation = _of_2_0(cell) if version == 2.0 else _of_3(cell)
        suffix = "/{p}" if cell.row["in"] == "path" else ""
        paths[f"{cell.path}{suffix}"] = {"post": {**operation, "operationId": cell.path[1:]}}
    head = {"swagger": "2.0"} if version == 2.0 else {"openapi": VERSIONS[version]}
    server = {"host": "api.example.com"} if version == 2.0 else {}
    if version != 2.0:
        server = {"servers": [{"url": "https://api.example.com"}]}  # type: ignore[dict-item]
    return {**head, "info": {"title": "Rows", "version": "1"}, **server, "paths": paths}


ANSWERS = {"responses": {"200": {"description": "Done."}}}


def _of_2_0(cell: Cell) -> dict[str, Any]:
    schema = dict(SCHEMAS[cell.kind])
    if cell.kind == "array":
        schema["collectionFormat"] = cell.row["collectionFormat"]
    place = cell.row["in"]
    location = "formData" if place in MEDIA else place
    parameter = {"name": "p", "in": location, "required": place == "path", **schema}
    consumes = {"consumes": [MEDIA[place]]} if place in MEDIA else {}
    return {"parameters": [parameter], **consumes, **ANSWERS}


def _of_3(cell: Cell) -> dict[str, Any]:
    place, schema = cell.row["in"], SCHEMAS[cell.kind]
    keys = ("style", "explode", "allowReserved")
    style_keywords = {key: cell.row[key] for key in keys if key in cell.row}
    if place in MEDIA:
        media = {"schema": {"type": "object", "properties": {"p": schema}}}
        media |= {"encoding": {"p": style_keywords}} if style_keywords else {}
        return {"requestBody": {"content": {MEDIA[place]: media}}, **ANSWERS}
    content = {"schema": schema}
    if "content" in cell.row:
        content = {"content": {cell.row["content"]: {"schema": schema}}}
    parameter = {
        "name": "p",
        "in": place,
        "required": place == "path",
        **content,
        **style_keywords,
    }
    return {"parameters": [parameter], **ANSWERS}


def text_of(request: UpstreamRequest, cell: Cell) -> Any:
    """The part of a request that the table contains."""
    place = cell.row["in"]
    if place == "path":
        return request.path.removeprefix(f"{cell.path}/")
    if place in ("query", "querystring"):
        return request.query
    if place == "header":
        return dict(request.headers).get("p")
    if place == "cookie":
        return "; ".join(request.cookies)
    return (request.body or b"").decode() if place == "form" else request.body


def bytes_of(parts: list[list[str]], boundary: str) -> bytes:
    """A multipart body as RFC 2046, 5.1.1 and RFC 7578, 4.2 write it."""
    lines: list[str] = []
    for name, content, *kind in parts:
        lines += [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"']
        lines += [f"Content-Type: {kind[0]}"] if kind else []
        lines += ["", content]
    return "\r\n".join([*lines, f"--{boundary}--", ""]).encode()


def text_on_the_wire(project: BuiltServer, tool: ToolSpec, operation: Operation, cell: Cell) -> Any:
    """The text that a call sends, `refused` for no request. Raises AssertionError if the parsers of
    servers read other values than the caller passed."""
    place = cell.row["in"].removesuffix("string")
    key = "body" if place in MEDIA else f"{place}:p"
    drawn_values = {key: {"p": cell.value} if key == "body" else cell.value}
    working = at_work(project.server, tool)
    arguments = flat(tool, drawn_values)
    try:
        working.refuse_invalid(arguments)
        request = working.request(arguments)
    except InvalidArguments:
        return "refused"
    (body,) = operation.bodies.values() or (None,)
    record = unsent_record(request, "https://api.example.com")
    # Nothing says what an array or object without members means.
    is_defined = cell.kind == "string" or cell.case != "empty"
    if is_defined:
        assert difference(operation, body, drawn_values, record, "") == "", str(cell)
    return text_of(request, cell)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_serialization_is_as_the_specification_says(version: float, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(document_of(version)), encoding="utf-8")
    project = build_server(path)
    assert isinstance(project, BuiltServer)
    tools = {tool.operation: tool for tool in project.server.tools}
    operations = {operation.key: operation for operation in Document(path).operations()}
    wrong = []

    for cell in cells(version):
        suffix = "/{p}" if cell.row["in"] == "path" else ""
        key = f"POST {cell.path}{suffix}"
        result = text_on_the_wire(project, tools[key], operations[key], cell)
        expected = cell.expected
        if isinstance(expected, list) and isinstance(result, bytes):
            boundary = result.partition(b"\r\n")[0][2:].decode()
            expected = bytes_of(expected, boundary if expected else boundary[:-2])
        if result != expected:
            wrong.append(f"{cell}\n    expected {expected!r}\n    found    {result!r}")

    assert wrong == [], "\n".join(wrong)


def test_every_row_names_its_clause_and_has_every_case() -> None:
    kinds = [(row, row[kind]) for row in TABLE for kind in TYPES if kind in row]

    assert all(row["clause"] for row in TABLE)
    assert all(set(output) == set(CASES) for _, output in kinds)
    assert {version for row in TABLE for version in row["versions"]} == set(VERSIONS)
