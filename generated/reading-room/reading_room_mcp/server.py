"""The MCP server of the Reading Room API, assembled."""

from reading_room_mcp._runtime.hooks import Hooks
from reading_room_mcp._runtime.server.app import App, ServerInfo, create_app
from reading_room_mcp._runtime.upstream.credentials import SecurityScheme
from reading_room_mcp.completion import COMPLETION
from reading_room_mcp.hooks import HOOKS
from reading_room_mcp.policy import rules
from reading_room_mcp.resources import RESOURCES
from reading_room_mcp.settings import Settings
from reading_room_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="reading-room",
    title="Reading Room",
    version="1.4.0",
    instructions=(
        "Tools of the API Reading Room. Workspaces that hold knowledge bases, the documents in "
        "them, and agents that answer from both. Everything belongs to exactly one workspace."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = (
    SecurityScheme("service_token", "bearer", setting="service_token"),
)


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/api/v1/workspaces/{workspaceId}/mcp` for MCP, `/healthz` for…."""
    settings = settings or Settings()
    return create_app(
        IDENTITY,
        TOOLS,
        SECURITY,
        settings,
        hooks,
        rules(settings),
        offers=(RESOURCES, COMPLETION),
    )
