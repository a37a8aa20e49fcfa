"""Arguments from the environment are sent with every call, and match the API's schema."""

from __future__ import annotations

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.server.env_arguments import fill_from_settings
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
ACCOUNT = Argument(
    "account", "path", {"type": "integer", "minimum": 1}, style="simple", hidden=True
)
TOOL = Tool(
    "t", "T", "", Route("GET", "/a/{account}"), HINTS, (ACCOUNT,), settings={"account": "number"}
)
OTHER = Tool("o", "O", "", Route("GET", "/o"), HINTS)


class AccountSettings(ServerSettings):
    """Settings with an account."""

    number: int = 7


def test_only_tools_that_ask_get_the_value() -> None:
    tool, other_tool = fill_from_settings((TOOL, OTHER), AccountSettings())

    assert tool.filled == {"account": 7}
    assert other_tool is OTHER


def test_value_that_no_argument_takes_ends_the_start_with_its_variable() -> None:
    with pytest.raises(ValueError, match="NUMBER: is not what `account` of t takes"):
        fill_from_settings((TOOL,), AccountSettings(number=0))


@pytest.mark.anyio
async def test_value_is_sent_and_a_call_cannot_change_it(
    upstream: WireUpstream, serving: Serving
) -> None:
    (tool,) = fill_from_settings((TOOL,), AccountSettings())

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("t")
        message = await client.error("t", account=8)

    assert [request.target for request in upstream.requests] == ["/a/7"]
    assert "account: unknown argument" in message
