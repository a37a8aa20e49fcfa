"""The environment variables of a project in a smoke test."""

from __future__ import annotations

import json
import os
import re

from mcpgen.ir.api import SchemeKind
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json
from mcpgen.smoke_test.auth_setup import auth_environment
from mcpgen.smoke_test.inspect_project import ProjectInfo

DUMMY = "trial-credential"
"""Every credential of a smoke test; the stub API does not check credentials."""

CLIENT_SUFFIXES = ("_client_id", "_client_secret")
"""Suffixes of fields for fetching an OAuth 2 token; a smoke test sets the token itself instead."""


def child_environment(
    server: Server, declared: ProjectInfo, upstream: str, port: int
) -> dict[str, str]:
    """The environment of the subprocess: the current one without the project's own settings, then
    the settings of the smoke test. No real credential is ever used, and nothing is written into the
    project."""
    prefix = declared.prefix or prefix_of(server.slug)
    own = (prefix, prefix.lower(), "PYTHONSAFEPATH")
    found = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    found |= {
        f"{prefix}HOST": "127.0.0.1",
        f"{prefix}PORT": str(port),
        f"{prefix}PUBLIC_URL": f"http://127.0.0.1:{port}",
        f"{prefix}REGISTERS": "false",
        f"{prefix}UPSTREAM": upstream,
        f"{prefix}LIMITS": "off",
        f"{prefix}LIMIT_STORE": "memory://",
        f"{prefix}METRICS_PORT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "NO_PROXY": "127.0.0.1",
    }
    found |= {
        f"{prefix}{name}": value for name, value in auth_environment(server, upstream).items()
    }
    found |= {f"{prefix}{each.name.upper()}": _text(each.sample) for each in server.settings}
    return found | {
        f"{prefix}{name.upper()}": DUMMY
        for name in declared.secrets
        if not name.endswith(CLIENT_SUFFIXES)
    }


def _text(value: Json) -> str:
    """A value as text of an environment variable."""
    return value if isinstance(value, str) else json.dumps(value)


def prefix_of(slug: str) -> str:
    """The prefix of a project's environment variables: `pet-store` gives `PET_STORE_`."""
    return re.sub(r"[^A-Z0-9]", "_", slug.upper()) + "_"


def satisfiable(server: Server, security: tuple[tuple[str, ...], ...]) -> bool:
    """True if a smoke test has the credentials of an alternative: all kinds except certificates,
    since no certificate can be invented."""
    given = {s.id for s in server.security_schemes if s.kind is not SchemeKind.MUTUAL_TLS}
    return not security or any(given.issuperset(together) for together in security)
