"""The MCP server of the Reading Room API, assembled."""

from reading_room_mcp.completion import COMPLETION
from reading_room_mcp.hooks import HOOKS
from reading_room_mcp.policy import rules
from reading_room_mcp.resources import RESOURCES
from reading_room_mcp.runtime.app import App, create_app
from reading_room_mcp.runtime.hooks import Hooks
from reading_room_mcp.runtime.server_info import ServerInfo
from reading_room_mcp.runtime.upstream_auth import SecurityScheme
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
