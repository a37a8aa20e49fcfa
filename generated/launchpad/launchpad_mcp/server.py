"""The MCP server of the Launchpad API, assembled."""

from launchpad_mcp._runtime.hooks import Hooks
from launchpad_mcp._runtime.server.app import App, ServerInfo, create_app
from launchpad_mcp._runtime.server.sessions import Sessions
from launchpad_mcp._runtime.upstream.credentials import SecurityScheme
from launchpad_mcp.completion import COMPLETION
from launchpad_mcp.elicit import ELICIT
from launchpad_mcp.hooks import HOOKS
from launchpad_mcp.policy import rules
from launchpad_mcp.prompts import PROMPTS
from launchpad_mcp.resources import RESOURCES
from launchpad_mcp.script import scripts
from launchpad_mcp.settings import Settings
from launchpad_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="launchpad",
    title="Launchpad",
    version="1.0.0",
    instructions=(
        "Tools of the API Launchpad. A platform that keeps the businesses of its customers, runs "
        "small programs for them, and tells what has happened there."
    ),
    module=__name__,
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
    return create_app(
        IDENTITY,
        TOOLS,
        SECURITY,
        settings,
        hooks,
        rules(settings),
        offers=(scripts(settings), ELICIT, RESOURCES, PROMPTS, COMPLETION),
        sessions=Sessions(settings),
    )
