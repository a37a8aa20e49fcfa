"""Who may call the MCP server of the Launchpad API, and how."""

from launchpad_mcp._runtime.auth.authentication import SteppingUp
from launchpad_mcp._runtime.auth.config import AuthConfig
from launchpad_mcp._runtime.auth.scopes import Roles, Scopes
from launchpad_mcp._runtime.limits.rate_limits import RateLimits, Rates
from launchpad_mcp._runtime.limits.sliding_window_redis import redis_windows
from launchpad_mcp._runtime.server.endpoint import Endpoint
from launchpad_mcp._runtime.server.middleware import Middleware
from launchpad_mcp.settings import Settings


def rules(settings: Settings) -> tuple[Middleware, ...]:
    """The middleware around every call, the outermost first."""
    return (
        Endpoint("/"),
        SteppingUp(
            settings,
            AuthConfig(
                issuer="https://login.launchpad.example",
                jwks_url="https://login.launchpad.example/keys",
                error_code=-32001,
                documentation_url="https://launchpad.example/docs/mcp",
                policy_url="https://launchpad.example/policy",
                signing_algorithms=("RS256",),
                challenge=("realm", "resource", "authorization_server"),
                address="/",
                scopes=("mcp:prompts", "mcp:resources", "mcp:tools"),
                known_scopes=("mcp:tools", "mcp:resources", "mcp:prompts"),
                known_roles=("admin",),
                family_scopes={"resources": ("mcp:resources",), "prompts": ("mcp:prompts",)},
            ),
        ),
        Roles({"admin_deploy_worker": ("admin",)}),
        Scopes(
            {
                "businesses_list": ("mcp:tools",),
                "businesses_create": ("mcp:tools",),
                "businesses_get": ("mcp:tools",),
                "events_list": ("mcp:tools",),
                "admin_deploy_worker": ("mcp:tools",),
            },
        ),
        RateLimits(settings, Rates(subject="10/minute"), redis_windows(settings), code=-32002),
    )
