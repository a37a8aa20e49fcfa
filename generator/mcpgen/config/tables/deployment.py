"""The deployment files of a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcpgen.config.key_spec import (
    key,
    keys_of,
)
from mcpgen.config.validators import ValueRule

_BASE = "python:3.13-slim"
_PROXY = "nginx:1.28-alpine"
_REDIS = "redis:8-alpine"

_WRITTEN_LOCKS = frozenset({"mcpgen.lock", "requirements.lock", "requirements-dev.lock"})

is_lock_name = ValueRule(
    pattern=r"[A-Za-z0-9][A-Za-z0-9_-]*\.lock", also=lambda name: name not in _WRITTEN_LOCKS
)
"""The name of a lock file, unless mcpgen writes a file of this name."""

is_image = ValueRule(
    pattern=r"(?=[a-z0-9])(?:[a-z0-9.-]+(?::[0-9]+)?/)?[a-z0-9._-]+(?:/[a-z0-9._-]+)*"
    r"(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})"
)
"""The name of an image with a tag, a digest or both: https://github.com/distribution/reference,
without characters that need quoting."""


def _image(name: str, default: str, use: str) -> Any:
    return key(
        f"deploy.{name}",
        default,
        f"The image {use}, best with its digest.",
        "the name of an image with a tag, a digest or both",
        is_image,
    )


@dataclass(frozen=True, slots=True)
class DeploymentConfig:
    """The deployment files to write. `lock` is the name of the user's own lock file, `""` for none;
    images are references, with or without a digest; `mcpgen_hash` is the digest of a wheel, `""`
    for none."""

    compose: bool = key(
        "deploy.compose", False, "Whether to write a Compose file with a reverse proxy and Redis."
    )
    kubernetes: bool = key(
        "deploy.kubernetes",
        False,
        "Whether to write Kubernetes manifests with probes and an autoscaler.",
    )
    aws_lambda: bool = key("deploy.lambda", False, "Whether to write a handler for AWS Lambda.")
    reload: bool = key(
        "deploy.reload",
        False,
        "Whether a running server takes a changed package without a restart.",
    )
    lock: str = key(
        "deploy.lock",
        "",
        "Your own lock file, with packages that handlers need beside those of the server.",
        "a file name that ends with `.lock` and that mcpgen does not write",
        is_lock_name,
    )
    base_image: str = _image("base_image", _BASE, "that the server's own is built on")
    proxy_image: str = _image("proxy_image", _PROXY, "of the reverse proxy in the Compose file")
    redis_image: str = _image("redis_image", _REDIS, "of Redis in the Compose file")
    sbom: bool = key(
        "deploy.sbom", False, "Whether to write a software bill of materials of the server."
    )
    mcpb: bool = key(
        "deploy.mcpb",
        False,
        "Whether to write the manifest of the bundle that `mcpgen bundle` makes for desktop hosts.",
    )
    mcpgen_hash: str = key(
        "deploy.mcpgen_hash",
        "",
        "The SHA-256 of the wheel of mcpgen that the workflow installs.",
        "`sha256:` with 64 hexadecimal digits in lower case",
        ValueRule(pattern=r"sha256:[0-9a-f]{64}"),
    )


KEYS = keys_of(DeploymentConfig)
