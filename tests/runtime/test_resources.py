"""Resources return the results of tools, under URIs in any spelling."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
from mcp import Client, MCPError
from mcp_types import BlobResourceContents, ReadResourceResult, TextResourceContents
from tests.runtime.conftest import WireUpstream
from tests.runtime.resource_server import RESOURCES, all_features, pets, serve_shop

from mcpgen_runtime.caller import Caller
from mcpgen_runtime.resources.resources import Resource, Resources, UriTemplate
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.invocation import Finish, Invocation
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Tool

pytestmark = pytest.mark.anyio


@pytest.fixture
async def url(upstream: WireUpstream) -> AsyncIterator[str]:
    """URL of the server with all features."""
    upstream.answer = pets
    async with serve_shop(upstream.url, all_features()) as url:
        yield url


def client(url: str, revision: str = "2026-07-28") -> Client:
    """Returns the official client of a revision."""
    return Client(url, mode=revision if revision == "2026-07-28" else "legacy")


async def read(url: str, uri: str, revision: str = "2026-07-28") -> ReadResourceResult:
    """Reads a resource with the official client."""
    async with client(url, revision) as mcp:
        return await mcp.read_resource(uri)


async def read_error(url: str, uri: str, revision: str = "2026-07-28") -> MCPError:
    """Returns the error for a refused resource."""
    async with client(url, revision) as mcp:
        with pytest.raises(MCPError) as error:
            await mcp.read_resource(uri)
    return error.value


def text(result: ReadResourceResult) -> str:
    """Returns the text of a resource with one text content."""
    (content,) = result.contents
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.parametrize("revision", ["legacy", "2026-07-28"])
async def test_they_are_listed_as_they_are_declared(url: str, revision: str) -> None:
    async with Client(url, mode=revision) as mcp:
        plain = (await mcp.list_resources()).resources
        templates = (await mcp.list_resource_templates()).resource_templates

    entries = [
        template.model_dump(by_alias=True, exclude_none=True, mode="json") for template in plain
    ]
    entries += [
        template.model_dump(by_alias=True, exclude_none=True, mode="json") for template in templates
    ]
    assert entries == [template.announced for template in RESOURCES]
    assert entries[0] == {
        "uri": "shop://pets",
        "name": "pets",
        "title": "All pets",
        "description": "Every pet.",
        "mimeType": "application/json",
    }


@pytest.mark.parametrize("revision", ["legacy", "2026-07-28"])
async def test_a_template_reads_what_the_tool_reads(url: str, revision: str) -> None:
    async with Client(url, mode=revision) as mcp:
        result = await mcp.read_resource("shop://pets/7")
        resource_result = await mcp.read_resource("shop://pets")

    assert json.loads(text(result)) == {"asked": "/pets/7"}
    assert result.contents[0].uri == "shop://pets/7"
    assert result.contents[0].mime_type == "application/json"
    assert len(json.loads(text(resource_result))) == 150


async def test_an_image_is_a_blob_with_the_type_of_the_answer(url: str) -> None:
    result = await read(url, "shop://pets/7/photo")

    (content,) = result.contents
    assert isinstance(content, BlobResourceContents)
    assert (content.blob, content.mime_type) == ("iVBORw==", "image/png")


async def test_on_2026_07_28_what_the_api_says_is_fresh_once_and_for_the_caller_alone(
    url: str,
) -> None:
    async with client(url) as mcp:
        result = await mcp.read_resource("shop://pets/7")
        resources_result = await mcp.list_resources()

    assert (result.ttl_ms, result.cache_scope) == (0, "private")
    assert (resources_result.ttl_ms, resources_result.cache_scope) == (300_000, "public")


@pytest.mark.parametrize(("revision", "code"), [("legacy", -32002), ("2026-07-28", -32602)])
@pytest.mark.parametrize("uri", ["shop://cats", "shop://pets/404", "file:///etc/passwd"])
async def test_what_is_not_there_is_told_with_the_code_of_the_revision(
    url: str, revision: str, code: int, uri: str
) -> None:
    error = await read_error(url, uri, revision)

    assert (error.error.code, error.error.data) == (code, {"uri": uri})


@pytest.mark.parametrize(
    "uri",
    [
        "shop://pets/7/",
        "shop://pets/7?x=1",
        "shop://pets/7#x",
        "shop://pets/",
        "shop://pets/a/b",
        "shop://pets/%zz",
        "shop://pets/%ff",
        "SHOP://pets/7",
        "shop://pets/é",
        "shop://pets/" + "7" * 9000,
    ],
)
async def test_a_uri_that_the_template_does_not_make_is_nothing(
    url: str, uri: str, upstream: WireUpstream
) -> None:
    error = await read_error(url, uri)

    assert error.error.message == "Resource not found"
    assert upstream.requests == []


@pytest.mark.parametrize("value", ["seven", "7.0", "07", "%37%2F..", "..", "%257", "+7", "1e3"])
async def test_a_value_is_what_the_tool_takes_or_nothing_is_sent(
    url: str, value: str, upstream: WireUpstream
) -> None:
    error = await read_error(url, f"shop://pets/{value}")

    assert error.error.code in (-32602,)
    assert upstream.requests == []


async def test_a_value_is_decoded_once(url: str, upstream: WireUpstream) -> None:
    await read(url, "shop://pets/%37")
    error = await read_error(url, "shop://food/%2563at")

    assert [request.target for request in upstream.requests] == ["/pets/7"]
    assert "one of" in error.error.message


async def test_an_api_that_fails_is_an_internal_error_with_its_words(url: str) -> None:
    error = await read_error(url, "shop://pets/500")

    assert error.error.code == -32603
    assert error.error.message.startswith("The API answered 500")


class Denying(Middleware):
    """Denies every call of `get_pet`."""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Denies calls of `get_pet`."""
        if invocation.tool.name == "get_pet":
            return Result.denied({"outcome": "denied", "code": "scope_required"})
        return await finish()

    def allows(self, caller: Caller, tool: Tool) -> bool:
        """True except for `get_pet`."""
        return tool.name != "get_pet"


