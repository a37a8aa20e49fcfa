"""The runtime modules copied into a project, by feature.

The table is data. A test fails if a module of the runtime imports another feature at the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

CORE: frozenset[str] = frozenset(
    {
        "caller",
        "extensions",
        "hooks",
        "observability.logs",
        "observability.redact",
        "result",
        "server.app",
        "server.asgi",
        "server.calls",
        "server.cli",
        "server.client_channel",
        "server.connections",
        "server.invocation",
        "server.mcp_server",
        "server.process",
        "server.stdio",
        "server.tool_registry",
        "server.transport_guard",
        "server.workers",
        "settings",
        "tool",
        "upstream.client",
        "upstream.credentials",
        "upstream.error_result",
        "upstream.exchange",
        "upstream.operation",
        "upstream.tool_result",
        "upstream.value_text",
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
        "server.message_rules",
        "server.middleware",
    ),
    "auth.config": (),
    "auth.passthrough": ("server.middleware",),
    "auth.scopes": ("server.middleware",),
    "auth.token_exchange": (
        "server.middleware",
        "upstream.oauth_client",
    ),
    "auth.tokens": ("auth.config",),
    "auth.www_authenticate": (
        "auth.config",
        "server.endpoint",
        "server.middleware",
    ),
    "elicitation.client_channel": ("elicitation.forms",),
    "elicitation.confirm": (
        "elicitation.forms",
        "observability.redact_names",
        "server.middleware",
        "server.request_states",
    ),
    "elicitation.elicit_tool": (
        "elicitation.forms",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "elicitation.forms": (),
    "elicitation.interactive_steps": (
        "elicitation.forms",
        "server.declared_answer",
    ),
    "elicitation.request_states_redis": (
        "limits.redis_client",
        "server.request_states",
    ),
    "elicitation.rounds": (
        "elicitation.client_channel",
        "elicitation.forms",
        "server.middleware",
        "server.request_states",
    ),
    "fast_path.fast_path": (
        "fast_path.inflight_call",
        "fast_path.response_templates",
        "fast_path.rules",
    ),
    "fast_path.inflight_call": (),
    "fast_path.response_templates": (),
    "fast_path.rules": (),
    "limits.circuit_breaker": ("server.middleware",),
    "limits.circuit_breaker_redis": (
        "limits.circuit_breaker",
        "limits.redis_client",
        "server.middleware",
        "server.request_states",
    ),
    "limits.concurrency": (
        "limits.settings",
        "server.middleware",
    ),
    "limits.rate_limits": (
        "limits.settings",
        "limits.sliding_window",
        "server.message_rules",
        "server.middleware",
        "server.request_states",
    ),
    "limits.redis_client": ("server.request_states",),
    "limits.retries": ("server.middleware",),
    "limits.settings": (),
    "limits.sliding_window": (),
    "limits.sliding_window_redis": (
        "limits.redis_client",
        "limits.sliding_window",
        "server.request_states",
    ),
    "observability.audit": (
        "observability.redact_names",
        "observability.request_id",
        "server.message_rules",
        "server.middleware",
    ),
    "observability.audit_json": (
        "observability.audit",
        "observability.redact_names",
        "observability.request_id",
        "server.message_rules",
        "server.middleware",
    ),
    "observability.audit_otel": (
        "observability.audit",
        "observability.redact_names",
        "observability.request_id",
        "server.message_rules",
        "server.middleware",
    ),
    "observability.metrics": (
        "server.message_rules",
        "server.middleware",
    ),
    "observability.redact_names": (),
    "observability.request_id": ("server.middleware",),
    "observability.telemetry": ("server.middleware",),
    "registry.client": (),
    "registry.registration": (
        "auth.config",
        "registry.client",
        "registry.server_card",
        "server.middleware",
    ),
    "registry.server_card": (),
    "resources.completion": (
        "elicitation.forms",
        "resources.completion_values",
        "resources.prompts",
        "resources.resources",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "resources.completion_values": (),
    "resources.prompts": (
        "elicitation.forms",
        "resources.completion_values",
        "resources.resources",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "resources.resources": (
        "resources.completion_values",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "resources.subscriptions": (
        "resources.completion_values",
        "resources.resources",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "resources.subscriptions_redis": (
        "limits.redis_client",
        "server.request_states",
    ),
    "scripts.documentation": (
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "scripts.sandbox": (
        "scripts.documentation",
        "server.feature",
        "server.message_rules",
        "server.middleware",
        "validation.nesting",
    ),
    "scripts.script": (
        "scripts.documentation",
        "scripts.sandbox",
        "scripts.script_docs",
        "server.feature",
        "server.message_rules",
        "server.middleware",
        "validation.nesting",
    ),
    "scripts.script_docs": (
        "scripts.documentation",
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "search.connector": ("server.middleware",),
    "search.discovery": (
        "search.index",
        "search.phrases",
        "search.query",
        "search.rerank",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
        "server.feature",
        "server.message_rules",
        "server.middleware",
        "validation.nesting",
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
    "search.query": (
        "search.phrases",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
    ),
    "search.rerank": (
        "search.phrases",
        "search.query",
        "search.stemming",
        "search.synonyms",
        "search.vocabulary",
    ),
    "search.stemming": (),
    "search.synonyms": ("search.stemming",),
    "search.vocabulary": (
        "search.stemming",
        "search.synonyms",
    ),
    "server.aws_lambda": (),
    "server.declared_answer": (),
    "server.endpoint": ("server.middleware",),
    "server.env_arguments": (),
    "server.feature": (
        "server.message_rules",
        "server.middleware",
    ),
    "server.list_pages": (),
    "server.log_level": (
        "server.feature",
        "server.message_rules",
        "server.middleware",
    ),
    "server.message_rules": ("server.middleware",),
    "server.middleware": (),
    "server.opt_in_tools": ("server.middleware",),
    "server.package_watch": ("server.reload",),
    "server.pagination": ("server.middleware",),
    "server.reload": (),
    "server.request_states": (),
    "server.sessions": (),
    "server.toolsets": ("server.middleware",),
    "upstream.body": (
        "upstream.media_encoding",
        "upstream.parameters",
    ),
    "upstream.forms": (
        "upstream.body",
        "upstream.media_encoding",
        "upstream.parameters",
        "upstream.xml",
    ),
    "upstream.general_operation": (
        "upstream.body",
        "upstream.media_encoding",
        "upstream.parameters",
        "upstream.request_builder",
        "validation.nesting",
    ),
    "upstream.in_process": (),
    "upstream.media_encoding": (),
    "upstream.oauth_client": (),
    "upstream.parameters": ("upstream.media_encoding",),
    "upstream.request_builder": (
        "upstream.body",
        "upstream.media_encoding",
        "upstream.parameters",
    ),
    "upstream.stream_response": (),
    "upstream.xml": (
        "upstream.body",
        "upstream.media_encoding",
        "upstream.parameters",
    ),
    "validation.cost": (
        "validation.engine",
        "validation.nesting",
        "validation.subschemas",
    ),
    "validation.definitions": (),
    "validation.engine": (),
    "validation.nesting": (),
    "validation.output": ("validation.nesting",),
    "validation.subschemas": (),
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
