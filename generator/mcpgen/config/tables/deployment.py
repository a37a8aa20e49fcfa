"""Which files for running the server in production are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mcpgen.config.key import Key, Kind, text
from mcpgen.frozen import frozen

_LOCK = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\.lock")
_WRITTEN_LOCKS = frozenset({"mcpgen.lock", "requirements.lock", "requirements-dev.lock"})


@frozen
class Deployment:
    """Which files for running the server in production are written. `lock` is the name of the user's
    own lock file, `""` for none."""

    compose: bool = False
    kubernetes: bool = False
    lock: str = ""


def deployment(values: Mapping[str, Any]) -> Deployment:
    """The files that the keys choose."""
    return Deployment(values["deploy.compose"], values["deploy.kubernetes"], values["deploy.lock"])


def is_lock_name(name: str) -> bool:
    """True for the name of a lock file that mcpgen does not write itself."""
    return _LOCK.fullmatch(name) is not None and name not in _WRITTEN_LOCKS


KEYS = (
    Key(
        "deploy.compose",
        Kind.BOOLEAN,
        False,
        "Whether to write a Compose file with a reverse proxy and Redis.",
        fits=lambda _: True,
    ),
    Key(
        "deploy.kubernetes",
        Kind.BOOLEAN,
        False,
        "Whether to write Kubernetes manifests with probes and an autoscaler.",
        fits=lambda _: True,
    ),
    text(
        "deploy.lock",
        "Your own lock file, with packages that handlers need beside those of the server.",
        "a file name that ends with `.lock` and that mcpgen does not write",
        is_lock_name,
    ),
)
