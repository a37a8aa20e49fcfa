"""Legal behavior is no MUST violation; the illegal neighbor of the behavior still is."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import auth
import features
import pytest
import sessions
import streams
import tool_calls
import transport
from base_server import (
    ALL,
    MODERN,
    ConformingServer,
    ReceivedRequest,
    Refusal,
    Reply,
    serving,
    tool,
)

from mcpgen.conformance import (
    CallableTools,
    CheckOptions,
    CheckStatus,
    Report,
    as_html,
    as_json,
    as_junit,
    as_markdown,
    as_sarif,
    as_text,
    baseline,
    check,
    probe,
)
from mcpgen.conformance.model import RATE_LIMIT
from mcpgen.conformance.revisions import LEGACY

OPTIONS = CheckOptions(
    call=CallableTools.ALL, timeout=60, call_timeout=60, deadline=600, profiles=("protocol",)
)
SECURITY = replace(OPTIONS, profiles=("protocol", "security"))


def report_on(server: ConformingServer, *ids: str, options: CheckOptions = OPTIONS) -> Report:
    """The report of the checks `ids` on a server."""
    with serving(server) as url:
        return check(url, replace(options, only=frozenset(ids)))


def statuses(report: Report, id: str) -> set[CheckStatus]:
    """The statuses of the outcomes of one check."""
    return {outcome.status for outcome in report.outcomes if outcome.check.id == id}


class SlowTool(ConformingServer):
    """A server whose tool `echo` takes `seconds`."""

    seconds = 3.2

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result, late."""
        if name == "echo":
            time.sleep(self.seconds)
        return super().run(name, arguments)


class VerySlowTool(SlowTool):
    """A server whose tool `echo` takes longer than a call may."""

    seconds = 10.0


class InternalErrors(ConformingServer):
    """A server whose tool `echo` fails with an internal error."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The error."""
        if name == "echo":
            raise Refusal(-32603, "the upstream API cannot be reached", 500)
        return super().run(name, arguments)


def test_tool_may_take_longer_than_other_requests() -> None:
    options = replace(OPTIONS, timeout=3)

    report = report_on(SlowTool(), "tool-call-answered", options=options)

    assert statuses(report, "tool-call-answered") == {CheckStatus.PASSED}


@pytest.mark.repeated("waits for a time limit that tests of reading responses hold")
def test_call_without_answer_in_time_warns() -> None:
    options = replace(OPTIONS, timeout=3, call_timeout=3)

    report = report_on(
        VerySlowTool(), "tool-call-answered", "tool-result-every-revision", options=options
    )

    assert statuses(report, "tool-call-answered") == {CheckStatus.WARNING}
    assert not report.failed


def test_internal_error_of_a_tool_warns() -> None:
    ids = ("tool-call-answered", "tool-result-every-revision", "bad-arguments-refused")

    report = report_on(InternalErrors(), *ids)

    assert statuses(report, "tool-call-answered") == {CheckStatus.WARNING}
    assert not report.failed


def test_progress_extends_the_time_of_a_tool() -> None:
    with progressing(pause=1.5, steps=4) as url:
        options = replace(OPTIONS, call_timeout=5, only=frozenset({"tool-call-answered"}))
        report = check(url, options)

    assert statuses(report, "tool-call-answered") == {CheckStatus.PASSED}


@contextmanager
def progressing(pause: float, steps: int) -> Iterator[str]:
    """The URL of a server whose tool sends a progress notification each `pause` seconds."""
    server = ConformingServer()

    class ProgressHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """An event stream for a call, the answer of the conforming server otherwise."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.answer(ReceivedRequest("POST", headers, body))
            message = json.loads(body)
            self.send_response(reply.status)
            if message["method"] != "tools/call":
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                return
            self.close_connection = True
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            token = message["params"]["_meta"]["progressToken"]
            for step in range(steps):
                params = {"progressToken": token, "progress": step}
                self.event({"method": "notifications/progress", "params": params})
                time.sleep(pause)
            self.event(json.loads(reply.body))

        def event(self, message: dict[str, Any]) -> None:
            """Sends one event."""
            text = json.dumps({"jsonrpc": "2.0"} | message)
            self.wfile.write(f"data: {text}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            """No log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), ProgressHandler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{http.server_port}/mcp"
        finally:
            http.shutdown()


