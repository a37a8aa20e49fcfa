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

    result = build.lower_operation(config=Config(limits=limits, locations={PLACE.path: PLACE}))

    (finding,) = result.diagnostics
    assert finding.code.id == "MG385"
    assert finding.at == PLACE
    assert "`do_thing`" in finding.hint


def test_limits_reach_the_server(build: Any) -> None:
    limits = LimitsConfig(all="9/minute", store=CountStore.REDIS, call_seconds=4, error_code=-32002)

    assert build.lower_operation(config=Config(limits=limits)).server.limits == limits


def test_events_and_a_json_log_bring_what_they_need(build: Any) -> None:
    observability_config = ObservabilityConfig(
        audit=AuditDestination.OPENTELEMETRY, log=LogFormat.JSON
    )

    observability = build.lower_operation(
        config=Config(observability=observability_config)
    ).server.observability

    assert observability.has_opentelemetry
    assert observability.has_request_ids
