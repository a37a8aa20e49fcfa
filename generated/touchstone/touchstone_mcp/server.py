"""The MCP server of the Touchstone, assembled."""

from touchstone_mcp.changes import changes
from touchstone_mcp.completion import COMPLETION
from touchstone_mcp.hooks import HOOKS
from touchstone_mcp.log_levels import LOG_LEVELS
from touchstone_mcp.prompts import PROMPTS
from touchstone_mcp.resources import RESOURCES
from touchstone_mcp.runtime.app import App, create_app
from touchstone_mcp.runtime.hooks import Hooks
from touchstone_mcp.runtime.server_info import ServerInfo
from touchstone_mcp.runtime.event_store import SessionEventStore
from touchstone_mcp.runtime.upstream_auth import SecurityScheme
from touchstone_mcp.runtime.sessions import Sessions
from touchstone_mcp.settings import Settings
from touchstone_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="touchstone",
    title="Touchstone",
    version="0.1.0",
    instructions=(
        "A server to test clients against. Each tool shows one thing that a server can do."
    ),
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