class EndsSessionsLater(sessions.NeverIssued):
    """A server that answers DELETE with HTTP 202 and ends the session after 0.3 s."""

    def delete(self, request: ReceivedRequest) -> Reply:
        """HTTP 202."""
        threading.Timer(0.3, super().delete, [request]).start()
        return Reply(202)


def test_400_for_a_session_id_never_issued_warns() -> None:
    report = report_on(sessions.NeverIssued(), "session-unknown-404", "session-deleted-404")

    assert CheckStatus.WARNING in statuses(report, "session-unknown-404")
    assert CheckStatus.PASSED in statuses(report, "session-deleted-404")
    assert not report.failed


def test_session_may_end_after_the_answer_202() -> None:
    assert not report_on(EndsSessionsLater(), "session-deleted-404").failed


def test_400_for_a_deleted_session_fails() -> None:
    assert report_on(sessions.VagueAboutSessions(), "session-deleted-404").failed


class FewSessions(sessions.Sessions):
    """A server that keeps the newest two sessions and ends a session after 15 requests."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.counts: Counter[str] = Counter()

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        """The result; a new session ends the third newest."""
        reply = super().result_reply(identifier, result, message)
        if session := reply.headers.get("Mcp-Session-Id"):
            self.ids.append(session)
            self.sessions -= {*self.ids[:-2]}
        return reply

    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        """HTTP 404 for a batch in a session that has ended."""
        return self.check_session(request, messages[0]) or super().batch(request, messages)

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        """HTTP 404 for a session that has ended."""
        session = request.headers.get("mcp-session-id", "")
        self.counts[session] += 1
        if self.counts[session] > 15:
            self.sessions.discard(session)
        return super().check_session(request, message)


def test_sessions_may_end_at_any_time() -> None:
    report = report_on(FewSessions())

    assert report.revisions == ALL
    assert not report.failed, as_text(report)


def test_server_without_sessions_that_last_fails() -> None:
    report = report_on(sessions.NeverServes(), "session-honoured", "ping-answers")

    assert report.failed


class Limited(ConformingServer):
    """A server with HTTP 429 for each request that is sent for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def answer(self, request: ReceivedRequest) -> Reply:
        """HTTP 429, or the answer."""
        headers = {name: request.headers[name] for name in {*request.headers} - {"test-connection"}}
        key = f"{request.method} {sorted(headers.items())} {request.body!r}"
        self.counts[key] += 1
        is_answered = self.counts[key] % 2 == 0
        return super().answer(request) if is_answered else Reply(429, headers={"Retry-After": "0"})


class LimitedAfterAWhile(ConformingServer):
    """A server that takes 40 requests in an hour."""

    count = 0

    def answer(self, request: ReceivedRequest) -> Reply:
        """The answer, or HTTP 503 from the 41st request on."""
        self.count += 1
        if self.count <= 40:
            return super().answer(request)
        return Reply(503, headers={"Retry-After": "3600"})


class LimitedFromTheBeginning(LimitedAfterAWhile):
    """A server that has taken its requests before the run."""

    count = 40


def test_rate_limit_is_waited_for() -> None:
    report = report_on(Limited())

    assert report.revisions == ALL
    assert not report.failed, as_text(report)


def test_checks_behind_a_rate_limit_are_blocked() -> None:
    report = report_on(LimitedAfterAWhile())

    blocked = [outcome for outcome in report.outcomes if outcome.status is CheckStatus.BLOCKED]
    assert {outcome.blocked_by for outcome in blocked} == {RATE_LIMIT}
    assert not report.counts[CheckStatus.FAILED], as_text(report)
    assert report.failed


class LimitedUntilNoDate(LimitedFromTheBeginning):
    """A server whose `Retry-After` has a year that no date has."""

    def answer(self, request: ReceivedRequest) -> Reply:
        """HTTP 503 with the date."""
        retry_after = f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"
        return replace(super().answer(request), headers={"Retry-After": retry_after})


def test_retry_after_that_is_no_date_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "RATE_LIMIT_WAITS", (0.01,))

    report = report_on(LimitedUntilNoDate(), "speaks-mcp")

    assert not report.counts[CheckStatus.FAILED], as_text(report)
    assert report.failed


def test_rate_limit_before_the_first_answer_is_no_violation() -> None:
    report = report_on(LimitedFromTheBeginning())

    assert not report.counts[CheckStatus.FAILED], as_text(report)
    assert report.failed


