"""Prompts: arguments are inserted as plain text, and invalid arguments are refused."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import EmbeddedResource, ImageContent, TextContent, TextResourceContents
from tests.runtime.conftest import WireUpstream
from tests.runtime.resource_server import PROMPTS, all_features, pets, serve_shop

from mcpgen_runtime.resources.prompts import (
    Prompt,
    PromptArgument,
    PromptMessage,
    Prompts,
    fill_placeholders,
)

pytestmark = pytest.mark.anyio

MODES = ("legacy", "2026-07-28")


@pytest.fixture
async def url(upstream: WireUpstream) -> AsyncIterator[str]:
    """URL of the server with all features."""
    upstream.answer = pets
    async with serve_shop(upstream.url, all_features()) as url:
        yield url


@pytest.mark.parametrize("mode", MODES)
async def test_they_are_listed_as_they_are_declared(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        prompts = (await client.list_prompts()).prompts

    entries = [
        prompt.model_dump(by_alias=True, exclude_none=True, mode="json") for prompt in prompts
    ]
    assert entries == [prompt.announced for prompt in PROMPTS]
    assert entries[0]["arguments"] == [
        {"name": "petId", "description": "Which one.", "required": True},
        {"name": "tone", "required": False},
    ]


@pytest.mark.parametrize("mode", MODES)
async def test_messages_are_filled_and_keep_their_roles(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        result = await client.get_prompt("review", {"petId": "7", "tone": "kind"})

    first, second, third = result.messages
    assert result.description == "Reviews one pet."
    assert isinstance(first.content, TextContent)
    assert first.content.text == "Review the pet 7 (kind). Keep {name} and {7."
    assert second.role == "assistant"
    assert isinstance(third.content, EmbeddedResource)
    assert isinstance(third.content.resource, TextResourceContents)
    assert json.loads(third.content.resource.text) == {"asked": "/pets/7"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "`petId` is required"),
        ({"petId": "seven"}, "`petId` must be an integer"),
        ({"petId": "7", "tone": "rude"}, "`tone` must be one of kind, strict"),
        ({"petId": "7", "age": "3"}, "`age` is no argument of it"),
        ({"tone": "rude", "age": "3"}, "`age` is no argument of it; `petId` is required; `tone`"),
    ],
)
async def test_all_that_is_wrong_with_the_arguments_is_told_at_once(
    url: str, arguments: dict[str, str], reason: str
) -> None:
    async with Client(url) as client:
        with pytest.raises(MCPError) as error:
            await client.get_prompt("review", arguments)

    assert error.value.error.code == -32602
    assert reason in error.value.error.message


async def test_a_prompt_that_is_not_there_is_told(url: str) -> None:
    async with Client(url) as client:
        with pytest.raises(MCPError, match="Unknown prompt: no"):
            await client.get_prompt("no")


async def test_a_resource_that_is_not_there_ends_the_prompt(url: str) -> None:
    async with Client(url) as client:
        with pytest.raises(MCPError, match="Resource not found"):
            await client.get_prompt("review", {"petId": "404"})


def test_what_a_value_holds_is_never_filled_again() -> None:
    values = {"one": "{{two}}", "two": "no"}

    assert fill_placeholders("{{one}} {{three}} {% two %}", values) == "{{two}}  {% two %}"


async def test_files_are_embedded_or_shown(
    upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    files_path = tmp_path / "files_of_prompts" / "files.json"
    files_path.parent.mkdir()
    (files_path.parent / "__init__.py").touch()
    files_path.write_text(json.dumps({"a.png": {"blob": "AAE="}, "b.txt": {"text": "B"}}))
    monkeypatch.syspath_prepend(tmp_path)
    messages = (
        PromptMessage(file="a.png", mime_type="image/png"),
        PromptMessage(file="b.txt", mime_type="text/plain", uri="test://{{name}}"),
        PromptMessage(file="b.txt", uri="{{ name }}"),
    )
    offer = Prompts((Prompt("show", arguments=(PromptArgument("name"),), messages=messages),))

    async with (
        serve_shop(upstream.url, (offer,), package="files_of_prompts") as url,
        Client(url) as client,
    ):
        result = await client.get_prompt("show", {"name": "x://a/b"})

    image, part, last_part = (message.content for message in result.messages)
    assert isinstance(image, ImageContent)
    assert (image.data, image.mime_type) == ("AAE=", "image/png")
    assert isinstance(part, EmbeddedResource)
    assert isinstance(last_part, EmbeddedResource)
    assert (part.resource.uri, last_part.resource.uri) == ("test://x%3A%2F%2Fa%2Fb", "x://a/b")
