"""The MCP server of the Pressroom API, assembled."""

from pressroom_mcp._runtime.hooks import Hooks
from pressroom_mcp._runtime.server.app import App, ServerInfo, create_app
from pressroom_mcp._runtime.upstream.credentials import SecurityScheme
from pressroom_mcp.hooks import HOOKS
from pressroom_mcp.policy import rules
from pressroom_mcp.settings import Settings
from pressroom_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="pressroom",
    title="Pressroom",
    version="1.0.0",
    instructions=(
        "Tools of the API Pressroom. The pages of an organisation's site, as its editors write, "
        "read and publish them."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = ()


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    settings = settings or Settings()
    return create_app(IDENTITY, TOOLS, SECURITY, settings, hooks, rules(settings))
