"""Measurements: how long a server takes, in numbers and as a row of blocks."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest
from base_server import ConformingServer, serving
from headers import Mirroring

from mcpgen.conformance import CallableTools, CheckOptions, CheckStatus, check
from mcpgen.conformance.checks.latency import histogram, summarize_durations
from mcpgen.conformance.checks.predicates import covers_host, private
from mcpgen.conformance.redaction import secretive


def test_summary_has_quantiles_and_buckets() -> None:
    measurement = summarize_durations(
        "tools/list", "2025-11-25", 0.25, [0.0015] * 18 + [0.015, 0.3]
    )

    assert (measurement.cold, measurement.count, measurement.min, measurement.p50) == (
        250,
        20,
        1.5,
        1.5,
    )
    assert (measurement.p95, measurement.max) == (15, 300)
    assert sum(count for _, count in measurement.buckets) == 20
    assert measurement.buckets[1] == (2.0, 18)
    assert math.isinf(measurement.buckets[-1][0])


def test_histogram_runs_from_the_first_bucket_to_the_last() -> None:
    summary = summarize_durations("tools/list", "", 0, [0.0015] * 8 + [0.004] * 4 + [0.015])
    endless = summarize_durations("tools/list", "", 0, [60.0])

    assert histogram(summary) == "1 ms █▄ ▁ 20 ms"
    assert histogram(endless) == "10000 ms █ …"


def test_latency_measures_every_kind_of_request() -> None:
    with serving(ConformingServer()) as url:
        report = check(url, CheckOptions(profiles=("latency",), call=CallableTools.ALL))

    measured_requests = [
        (measurement.name, measurement.revision) for measurement in report.measurements
    ]
    assert measured_requests == [
        ("initialize", "2025-11-25"),
        ("server/discover", "2026-07-28"),
        ("tools/list", "2026-07-28"),
        ("tools/call", "2026-07-28"),
    ]


class SlowRoute(Mirroring):
    """A server with one tool, which has mirrored arguments and takes longer than other requests may."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = self.tools[-1:]

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result after 1.5 s."""
        time.sleep(1.5)
        return super().run(name, arguments)


def test_measured_call_has_headers_and_time_as_other_calls() -> None:
    options = CheckOptions(
        call=CallableTools.ALL,
        only=frozenset({"latency-call"}),
        profiles=("latency",),
        timeout=1,
        call_timeout=60,
    )
    with serving(SlowRoute()) as url:
        report = check(url, options)

    assert {o.status for o in report.outcomes} == {CheckStatus.PASSED}


def test_latency_is_measured_only_on_request() -> None:
    with serving(ConformingServer()) as url:
        report = check(url, CheckOptions(only=frozenset({"ping-answers"})))

    assert report.measurements == ()


@pytest.mark.parametrize(
    "name",
    ["password", "apiKey", "X-Api-Key", "access_token", "token", "clientSecret", "user_password"],
)
def test_secret_names_are_recognized(name: str) -> None:
    assert secretive(name)


@pytest.mark.parametrize(
    "name", ["page_token", "max_tokens", "nextPageToken", "key", "author", "secretary", "pinned"]
)
def test_similar_names_are_not_secret(name: str) -> None:
    assert not secretive(name)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "10.1.2.3", "box", "a.test"])
def test_local_addresses_are_private(name: str) -> None:
    assert private(name)


def test_public_addresses_are_not_private() -> None:
    assert not private("mcp.example.com")
    assert not private("93.184.216.34")


def test_domain_covers_what_is_below_it_only_with_a_star() -> None:
    assert covers_host("A.Example.com", ("*.example.com",))
    assert covers_host("example.com", ("*.example.com",))
    assert not covers_host("a.example.com", ("example.com",))
    assert not covers_host("badexample.com", ("*.example.com",))
