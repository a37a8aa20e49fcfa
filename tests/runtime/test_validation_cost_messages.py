"""Messages about invalid values: bounded in number and length, in plain words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.recursive_schemas import nested, schema_with_member
from tests.time_limits import works_at_most

from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.upstream.exchange import InvalidArguments
from mcpgen_runtime.upstream.general_operation import decode_argument
from mcpgen_runtime.validation.validate import MAX_PROBLEMS, LazyValidator, text_lines

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
LARGE: dict[str, tuple[Any, Any]] = {
    "items": ({"items": {"type": "string"}}, [1]),
    "items of no form": (
        {"items": {"anyOf": [schema_with_member({"type": "string"}, required=["a"])] * 5}},
        [{}],
    ),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_few_of_many_problems_are_told(kind: str) -> None:
    schema, items = LARGE[kind]

    problems = LazyValidator(lambda: schema).problems(items * 500)

    assert len(problems) == MAX_PROBLEMS + 1
    assert text_lines(problems, "a")[-1] == "a: 400 more problems, which are not told"


@pytest.mark.parametrize("kind", LARGE)
def test_so_many_problems_that_nobody_can_hold_them_are_one(kind: str) -> None:
    schema, items = LARGE[kind]

    with works_at_most(10):
        (problem,) = LazyValidator(lambda: schema).problems(items * 500_000)

    assert problem.keyword == "untold"


def test_unknown_members_are_not_told_by_the_hundred_thousand() -> None:
    schema = {"properties": {"name": {}}, "additionalProperties": False}

    with works_at_most(10):
        (problem,) = LazyValidator(lambda: schema).problems(
            dict.fromkeys(map(str, range(200_000)), 1)
        )

    assert problem.keyword == "untold"


@pytest.mark.parametrize("name", ["a" * 1_000, "a" * 3_000_000])
def test_a_long_name_is_not_repeated_for_each_problem_below_it(name: str) -> None:
    schema = {"additionalProperties": {"items": {"type": "string"}}}

    with works_at_most(10):
        messages = text_lines(LazyValidator(lambda: schema).problems({name: [1] * 1_000}), "a")

    assert len("".join(messages)) < 50_000


def test_what_is_wrong_beside_a_large_file_is_told() -> None:
    schema = {"properties": {"file": {"type": "string"}, "pages": {"type": "integer"}}}

    (problem,) = LazyValidator(lambda: schema).problems({"file": "a" * 3_000_000, "pages": "all"})

    assert problem.path == ("pages",)


def test_json_in_a_text_is_as_deep_as_a_message_at_most() -> None:
    argument = Argument("a", "body", {"type": "string"}, text="json")

    assert json.dumps(decode_argument(argument, "[" * 200 + "]" * 200)) == "[" * 200 + "]" * 200
    assert decode_argument(argument, json.dumps(["["] * 500)) == ["["] * 500
    for depth in (201, 900, 100_000):
        with pytest.raises(InvalidArguments, match="nested too deeply"):
            decode_argument(argument, "[" * depth + "]" * depth)


ITSELF = {"anyOf": [schema_with_member({"$ref": "#"}, required=["a"])] * 2 + [{"type": "null"}]}
TOOL = Tool(
    "note",
    "Note",
    "",
    Route("POST", "/notes", body=Body("application/json")),
    HINTS,
    (
        Argument("tags", "body", {"type": "array", "items": {"type": "string"}}),
        Argument("more", "body", {"type": "string"}, text="json", check=ITSELF),
        Argument("rate", "query", {"type": "number"}, style="form"),
    ),
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"more": json.dumps(nested(40, None))}, "- more: is too much to check against its schema"),
        ({"more": json.dumps(nested(12, 1))}, "- more: does not meet its schema, and is too much"),
        ({"more": "[" * 300 + "]" * 300}, "- more: is nested too deeply"),
        ({"tags": [1] * 200}, "- arguments: 100 more problems, which are not told"),
        ({"tags": [1] * 50_000, "more": "{"}, "- arguments: does not meet its schema, and is too"),
    ],
)
async def test_a_call_that_asks_too_much_is_refused_in_plain_words(
    upstream: WireUpstream, serving: Serving, arguments: Any, line: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        with works_at_most(10):
            message = await client.error("note", **arguments)

    assert message.split("\n")[-1].startswith(line)
    assert not upstream.requests


@pytest.mark.anyio
async def test_a_number_that_json_cannot_write_is_not_sent(
    upstream: WireUpstream, serving: Serving
) -> None:
    free = Argument("free", "body", {"type": "string"}, text="json")
    tool = Tool("note", "", "", Route("POST", "/", body=Body("application/json")), HINTS, (free,))

    async with serving(tool, upstream=upstream.url) as client:
        message = await client.error("note", free='{"a": 1e400}')

    assert message.split("\n")[1:] == ["- body: holds a number that is too large"]
    assert not upstream.requests
