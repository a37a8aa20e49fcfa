"""The MCP server of the Seed Bank API, assembled."""

from seed_bank_mcp._runtime.hooks import Hooks
from seed_bank_mcp._runtime.server.app import App, ServerInfo, create_app
from seed_bank_mcp._runtime.upstream.credentials import SecurityScheme
from seed_bank_mcp.hooks import HOOKS
from seed_bank_mcp.settings import Settings
from seed_bank_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="seed-bank",
    title="Seed Bank",
    version="3",
    instructions=(
        "Tools of the API Seed Bank. A collection of seeds that members may borrow and give back. "
        "Written in several files."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = (SecurityScheme("member", "bearer", setting="member"),)


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    return create_app(IDENTITY, TOOLS, SECURITY, settings or Settings(), hooks)
