"""The server card equals the server's answers to a client in a session."""

from __future__ import annotations

from functools import partial

import pytest
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings
from tests.runtime.resource_server import TOOLS, all_features

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.registry.server_card import app_card
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.sessions import Sessions, SessionSettings

pytestmark = pytest.mark.anyio

ADDRESS = "https://shop.example/mcp"


def create_shop(*, sessions: bool) -> App:
    """Returns a server with all features, with at most one session or without sessions."""
    settings = CanarySettings(upstream="http://127.0.0.1:9")
    session_store = Sessions(SessionSettings(sessions=sessions, sessions_at_once=1))
    build = partial(create_app, ServerInfo("shop", "Shop", "1.0.0"), TOOLS, (), settings, Hooks())
    return build(offers=all_features(), sessions=session_store)


@pytest.mark.parametrize("sessions", [True, False])
async def test_a_card_says_what_there_is_to_subscribe_to_and_keeps_no_session(
    sessions: bool,
) -> None:
    async with create_shop(sessions=sessions).running() as app:
        cards = [await app_card(app, ADDRESS) for _ in range(3)]

    assert [card["capabilities"]["resources"]["subscribe"] for card in cards] == [sessions] * 3
    assert cards[0] == cards[2]
    assert cards[0]["endpoints"] == {"streamableHttp": ADDRESS}
    assert {"tools", "resources", "prompts", "completions", "logging"} == {
        *cards[0]["capabilities"]
    }
    assert all(cards[0][key] for key in ("tools", "resources", "resourceTemplates", "prompts"))
