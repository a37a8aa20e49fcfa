"""The views of the files for running a server in production."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.config import Config
from mcpgen.emit.assembly import prefix
from mcpgen.emit.code import integer, slug, yaml_string
from mcpgen.emit.papers import release
from mcpgen.emit.render import View
from mcpgen.emit.views import ComposeView, KustomizationView, ManifestsView, ProxyView
from mcpgen.ir.server import Server

_MEGABYTES = 512
"""What a pod may take."""

_MEGABYTES_OF_SCRIPTS = 1536
"""The same with scripts, of which four may take 128 MB each at a time, beside what Deno needs."""


def deployment(server: Server, config: Config, has_store: bool) -> Iterator[tuple[str, View]]:
    """The templates that the user has asked for, with their views. `has_store` tells that the
    server counts calls in Redis."""
    name = slug(f"{server.slug}-mcp")
    workers = 1 if server.sessions else 2
    if config.deployment.compose:
        yield "compose.yaml", ComposeView(prefix(server), integer(workers), has_store)
        yield "deploy/nginx.conf", ProxyView(name, prefix(server))
    if config.deployment.kubernetes:
        version = yaml_string(release(server))
        yield "deploy/kubernetes/kustomization.yaml", KustomizationView(name, version)
        megabytes = integer(_MEGABYTES_OF_SCRIPTS if server.script else _MEGABYTES)
        view = ManifestsView(name, prefix(server), server.sessions, megabytes)
        yield "deploy/kubernetes/server.yaml", view
