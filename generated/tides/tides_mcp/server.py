"""The MCP server of the Tides API, assembled."""

from tides_mcp._runtime.hooks import Hooks
from tides_mcp._runtime.server.app import App, ServerInfo, create_app
from tides_mcp._runtime.upstream.credentials import SecurityScheme
from tides_mcp.hooks import HOOKS
from tides_mcp.settings import Settings
from tides_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="tides",
    title="Tides",
    version="1.0.0",
    instructions=(
        "Tools of the API Tides. High and low water at the harbours of a coast, and alerts when "
        "the water gets too high."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = (
    SecurityScheme("api_key", "apiKey", place="header", name="X-Api-Key", setting="api_key"),
)


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    return create_app(IDENTITY, TOOLS, SECURITY, settings or Settings(), hooks)
