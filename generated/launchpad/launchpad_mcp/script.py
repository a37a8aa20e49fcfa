"""Scripts against the Launchpad API."""

from launchpad_mcp._runtime.scripts.script import Scripts
from launchpad_mcp._runtime.tool import Argument, Hints, Json, Tool
from launchpad_mcp.settings import Settings

SCRIPT = Tool(
    name="do",
    title="Run a script",
    description=(
        "Runs a TypeScript script, in which `db` is the API: `await db.<module>.<method>({ … })`. "
        "The value of its last expression, or what it returns, comes back as JSON, so one call can "
        "do what many would. The script `db.md` gives documentation, `db.<module>.md` that of a "
        "module, `db.<module>.d.ts` its types. Modules: `businesses`, `events`."
    ),
    route=None,
    hints=Hints(read_only=False, destructive=True, idempotent=False),
    arguments=(
        Argument(
            "script",
            "handler",
            {"type": "string", "description": "The script, in TypeScript."},
            required=True,
        ),
    ),
)

MODULES: dict[str, dict[str, str]] = {
    "businesses": {
        "list": "businesses_list",
        "create": "businesses_create",
        "get": "businesses_get",
    },
    "events": {"list": "events_list"},
    "workers": {"adminDeploy": "admin_deploy_worker"},
}

EXAMPLES: dict[str, dict[str, Json]] = {
    "businesses_list": {"name": "acme"},
    "businesses_create": {"name": "Bright Bakery"},
    "businesses_get": {"id": "biz_123"},
    "events_list": {"type": "worker.deployed"},
    "admin_deploy_worker": {
        "name": "greeter",
        "script": "export default {fetch: () => new Response('hello')}",
    },
}


def scripts(settings: Settings) -> Scripts:
    """The feature that runs scripts, within the limits of the settings."""
    return Scripts(SCRIPT, "db", MODULES, settings, EXAMPLES)
