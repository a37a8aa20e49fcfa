"""Every request that a document allows is sent as drawn, or a finding or a clause names the limit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.completeness import completeness
from tests.oracle.documents import corpus_documents, drawn_from, own_documents, swagger
from tests.oracle.drawing.document import Document
from tests.oracle.drawing.values import Drawer
from tests.oracle.parsers import (
    Disagreement,
    ReadPart,
    parse,
    parse_cookies,
    parse_multipart,
    parse_query,
)
from tests.oracle.project import BuiltServer, build_server
from tests.thorough import keep

from mcpgen.ir.server import ToolSpec

pytestmark = pytest.mark.anyio

OURS = drawn_from() | swagger() | own_documents()
SMALL = 60_000


@pytest.mark.parametrize(
    "name",
    keep(OURS, {"unions", "animals", "nursery"}, "repeats the draws on the documents of specs/"),
)
async def test_every_request_of_our_documents_is_sent_as_drawn(name: str, tmp_path: Path) -> None:
    project = build_server(OURS[name])
    assert isinstance(project, BuiltServer)

    result = await completeness(project, tmp_path, draws=12, most_tools=100)

    assert not result.faults, "\n".join(map(str, result.faults))
    assert result.sent > result.drawn / 2


@pytest.mark.thorough("repeats the draws on documents of other people")
@pytest.mark.parametrize("name", corpus_documents(SMALL))
async def test_every_request_of_real_documents_is_sent_as_drawn(name: str, tmp_path: Path) -> None:
    project = build_server(corpus_documents()[name])
    if not isinstance(project, BuiltServer):
        assert project.failed
        return

    result = await completeness(project, tmp_path, draws=12, most_tools=15)

    assert not result.faults, "\n".join(map(str, result.faults))


def change_tool(tool: ToolSpec) -> ToolSpec:
    """A copy of the tool of `unions` with one argument that contradicts the document."""
    arguments = []
    for argument in tool.arguments:
        if (tool.name, argument.name) == ("set_limits", "limit"):
            narrow = {**argument.schema, "type": "string"}
            arguments.append(replace(argument, schema=narrow, also=(), check=None))
        elif (tool.name, argument.name) == ("expire_closure", "tags"):
            arguments.append(replace(argument, explode=True))
        elif (tool.name, argument.name) != ("record_event", "note"):
            arguments.append(argument)
    return replace(tool, scenarios=(), arguments=tuple(arguments))


async def test_arguments_that_cannot_do_what_the_document_says_are_found(tmp_path: Path) -> None:
    project = build_server(OURS["unions"])
    assert isinstance(project, BuiltServer)
    server = replace(project.server, tools=tuple(map(change_tool, project.server.tools)))

    result = await completeness(replace(project, server=server), tmp_path, draws=12, most_tools=100)

    messages = {case.message for case in result.silent if case.tool == "record_event"}
    narrow = {case.drawn["body"]["limit"] for case in result.faults if case.tool == "set_limits"}
    assert messages == {"no argument for ['note']"}
    assert narrow
    assert not any(isinstance(value, str) for value in narrow)
    assert any(case.message.startswith("query: ['tags'") for case in result.changed)


def test_draws_reach_every_branch_and_are_the_same_each_time() -> None:
    document = Document(OURS["unions"])
    operations = {item.key: item for item in document.operations()}
    schema = operations["POST /events"].bodies["application/json"].schema

    def draws() -> list[Any]:
        drawer = Drawer(document.definitions, "seed")
        return [drawer.draw(schema, "body") for _ in range(9)]

    assert draws() == draws()
    assert {item["kind"] for item in draws()} == {"count", "name", "flag"}
    assert None in [item.get("note") for item in draws() if "note" in item]


def test_draws_from_a_recursive_schema_end() -> None:
    node = {"$ref": "#/$defs/node"}
    list_of = {"type": "array", "items": node, "minItems": 1}
    definitions = {"node": {"type": "object", "properties": {"next": node, "all": list_of}}}
    drawer = Drawer(definitions, "seed")

    values = []
    for _ in range(20):
        drawer.begin()
        values.append(drawer.draw(node, "body"))

    assert any(value.get("next") for value in values)


@pytest.mark.parametrize("query", ["a=1;b=2", "a=%zz"])
def test_a_query_that_servers_read_differently_is_found(query: str) -> None:
    with pytest.raises(Disagreement):
        parse(f"/animals?{query}", {}, b"")


def test_parsers_of_servers_agree_on_what_is_well_formed() -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="a%22\xc3\xa9"\r\n\r\nhi\r\n'
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="n"\r\n'
        b"Content-Type: image/png\r\n\r\n\x00\xff\r\n--\x80\r\r\n--x--\r\n"
    )

    assert parse_query("a=b%20c&d=%C3%A9&e=") == [("a", "b c"), ("d", "é"), ("e", "")]
    assert parse_cookies("a=1; b=%C3%A9; a=2") == [("a", "1"), ("b", "%C3%A9"), ("a", "2")]
    assert parse_multipart("multipart/form-data; boundary=x", body) == [
        ReadPart('a"é', b"hi"),
        ReadPart("f", b"\x00\xff\r\n--\x80\r", "n", "image/png"),
    ]
