"""Audit events: their content, redaction and destinations."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from tests.runtime.auth_servers import RefusingGate
from tests.runtime.conftest import CanarySettings, Serving, WireUpstream
from tests.runtime.test_rate_limits import SubjectHeaderRule, message

from mcpgen_runtime.auth.scopes import Roles
from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits.concurrency import Caps, CapSettings
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.observability.audit import Audit, Event
from mcpgen_runtime.observability.audit_json import AuditSettings, RequiredAudit, audit_lines
from mcpgen_runtime.observability.redact_names import redact_named
from mcpgen_runtime.observability.request_id import RequestIds
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

ROUTE = Route("GET", "/it")
WORDS = Argument("words", "query", {"type": "string"})
PASSWORD = Argument("password", "query", {"type": "string"})
TOOL = Tool("get", "Get", "Gets it.", ROUTE, Hints(True, False, True), (WORDS, PASSWORD))


def audit(events: list[Event], **more: Any) -> Audit:
    """Returns the audit rule; events are appended to a list."""
    return Audit(
        CanarySettings(key=SecretStr("canary-secret")), events.append, server="pets", **more
    )


async def test_a_call_leaves_an_event_with_who_what_and_how(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []

    async with serving(
        TOOL, upstream=upstream.url, rules=[audit(events), SubjectHeaderRule()]
    ) as client:
        await client.post(message("get"), X_Subject="ada")

    (event,) = events
    assert event.pop("time").endswith("+00:00")
    assert 0 < event.pop("durationMs") < 10_000
    assert event == {
        "event": "mcp.invoke",
        "server": "pets",
        "subject": "ada",
        "tool": "get",
        "outcome": "ok",
        "upstreamStatus": 200,
    }


async def test_a_failure_and_a_denial_are_told_apart(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def deny(call: Call) -> Result:
        return Result.denied({"outcome": "denied"})

    upstream.answer = lambda _: b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
    events: list[Event] = []
    other_tool = replace(TOOL, name="other")
    hooks = Hooks({"other": deny})
    async with serving(
        TOOL, other_tool, upstream=upstream.url, hooks=hooks, rules=[audit(events)]
    ) as client:
        await client.call("get")
        await client.call("other")

    assert [(event["tool"], event["outcome"]) for event in events] == [
        ("get", "failure"),
        ("other", "denied"),
    ]
    assert events[0]["upstreamStatus"] == 500
    assert "upstreamStatus" not in events[1]


async def test_a_call_that_is_given_up_or_breaks_a_rule_leaves_its_event(
    serving: Serving, upstream: WireUpstream
) -> None:
    class RaisingRule(Middleware):
        """Cannot decide."""

        async def call(self, invocation: object, finish: object) -> Result:
            """Fails."""
            raise RuntimeError

    upstream.hold_seconds = 5
    events: list[Event] = []
    timeout_rules = [Caps(CapSettings(), call_seconds=0.1), audit(events)]
    async with serving(TOOL, upstream=upstream.url, rules=timeout_rules) as client:
        await client.call("get")
    async with serving(TOOL, upstream=upstream.url, rules=[audit(events), RaisingRule()]) as client:
        await client.call("get")

    assert [event["outcome"] for event in events] == ["failure", "failure"]


async def test_a_call_over_the_rate_leaves_an_event(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []
    limiting = RateLimits(RateSettings(), Rates(all="1/minute"), code=429)
    rules = [audit(events), SubjectHeaderRule(), limiting]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await client.post(message("get"), X_Subject="ada")
        await client.post(message("get"), X_Subject="bob")

    event = events[-1]
    assert (event["event"], event["outcome"]) == ("mcp.invoke", "denied")
    assert (event["subject"], event["status"]) == ("bob", 429)
    assert len(events) == 2


async def test_a_call_of_a_tool_that_is_not_there_for_the_caller_leaves_an_event(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []
    rules = (audit(events), Roles({"get": ("admin",)}))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        for name in ("get", "made-up\n" * 100):
            assert (await client.post(message(name))).json()["error"]["code"] == -32602

    assert [(event["event"], event["tool"], event["outcome"]) for event in events] == [
        ("mcp.invoke", "get", "denied"),
        ("mcp.invoke", "made-up\n" * 16, "denied"),
    ]
    assert upstream.requests == []


async def test_a_request_without_admission_leaves_an_event(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []
    async with serving(
        TOOL, upstream=upstream.url, rules=[audit(events), RefusingGate()]
    ) as client:
        await client.post(message("get"))

    (event,) = events
    assert (event["event"], event["outcome"], event["status"]) == ("mcp.refuse", "denied", 401)


async def test_arguments_are_kept_only_if_asked_for_and_never_with_secrets(
    serving: Serving, upstream: WireUpstream
) -> None:
    class Holder(Middleware):
        """Gives the caller a credential."""

        def gate(self, app: Asgi) -> Asgi:
            """Adds the caller to the scope."""

            async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
                caller = Caller("ada", credential='the "own" token')
                await app(scope_with_caller(scope, caller), receive, send)

            return app_with_caller

    events_without_arguments: list[Event] = []
    events_with_arguments: list[Event] = []
    rules = [
        audit(events_without_arguments),
        audit(events_with_arguments, arguments=True),
        Holder(),
    ]
    arguments = {"words": "say canary-secret", "password": "abc"}
    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        call = message("get") | {"params": {"name": "get", "arguments": arguments}}
        await client.post(call)
        long_arguments = {"words": "x" * 10_000}
        await client.post(call | {"params": {"name": "get", "arguments": long_arguments}})
        own_arguments = {"words": 'say the "own" token'}
        await client.post(call | {"params": {"name": "get", "arguments": own_arguments}})

    assert "arguments" not in events_without_arguments[0]
    assert events_with_arguments[0]["arguments"] == {
        "words": "say [secret]",
        "password": "[secret]",
    }
    assert events_with_arguments[1]["arguments"] == "[10013 characters]"
    assert events_with_arguments[2]["arguments"] == {"words": "say [secret]"}
    assert "canary-secret" not in json.dumps(events_with_arguments)


async def test_a_number_that_contains_the_credential_or_is_infinite_does_not_break_the_event(
    serving: Serving, upstream: WireUpstream
) -> None:
    class DigitsHolder(Middleware):
        """Gives the caller a credential of digits."""

        def gate(self, app: Asgi) -> Asgi:
            """Adds the caller to the scope."""

            async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
                await app(scope_with_caller(scope, Caller(credential="123456")), receive, send)

            return app_with_caller

    events: list[Event] = []
    tool = replace(TOOL, arguments=(Argument("a", "query", {}), Argument("b", "query", {})))
    rules = [audit(events, arguments=True), DigitsHolder()]
    body = b"""{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
        {"name": "get", "arguments": {"a": 1234567, "b": [123456, 1e400]}}}"""
    async with serving(tool, upstream=upstream.url, rules=rules) as client:
        headers = {"Content-Type": "application/json"}
        answer = await client.http.post("/mcp", content=body, headers=headers)

    assert "b: holds a number that is too large" in answer.text
    assert [event["arguments"] for event in events] == [{"a": 1234567, "b": ["[secret]", None]}]


async def test_events_share_the_id_of_their_request(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []

    async with serving(TOOL, upstream=upstream.url, rules=[audit(events), RequestIds()]) as client:
        await client.post(message("get"), X_Request_Id="abc-1")

    assert events[0]["requestId"] == "abc-1"


def test_lines_go_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    sink = audit_lines(AuditSettings())

    sink({"event": "mcp.invoke", "subject": "line\nbreak \ud800"})
    sink.flush()

    assert json.loads(capfd.readouterr().out)["subject"].startswith("line\nbreak ")


def test_a_file_is_appended_to_and_begun_anew_when_it_was_moved_away(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text("before\n")
    sink = audit_lines(AuditSettings(audit_file=str(path)))

    sink({"event": "first"})
    sink.flush()
    path.rename(tmp_path / "audit.jsonl.1")
    sink({"event": "second"})
    sink.flush()

    assert (tmp_path / "audit.jsonl.1").read_text() == 'before\n{"event":"first"}\n'
    assert path.read_text() == '{"event":"second"}\n'


def test_a_file_that_cannot_be_written_is_told_at_start(tmp_path: Path) -> None:
    settings = AuditSettings(audit_file=str(tmp_path / "missing" / "audit.jsonl"))

    with pytest.raises(ValueError, match="AUDIT_FILE names a file that cannot be written"):
        audit_lines(settings)


def test_an_event_that_cannot_be_written_goes_to_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    sink = audit_lines(AuditSettings(audit_file=str(folder / "audit.jsonl")))
    (folder / "audit.jsonl").unlink()
    folder.rmdir()

    sink({"event": "lost"})
    sink.flush()

    assert '{"event":"lost"}' in caplog.text


def test_a_line_that_a_full_disk_has_cut_is_not_joined_with_the_next(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"event":"first"}\n{"eve')
    sink = audit_lines(AuditSettings(audit_file=str(path)))

    sink({"event": "next"})
    sink.flush()

    assert path.read_text().splitlines() == ['{"event":"first"}', '{"eve', '{"event":"next"}']


async def test_a_text_of_json_is_kept_without_its_secrets(
    serving: Serving, upstream: WireUpstream
) -> None:
    events: list[Event] = []
    arguments = {
        "plain": '{"note":"kept"}',
        "nested": '{"login":[{"token":"TOPSECRET99"}]}',
        "twice": json.dumps({"inner": json.dumps({"password": "TOPSECRET99"})}),
        "broken": '{"token":"TOPSECRET99"',
    }
    async with serving(
        TOOL, upstream=upstream.url, rules=[audit(events, arguments=True)]
    ) as client:
        await client.post(message("get") | {"params": {"name": "get", "arguments": arguments}})

    assert events[0]["arguments"] == {
        "plain": '{"note":"kept"}',
        "nested": {"login": [{"token": "[secret]"}]},
        "twice": {"inner": {"password": "[secret]"}},
        "broken": "[secret]",
    }


def test_a_long_text_that_is_no_json_is_searched_for_names_of_secrets_in_one_pass() -> None:
    words, blanks = "{" + "secret" * 100_000, "[" + '"secret" ' * 100_000

    assert redact_named([words, blanks, words + '" : 1']) == [words, blanks, "[secret]"]


def test_a_line_holds_no_character_at_which_a_reader_could_split_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    subject = "a\u2028b\u2029c\u0085d\u009be\x7ff\u202eg"
    sink = audit_lines(AuditSettings())

    sink({"event": "mcp.invoke", "subject": subject})
    sink.flush()

    (line,) = capfd.readouterr().out.splitlines()
    assert json.loads(line)["subject"] == subject
    assert line.isascii()


async def test_a_required_audit_refuses_calls_while_events_cannot_be_written(
    serving: Serving, upstream: WireUpstream, tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    lines = audit_lines(AuditSettings(audit_file=str(folder / "audit.jsonl")))
    required_audit = RequiredAudit(CanarySettings(), lines, server="pets")

    async with serving(TOOL, upstream=upstream.url, rules=[required_audit]) as client:
        result = await client.call("get")
        lines.flush()
        folder.rename(tmp_path / "away")
        error = await client.error("get")
        lines.flush()
        response_during_outage = await client.http.get("/readyz")
        (tmp_path / "away").rename(folder)
        response_after_outage = await client.http.get("/readyz")
        second_result = await client.call("get")
    lines.flush()

    events = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert not result["isError"]
    assert json.loads(error)["code"] == "audit_unavailable"
    assert (response_during_outage.status_code, response_after_outage.status_code) == (503, 200)
    assert not second_result["isError"]
    assert len(upstream.requests) == 2
    # The refused call has no line; the first line after the outage counts the dropped lines.
    assert [event["event"] for event in events] == [
        *("mcp.begin", "mcp.invoke"),
        *("mcp.drop", "mcp.resume", "mcp.begin", "mcp.invoke"),
    ]
    assert events[2]["count"] == 3
    assert events[2]["reason"] == "No such file or directory"


async def test_a_call_that_was_made_is_told_as_made_when_its_event_cannot_be_written(
    serving: Serving, upstream: WireUpstream, tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    lines = audit_lines(AuditSettings(audit_file=str(folder / "audit.jsonl")))
    rule = Audit(CanarySettings(), lines, server="pets")
    (folder / "audit.jsonl").unlink()
    folder.rmdir()

    async with serving(TOOL, upstream=upstream.url, rules=[rule]) as client:
        result = await client.call("get")
    lines.flush()

    assert not result["isError"]
    assert lines.failure == "No such file or directory"


@pytest.mark.parametrize(
    "request_id", ["a b", "x" * 65, "a\u00e9", "", "-" * 3 + "\t/", "<script>"]
)
async def test_only_a_short_word_is_taken_for_an_id(
    serving: Serving, upstream: WireUpstream, request_id: str
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[RequestIds()]) as client:
        response = await client.http.post(
            "/mcp", json=message("get"), headers=[(b"X-Request-Id", request_id.encode("latin-1"))]
        )

    (sent_id,) = upstream.requests[0].all("x-request-id")
    assert response.headers["x-request-id"] == sent_id != request_id
    assert len(sent_id) == 32


async def test_an_id_of_the_client_reaches_the_api_and_comes_back(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[RequestIds()]) as client:
        response = await client.post(message("get"), X_Request_Id="order-7.a_b")

    assert response.headers["x-request-id"] == "order-7.a_b"
    assert upstream.requests[0].all("x-request-id") == ["order-7.a_b"]


async def test_an_argument_that_fills_the_header_wins(
    serving: Serving, upstream: WireUpstream
) -> None:
    argument = Argument("x_request_id", "header", {"type": "string"}, to=("X-Request-Id",))
    tool = replace(TOOL, arguments=(argument,))

    async with serving(tool, upstream=upstream.url, rules=[RequestIds()]) as client:
        await client.call("get", x_request_id="mine")

    assert upstream.requests[0].all("x-request-id") == ["mine"]


async def test_requests_at_the_same_time_keep_their_own_ids(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.hold_seconds = 0.1

    async with serving(TOOL, upstream=upstream.url, rules=[RequestIds()]) as client:
        ids = [f"id-{number}" for number in range(8)]
        posts = (client.post(message("get"), X_Request_Id=id) for id in ids)
        answers = await asyncio.gather(*posts)

    assert [answer.headers["x-request-id"] for answer in answers] == ids
    assert sorted(request.all("x-request-id")[0] for request in upstream.requests) == ids
