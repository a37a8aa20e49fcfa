"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "businesses_list": {},
    "businesses_create": {"name": "Bright Bakery"},
    "businesses_get": {"id": "biz_0"},
    "events_list": {},
    "admin_deploy_worker": {
        "name": "a",
        "script": "export default {fetch: () => new Response('hello')}",
    },
}
