"""The views of the files for running a server in production."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.config import Config
from mcpgen.emit.assembly import prefix
from mcpgen.emit.code import comment, identifier, integer, slug, yaml_string
from mcpgen.emit.papers import release
from mcpgen.emit.render import View
from mcpgen.emit.required_variables import (
    RequiredVariable,
    limit_store,
    required_variables,
    state_key,
)
from mcpgen.emit.store import has_store
from mcpgen.emit.views import (
    ComposeView,
    KustomizationView,
    ManifestsView,
    PodMonitorView,
    ProxyView,
    RequiredView,
)
from mcpgen.ir.server import Server

_MEGABYTES = 512
"""What a pod may take."""

_MEGABYTES_OF_SCRIPTS = 1536
"""The same with scripts, of which four may take 128 MB each at a time, beside what Deno needs."""


def deployment(server: Server, config: Config, asks: bool) -> Iterator[tuple[str, View]]:
    """The templates that the user has asked for, with their views. `asks` tells that calls of the server
    may ask their user."""
    name = slug(f"{server.slug}-mcp")
    # Without Redis each process would take the same confirmation once, and the server refuses to start.
    is_single = server.sessions or (server.confirmation and not server.limits.shared)
    workers = 1 if is_single else 2
    has_metrics = server.knowledge.prometheus
    required = tuple(map(_view, required_variables(server, is_local=False)))
    if config.deployment.compose:
        yield (
            "compose.yaml",
            ComposeView(
                prefix(server),
                integer(workers),
                has_store(server),
                has_metrics,
                bool(required),
                required,
            ),
        )
        yield "deploy/nginx.conf", ProxyView(name, prefix(server))
    if config.deployment.kubernetes:
        version = yaml_string(release(server))
        yield (
            "deploy/kubernetes/kustomization.yaml",
            KustomizationView(name, version, has_metrics),
        )
        if has_metrics:
            yield "deploy/kubernetes/pod-monitor.yaml", PodMonitorView(name)
        # A pod would not hear of changes in others, and must not promise to tell of them.
        is_one_of_several = asks or (server.offers.notices.changes and not server.limits.shared)
        shared = (*limit_store(server), *([state_key(server)] if is_one_of_several else ()))
        required = (*map(_view, shared), *required)
        yield (
            "deploy/kubernetes/server.yaml",
            ManifestsView(
                name,
                prefix(server),
                server.sessions,
                integer(_MEGABYTES_OF_SCRIPTS if server.script else _MEGABYTES),
                has_metrics,
                bool(is_one_of_several),
                bool(required),
                required,
            ),
        )


def _view(variable: RequiredVariable) -> RequiredView:
    name = identifier(variable.name)
    return RequiredView(name, variable.is_secret, comment(variable.meaning, indent=14))
