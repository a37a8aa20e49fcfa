"""The MCP server of the MCP adapter, assembled."""

from mcp_adapter._runtime.hooks import Hooks
from mcp_adapter._runtime.server.app import App, ServerInfo, create_app
from mcp_adapter._runtime.upstream.credentials import SecurityScheme
from mcp_adapter.hooks import HOOKS
from mcp_adapter.policy import rules
from mcp_adapter.settings import Settings
from mcp_adapter.tools import TOOLS

IDENTITY = ServerInfo(
    name="mcp-adapter",
    title="MCP adapter",
    version="0.1.0",
    instructions=(
        "Reads what a person has granted of their archive. Begin with `schema`, which lists every "
        "stream; then `schema` with a stream tells its fields. Where several connections are "
        "granted, say which one is meant with `connection_id`."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = ()


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    settings = settings or Settings()
    return create_app(IDENTITY, TOOLS, SECURITY, settings, hooks, rules(settings))
