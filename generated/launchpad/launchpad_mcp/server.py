"""The MCP server of the Launchpad API, assembled."""

from launchpad_mcp.hooks import HOOKS
from launchpad_mcp.policy import rules
from launchpad_mcp.runtime.app import App, create_app
from launchpad_mcp.runtime.hooks import Hooks
from launchpad_mcp.runtime.identity import Identity
from launchpad_mcp.runtime.security import SecurityScheme
from launchpad_mcp.settings import Settings
from launchpad_mcp.tools import TOOLS

IDENTITY = Identity(
    name="launchpad",
    title="Launchpad",
    version="1.0.0",
    instructions=(
        "Tools of the API Launchpad. A platform that runs small programs for its customers and "
        "tells them what has happened there."
    ),
)

SECURITY: tuple[SecurityScheme, ...] = (
    SecurityScheme(
        "platform_key",
        "apiKey",
        place="header",
        name="X-Platform-Key",
        setting="platform_key",
    ),
)


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/` for MCP, `/healthz` for probes."""
    settings = settings or Settings()
    return create_app(IDENTITY, TOOLS, SECURITY, settings, hooks, rules(settings))
