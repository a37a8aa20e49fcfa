"""Choices that change nothing, because another one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from mcpgen.config import Config, DiscoveryMode, DocsMode, ElicitMode, ScriptMode
from mcpgen.config.tables.authentication import AuthenticationConfig
from mcpgen.config.tables.observability import AuditDestination
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes


def report_unused_keys(config: Config, diagnostics: Diagnostics, *, has_resources: bool) -> None:
    """Adds IDLE_KEY for every key of `mcpgen.toml` that is written down and means nothing."""
    for table, keys, needed in _missing(config, has_resources):
        for key in keys:
            if place := config.at(table, key):
                diagnostics.add(codes.IDLE_KEY, place, key=f"{table}.{key}", needed=needed)


def _missing(config: Config, has_resources: bool) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Tables, keys in them, and what these need and do not have."""
    if config.scripting.mode is not ScriptMode.ON:
        yield "script", ("name", "root"), '`script.mode = "on"`'
    if config.documenting.mode is not DocsMode.ON:
        yield "docs", ("name",), '`docs.mode = "on"`'
    if config.eliciting.mode is not ElicitMode.ON:
        yield "elicitation", ("name",), '`elicitation.mode = "on"`'
    if not config.eliciting.sessions:
        yield "elicitation", ("resumable",), "`elicitation.sessions = true`"
    if config.finding.mode is not DiscoveryMode.ON:
        yield "discovery", ("pinned",), '`discovery.mode = "on"`'
    if not has_resources:
        yield "notices", ("changes",), "a resource"
    limits, confirming = config.limits, config.confirming
    has_rates = limits.all or limits.subject or limits.tools or limits.subject_tools
    has_confirmations = confirming.destructive or confirming.tools or confirming.scopes
    if not (has_rates or limits.breaker_failures or has_confirmations or config.notices.changes):
        needed = "a rate, `limits.breaker_failures`, `[confirm]` or `notices.changes`"
        yield "limits", ("store",), needed
    if config.knowledge.audit is not AuditDestination.LINES:
        yield "audit", ("required",), '`audit.to = "lines"`'
    if not config.authentication.required:
        chosen = config.authentication
        names = (each.name for each in fields(AuthenticationConfig) if each.name != "required")
        # `mcpgen new` writes every table, with its keys as comments.
        keys = tuple(name for name in names if getattr(chosen, name) != {})
        yield "authentication", keys, "`authentication.required = true`"
    if not config.registry.url:
        yield "registry", ("flow", "ttl_seconds"), "`registry.url`"
