"""The access of the tests: the endpoint, the settings about callers, and the keys of callers."""

import hashlib
import json
from typing import Any

from tests.support import AuthSetup

ADDRESS = "/api/v1/workspaces/a/mcp"
"""The path of the endpoint."""

FEATURES: dict[str, Any] = {"expose": ["chat"]}
"""The setting that exposes every tool."""

PATH: dict[str, str] = {"workspaceId": "a"}
"""The values of the parameters in the path."""

SCOPES: dict[str, list[str]] = {
    "create_knowledge_base": ["write:kb"],
    "delete_knowledge_base": ["write:kb"],
    "ingest_text": ["write:ingest"],
    "delete_document": ["write:ingest"],
}
"""The required scopes, by tool."""

ROLES: list[str] = []
"""Every role that a tool requires."""

KEYS = {
    "operator-of-the-tests": (None, ROLES, PATH),
    "nobody-of-the-tests": ([], ROLES, PATH),
    "stranger-of-the-tests": (None, ROLES, dict.fromkeys(PATH, "elsewhere")),
    **{f"caller-of-{tool}": (scopes, ROLES, PATH) for tool, scopes in SCOPES.items()},
}
"""Keys of callers: scopes, roles, and values of the path's parameters."""


def bearer(key: str) -> dict[str, str]:
    """The header with a key."""
    return {"Authorization": f"Bearer {key}"}


def _hashed(key: str) -> str:
    return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"


ENTRIES = [
    {"key": _hashed(key), "subject": key, "scopes": scopes, "roles": roles, "path": path}
    for key, (scopes, roles, path) in KEYS.items()
]

CALLERS: dict[str, Any] = {
    "caller_keys": json.dumps(ENTRIES),
}
"""The settings with the known callers."""

OUTWARD: dict[str, Any] = {}
"""The settings with which calls reach the upstream of the tests."""

HEADERS = bearer("operator-of-the-tests")
"""The default headers of the client."""

ENTRANCE = AuthSetup(ADDRESS, {"enabled": True, **FEATURES, **CALLERS, **OUTWARD}, HEADERS)
