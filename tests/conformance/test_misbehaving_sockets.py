"""Misbehaving targets: the run ends in time, and the report describes the answer."""

from __future__ import annotations

import random
import socket
import ssl
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from auth import TOKEN, Guarded, TalksToAnyone
from base_server import ALL, ConformingServer, ReceivedRequest, Reply, serving, tool
from misbehaving_sockets import (
    Behavior,
    answer_with,
    drip_header,
    dripping_body,
    endless_body,
    endless_comments,
    endless_flood,
    hanging_up,
    json_body,
    serve_tls,
    silent,
    target,
)
from tests.certificates import certificate
from tests.thorough import sample
from tests.time_limits import ends_within

from mcpgen.conformance import CallableTools, CheckOptions, CheckStatus, Report, as_text, check

OPTIONS = CheckOptions(call=CallableTools.ALL, timeout=60, deadline=600, max_bytes=2_000_000)
QUICK = replace(OPTIONS, timeout=0.4, deadline=4)
"""For targets that never answer; a server that answers may take longer on a busy machine."""

PATIENCE = 120
"""Seconds after which a run counts as endless."""

UNANSWERED = {"silence", "slow bytes", "slow body", "endless comments"}
"""The cases in which no answer comes."""

CASES: dict[str, tuple[Behavior, str]] = {
    "web page": (
        answer_with(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>hi"),
        "<html>hi",
    ),
    "redirect": (
        answer_with(b"HTTP/1.1 302 Found\r\nLocation: https://login.example/\r\n\r\n"),
        "redirect to https://login.example/",
    ),
    "credentials": (
        answer_with(
            b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
        ),
        "it wants credentials",
    ),
    "not found": (answer_with(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), "HTTP 404"),
    "silence": (silent, "within the time allowed"),
    "slow bytes": (drip_header, "within the time allowed"),
    "slow body": (dripping_body, "within the time allowed"),
    "endless comments": (endless_comments, "never brought the answer"),
    "endless flood": (endless_flood, "larger than"),
    "endless body": (endless_body, "larger than"),
    "hanging up": (hanging_up, "closed the connection"),
    "another protocol": (answer_with(b"220 mail.example ESMTP\r\n"), "not an HTTP answer"),
    "half an answer": (
        answer_with(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"),
        "in the middle",
    ),
    "deep JSON": (json_body(b"[" * 100_000), "nested too deep"),
    "duplicate keys": (json_body(b'{"id":1,"id":2}'), "duplicate key 'id'"),
    "NaN": (json_body(b'{"id":NaN}'), "NaN is not JSON"),
    "wrong encoding": (json_body(b'{"id":"\xff"}'), "not UTF-8"),
    "UTF-16": (json_body('{"id":1}'.encode("utf-16")), "not UTF-8"),
    "byte order mark": (json_body(b'\xef\xbb\xbf{"id":1}'), "BOM"),
    "no content type": (
        answer_with(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
        "no Content-Type",
    ),
    "huge number": (json_body(b"9" * 50_000), "a number has 50,000 digits"),
    "compressed": (
        answer_with(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
        "encoded as 'gzip'",
    ),
}


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "`--bearer-env VAR`"),
        (
            b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /mcp/\r\nContent-Length: 0\r\n\r\n",
            "/mcp/` instead",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
            "is the path right?",
        ),
    ],
)
def test_report_has_a_hint_for_the_answer(answer: bytes, hint: str) -> None:
    with target(answer_with(answer)) as url:
        report = check(url, OPTIONS)

    assert hint in report.notes[0]


@pytest.mark.parametrize("name", sample(CASES, 3, "repeats the proof with other answers"))
def test_report_describes_the_answer_of_the_address(name: str) -> None:
    behavior, message = CASES[name]

    with target(behavior) as url, ends_within(PATIENCE):
        report = check(url, QUICK if name in UNANSWERED else OPTIONS)

    assert message in reason(report), as_text(report)
    assert_one_failure(report)


def test_port_where_nothing_listens_is_called_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    report = check(f"http://127.0.0.1:{port}/mcp", OPTIONS)

    assert "connection refused" in reason(report)


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://localhost/", "http://", "http://h:99999/", "http://h/ä b"]
)
def test_address_that_is_no_url_is_named(url: str) -> None:
    report = check(url, OPTIONS)

    assert report.failed
    assert "URL" in reason(report)


def test_plain_http_behind_https_is_a_tls_error() -> None:
    with target(json_body(b"{}")) as url:
        report = check(url.replace("http:", "https:"), OPTIONS)

    assert "TLS error" in reason(report)


