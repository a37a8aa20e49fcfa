"""The runtime modules copied into a project, by feature.

The table is data. A test fails if a module of the runtime imports another feature at the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

CORE: frozenset[str] = frozenset(
    {
        "caller",
        "elicitation.client_channel",
        "elicitation.forms",
        "elicitation.rounds",
        "hooks",
        "observability.logs",
        "observability.redact",
        "result",
        "server.app",
        "server.asgi",
        "server.calls",
        "server.cli",
        "server.connections",
        "server.feature",
        "server.mcp_server",
        "server.middleware",
        "server.origin_check",
        "server.process",
        "server.request_states",
        "server.stdio",
        "server.tool_list",
        "server.tool_registry",
        "server.transport_guard",
        "server.workers",
        "settings",
        "tool",
        "upstream.body",
        "upstream.client",
        "upstream.credentials",
        "upstream.error_result",
        "upstream.media_encoding",
        "upstream.operation",
        "upstream.parameters",
        "upstream.request",
        "upstream.request_builder",
        "upstream.response",
        "upstream.stream_response",
        "upstream.tool_result",
        "upstream.value_text",
        "validation.cost",
        "validation.errors",
        "validation.nesting",
        "validation.output",
        "validation.subschemas",
        "validation.validate",
    }
)
"""Modules of every project. Workers are included, since operators choose the number at run time."""

FEATURES: Mapping[str, tuple[str, ...]] = {
    "auth.api_keys": (),
    "auth.authentication": (
        "auth.api_keys",
        "auth.config",
        "auth.scopes",
        "auth.tokens",
        "auth.www_authenticate",
        "server.endpoint",
    ),
    "auth.config": (),
    "auth.passthrough": (),
    "auth.scopes": (),
    "auth.token_exchange": ("upstream.oauth_client",),
    "auth.tokens": ("auth.config",),
    "auth.www_authenticate": ("auth.config", "server.endpoint"),
    "elicitation.confirm": (),
    "elicitation.elicit_tool": (),
    "elicitation.interactive_steps": ("server.declared_answer",),
    "elicitation.request_states_redis": ("limits.redis_client",),
    "fast_path.fast_path": (
        "fast_path.inflight_call",
        "fast_path.response_templates",
        "fast_path.rules",
    ),
    "fast_path.inflight_call": (),
    "fast_path.response_templates": (),
    "fast_path.rules": (),
    "limits.circuit_breaker": (),
    "limits.circuit_breaker_redis": ("limits.circuit_breaker", "limits.redis_client"),
    "limits.concurrency": ("limits.settings",),
    "limits.rate_limits": ("limits.settings", "limits.sliding_window"),
    "limits.redis_client": (),
    "limits.retries": (),
    "limits.settings": (),
    "limits.sliding_window": (),
    "limits.sliding_window_redis": ("limits.redis_client", "limits.sliding_window"),
    "observability.audit": ("observability.request_id",),
    "observability.audit_json": ("observability.audit", "observability.request_id"),
    "observability.audit_otel": ("observability.audit", "observability.request_id"),
    "observability.metrics": (),
    "observability.request_id": (),
    "observability.telemetry": (),
    "registry.client": (),
    "registry.registration": ("auth.config", "registry.client", "registry.server_card"),
    "registry.server_card": (),
    "resources.completion": (
        "resources.completion_values",
        "resources.prompts",
        "resources.resources",
    ),
    "resources.completion_values": (),
    "resources.prompts": ("resources.completion_values", "resources.resources"),
    "resources.resources": ("resources.completion_values",),
    "resources.subscriptions": ("resources.completion_values", "resources.resources"),
    "resources.subscriptions_redis": ("limits.redis_client",),
    "scripts.documentation": (),
    "scripts.sandbox": ("scripts.documentation",),
    "scripts.script": ("scripts.documentation", "scripts.sandbox", "scripts.script_docs"),
    "scripts.script_docs": ("scripts.documentation",),
    "search.connector": (),
    "search.discovery": (
        "search.index",
        "search.phrases",
        "search.query",
        "search.rerank",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
    ),
    "search.index": (
        "search.phrases",
        "search.query",
        "search.rerank",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
    ),
    "search.phrases": (),
    "search.query": ("search.phrases", "search.stemming", "search.synonyms", "search.vocabulary"),
    "search.rerank": (
        "search.phrases",
        "search.query",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
    ),
    "search.stemming": (),
    "search.synonyms": ("search.stemming",),
    "search.vocabulary": ("search.stemming", "search.synonyms"),
    "server.declared_answer": (),
    "server.endpoint": (),
    "server.env_arguments": (),
    "server.log_level": (),
    "server.opt_in_tools": (),
    "server.pagination": (),
    "server.reload": (),
    "server.sessions": (),
    "server.toolsets": (),
    "upstream.forms": ("upstream.xml",),
    "upstream.in_process": (),
    "upstream.oauth_client": (),
    "upstream.xml": (),
}
"""By feature module named in generated code: the modules needed in addition to `CORE`."""


def feature_modules_of(named: Iterable[str]) -> frozenset[str]:
    """The modules of a project with generated code that imports the modules `named`.

    Raises `KeyError` for a module without a row in the table.
    """
    modules = set(CORE)
    for name in named:
        if name not in CORE:
            modules |= {name, *FEATURES[name]}
    return frozenset(modules)