class EarlyHints(ConformingServer):
    """A server with informational responses before each answer, as RFC 9110 §15.2 allows."""

    def answer(self, request: ReceivedRequest) -> Reply:
        """The answer after 100, 102 and 103."""
        interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
        return replace(super().answer(request), interim=interim + hints)


def test_informational_responses_come_before_the_answer() -> None:
    report = report_on(EarlyHints(), "speaks-mcp", "tools-list-shape", "header-white-space")

    assert report.revisions == ALL
    assert {outcome.status for outcome in report.outcomes} == {CheckStatus.PASSED}


class OtherCodeForUnknownMethods(ConformingServer):
    """A server with the error -32602 for an unknown method, as the Python SDK 1 has."""

    def unknown_method(self, method: str) -> dict[str, Any]:
        """The error."""
        raise Refusal(-32602, "Invalid request parameters")


class NoErrorForUnknownMethods(ConformingServer):
    """A server with a result for an unknown method."""

    def unknown_method(self, method: str) -> dict[str, Any]:
        """The result."""
        return {}


class FailsInside(features.Rich):
    """A server whose prompts, completions, resources and log levels fail with -32603."""

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The error, for single items."""
        params = message.get("params") or {}
        if message["method"] in FAILING and not STRANGE & {params.get("name"), params.get("uri")}:
            raise Refusal(-32603, "the database is down", 500)
        return super().result(message, request)


FAILING = ("prompts/get", "completion/complete", "resources/read", "logging/setLevel")
STRANGE = {"no_such_prompt_anywhere"}


class OpenTemplates(features.Rich):
    """A server with a template that begins with an expression, or with `beginning`."""

    beginning = "{+uri}"

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The template."""
        result = super().result(message, request)
        if message["method"] == "resources/templates/list":
            result["resourceTemplates"] = [{"uriTemplate": self.beginning, "name": "any"}]
        return result


class PathTemplates(OpenTemplates):
    """A server with a template that expands to a path."""

    beginning = "/search/{query}"


