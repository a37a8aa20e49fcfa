"""Who may call the MCP server of the Launchpad API, and how."""

from launchpad_mcp.runtime.access import Access
from launchpad_mcp.runtime.authentication import Authentication
from launchpad_mcp.runtime.endpoint import Endpoint
from launchpad_mcp.runtime.policy import Rule
from launchpad_mcp.runtime.rates import RateLimits, Rates
from launchpad_mcp.runtime.scopes import Roles, Scopes
from launchpad_mcp.settings import Settings


def rules(settings: Settings) -> tuple[Rule, ...]:
    """The rules around every call, the outermost first."""
    return (
        Endpoint("/"),
        Authentication(
            settings,
            Access(
                issuer="https://login.launchpad.example",
                jwks_url="https://login.launchpad.example/keys",
                error_code=-32001,
                documentation_url="https://launchpad.example/docs/mcp",
                policy_url="https://launchpad.example/policy",
                address="/",
                scopes=("mcp:tools",),
                known_scopes=("mcp:tools",),
                known_roles=("admin",),
            ),
        ),
        Roles({"admin_deploy_worker": ("admin",)}),
        Scopes({"events_list": ("mcp:tools",), "admin_deploy_worker": ("mcp:tools",)}),
        RateLimits(settings, Rates(subject="10/minute"), code=-32002),
    )
