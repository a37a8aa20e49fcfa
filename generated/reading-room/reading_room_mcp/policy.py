"""Who may call the MCP server of the Reading Room API, and how."""

from reading_room_mcp._runtime.auth.authentication import Authentication
from reading_room_mcp._runtime.auth.config import AuthConfig
from reading_room_mcp._runtime.auth.scopes import Scopes
from reading_room_mcp._runtime.observability.audit import Audit
from reading_room_mcp._runtime.observability.audit_json import audit_lines
from reading_room_mcp._runtime.server.endpoint import Endpoint
from reading_room_mcp._runtime.server.middleware import Middleware
from reading_room_mcp._runtime.server.opt_in_tools import OptInGroup, OptInTools
from reading_room_mcp.settings import Settings


def rules(settings: Settings) -> tuple[Middleware, ...]:
    """The middleware around every call, the outermost first."""
    return (
        Audit(settings, audit_lines(settings), server="reading-room"),
        Endpoint("/api/v1/workspaces/{workspaceId}/mcp"),
        OptInTools(
            settings,
            (OptInGroup("chat", ("chat_send", "run_agent"), needs=("chat_service",)),),
        ),
        Authentication(
            settings,
            AuthConfig(
                issuer="https://login.reading-room.example",
                jwks_url="https://login.reading-room.example/keys",
                unscoped=True,
                address="/api/v1/workspaces/{workspaceId}/mcp",
                scopes=("write:ingest", "write:kb"),
                known_scopes=("read", "write", "write:ingest", "write:kb"),
            ),
        ),
        Scopes(
            {
                "create_knowledge_base": ("write:kb",),
                "delete_knowledge_base": ("write:kb",),
                "ingest_text": ("write:ingest",),
                "delete_document": ("write:ingest",),
            },
        ),
    )
