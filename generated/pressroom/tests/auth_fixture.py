"""How the tests come in: where the server is, what it is told, and whose keys it knows."""

import hashlib
import json
from typing import Any

from tests.support import CREDENTIAL, AuthSetup

ADDRESS = "/mcp"
"""The path of the endpoint."""

FEATURES: dict[str, Any] = {}
"""What exposes every tool."""

PATH: dict[str, str] = {}
"""The values of the parameters in the path."""

SCOPES: dict[str, list[str]] = {
    "list_pages": ["pages:read"],
    "get_page": ["pages:read"],
    "save_page": ["pages:write"],
    "start_publication": ["pages:write"],
    "get_publication": ["pages:read"],
}
"""The scopes that callers need, by tool."""

ROLES: list[str] = []
"""Every role that some tool asks for."""

KEYS = {
    "operator-of-the-tests": (None, ROLES, PATH),
    "nobody-of-the-tests": ([], ROLES, PATH),
    "stranger-of-the-tests": (None, ROLES, dict.fromkeys(PATH, "elsewhere")),
    **{f"caller-of-{tool}": (scopes, ROLES, PATH) for tool, scopes in SCOPES.items()},
}
"""Keys of callers: their scopes, their roles, and the path they are for."""


def bearer(key: str) -> dict[str, str]:
    """The header that shows a key."""
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
"""The callers that the server knows."""

OUTWARD: dict[str, Any] = {"trusted_hosts": "127.0.0.1"}
"""What lets calls reach the upstream of the tests."""

HEADERS = {**bearer("operator-of-the-tests"), "X-Api-Key": CREDENTIAL}
"""What is shown unless a test shows something else."""

ENTRANCE = AuthSetup(ADDRESS, {"enabled": True, **FEATURES, **CALLERS, **OUTWARD}, HEADERS)