async def test_who_may_not_call_the_tool_may_not_read_the_resource(
    upstream: WireUpstream,
) -> None:
    async with serve_shop(upstream.url, all_features(), Denying()) as url:
        error = await read_error(url, "shop://pets/7")

    assert error.error.data == {"outcome": "denied", "code": "scope_required"}
    assert upstream.requests == []


class HidingPhotoRule(Middleware):
    """Hides `get_photo` from every caller."""

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """True except for `get_photo`."""
        return tool.name != "get_photo"


async def test_what_a_caller_does_not_find_is_not_there(upstream: WireUpstream) -> None:
    async with (
        serve_shop(upstream.url, all_features(), HidingPhotoRule()) as url,
        client(url) as mcp,
    ):
        templates = await mcp.list_resource_templates()
        error = await read_error(url, "shop://pets/7/photo")

    assert "photo" not in [template.name for template in templates.resource_templates]
    assert templates.cache_scope == "private"
    assert error.error.message == "Resource not found"


async def test_a_withheld_tool_is_no_tool_and_its_resource_can_be_read(
    upstream: WireUpstream,
) -> None:
    upstream.answer = pets

    offers = all_features(withheld_names=("get_pet",))
    async with serve_shop(upstream.url, offers) as url, client(url) as mcp:
        tools = [tool.name for tool in (await mcp.list_tools()).tools]
        with pytest.raises(MCPError, match="Unknown tool"):
            await mcp.call_tool("get_pet", {"petId": 7})
        result = await mcp.read_resource("shop://pets/7")

    assert "get_pet" not in tools
    assert json.loads(text(result)) == {"asked": "/pets/7"}


async def test_files_are_texts_or_blobs(
    upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    files_path = tmp_path / "files_of_resources" / "files.json"
    files_path.parent.mkdir()
    (files_path.parent / "__init__.py").touch()
    files_path.write_text(json.dumps({"a.md": {"text": "# A"}, "b.bin": {"blob": "AAE="}}))
    monkeypatch.syspath_prepend(tmp_path)
    offer = Resources(
        (
            Resource("shop://a", "a", mime_type="text/markdown", file="a.md", size=3),
            Resource("shop://b", "b", file="b.bin"),
        )
    )

    async with (
        serve_shop(upstream.url, (offer,), package="files_of_resources") as url,
        client(url) as mcp,
    ):
        first = await mcp.read_resource("shop://a")
        second = await mcp.read_resource("shop://b")

    assert (text(first), first.contents[0].mime_type, first.ttl_ms) == (
        "# A",
        "text/markdown",
        300_000,
    )
    assert isinstance(second.contents[0], BlobResourceContents)
    assert second.contents[0].blob == "AAE="


@pytest.mark.parametrize("value", ["7", "a b", "ä/ö?#%", "{x}", "..", "\u2028"])
def test_a_value_that_was_written_is_read_again(value: str) -> None:
    template = UriTemplate("a+b://x/{one}/y?z={two}")

    values = template.match(f"a+b://x/{quote(value, safe='')}/y?z=2")

    assert values == {"one": value, "two": "2"}


async def test_a_server_without_them_does_not_announce_them(upstream: WireUpstream) -> None:
    async with serve_shop(upstream.url, ()) as url, client(url) as mcp:
        capabilities = mcp.server_capabilities

    assert capabilities is not None
    assert (capabilities.resources, capabilities.prompts, capabilities.completions) == (None,) * 3