def test_untrusted_certificate_is_a_tls_error(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(tmp_path, "server"))

    with target(serve_tls(context), listens=False) as url:
        report = check(url.replace("http:", "https:"), OPTIONS)

    assert "TLS error: CERTIFICATE_VERIFY_FAILED" in reason(report)


def test_handshake_that_never_ends_is_given_up() -> None:
    with target(silent) as url, ends_within(PATIENCE):
        report = check(url.replace("http:", "https:"), QUICK)

    assert "within the time allowed" in reason(report)


def test_host_that_does_not_exist_is_named() -> None:
    with ends_within(PATIENCE):
        report = check("http://no-such-host.invalid/mcp", QUICK)

    assert any(item in reason(report) for item in ("no such host", "within the time allowed"))
    assert_one_failure(report)


def test_lookup_of_a_name_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(5) or [])

    with ends_within(PATIENCE):
        report = check("http://slow-to-look-up.invalid/mcp", QUICK)

    assert "within the time allowed" in reason(report)


def test_authorization_checks_run_without_credentials() -> None:
    with serving(Guarded()) as url:
        report = check(url, replace(OPTIONS, profiles=("protocol", "security")))

    result = {outcome.check.id: outcome for outcome in report.outcomes}
    assert "it wants credentials" in result["speaks-mcp"].saw
    assert result["auth-missing-401"].status is CheckStatus.PASSED
    assert result["auth-metadata-shape"].status is CheckStatus.PASSED
    assert result["auth-query-token-refused"].saw == "the run was given none"
    assert result["tools-list-shape"].blocked_by == "speaks-mcp"


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, CheckStatus.WARNING), (Guarded.credentials, CheckStatus.FAILED)],
)
def test_metadata_without_a_refusal_fails_only_if_the_run_has_credentials(
    headers: dict[str, str], status: CheckStatus
) -> None:
    check_ids = frozenset({"auth-missing-401"})

    with serving(TalksToAnyone()) as url:
        report = check(url, replace(OPTIONS, headers=headers, only=check_ids))

    assert [outcome.status for outcome in report.outcomes] == [status]


def test_a_valid_token_in_another_scheme_is_a_warning() -> None:
    class AnyScheme(Guarded):
        def admits(self, request: ReceivedRequest) -> bool:
            return request.headers.get("authorization", "").partition(" ")[2] == TOKEN

    check_ids = frozenset({"auth-wrong-401"})

    with serving(AnyScheme()) as url:
        report = check(url, replace(OPTIONS, headers=Guarded.credentials, only=check_ids))

    result = [(outcome.status, outcome.expected) for outcome in report.outcomes]
    assert result == [(CheckStatus.WARNING, "HTTP 401 for the token in the scheme Basic")]


@pytest.mark.parametrize("kind", ["expired", "of another audience"])
def test_refused_tokens_are_sent(kind: str) -> None:
    class Lenient(Guarded):
        def admits(self, request: ReceivedRequest) -> bool:
            return super().admits(request) or request.headers.get("authorization") == "Bearer 0ld"

    options = replace(
        OPTIONS,
        headers=Guarded.credentials,
        profiles=("security",),
        refused_tokens={kind: "0ld"},
    )

    with serving(Lenient()) as url:
        report = check(url, options)

    failed_outcomes = {o.check.id: o for o in report.outcomes if o.status is CheckStatus.FAILED}
    assert set(failed_outcomes) == {
        "auth-audience-401" if "audience" in kind else "auth-expired-401"
    }
    assert kind in next(iter(failed_outcomes.values())).expected


class DiesHalfWay(ConformingServer):
    """A server that stops answering after a number of requests."""

    remaining = 40

    def answer(self, request: ReceivedRequest) -> Reply:
        self.remaining -= 1
        if self.remaining < 0:
            raise OSError("dead")
        return super().answer(request)


def test_checks_that_could_not_be_made_have_failed() -> None:
    with serving(DiesHalfWay()) as url:
        report = check(url, OPTIONS)

    tool_outcomes = [
        outcome for outcome in report.outcomes if outcome.check.id == "unknown-tool-error"
    ]
    assert tool_outcomes
    assert all(outcome.status is CheckStatus.FAILED for outcome in tool_outcomes)
    assert "closed the connection" in tool_outcomes[-1].saw


class Hangs(ConformingServer):
    """A server that stops answering after the opening of every revision."""

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        opening = isinstance(message, dict) and message.get("id") == "opening"
        if not opening:
            time.sleep(3)
        return super().single(request, message)


