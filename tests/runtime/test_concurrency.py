"""Caps on concurrent calls, on the duration of a call and on the size of a result."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_rate_limits import SubjectHeaderRule, message

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits.concurrency import Caps, CapSettings
from mcpgen_runtime.result import Result
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), Hints(True, False, True))
POST = replace(
    TOOL, name="post", route=Route("POST", "/it"), hints=Hints(False, False, False, True)
)


async def call_as_subjects(
    serving: Serving, upstream: WireUpstream, caps: Caps, *subjects: str
) -> list[str]:
    """Returns the results of simultaneous calls, one per caller."""
    async with serving(TOOL, upstream=upstream.url, rules=[SubjectHeaderRule(), caps]) as client:
        answers = await asyncio.gather(
            *(client.post(message("get"), X_Subject=subject) for subject in subjects)
        )
    return [answer.json()["result"]["content"][0]["text"] for answer in answers]


async def test_no_more_calls_are_under_way_than_there_may_be(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.hold_seconds = 0.3

    texts = await call_as_subjects(serving, upstream, Caps(CapSettings(), concurrent=2), *"abcd")

    refusals = [json.loads(text) for text in texts if text != "{}"]
    reason = "Too many calls at once: 2 are under way, and no more are allowed"
    denial = {"outcome": "denied", "code": "too_many_calls", "message": reason, "retryAfter": 1}
    assert refusals == [denial] * 2
    assert len(upstream.requests) == 2


async def test_one_caller_leaves_places_to_the_others(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.hold_seconds = 0.3

    texts = await call_as_subjects(
        serving, upstream, Caps(CapSettings(), concurrent_subject=1), *"aab"
    )

    refusals = [json.loads(text)["message"] for text in texts if text != "{}"]
    assert refusals == ["Too many calls at once: 1 of yours are under way, and no more are allowed"]


async def test_a_place_is_free_again_once_a_call_has_ended(
    serving: Serving, upstream: WireUpstream
) -> None:
    caps = Caps(CapSettings(), concurrent=1, concurrent_subject=1, call_seconds=0.1)

    async with serving(TOOL, upstream=upstream.url, rules=[caps]) as client:
        upstream.hold_seconds = 5
        error = await client.error("get")
        upstream.hold_seconds = 0
        result = await client.call("get")

    assert "took longer" in error
    assert not result["isError"]


async def test_a_call_that_takes_too_long_fails_and_its_request_is_given_up(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.hold_seconds = 0.5
    caps = Caps(CapSettings(), call_seconds=0.1)

    async with serving(TOOL, POST, upstream=upstream.url, rules=[caps]) as client:
        read = await client.error("get")
        text = await client.error("post")
        async with asyncio.timeout(120):
            await upstream.hung_up.wait()

    assert read == "`get` took longer than 0.1 seconds."
    assert text == "`post` took longer than 0.1 seconds. Whether it was done is not known."


@pytest.mark.parametrize(("text", "is_shown"), [("x" * 100, True), ("x" * 101, False)])
async def test_a_result_larger_than_allowed_is_not_shown(
    serving: Serving, upstream: WireUpstream, text: str, is_shown: bool
) -> None:
    async def answer(call: Call) -> Result:
        return Result.text(text)

    hooks = Hooks({"get": answer})
    caps = Caps(CapSettings(), result_bytes=100)
    async with serving(TOOL, upstream=upstream.url, hooks=hooks, rules=[caps]) as client:
        result = await client.call("get")

    assert result["isError"] is not is_shown
    if not is_shown:
        output = result["content"][0]["text"]
        assert output.startswith("The call was done, but its result is larger than 100 bytes")


async def test_the_structured_form_of_a_result_counts_too(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def answer(call: Call) -> Result:
        return Result(Result.text("short").content, {"text": "ä" * 60})

    hooks = Hooks({"get": answer})
    caps = Caps(CapSettings(), result_bytes=100)
    async with serving(TOOL, upstream=upstream.url, hooks=hooks, rules=[caps]) as client:
        assert "larger than 100 bytes" in await client.error("get")


async def test_a_call_inside_a_call_has_its_place_already(
    serving: Serving, upstream: WireUpstream
) -> None:
    caps = Caps(CapSettings(), concurrent=1)

    async with serving(TOOL, upstream=upstream.url, rules=[caps, caps]) as client:
        result = await client.call("get")

    assert not result["isError"]


async def test_the_environment_wins_over_declared_caps(
    serving: Serving, upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMIT_CALL_SECONDS", "0")
    upstream.hold_seconds = 0.2
    caps = Caps(CapSettings(), call_seconds=0.05)

    async with serving(TOOL, upstream=upstream.url, rules=[caps]) as client:
        assert not (await client.call("get"))["isError"]
