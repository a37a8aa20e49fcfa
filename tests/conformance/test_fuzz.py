"""Requests made from the grammar: the same in every run, judged by the schema, shrunk."""

from __future__ import annotations

from typing import Any

import pytest
from base_server import ConformingServer, ReceivedRequest, Reply, serving
from features import Rich

from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus, check
from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.exchange import Fault, FaultKind, HttpExchange
from mcpgen.conformance.fuzz import MAX_NAME, find_violation, make_requests, shrink
from mcpgen.conformance.message_schemas import notification_problem, result_problem
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.revisions import ALL
from mcpgen.conformance.strict_json import dumps

LATE = "2025-11-25"
ONLY = CheckOptions(active=True, only=frozenset({"fuzzed-requests-answered"}))


class DropsUris(Rich):
    """A server that closes the connection for a URI other than a text."""

    def __init__(self) -> None:
        super().__init__()
        self.received: list[Any] = []

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        self.received.append(message)
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(params, dict) and not isinstance(params.get("uri", ""), str):
            raise OSError("the connection is closed")
        return super().single(request, message)


class FailsEverySecondTime(DropsUris):
    """A server that also crashes at every second unknown URI, each time with another status."""

    statuses = (500, 501, 502, 505, 506, 507, 508)

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(params, dict) and str(params.get("uri")).startswith("nowhere:no_such"):
            self.reads += 1
            if self.reads % 2:
                return Reply(self.statuses[self.reads // 2 % len(self.statuses)])
        return super().single(request, message)


class KeepsNames(Rich):
    """A server that keeps the `Mcp-Name` headers of its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        self.names.append(request.headers.get("mcp-name", ""))
        return super().single(request, message)


def messages_to(server: ConformingServer, count: int = 60) -> list[bytes]:
    """The requests that the grammar makes for a server."""
    with serving(server) as url:
        probe = Probe(url, timeout=30, deadline=120, max_bytes=1 << 20)
        session = CheckTarget(probe, CheckOptions()).in_revision(LATE).session
        messages = [dumps(message) for message in make_requests(session, count)]
        probe.close()
        return messages


def test_every_run_sends_the_same_requests() -> None:
    assert messages_to(Rich()) == messages_to(Rich())


def test_requests_cover_the_declared_features_and_call_no_tool() -> None:
    text = b"".join(messages_to(Rich(), 240))

    for method in ("prompts/get", "resources/read", "completion/complete", "logging/setLevel"):
        assert method.encode() in text
    assert b'"name":"add"' not in text
    assert b"prompts/get" not in b"".join(messages_to(ConformingServer(), 240))


def test_no_request_has_a_header_that_servers_refuse_for_its_length() -> None:
    server = KeepsNames()
    with serving(server) as url:
        check(url, ONLY)

    assert 10 < max(len(name) for name in server.names) <= MAX_NAME


def only_warning(server: ConformingServer) -> CheckOutcome:
    """The warning of a run on a server that has no other."""
    with serving(server) as url:
        report = check(url, ONLY)
    (outcome,) = [o for o in report.outcomes if o.status is CheckStatus.WARNING]
    return outcome


def test_finding_shows_the_smallest_request_with_the_violation() -> None:
    outcome = only_warning(DropsUris())

    assert "no answer: the server closed the connection" in outcome.saw
    request = outcome.saw.partition(", to ")[2]
    assert '"id": 1' in request
    assert len(request) < 200


def test_violations_that_do_not_repeat_do_not_end_the_search() -> None:
    server = FailsEverySecondTime()

    outcome = only_warning(server)

    assert "no answer: the server closed the connection" in outcome.saw
    assert server.reads >= 2 * len(server.statuses)


def test_fuzzing_is_made_with_active_only() -> None:
    with serving(ConformingServer()) as url:
        report = check(url, CheckOptions())

    assert "fuzzed-requests-answered" not in {o.check.id for o in report.outcomes}
    assert any("fuzzed-requests-answered" in note for note in report.notes)


def test_violation_that_does_not_repeat_is_not_shown() -> None:
    smallest = shrink({"jsonrpc": "2.0"}, lambda message: HttpExchange(400), LATE)

    assert not smallest.category


REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
JSON_TYPE = {"content-type": "application/json"}


def answer(message: Any, status: int = 200) -> HttpExchange:
    """An exchange with one message."""
    return HttpExchange(status, JSON_TYPE, dumps(message), (message,))


@pytest.mark.parametrize(
    ("exchange", "category"),
    [
        (HttpExchange(404), ""),
        (HttpExchange(202), "HTTP 202 without a response"),
        (HttpExchange(500), "HTTP 500 without a JSON-RPC error"),
        (HttpExchange(fault=Fault(FaultKind.DISCONNECTED, "closed")), "no answer: closed"),
        (HttpExchange(fault=Fault(FaultKind.DEADLINE, "not asked")), ""),
        (answer({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}), ""),
        (
            answer({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "No"}}, 500),
            "",
        ),
        (
            answer({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}),
            "a response with another id: 2",
        ),
        (
            answer({"jsonrpc": "2.0", "id": 1, "result": {"tools": None}}),
            'ListToolsResult, at `/tools`: null is not of type "array"',
        ),
        (
            answer({"jsonrpc": "2.0", "id": 1, "error": {"code": "E", "message": "No"}}),
            "the code of an error is 'E'",
        ),
    ],
)
def test_refusals_are_answers_and_other_answers_follow_the_schema(
    exchange: HttpExchange, category: str
) -> None:
    violation = find_violation(LATE, REQUEST, exchange)

    assert violation.startswith(category)
    assert bool(violation) == bool(category)


def test_value_that_no_validator_reads_has_no_violation() -> None:
    deep: Any = 7
    for _ in range(2_000):
        deep = [deep]

    assert result_problem(LATE, "tools/list", {"tools": [{"name": "\ud800"}]}) == ""
    assert isinstance(result_problem(LATE, "tools/list", {"tools": deep}), str)


@pytest.mark.parametrize(
    ("request_id", "response_id", "is_other"),
    [
        (10**30, 1e30, False),
        (1.5, 1, True),
        ("1", 1, True),
        (7, 7, False),
    ],
)
def test_ids_are_compared_as_javascript_reads_numbers(
    request_id: Any, response_id: Any, is_other: bool
) -> None:
    response = {"jsonrpc": "2.0", "id": response_id, "result": {"tools": []}}

    category = find_violation(LATE, REQUEST | {"id": request_id}, answer(response))

    assert category.startswith("a response with another id") == is_other


def test_error_for_a_malformed_request_may_have_any_id() -> None:
    error = {"code": -32600, "message": "No"}
    response = {"jsonrpc": "2.0", "id": "server-error", "error": error}
    internal = response | {"error": error | {"code": -32603}}

    assert find_violation(LATE, REQUEST | {"id": True}, answer(response)) == ""
    assert find_violation(LATE, {"jsonrpc": "2.0", "id": 1}, answer(response)) == ""
    assert find_violation(LATE, REQUEST, answer(response)) == ""
    assert find_violation(LATE, REQUEST, answer(internal))


@pytest.mark.parametrize("revision", ALL)
def test_schema_of_every_revision_judges_results_and_notifications(revision: str) -> None:
    result = {"tools": [], "resultType": "complete", "ttlMs": 1, "cacheScope": "public"}
    progress = {"jsonrpc": "2.0", "method": "notifications/progress"}
    params = {"progressToken": "t", "progress": 1}

    assert result_problem(revision, "tools/list", result) == ""
    assert result_problem(revision, "tools/list", result | {"nextCursor": 7})
    assert result_problem(revision, "example/extension", {"a": 1}) == ""
    assert notification_problem(revision, progress | {"params": params}) == ""
    assert notification_problem(revision, progress | {"params": {"progress": "half"}})
    assert notification_problem(revision, {"method": "notifications/extension"}) == ""