class ManyTemplates(features.Rich):
    """A server with templates that have several kinds of expressions; `uris_read` are kept."""

    templates = ("test:a{?q}", "test:{a,b}", "test:{/p*}", "test:{id}", "test:item/{+path}")

    def __init__(self) -> None:
        super().__init__()
        self.uris_read: set[str] = set()

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The templates."""
        result = super().result(message, request)
        if message["method"] == "resources/templates/list":
            result["resourceTemplates"] = [
                {"uriTemplate": template, "name": template} for template in self.templates
            ]
        return result

    def read(self, uri: Any, code: int) -> dict[str, Any]:
        """The contents."""
        self.uris_read.add(uri)
        return super().read(uri, code)


class EmptyRich(features.Rich):
    """A server with subscriptions and without resources."""

    def resources(self) -> list[dict[str, Any]]:
        """No resource."""
        return []


class RefusesWithInternalErrors(ConformingServer):
    """A server that refuses malformed messages with HTTP 500 and -32603."""

    def broken_json(self, request: ReceivedRequest) -> Reply:
        """The refusal."""
        return self.error_reply(None, Refusal(-32603, "Internal error", 500), always=True)

    def check_envelope(self, message: Any) -> None:
        """The refusal."""
        try:
            super().check_envelope(message)
        except Refusal:
            raise Refusal(-32603, "Internal error", 500) from None


MALFORMED = (
    "malformed-json-refused",
    "invalid-request-refused",
    "invalid-envelope-refused",
    "request-id-null-refused",
    "body-not-utf8-refused",
)


def test_internal_error_refuses_a_malformed_message() -> None:
    report = report_on(RefusesWithInternalErrors(), *MALFORMED)

    assert {outcome.status for outcome in report.outcomes} == {CheckStatus.PASSED}


def test_other_error_code_for_an_unknown_method_warns_before_2026_07_28() -> None:
    report = report_on(OtherCodeForUnknownMethods(), "unknown-method-32601")

    by_revision = {outcome.revision: outcome.status for outcome in report.outcomes}
    assert by_revision.pop(MODERN) is CheckStatus.FAILED
    assert set(by_revision.values()) == {CheckStatus.WARNING}


def test_result_for_an_unknown_method_fails() -> None:
    report = report_on(NoErrorForUnknownMethods(), "unknown-method-32601")

    assert statuses(report, "unknown-method-32601") == {CheckStatus.FAILED}


def test_completions_may_be_declared_with_nothing_to_complete() -> None:
    report = report_on(features.NothingToComplete(), "completion-shape")

    assert statuses(report, "completion-shape") == {CheckStatus.NOT_APPLICABLE}


def test_subscriptions_may_be_declared_without_resources() -> None:
    report = report_on(EmptyRich(), "resource-subscribe-answered")

    assert statuses(report, "resource-subscribe-answered") == {CheckStatus.NOT_APPLICABLE}


def test_internal_errors_of_listed_items_warn() -> None:
    ids = ("prompt-get-shape", "completion-shape", "resource-read-shape", "log-level-set")

    report = report_on(FailsInside(), *ids)

    assert not report.failed
    assert all(CheckStatus.WARNING in statuses(report, id) for id in ids)


class AsksForInput(features.MangledRich):
    """A server whose prompts and calls ask the client for input, in every revision."""

    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method not in ("prompts/get", "tools/call"):
            return result
        common = {key: result[key] for key in ("_meta",) if key in result}
        return common | {"resultType": "input_required", "requestState": "a"}


def test_question_to_the_client_is_no_result_before_2026_07_28() -> None:
    ids = ("prompt-get-shape", "tool-result-every-revision", "messages-match-schema")

    report = report_on(AsksForInput(), *ids)

    violated = {
        (outcome.check.id, outcome.revision)
        for outcome in report.outcomes
        if outcome.status in (CheckStatus.FAILED, CheckStatus.WARNING)
    }
    assert violated == {(id, revision) for id in ids for revision in LEGACY}


def test_question_to_the_client_has_the_shape_of_no_call_before_2026_07_28() -> None:
    options = replace(OPTIONS, profiles=("mcp-2025-11-25",))

    report = report_on(AsksForInput(), "tool-result-shape", options=options)

    assert statuses(report, "tool-result-shape") == {CheckStatus.FAILED}


class NamelessArguments(features.MangledRich):
    """A server with a prompt whose first argument has no name; keeps the names of completed arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.completed: set[Any] = set()

    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "prompts/list":
            result["prompts"] = [
                {"name": "greet", "arguments": [{"required": True}, {"name": "who"}]}
            ]
        return result

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The result; notes the argument of a completion."""
        if message["method"] == "completion/complete":
            self.completed.add(message["params"]["argument"]["name"])
        return super().result(message, request)


def test_argument_without_a_name_is_not_completed() -> None:
    server = NamelessArguments()

    report_on(server, "completion-shape")

    assert server.completed == {"who"}


class FailsOnHostileTexts(features.Rich):
    """A server that answers hostile texts and URIs with HTTP 500 and -32603."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The error, for arguments with control characters."""
        if any(isinstance(value, str) and not value.isprintable() for value in arguments.values()):
            raise Refusal(-32603, "embedded control character", 500)
        return super().run(name, arguments)

    def read(self, uri: Any, code: int) -> dict[str, Any]:
        """The error, for URIs of files."""
        if str(uri).startswith("file:"):
            raise Refusal(-32603, "no files here", 500)
        return super().read(uri, code)


def test_internal_errors_for_hostile_texts_warn() -> None:
    ids = ("path-like-arguments-safe", "header-like-arguments-safe", "resource-files-safe")

    report = report_on(FailsOnHostileTexts(), *ids, options=replace(SECURITY, active=True))

    assert not report.failed
    assert all(CheckStatus.WARNING in statuses(report, id) for id in ids)


class OwnTokens(ConformingServer):
    """A server with tokens of its own, without OAuth: 401 without a token, 403 for a wrong one."""

    credentials: ClassVar[dict[str, str]] = {"Authorization": "Bearer sesame"}

    def guard(self, request: ReceivedRequest) -> Reply | None:
        """The refusal."""
        if request.path.startswith("/.well-known"):
            return Reply(404)
        token = request.headers.get("authorization")
        if token is None:
            return Reply(401, b"", {"WWW-Authenticate": 'Token realm="test"'})
        return super().guard(request) if token == "Bearer sesame" else Reply(403)


def test_wrong_tokens_may_be_forbidden_without_oauth() -> None:
    ids = ("auth-wrong-401", "auth-forged-401", "auth-expired-401", "auth-audience-401")
    server = OwnTokens()

    report = report_on(server, *ids, options=replace(SECURITY, headers=server.credentials))

    assert not report.failed
    assert all(CheckStatus.WARNING in statuses(report, id) for id in ids)


