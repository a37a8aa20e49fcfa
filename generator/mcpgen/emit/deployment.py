"""The views of the files for running a server in production."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.config import Config
from mcpgen.emit.assembly import prefix
from mcpgen.emit.code import comment, identifier, integer, slug, yaml_string
from mcpgen.emit.papers import release
from mcpgen.emit.render import View
from mcpgen.emit.views import (
    ComposeView,
    KustomizationView,
    ManifestsView,
    PodMonitorView,
    ProxyView,
    RequiredView,
)
from mcpgen.ir.credentials import Exchange
from mcpgen.ir.server import Server

_MEGABYTES = 512
"""What a pod may take."""

_MEGABYTES_OF_SCRIPTS = 1536
"""The same with scripts, of which four may take 128 MB each at a time, beside what Deno needs."""


def deployment(
    server: Server, config: Config, has_store: bool, asks: bool
) -> Iterator[tuple[str, View]]:
    """The templates that the user has asked for, with their views. `has_store` tells that the
    server counts calls in Redis, `asks` that its calls may ask their user."""
    name = slug(f"{server.slug}-mcp")
    workers = 1 if server.sessions else 2
    has_metrics = server.knowledge.prometheus
    required = tuple(_required(server))
    if config.deployment.compose:
        yield (
            "compose.yaml",
            ComposeView(
                prefix(server), integer(workers), has_store, has_metrics, bool(required), required
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
        required = (*_shared(server, has_store, asks), *required)
        yield (
            "deploy/kubernetes/server.yaml",
            ManifestsView(
                name,
                prefix(server),
                server.sessions,
                integer(_MEGABYTES_OF_SCRIPTS if server.script else _MEGABYTES),
                has_metrics,
                asks,
                bool(required),
                required,
            ),
        )


def _shared(server: Server, has_store: bool, asks: bool) -> Iterator[RequiredView]:
    """The variables that several pods need, and which Compose sets or does without."""
    if has_store:
        reason = "calls are counted in Redis; its URL: redis://HOST:6379/0"
        yield _variable(server, "limit_store", reason)
    if asks:
        reason = "any pod may get the answer to a question; made by: openssl rand -hex 32"
        yield _variable(server, "state_key", reason)


def _required(server: Server) -> Iterator[RequiredView]:
    """The variables without which the server does not start, wherever it runs."""
    if not server.upstream and any(tool.route for tool in server.tools):
        yield _variable(server, "upstream", "the base URL of the API", is_secret=False)
    callers = server.policy.authentication
    if callers and not (callers.jwks_url or callers.introspection_url):
        made = f"python -m {server.package}.runtime.keys SUBJECT"
        yield _variable(server, "caller_keys", f"hashed keys of callers; made by: {made}")
    if callers and callers.introspection_url:
        reason = "what the issuer of tokens gave this server"
        yield _variable(server, "caller_introspection_client_id", reason)
        yield _variable(server, "caller_introspection_client_secret", reason)
    has_tokens = callers is not None and bool(callers.jwks_url or callers.introspection_url)
    if not server.policy.public_url and (has_tokens or server.registry.url):
        reason = "the address that clients reach the server at, without the path"
        yield _variable(server, "public_url", reason, is_secret=False)
    if isinstance(server.outward, Exchange):
        reason = "what the issuer of tokens gave this server, to exchange those of callers"
        yield _variable(server, "exchange_client_id", reason)
        yield _variable(server, "exchange_client_secret", reason)
    for setting in server.settings:
        yield _variable(server, setting.name, "tools send its value to the API", is_secret=False)


def _variable(server: Server, field: str, reason: str, *, is_secret: bool = True) -> RequiredView:
    name = identifier(f"{prefix(server).text}{field.upper()}")
    return RequiredView(name, is_secret, comment(reason, indent=14))
