"""Which files for running the server in production are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.config.key import Key, Kind
from mcpgen.frozen import frozen


@frozen
class Deployment:
    """Which files for running the server in production are written."""

    compose: bool = False
    kubernetes: bool = False


def deployment(values: Mapping[str, Any]) -> Deployment:
    """The files that the keys choose."""
    return Deployment(values["deploy.compose"], values["deploy.kubernetes"])


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
)