class WantsMore(ConformingServer):
    """A server that redirects to a login page after the opening."""

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and message.get("id") in ("opening", None):
            return super().single(request, message)
        return Reply(302, b"", {"Location": "https://login.example/"})


class ManyTools(ConformingServer):
    """A server with a list of several megabytes."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = [tool(f"tool_{number}", {}, [], more="x" * 4_000) for number in range(600)]


class DeepTool(ConformingServer):
    """A server with a schema nested beyond the recursion limit."""

    depth = 100_000

    def json_reply(self, body: Any, status: int = 200) -> Reply:
        reply = super().json_reply(body, status)
        deep = b'{"items":' * self.depth + b"{}" + b"}" * self.depth
        reply.body = reply.body.replace(b'"title": "Add"', b'"title": "Add", "_meta": ' + deep)
        return reply


class RatherDeepTool(DeepTool):
    """A server with a schema nested just within the recursion limit."""

    depth = 400


@pytest.mark.repeated("the tests of scrambled answers read unreadable lists")
@pytest.mark.parametrize(
    ("make", "options", "expected"),
    [
        (Hangs, replace(OPTIONS, timeout=1, deadline=10), "time allowed"),
        (WantsMore, OPTIONS, "redirect to https://login.example/"),
        (ManyTools, OPTIONS, "larger than 2,000,000 bytes"),
        (DeepTool, OPTIONS, "nested too deep"),
    ],
)
def test_unreadable_list_is_a_named_failure(
    make: type[ConformingServer], options: CheckOptions, expected: str
) -> None:
    with serving(make()) as url, ends_within(PATIENCE):
        report = check(url, options)

    # On a busy machine not every revision may be agreed on in time.
    outcomes = [o for o in report.outcomes if o.revision in report.revisions]
    tool_outcomes = [outcome for outcome in outcomes if outcome.check.id == "tools-list-shape"]
    assert tool_outcomes
    unreadable = (CheckStatus.FAILED, CheckStatus.BLOCKED)
    assert all(outcome.status in unreadable for outcome in tool_outcomes), as_text(report)
    assert report.failed
    assert expected in tool_outcomes[0].saw


def test_deep_readable_value_does_not_end_the_run() -> None:
    with serving(RatherDeepTool()) as url:
        report = check(url, replace(OPTIONS, active=True))

    assert report.revisions == ALL


class SlowServer(ConformingServer):
    """A server with slow answers after some that are not."""

    quick = 10

    def answer(self, request: ReceivedRequest) -> Reply:
        self.quick -= 1
        if self.quick < 0:
            time.sleep(1)
        return super().answer(request)


def test_run_ends_at_its_deadline_and_says_so() -> None:
    with serving(SlowServer()) as url, ends_within(PATIENCE):
        report = check(url, CheckOptions(call=CallableTools.ALL, deadline=5))

    assert report.failed
    assert any("time allowed for all checks" in outcome.saw for outcome in report.outcomes)


JUNK: tuple[Any, ...] = (None, 7, "text", [], [[]], {}, True, [{"type": ["x"]}], -1.5)


class Scrambling(ConformingServer):
    """A server that replaces random parts of its results."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        return super().result_reply(identifier, self.scrambled(result), message)

    def scrambled(self, value: Any) -> Any:
        """The value with about an eighth replaced."""
        if self.random.random() < 0.12:
            return self.random.choice(JUNK)
        if isinstance(value, dict):
            return {key: self.scrambled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.scrambled(inner) for inner in value]
        return value


@pytest.mark.parametrize("seed", sample(range(30), 5, "draws other answers"))
def test_no_answer_of_a_server_raises(seed: int) -> None:
    with serving(Scrambling(seed)) as url:
        report = check(url, OPTIONS)

    assert report.failed


def assert_one_failure(report: Report) -> None:
    """`speaks-mcp` has failed and blocks every other check, except the checks of HTTP 401 where the
    server wants credentials."""
    answers_401 = "it wants credentials" in reason(report)
    outcomes = [
        outcome
        for outcome in report.outcomes
        if outcome.check.id != "speaks-mcp"
        and not (answers_401 and outcome.check.id.startswith("auth-"))
    ]
    failed_outcomes = [
        outcome for outcome in report.outcomes if outcome.status is CheckStatus.FAILED
    ]
    assert [outcome.check.id for outcome in failed_outcomes] == ["speaks-mcp"]
    assert {outcome.blocked_by for outcome in outcomes} == {"speaks-mcp"}
    assert report.failed


def reason(report: Report) -> str:
    """The observation of `speaks-mcp` in the report."""
    (first,) = [outcome for outcome in report.outcomes if outcome.check.id == "speaks-mcp"]
    return first.saw
