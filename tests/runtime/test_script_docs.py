"""Documentation on request: an index, modules, methods and types, each answer within a budget."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.runtime.conftest import Client, serving_tools
from tests.runtime.scripting import GET, LIST, READS, TOOLS, scripting

from mcpgen_runtime.scripts.documentation import (
    Docs,
    DocsSettings,
    call_as_json,
    describe_tool,
    method_signature,
    page_of_parts,
    typescript_type,
)
from mcpgen_runtime.scripts.script_docs import ScriptDocs
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Event loop shared by the tests of this module."""
    return "asyncio"


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[Client]:
    """Client of a server that runs scripts and documents its tools."""
    argument = Argument("about", "handler", {"type": "string", "description": "What."})
    tool = Tool("docs", "Documentation", "Documents.", None, READS, arguments=(argument,))
    groups = {"orders": [tool.name for tool in TOOLS], "secret": ["no_such_tool"]}
    docs = Docs(tool, groups, DocsSettings(docs_bytes=1000), {"delete_order": {"id": 77}})
    tools = [replace(tool, description=f"{tool.title}. " * 20) for tool in TOOLS]
    async with serving_tools(*tools, upstream=NOWHERE, offers=(docs,)) as client:
        yield client


async def read(client: Client, page_name: str = "") -> str:
    """Returns a text of the documentation tool."""
    result = await client.call("docs", about=page_name)
    return str(result["content"][0]["text"])


async def test_the_root_with_md_behind_it_gives_the_index() -> None:
    async with scripting(NOWHERE) as client:
        result = await client.call("do", script="db.md")

    text = result["content"][0]["text"]
    assert not result["isError"]
    assert text.startswith("# db\n")
    assert "- `db.orders`: `list`, `get`, `delete`" in text


def test_a_default_that_the_description_tells_is_not_told_twice() -> None:
    described_schema = {"type": "integer", "description": "How many. Default: 20.", "default": 20}
    plain_schema = {**described_schema, "description": "How many."}
    tools = [
        replace(LIST, arguments=(Argument("limit", "query", schema),))
        for schema in (described_schema, plain_schema)
    ]

    texts = [describe_tool(tool.name, tool, call_as_json) for tool in tools]

    assert [text.count("Default") for text in texts] == [1, 1]


async def test_a_module_is_documented_with_arguments_and_examples() -> None:
    async with scripting(NOWHERE) as client:
        text = (await client.call("do", script="db.Orders.md"))["content"][0]["text"]

    assert text.startswith("# db.orders\n\n## db.orders.list\n\nList orders\n\nIt only reads.")
    assert "- `limit` (`number`, optional): How many." in text
    assert '```ts\nawait db.orders.get({"id": 1})\n```' in text
    assert "It changes something." in text


def test_an_example_has_no_text_that_would_be_refused() -> None:
    schema = {"type": "string", "pattern": "^ord_[0-9]+$"}
    tool = replace(GET, arguments=(Argument("id", "path", schema, required=True),))
    papers = ScriptDocs("do", "db", {"orders": {"get": tool}}, 8000)

    assert 'await db.orders.get({"id": "<id>"})' in (
        papers.requested_page("db.orders.get.md") or ""
    )


def test_an_example_that_is_known_is_shown() -> None:
    papers = ScriptDocs("do", "db", {"orders": {"get": GET}}, 8000, {"get_order": {"id": 77}})

    assert 'await db.orders.get({"id": 77})' in (papers.requested_page("db.orders.get.md") or "")


async def test_the_documentation_of_a_tool_shows_the_example_that_is_known(client: Client) -> None:
    assert '```json\n{"id": 77}\n```' in await read(client, "delete_order")


async def test_a_module_has_types() -> None:
    async with scripting(NOWHERE) as client:
        text = (await client.call("do", script="db.orders.d.ts;"))["content"][0]["text"]

    assert text == (
        "```ts\n"
        "declare const db: {\n"
        "  orders: {\n"
        "    /** List orders */\n"
        "    list(arguments?: { limit?: number }): Promise<any>;\n"
        "    /** Show an order */\n"
        "    get(arguments: { id: number }): Promise<any>;\n"
        "    /** Delete an order */\n"
        "    delete(arguments: { id: number }): Promise<any>;\n"
        "  };\n"
        "};\n"
        "```"
    )


@pytest.mark.parametrize("script", ["db.other.md", "db.orders.other.md", "db.x.d.ts"])
async def test_what_is_not_there_leads_to_the_index(script: str) -> None:
    async with scripting(NOWHERE) as client:
        text = (await client.call("do", script=script))["content"][0]["text"]

    assert text == f"There is no `{script}`; `db.md` is the index."


@pytest.mark.parametrize("script", ["api.md", "db.a.b.c.md", "db.md()", "'db.md'", "db md"])
def test_other_scripts_are_no_requests_for_documentation(script: str) -> None:
    papers = ScriptDocs("do", "db", {"orders": {"list": LIST}}, 8000)

    assert papers.requested_page(script) is None


def test_every_page_is_within_its_budget_and_names_the_next() -> None:
    tools = {f"get{number}": GET for number in range(40)}
    script_docs = ScriptDocs("do", "db", {"orders": tools}, 1000)

    first_page, last_page = script_docs.requested_page("db.orders.md"), script_docs.requested_page(
        "db.orders.md 40"
    )
    pages = int(re.search(r"Page 1 of (\d+)", first_page or "")[1])  # type: ignore[index]
    page_texts = [
        script_docs.requested_page(f"db.orders.md {page}") or "" for page in range(1, pages + 1)
    ]

    assert first_page
    assert "; the next is `db.orders.md 2`._" in first_page
    assert last_page == f"There is no page 40 of `db.orders.md`; it has {pages}."
    assert all(len(page.encode()) <= 1000 for page in page_texts)
    assert [
        name for name in tools if not any(f"db.orders.{name}\n" in page for page in page_texts)
    ] == []


