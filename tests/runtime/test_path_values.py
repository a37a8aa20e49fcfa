"""No value of a path parameter can leave its segment; asserted on the request line at a socket."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

FILE = Tool(
    name="get_file",
    title="Read a file",
    description="",
    route=Route("GET", "/files/{name}/meta"),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(Argument("name", "path", {"type": "string"}, required=True, style="simple"),),
)

REFUSED = [
    "",
    ".",
    "..",
    "../..",
    "../../admin",
    "..\\admin",
    "%2e%2e",
    "..%2fadmin",
    "%252e%252e%252fadmin",
    "..;/admin",
    "a/../../admin",
    "\uff0e\uff0e/admin",
    "a\r\nX-Evil: 1",
    "a\x00",
]

KEPT = [
    ("a/b", "a%2Fb"),
    ("a?b=c#d", "a%3Fb%3Dc%23d"),
    ("//evil.example", "%2F%2Fevil.example"),
    ("http://evil.example/", "http%3A%2F%2Fevil.example%2F"),
    ("@evil.example", "%40evil.example"),
    ("ü", "%C3%BC"),
    ("%41", "%2541"),
    ("a b+c", "a%20b%2Bc"),
    ("v1.2..3", "v1.2..3"),
    ("...", "..."),
]


@pytest.mark.parametrize("value", REFUSED)
async def test_value_that_some_server_could_read_as_another_path_is_refused(
    upstream: WireUpstream, serving: Serving, value: str
) -> None:
    async with serving(FILE, upstream=upstream.url) as client:
        message = await client.error("get_file", name=value)

    assert "name: must not" in message
    assert upstream.requests == []


@pytest.mark.parametrize(("value", "segment"), KEPT)
async def test_any_other_value_stays_in_its_segment(
    upstream: WireUpstream, serving: Serving, value: str, segment: str
) -> None:
    async with serving(FILE, upstream=f"{upstream.url}/base/v1/") as client:
        await client.call("get_file", name=value)

    assert upstream.requests[0].line == f"GET /base/v1/files/{segment}/meta HTTP/1.1"
    assert upstream.requests[0].all("host") == [f"127.0.0.1:{upstream.port}"]


async def test_values_that_are_harmless_alone_do_not_climb_together(
    upstream: WireUpstream, serving: Serving
) -> None:
    arguments = tuple(
        Argument(name, "path", {"type": "string"}, required=True, style="simple") for name in "ab"
    )
    pair = Tool("pair", "Pair", "", Route("GET", "/x/{a}{b}/y"), FILE.hints, arguments)

    async with serving(pair, upstream=upstream.url) as client:
        message = await client.error("pair", a=".", b=".")

    assert "must not" in message
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("path", "style", "values"),
    [
        ("/files/{a}", "label", {"a": ["", "/admin"]}),
        ("/files/{a}{b}", "simple", {"a": "%2", "b": "e%2e/"}),
        ("/files/{a}{b}", "simple", {"a": "%252", "b": "e%252e%252f"}),
        ("/files/.{a}", "simple", {"a": "./admin"}),
    ],
)
async def test_values_that_make_another_path_together_are_refused(
    upstream: WireUpstream, serving: Serving, path: str, style: str, values: dict[str, Any]
) -> None:
    arguments = tuple(
        Argument(name, "path", {}, required=True, style=style, explode=True) for name in values
    )
    tool = Tool("get", "Get", "", Route("GET", path), FILE.hints, arguments)

    async with serving(tool, upstream=upstream.url) as client:
        message = await client.error("get", **values)

    assert "must not" in message
    assert upstream.requests == []
