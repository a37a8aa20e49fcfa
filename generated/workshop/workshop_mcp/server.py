"""The MCP server of the Workshop API, assembled."""

from workshop_mcp._runtime.hooks import Hooks
from workshop_mcp._runtime.server.app import App, ServerInfo, create_app
from workshop_mcp._runtime.upstream.credentials import SecurityScheme
from workshop_mcp._runtime.upstream.forms import form_encoder
from workshop_mcp._runtime.upstream.oauth_client import ClientCredentialsTokens
from workshop_mcp._runtime.upstream.xml import xml_encoder
from workshop_mcp.changes import changes
from workshop_mcp.completion import COMPLETION
from workshop_mcp.hooks import HOOKS
from workshop_mcp.prompts import PROMPTS
from workshop_mcp.resources import RESOURCES
from workshop_mcp.settings import Settings
from workshop_mcp.tools import TOOLS

IDENTITY = ServerInfo(
    name="workshop",
    title="Workshop",
    version="2.4.0",
    instructions=(
        "Tools of the API Workshop. The back office of a bicycle repair workshop: bicycles and "
        "their owners, repairs, spare parts, manuals and payments. This description exists to show "
        "every shape of request that mcpgen knows; the operations stand in the order in which a "
        "visitor would meet them."
    ),
    module=__name__,
)

SECURITY: tuple[SecurityScheme, ...] = (
    SecurityScheme("staff_key", "apiKey", place="header", name="X-Staff-Key", setting="staff_key"),
    SecurityScheme("guest_key", "apiKey", place="query", name="guest", setting="guest_key"),
    SecurityScheme("staff_token", "bearer", setting="staff_token"),
    SecurityScheme("till", "basic", setting="till"),
    SecurityScheme(
        "office",
        "oauth2",
        token_url="https://login.workshop.example/token",
        scopes=("reports.read",),
        setting="office",
    ),
)


def create(settings: Settings | None = None, hooks: Hooks = HOOKS) -> App:
    """The ASGI application: `/mcp` for MCP, `/healthz` for probes."""
    settings = settings or Settings()
    return create_app(
        IDENTITY,
        TOOLS,
        SECURITY,
        settings,
        hooks,
        offers=(RESOURCES, PROMPTS, COMPLETION, changes(settings)),
        encoders=(form_encoder, xml_encoder),
        tokens=ClientCredentialsTokens,
    )