def test_a_part_that_is_larger_than_a_page_goes_on_on_the_next() -> None:
    text = "\n".join([*(f"line {number}" for number in range(200)), "é" * 2000])
    parts = ["before", f"```ts\n{text}\n```"]

    first = page_of_parts(parts, 1000, 1, "x")
    pages = [page_of_parts(parts, 1000, page, "x") for page in range(1, _count(first) + 1)]

    assert all(len(page.encode()) <= 1000 for page in pages)
    assert all(page.count("```") == 2 for page in pages)
    lines = [line for page in pages for line in page.split("\n")]
    assert [line for line in lines if line.startswith("line")] == text.split("\n")[:200]
    assert "".join(line for line in lines if line.startswith("é")) == "é" * 2000


@pytest.mark.parametrize("line", [f"```{'x' * 700}", "`" * 700, "```", "``` ` ```"])
def test_no_text_makes_a_page_larger_than_its_budget(line: str) -> None:
    parts = ["\n".join([line, "é" * 900, line, *["word " * 30] * 30])]

    first = page_of_parts(parts, 1000, 1, "x")

    for page in range(1, _count(first) + 1):
        assert len(page_of_parts(parts, 1000, page, "x").encode()) <= 1000


def test_types_of_a_module_have_pages_that_each_stand_alone() -> None:
    tools = {f"get{number}": GET for number in range(40)}
    papers = ScriptDocs("do", "db", {"orders": tools}, 1000)

    first = papers.requested_page("db.orders.d.ts") or ""
    pages = [
        papers.requested_page(f"db.orders.d.ts {page}") or ""
        for page in range(1, _count(first) + 1)
    ]

    assert all(len(page.encode()) <= 1000 for page in pages)
    assert all(page.startswith("```ts\ndeclare const db: {\n  orders: {\n") for page in pages)
    assert all("\n  };\n};\n```\n\n_Page" in page for page in pages)
    assert [name for name in tools if not any(f" {name}(" in page for page in pages)] == []


def _count(page: str) -> int:
    """Returns the number of pages, read from a page."""
    match = re.search(r"_Page \d+ of (\d+)", page)
    assert match
    return int(match[1])


def test_a_script_of_spaces_takes_no_longer_than_another() -> None:
    papers = ScriptDocs("do", "db", {"orders": {"list": LIST}}, 8000)

    assert papers.requested_page(f"db.md{' ' * 65_000}x") is None
    assert papers.requested_page(f"{' ' * 65_000}db.md{' ' * 65_000}") is not None


def test_types_of_all_modules_end_their_pages_between_modules() -> None:
    modules = {f"orders{number}": {"list": LIST, "get": GET} for number in range(20)}
    papers = ScriptDocs("do", "db", modules, 1000)

    page = papers.requested_page("db.d.ts") or ""

    assert page.count("```") % 2 == 0
    assert "Page 1 of" in page


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["integer", "null"]}, "number | null"),
        ({"type": "string", "enum": ["a", 'b"']}, '"a" | "b\\""'),
        ({"const": 5}, "5"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "array"}, "any[]"),
        ({"type": "object"}, "Record<string, any>"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        (
            {"type": "object", "properties": {"a-b": {"type": "boolean"}}, "required": ["a-b"]},
            '{ "a-b": boolean }',
        ),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "string | number"),
        ({"oneOf": [{"type": "string"}, {}]}, "any"),
        ({"$ref": "#/$defs/Tree"}, "{ left?: { left?: any } }"),
        ({"$ref": "#/$defs/Lost"}, "any"),
        (True, "any"),
    ],
)
def test_a_schema_is_a_type(schema: Any, text: str) -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}

    assert typescript_type(schema, {"Tree": tree}) == text


def test_no_description_ends_the_comment_it_stands_in() -> None:
    tool = Tool(
        "t", "", "Ends */ import('x') /*\n  here", Route("GET", "/"), Hints(True, False, True)
    )

    assert method_signature("t", tool) == (
        "/** Ends * / import('x') /* here */\nt(): Promise<any>;"
    )


async def test_the_tool_for_documentation_has_an_index_of_what_is_there(client: Client) -> None:
    text = await read(client)

    assert "- orders: `list_orders`, `get_order`, `delete_order`" in text
    assert "secret" not in text


async def test_it_documents_a_group_page_by_page(client: Client) -> None:
    first, second = await read(client, "Orders"), await read(client, "orders 2")

    assert first.startswith("# orders\n\n## list_orders")
    assert first.endswith("_Page 1 of 2; the next is `orders 2`._")
    assert second.startswith("## delete_order")


async def test_a_number_alone_is_a_page_of_the_index(client: Client) -> None:
    assert await read(client, "1") == await read(client)
    assert await read(client, "7") == "There is no page 7 of `the index`; it has 1."


async def test_it_documents_one_tool(client: Client) -> None:
    text = await read(client, "get_order")

    assert "- `id` (`number`, needed): Which one." in text
    assert '```json\n{"id": 1}\n```' in text


async def test_it_names_what_is_near_a_name_that_is_not_there(client: Client) -> None:
    assert await read(client, "order") == (
        "There is no group or tool `order`; did you mean `orders` or `get_order` or `list_orders`?"
    )
