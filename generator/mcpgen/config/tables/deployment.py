"""The deployment files of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, switch, text
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


@dataclass(frozen=True, slots=True)
class DeploymentConfig:
    """The deployment files to write. `lock` is the name of the user's own lock file, `""` for none;
    images are references, with or without a digest; `mcpgen_hash` is the digest of a wheel, `""`
    for none."""

    compose: bool = False
    kubernetes: bool = False
    aws_lambda: bool = False
    reload: bool = False
    lock: str = ""
    base_image: str = _BASE
    proxy_image: str = _PROXY
    redis_image: str = _REDIS
    sbom: bool = False
    mcpgen_hash: str = ""


def read_deployment(values: Mapping[str, Any]) -> DeploymentConfig:
    """The deployment configured by the keys."""
    return DeploymentConfig(
        values["deploy.compose"],
        values["deploy.kubernetes"],
        values["deploy.lambda"],
        values["deploy.reload"],
        values["deploy.lock"],
        values["deploy.base_image"],
        values["deploy.proxy_image"],
        values["deploy.redis_image"],
        values["deploy.sbom"],
        values["deploy.mcpgen_hash"],
    )


def _image(name: str, default: str, use: str) -> KeySpec:
    return KeySpec(
        f"deploy.{name}",
        KeyType.STRING,
        default,
        f"The image {use}, best with its digest.",
        "the name of an image with a tag, a digest or both",
        is_image,
    )


KEYS = (
    switch("deploy.compose", "Whether to write a Compose file with a reverse proxy and Redis."),
    switch(
        "deploy.kubernetes", "Whether to write Kubernetes manifests with probes and an autoscaler."
    ),
    KeySpec(
        "deploy.lambda",
        KeyType.BOOLEAN,
        False,
        "Whether to write a handler for AWS Lambda.",
        fits=lambda _: True,
    ),
    KeySpec(
        "deploy.reload",
        KeyType.BOOLEAN,
        False,
        "Whether a running server takes a changed package without a restart.",
        fits=lambda _: True,
    ),
    text(
        "deploy.lock",
        "Your own lock file, with packages that handlers need beside those of the server.",
        "a file name that ends with `.lock` and that mcpgen does not write",
        is_lock_name,
    ),
    _image("base_image", _BASE, "that the server's own is built on"),
    _image("proxy_image", _PROXY, "of the reverse proxy in the Compose file"),
    _image("redis_image", _REDIS, "of Redis in the Compose file"),
    switch("deploy.sbom", "Whether to write a software bill of materials of the server."),
    text(
        "deploy.mcpgen_hash",
        "The SHA-256 of the wheel of mcpgen that the workflow installs.",
        "`sha256:` with 64 hexadecimal digits in lower case",
        ValueRule(pattern=r"sha256:[0-9a-f]{64}"),
    ),
)
