"""Limits and observability follow the configuration."""

from __future__ import annotations

from typing import Any

from mcpgen.config import Config
from mcpgen.config.tables.limits import CountStore, LimitsConfig
from mcpgen.config.tables.server import AuditDestination, LogFormat, ObservabilityConfig
from mcpgen.diagnostics import Location

PLACE = Location("mcpgen.toml", ("limits", "tools", "do_thin"), 7, 3)


def test_a_rate_for_a_tool_that_is_not_there_is_an_error_with_the_nearest(build: Any) -> None:
    limits = LimitsConfig(tools={"do_thin": "3/second", "do_thing": "3/second"})

    made = build.one(config=Config(limits=limits, places={PLACE.path: PLACE}))

    (finding,) = made.diagnostics
    assert finding.code.id == "MG385"
    assert finding.at == PLACE
    assert "`do_thing`" in finding.hint


def test_limits_reach_the_server(build: Any) -> None:
    limits = LimitsConfig(all="9/minute", store=CountStore.REDIS, call_seconds=4, error_code=-32002)

    server = build.one(config=Config(limits=limits)).server

    assert (server.limits.rates.all, server.limits.rates.code) == ("9/minute", -32002)
    assert server.limits.shared
    assert server.limits.caps.call_seconds == 4


def test_the_code_of_a_refusal_is_the_status_unless_another_is_chosen(build: Any) -> None:
    assert build.one(config=Config()).server.limits.rates.code == 429


def test_what_is_reported_brings_what_it_needs(build: Any) -> None:
    chosen = ObservabilityConfig(audit=AuditDestination.OPENTELEMETRY, log=LogFormat.JSON)

    knowledge = build.one(config=Config(knowledge=chosen)).server.knowledge

    assert knowledge.opentelemetry
    assert knowledge.request_ids
    assert not knowledge.audit_lines


def test_calls_are_refused_without_an_audit_of_lines_alone(build: Any) -> None:
    lines = ObservabilityConfig(audit=AuditDestination.LINES, audit_required=True)
    records = ObservabilityConfig(audit=AuditDestination.OPENTELEMETRY, audit_required=True)

    assert build.one(config=Config(knowledge=lines)).server.knowledge.audit_required
    assert not build.one(config=Config(knowledge=records)).server.knowledge.audit_required
