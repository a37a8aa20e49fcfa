"""A server with one tool, which calls its API."""

from __future__ import annotations

from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.tool import Hints, Route, Tool

TOOL = Tool("slow", "Slow", "", Route("GET", "/slow"), Hints(True, False, True))


def create(settings: CanarySettings) -> App:
    """Creates the server."""
    return create_app(ServerInfo("canary", "Canary", "1"), (TOOL,), (), settings, Hooks())


if __name__ == "__main__":
    raise SystemExit(main("canary_mcp", CanarySettings, create))
