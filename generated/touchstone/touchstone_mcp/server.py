"""The MCP server of the Touchstone, assembled."""

from touchstone_mcp._runtime.hooks import Hooks
from touchstone_mcp._runtime.server.app import App, ServerInfo, create_app
from touchstone_mcp._runtime.server.sessions import SessionEventStore, Sessions
from touchstone_mcp._runtime.upstream.credentials import SecurityScheme
from touchstone_mcp.changes import changes
from touchstone_mcp.completion import COMPLETION
from touchstone_mcp.hooks import HOOKS
from touchstone_mcp.log_levels import LOG_LEVELS
from touchstone_mcp.prompts import PROMPTS
from touchstone_mcp.resources import RESOURCES
from touchstone_mcp.settings import Settings
from touchstone_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="touchstone",
    title="Touchstone",
    version="0.1.0",
    instructions=(
        "A server to test clients against. Each tool shows one thing that a server can do."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = ()


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    settings = settings or Settings()
    return create_app(
        IDENTITY,
        TOOLS,
        SECURITY,
        settings,
        hooks,
        offers=(RESOURCES, PROMPTS, COMPLETION, changes(settings), LOG_LEVELS),
        sessions=Sessions(settings, SessionEventStore),
    )
