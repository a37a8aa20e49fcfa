"""Clients are notified of changes by calls, only if subscribed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from mcp import Client, MCPError
from mcp.client.subscriptions import ResourceUpdated
from mcp_types import LoggingMessageNotificationParams, ResourceUpdatedNotification
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.resource_server import all_features, pets, serve_shop
from tests.runtime.test_resources import Denying

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result

pytestmark = pytest.mark.anyio

SOON = 120


async def saying(call: Call) -> Result:
    """Handler that changes a resource of the server and a foreign URI."""
    call.changed("elsewhere://x")
    call.changed("shop://food/cat")
    return Result.text("done")


@pytest.fixture
async def url(upstream: WireUpstream) -> AsyncIterator[str]:
    """URL of the server with all features."""
    upstream.answer = pets
    async with serve_shop(upstream.url, all_features()) as url:
        yield url


async def test_a_writing_call_tells_of_the_resources_it_touches(url: str) -> None:
    expected = ["shop://pets/%37", "shop://pets/8", "shop://pets"]

    async with (
        Client(url) as listener,
        Client(url) as writer,
        listener.listen(resource_subscriptions=expected) as subscription,
    ):
        await writer.call_tool("update_pet", {"petId": 7, "name": "Rex"})
        async with asyncio.timeout(SOON):
            first, second = await anext(subscription), await anext(subscription)

    assert {first, second} == {ResourceUpdated("shop://pets/%37"), ResourceUpdated("shop://pets")}


async def test_a_call_that_fails_changes_nothing(upstream: WireUpstream) -> None:
    expected = ["shop://pets", "shop://food/cat"]

    upstream.answer = pets
    hooks = Hooks({"list_pets": saying})
    async with (
        serve_shop(upstream.url, all_features(), hooks=hooks) as url,
        Client(url) as client,
        client.listen(resource_subscriptions=expected) as subscription,
    ):
        await client.call_tool("update_pet", {"petId": 500})
        await client.call_tool("update_pet", {"petId": 404})
        await client.call_tool("update_pet", {"petId": "x"})
        await client.call_tool("get_pet", {"petId": 7})
        await client.call_tool("list_pets", {})
        async with asyncio.timeout(SOON):
            first = await anext(subscription)

    # The first notification is from the last call; no earlier call sent a notification.
    assert first == ResourceUpdated("shop://food/cat")


async def test_a_handler_can_say_what_it_changes(upstream: WireUpstream) -> None:
    hooks = Hooks({"list_pets": saying})
    async with (
        serve_shop(upstream.url, all_features(), hooks=hooks) as url,
        Client(url) as client,
        client.listen(resource_subscriptions=["shop://food/cat"]) as subscription,
    ):
        await client.call_tool("list_pets", {})
        async with asyncio.timeout(SOON):
            assert await anext(subscription) == ResourceUpdated("shop://food/cat")


async def test_only_what_is_there_for_the_caller_is_promised(upstream: WireUpstream) -> None:
    expected = ["shop://pets/7", "shop://no", "shop://pets"]

    async with (
        serve_shop(upstream.url, all_features(), Denying()) as url,
        Client(url) as client,
        client.listen(
            resource_subscriptions=expected, tools_list_changed=True, prompts_list_changed=True
        ) as subscription,
    ):
        honored_filter = subscription.honored

    assert honored_filter.resource_subscriptions == ["shop://pets"]
    assert (honored_filter.tools_list_changed, honored_filter.prompts_list_changed) == (None, None)


async def test_capabilities_promise_what_is_sent_and_nothing_else(url: str) -> None:
    async with Client(url) as modern, Client(url, mode="legacy") as legacy:
        new, old = modern.server_capabilities, legacy.server_capabilities

    assert new is not None
    assert new.resources is not None
    assert new.prompts is not None
    assert new.tools is not None
    assert (new.resources.subscribe, new.resources.list_changed) == (True, False)
    assert (new.prompts.list_changed, new.tools.list_changed) == (False, False)
    # Older revisions deliver notifications only in sessions.
    assert old is not None
    assert old.resources is not None
    assert (old.resources.subscribe, old.resources.list_changed) == (False, False)


async def test_one_of_several_processes_promises_nothing(upstream: WireUpstream) -> None:
    async with serve_shop(upstream.url, all_features(is_alone=False)) as url, Client(url) as client:
        capabilities = client.server_capabilities

    assert capabilities is not None
    assert capabilities.resources is not None
    assert capabilities.resources.subscribe is False


async def test_a_client_that_reads_no_events_cannot_listen(
    serving: Serving, upstream: WireUpstream
) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"notifications": {"resourceSubscriptions": ["shop://pets"]}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}
    async with serving(upstream=upstream.url, offers=all_features()) as client:
        answer = await client.post(
            message,
            accept="application/json",
            mcp_protocol_version="2026-07-28",
            mcp_method="subscriptions/listen",
        )

    assert answer.status_code == 406


async def test_a_server_that_ends_ends_its_streams(upstream: WireUpstream) -> None:
    async with serve_shop(upstream.url, all_features()) as url:
        client = await Client(url).__aenter__()
        stream = client.listen(resource_subscriptions=["shop://pets"])
        subscription = await stream.__aenter__()

    # The server waits for its streams; `served` waits for the server up to a limit.
    assert [event async for event in subscription] == []
    await stream.__aexit__(None, None, None)
    await client.__aexit__(None, None, None)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_session_of_an_older_client_is_told_too(upstream: WireUpstream) -> None:
    queue: asyncio.Queue[str] = asyncio.Queue()
    upstream.answer = pets

    async def handle_message(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            await queue.put(message.params.uri)

    async with (
        serve_shop(upstream.url, all_features(), sessions=True) as url,
        Client(url, mode="legacy", message_handler=handle_message) as client,
    ):
        assert client.server_capabilities is not None
        assert client.server_capabilities.resources is not None
        subscribing = client.server_capabilities.resources.subscribe
        await client.session.subscribe_resource("shop://pets/7")
        await client.session.subscribe_resource("shop://pets")
        await client.session.unsubscribe_resource("shop://pets")
        with pytest.raises(MCPError, match="Resource not found"):
            await client.session.subscribe_resource("shop://no")
        await client.call_tool("update_pet", {"petId": 8})
        await client.call_tool("update_pet", {"petId": 7})
        async with asyncio.timeout(SOON):
            first = await queue.get()

    assert subscribing is True
    assert first == "shop://pets/7"
    assert queue.empty()


async def logging(call: Call) -> Result:
    """Handler that writes to the client's log."""
    await call.log("info", "small")
    await call.log("error", "large")
    return Result.text("done")


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_session_reads_the_log_from_the_level_it_has_set(upstream: WireUpstream) -> None:
    log_data: list[object] = []

    async def handle_log(params: LoggingMessageNotificationParams) -> None:
        log_data.append(params.data)

    hooks = Hooks({"list_pets": logging})
    async with (
        serve_shop(upstream.url, all_features(), hooks=hooks, sessions=True) as url,
        Client(url, mode="legacy", logging_callback=handle_log) as client,
    ):
        assert client.server_capabilities is not None
        logging_capability = client.server_capabilities.logging
        await client.call_tool("list_pets", {})
        await client.set_logging_level("warning")
        await client.call_tool("list_pets", {})

    assert logging_capability is not None
    assert log_data == ["small", "large", "large"]
