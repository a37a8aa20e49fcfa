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
        "server.mcp_server",
        "server.middleware",
        "server.origin_check",
        "server.process",
        "server.stdio",
        "server.tool_list",
        "server.tool_registry",
        "server.transport_guard",
        "server.workers",
        "settings",
        "tool",
        "upstream.client",
        "upstream.credentials",
        "upstream.error_result",
        "upstream.operation",
        "upstream.request",
        "upstream.response",
        "upstream.tool_result",
        "upstream.value_text",
        "validation.errors",
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
    ),
    "auth.config": (),
    "auth.passthrough": (),
    "auth.scopes": (),
    "auth.token_exchange": ("upstream.oauth_client",),
    "auth.tokens": ("auth.config",),
    "auth.www_authenticate": (
        "auth.config",
        "server.endpoint",
    ),
    "elicitation.client_channel": ("elicitation.forms",),
    "elicitation.confirm": (
        "elicitation.forms",
        "observability.redact_names",
        "server.request_states",
    ),
    "elicitation.elicit_tool": (
        "elicitation.forms",
        "server.feature",
        "server.message_rules",
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
    "limits.circuit_breaker": (),
    "limits.circuit_breaker_redis": (
        "limits.circuit_breaker",
        "limits.redis_client",
        "server.request_states",
    ),
    "limits.concurrency": ("limits.settings",),
    "limits.rate_limits": (
        "limits.settings",
        "limits.sliding_window",
        "server.message_rules",
        "server.request_states",
    ),
    "limits.redis_client": ("server.request_states",),
    "limits.retries": (),
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
    ),
    "observability.audit_json": (
        "observability.audit",
        "observability.redact_names",
        "observability.request_id",
        "server.message_rules",
    ),
    "observability.audit_otel": (
        "observability.audit",
        "observability.redact_names",
        "observability.request_id",
        "server.message_rules",
    ),
    "observability.metrics": ("server.message_rules",),
    "observability.redact_names": (),
    "observability.request_id": (),
    "observability.telemetry": (),
    "registry.client": (),
    "registry.registration": (
        "auth.config",
        "registry.client",
        "registry.server_card",
    ),
    "registry.server_card": (),
    "resources.completion": (
        "elicitation.forms",
        "resources.completion_values",
        "resources.prompts",
        "resources.resources",
        "server.feature",
        "server.message_rules",
    ),
    "resources.completion_values": (),
    "resources.prompts": (
        "elicitation.forms",
        "resources.completion_values",
        "resources.resources",
        "server.feature",
        "server.message_rules",
    ),
    "resources.resources": (
        "resources.completion_values",
        "server.feature",
        "server.message_rules",
    ),
    "resources.subscriptions": (
        "resources.completion_values",
        "resources.resources",
        "server.feature",
        "server.message_rules",
    ),
    "resources.subscriptions_redis": (
        "limits.redis_client",
        "server.request_states",
    ),
    "scripts.documentation": (
        "server.feature",
        "server.message_rules",
    ),
    "scripts.sandbox": (
        "scripts.documentation",
        "server.feature",
        "server.message_rules",
        "validation.nesting",
    ),
    "scripts.script": (
        "scripts.documentation",
        "scripts.sandbox",
        "scripts.script_docs",
        "server.feature",
        "server.message_rules",
        "validation.nesting",
    ),
    "scripts.script_docs": (
        "scripts.documentation",
        "server.feature",
        "server.message_rules",
    ),
    "search.connector": (),
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
    "server.endpoint": (),
    "server.env_arguments": (),
    "server.feature": ("server.message_rules",),
    "server.list_pages": (),
    "server.log_level": (
        "server.feature",
        "server.message_rules",
    ),
    "server.message_rules": (),
    "server.opt_in_tools": (),
    "server.package_watch": ("server.reload",),
    "server.pagination": (),
    "server.reload": (),
    "server.request_states": (),
    "server.sessions": (),
    "server.toolsets": (),
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
        "validation.nesting",
        "validation.subschemas",
    ),
    "validation.definitions": (),
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
