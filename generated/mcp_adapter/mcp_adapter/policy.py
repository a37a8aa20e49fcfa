"""Who may call the MCP server of the MCP adapter, and how."""

from mcp_adapter._runtime.auth.authentication import Authentication
from mcp_adapter._runtime.auth.config import AuthConfig
from mcp_adapter._runtime.auth.passthrough import Passthrough
from mcp_adapter._runtime.auth.scopes import Scopes
from mcp_adapter._runtime.server.middleware import Middleware
from mcp_adapter.settings import Settings


def rules(settings: Settings) -> tuple[Middleware, ...]:
    """The middleware around every call, the outermost first."""
    return (
        Authentication(
            settings,
            AuthConfig(
                issuer="https://archive.example",
                audience="urn:example:mcp-adapter",
                introspection_url="http://127.0.0.1:8791/introspect",
                owner_prefixes=("owner_", "control_"),
                owner_claims={"authority": "owner"},
                scopes=("archive:read",),
            ),
        ),
        Scopes(
            {
                "schema": ("archive:read",),
                "query_records": ("archive:read",),
                "aggregate": ("archive:read",),
                "search": ("archive:read",),
                "fetch": ("archive:read",),
            },
        ),
        Passthrough(settings, ("127.0.0.1",)),
    )