class ForbidsSessionsWithoutToken(auth.Guarded, sessions.Sessions):
    """A server that answers 403 to requests of a session without a token."""

    def unauthorized(self, request: ReceivedRequest) -> Reply:
        """The refusal."""
        if request.headers.get("mcp-session-id") in self.sessions:
            return Reply(403)
        return super().unauthorized(request)


def test_session_without_token_may_be_forbidden() -> None:
    server = ForbidsSessionsWithoutToken()
    options = replace(SECURITY, headers=server.credentials)

    report = report_on(server, "session-is-no-credential", options=options)

    assert CheckStatus.PASSED in statuses(report, "session-is-no-credential")
    assert not report.failed


def test_template_may_begin_with_an_expression() -> None:
    assert not report_on(OpenTemplates(), "resource-templates-shape").failed
    assert report_on(PathTemplates(), "resource-templates-shape").failed


def test_only_templates_whose_expressions_are_expanded_are_read() -> None:
    server = ManyTemplates()

    report = report_on(server, "resource-read-shape")

    assert not report.failed
    assert server.uris_read - features.CONTENTS.keys() == {"test:1", "test:item/1"}


class NoList(ConformingServer):
    """A server with an error for `tools/list`."""

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        """The error."""
        raise Refusal(-32603, "no list")


def test_checks_of_an_unreadable_list_are_blocked_by_one_failure() -> None:
    with serving(NoList()) as url:
        report = check(url, OPTIONS)

    failed_checks = {o.check.id for o in report.outcomes if o.status is CheckStatus.FAILED}
    blocked = [o for o in report.outcomes if o.status is CheckStatus.BLOCKED]
    assert failed_checks == {"tools-list-shape"}
    assert {outcome.blocked_by for outcome in blocked} == {"tools-list-shape"}
    assert report.failed


def test_second_finding_of_one_cause_is_blocked() -> None:
    report = report_on(transport.NoBatches(), "batch-answered", "batch-notifications-202")

    assert statuses(report, "batch-answered") == {CheckStatus.FAILED}
    assert CheckStatus.BLOCKED in statuses(report, "batch-notifications-202")


def test_blocked_check_fails_the_run_if_no_violation_in_the_report_is_the_cause() -> None:
    report = report_on(NoList(), "tool-schemas-valid")

    assert {outcome.status for outcome in report.outcomes} == {CheckStatus.BLOCKED}
    assert report.failed


def test_baseline_with_the_cause_covers_the_blocked_checks() -> None:
    with serving(NoList()) as url:
        report = check(url, OPTIONS)

    assert not baseline.apply_baseline(report, baseline.of(report)).failed


def test_every_format_names_the_cause_of_blocked_checks() -> None:
    report = report_on(NoList(), "tools-list-shape", "tool-schemas-valid")

    assert "by tools-list-shape: tool-schemas-valid" in as_text(report)
    assert "blocked by `tools-list-shape`: `tool-schemas-valid`" in as_markdown(report)
    assert 'message="blocked by tools-list-shape"' in as_junit(report)
    assert "blocked by" in as_html(report)
    (run,) = as_sarif(report)["runs"]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "tool-schemas-valid" in notification["message"]["text"]
    blocked = [o for o in as_json(report)["outcomes"] if o["status"] == "blocked"]
    assert {o["blocked_by"] for o in blocked} == {"tools-list-shape"}


class HttpSse(ConformingServer):
    """A server of the transport HTTP+SSE: GET opens the stream, POST needs a session id."""

    def answer(self, request: ReceivedRequest) -> Reply:
        """The stream with the `endpoint` event, or HTTP 400."""
        if request.method != "GET":
            return Reply(400, b"sessionId is missing", {"Content-Type": "text/plain"})
        body = b"event: endpoint\ndata: /messages?sessionId=7\n\n"
        return Reply(200, body, {"Content-Type": "text/event-stream"}, hold=0.5)


def test_server_over_http_sse_is_not_checked_and_has_no_failure() -> None:
    report = report_on(HttpSse(), "speaks-mcp", "ping-answers")

    assert statuses(report, "speaks-mcp") == {CheckStatus.BLOCKED}
    assert {o.blocked_by for o in report.outcomes} == {"http+sse", "speaks-mcp"}
    assert report.counts[CheckStatus.FAILED] == 0
    assert report.failed
    assert (
        "the server speaks HTTP+SSE of 2024-11-05; the checks need Streamable HTTP" in report.notes
    )


