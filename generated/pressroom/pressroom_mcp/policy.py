"""Who may call the MCP server of the Pressroom API, and how."""

from pressroom_mcp._runtime.auth.authentication import Authentication
from pressroom_mcp._runtime.auth.config import AuthConfig
from pressroom_mcp._runtime.auth.passthrough import Passthrough
from pressroom_mcp._runtime.auth.scopes import Scopes
from pressroom_mcp._runtime.limits.concurrency import Caps
from pressroom_mcp._runtime.observability.audit import Audit
from pressroom_mcp._runtime.observability.audit_json import audit_lines
from pressroom_mcp._runtime.server.middleware import Middleware
from pressroom_mcp.settings import Settings


def rules(settings: Settings) -> tuple[Middleware, ...]:
    """The middleware around every call, the outermost first."""
    return (
        Audit(settings, audit_lines(settings), server="pressroom"),
        Authentication(
            settings,
            AuthConfig(
                issuer="https://login.pressroom.example",
                jwks_url="https://login.pressroom.example/keys",
                audience="https://pressroom.example",
                scopes=("pages:read", "pages:write"),
            ),
        ),
        Scopes(
            {
                "list_pages": ("pages:read",),
                "get_page": ("pages:read",),
                "save_page": ("pages:write",),
                "start_publication": ("pages:write",),
                "get_publication": ("pages:read",),
            },
        ),
        Caps(settings, call_seconds=14),
        Passthrough(settings, ("*.pressroom.example",)),
    )
