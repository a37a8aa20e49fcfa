"""The MCP server of the Agent Registry API, assembled."""

from agent_registry_mcp._runtime.hooks import Hooks
from agent_registry_mcp._runtime.server.app import App, ServerInfo, create_app
from agent_registry_mcp._runtime.upstream.credentials import SecurityScheme
from agent_registry_mcp.hooks import HOOKS
from agent_registry_mcp.settings import Settings
from agent_registry_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="agent-registry",
    title="Agent Registry",
    version="1.0.0",
    instructions=(
        "Tools of the API Agent Registry. Which agents and MCP servers there are, what they can "
        "do, where they are reached, and which of them are alive."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = ()


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    return create_app(IDENTITY, TOOLS, SECURITY, settings or Settings(), hooks)