def test_call_that_ends_when_cancelled_passes() -> None:
    report = report_on(tool_calls.Cancellable(), "cancelled-call-stopped")

    assert statuses(report, "cancelled-call-stopped") == {CheckStatus.PASSED}


def test_cancellation_is_not_checked_without_a_slow_tool() -> None:
    report = report_on(ConformingServer(), "cancelled-call-stopped")

    assert statuses(report, "cancelled-call-stopped") == {CheckStatus.NOT_APPLICABLE}


class BatchesOnAStream(streams.Streaming):
    """A server that answers a call with an event that holds a batch."""

    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        """The answer to a call as a batch of one response."""
        if b'"tools/call"' in request.body and reply.body:
            reply.body = b"[" + reply.body + b"]"
        return super().stream(request, reply)


def test_batch_on_a_stream_is_legal_in_2025_03_26_alone() -> None:
    report = report_on(BatchesOnAStream(), "response-shape", "tool-result-every-revision")

    failed = {o.revision for o in report.outcomes if o.status is CheckStatus.FAILED}
    assert failed == {*ALL} - {"2025-03-26"}


class Labels(ConformingServer):
    """A server with a tool that takes further arguments of some names alone."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        label = tool("label", {}, [])
        label["inputSchema"]["patternProperties"] = {pattern: {"type": "string"}}
        self.tools = [label]

    def argument_problem(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str:
        """No problem: every argument is taken."""
        return ""


@pytest.mark.parametrize(("pattern", "fails"), [("^[a-z_]+$", False), ("^[0-9]+$", True)])
def test_argument_that_a_pattern_allows_is_no_bad_argument(pattern: str, fails: bool) -> None:
    report = report_on(Labels(pattern), "bad-arguments-refused")

    assert (CheckStatus.FAILED in statuses(report, "bad-arguments-refused")) is fails


class ErrorsWith(ConformingServer):
    """A server that adds a text to its errors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def error_reply(self, identifier: Any, refusal: Refusal, *, always: bool) -> Reply:
        """The error with the text."""
        refusal.error["message"] = f"{refusal.error['message']} {self.text}"
        return super().error_reply(identifier, refusal, always=always)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("at 2026-11-29T12:14:45Z", CheckStatus.PASSED),
        ("The limit is reset at 12:30:00", CheckStatus.PASSED),
        ("PARSE ERROR:\nThe message is no request.", CheckStatus.PASSED),
        ("See https://docs.example.com/app/errors", CheckStatus.PASSED),
        ("at run (/srv/index.js:12:5)", CheckStatus.WARNING),
        ("at index.js:12:5", CheckStatus.WARNING),
        ("C:\\server\\main.py", CheckStatus.WARNING),
        ("in file:///srv/server/main.py", CheckStatus.WARNING),
    ],
)
def test_times_and_web_addresses_are_no_paths_of_the_server(text: str, status: CheckStatus) -> None:
    report = report_on(ErrorsWith(text), "errors-show-no-inside", options=SECURITY)

    assert statuses(report, "errors-show-no-inside") == {status}


class OffersBasicFirst(auth.Guarded):
    """A server with two challenges, of which the second asks for a bearer token."""

    def unauthorized(self, request: ReceivedRequest) -> Reply:
        """The challenges in one header."""
        reply = super().unauthorized(request)
        challenge = f'Basic realm="a, Bearer b=c", {reply.headers["WWW-Authenticate"]}'
        return replace(reply, headers={"WWW-Authenticate": challenge})


def test_bearer_challenge_may_follow_another_challenge() -> None:
    options = replace(OPTIONS, headers=OffersBasicFirst.credentials)
    ids = ("auth-metadata-found", "auth-challenge-scope", "auth-error-code")

    report = report_on(OffersBasicFirst(), *ids, options=options)

    assert [statuses(report, id) for id in ids] == [{CheckStatus.PASSED}] * 3


class DrawsBrackets(ConformingServer):
    """A server with a text of very many brackets before the text form of its structured content."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result with the text first."""
        result = super().run(name, arguments)
        result["content"].insert(0, {"type": "text", "text": "[" * 100_000})
        return result


def test_text_of_many_brackets_is_not_the_structured_content() -> None:
    report = report_on(DrawsBrackets(), "structured-content-mirrored")

    assert statuses(report, "structured-content-mirrored") == {CheckStatus.PASSED}
