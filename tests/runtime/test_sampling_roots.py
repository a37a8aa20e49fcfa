"""Prompts ask the user for arguments that the client omits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import ElicitResult, TextContent
from tests.runtime.conftest import WireUpstream
from tests.runtime.resource_server import serve_shop

from mcpgen_runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts

pytestmark = pytest.mark.anyio

PROMPT = Prompt(
    "write",
    arguments=(
        PromptArgument("about", description="What.", required=True, ask="What about?"),
        PromptArgument("tone", values=("kind", "strict"), ask="In which tone?"),
        PromptArgument("words", type="integer"),
    ),
    messages=(PromptMessage(text="Write about {{about}} ({{tone}}, {{words}})."),),
)
MODES = ("legacy", "2026-07-28")


async def write_prompt(
    url: str,
    mode: str,
    answers: Mapping[str, ElicitResult] | None,
    arguments: dict[str, str] | None = None,
) -> tuple[str, list[str]]:
    """Returns the text of the prompt for a client whose user answers in the given way, and the
    questions to the user."""
    questions: list[str] = []

    async def answer(context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        (name,) = params.requested_schema["properties"]
        assert answers is not None
        return answers[name]

    callback = answer if answers is not None else None
    error: MCPError | None = None
    async with Client(url, mode=mode, elicitation_callback=callback) as client:
        try:
            (message,) = (await client.get_prompt("write", arguments or {})).messages
        except MCPError as fault:
            # Raised inside the block, the error would arrive in an exception group.
            error = fault
    if error:
        raise error
    assert isinstance(message.content, TextContent)
    return message.content.text, questions


def accept_form(**content: str) -> ElicitResult:
    """Returns the answer of a user who fills in the form."""
    return ElicitResult(action="accept", content={**content})


@pytest.mark.parametrize("mode", MODES)
async def test_user_is_asked_for_what_is_left_out(upstream: WireUpstream, mode: str) -> None:
    answers = {"about": accept_form(about="rain"), "tone": accept_form(tone="kind")}
    async with serve_shop(upstream.url, [Prompts([PROMPT])], sessions=True) as url:
        text, questions = await write_prompt(url, mode, answers, {"words": "7"})

    assert text == "Write about rain (kind, 7)."
    assert questions == ["What about?", "In which tone?"]


@pytest.mark.parametrize("mode", MODES)
async def test_nobody_is_asked_for_what_is_there(upstream: WireUpstream, mode: str) -> None:
    async with serve_shop(upstream.url, [Prompts([PROMPT])]) as url:
        text, questions = await write_prompt(url, mode, {}, {"about": "sun", "tone": "strict"})

    assert text == "Write about sun (strict, )."
    assert questions == []


@pytest.mark.parametrize("mode", MODES)
async def test_argument_that_is_required_may_not_be_kept_back(
    upstream: WireUpstream, mode: str
) -> None:
    no = ElicitResult(action="decline")
    async with serve_shop(upstream.url, [Prompts([PROMPT])], sessions=True) as url:
        text, _ = await write_prompt(url, mode, {"about": accept_form(about="sun"), "tone": no})
        with pytest.raises(MCPError) as error:
            await write_prompt(url, mode, {"about": no, "tone": no})

    assert text == "Write about sun (, )."
    assert "the user did not give `about` (`decline`)" in str(error.value)


async def test_client_that_cannot_be_asked_is_told_what_it_lacks(upstream: WireUpstream) -> None:
    async with serve_shop(upstream.url, [Prompts([PROMPT])]) as url:
        with pytest.raises(MCPError) as error:
            await write_prompt(url, "2026-07-28", None)

    assert error.value.error.code == -32021
    assert error.value.error.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}


def test_argument_that_is_asked_for_is_announced_as_optional() -> None:
    arguments = {
        argument["name"]: argument["required"] for argument in PROMPT.announced["arguments"]
    }

    assert arguments == {"about": False, "tone": False, "words": False}
