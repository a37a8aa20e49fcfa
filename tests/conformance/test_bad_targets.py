"""Whatever stands at the address, the run ends in time and the report says what happened."""

from __future__ import annotations

import random
import socket
import time
from typing import Any

import pytest
from bad_targets import (
    Behaviour,
    dripping,
    endless_body,
    endless_comments,
    endless_flood,
    hanging_up,
    json_body,
    saying,
    silent,
    target,
)
from zoo_server import Asked, Reply, ZooServer, serving

from mcpgen.conformance import Calls, Options, Report, Status, as_text, check

OPTIONS = Options(call=Calls.ALL, timeout=0.4, deadline=4, max_bytes=2_000_000)

CASES: dict[str, tuple[Behaviour, str]] = {
    "web page": (saying(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>hi"), "<html>hi"),
    "redirect": (
        saying(b"HTTP/1.1 302 Found\r\nLocation: https://login.example/\r\n\r\n"),
        "redirect to https://login.example/",
    ),
    "credentials": (
        saying(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"),
        "it wants credentials",
    ),
    "not found": (saying(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), "HTTP 404"),
    "silence": (silent, "within the time allowed"),
    "slow bytes": (dripping, "within the time allowed"),
    "endless comments": (endless_comments, "never brought the answer"),
    "endless flood": (endless_flood, "larger than"),
    "endless body": (endless_body, "larger than"),
    "hanging up": (hanging_up, "closed the connection"),
    "another protocol": (saying(b"220 mail.example ESMTP\r\n"), "not an HTTP answer"),
    "half an answer": (saying(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), "in the middle"),
    "deep JSON": (json_body(b"[" * 100_000), "nested too deep"),
    "duplicate keys": (json_body(b'{"id":1,"id":2}'), "duplicate key 'id'"),
    "NaN": (json_body(b'{"id":NaN}'), "NaN is not JSON"),
    "wrong encoding": (json_body(b'{"id":"\xff"}'), "not UTF-8"),
    "huge number": (json_body(b"9" * 50_000), "integer"),
    "compressed": (
        saying(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
        "encoded as 'gzip'",
    ),
}


@pytest.mark.parametrize(("behaviour", "said"), CASES.values(), ids=CASES)
def test_report_says_what_stood_at_the_address(behaviour: Behaviour, said: str) -> None:
    started = time.monotonic()

    with target(behaviour) as url:
        report = check(url, OPTIONS)

    assert said in reason(report), as_text(report)
    assert all(outcome.status is Status.FAILED for outcome in report.outcomes)
    assert time.monotonic() - started < OPTIONS.deadline


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


class DiesHalfWay(ZooServer):
    """A server that stops answering after some requests."""

    left = 40

    def answer(self, asked: Asked) -> Reply:
        self.left -= 1
        if self.left < 0:
            raise OSError("dead")
        return super().answer(asked)


def test_checks_that_could_not_be_made_have_failed() -> None:
    with serving(DiesHalfWay()) as url:
        report = check(url, OPTIONS)

    late = [outcome for outcome in report.outcomes if outcome.check.id == "unknown-tool-error"]
    assert late
    assert all(outcome.status is Status.FAILED for outcome in late)
    assert "closed the connection" in late[-1].saw


class SlowServer(ZooServer):
    """A server that takes its time for every answer."""

    def answer(self, asked: Asked) -> Reply:
        time.sleep(0.1)
        return super().answer(asked)


def test_run_ends_at_its_deadline_and_says_so() -> None:
    started = time.monotonic()

    with serving(SlowServer()) as url:
        report = check(url, Options(call=Calls.ALL, deadline=1.5))

    assert time.monotonic() - started < 3
    assert report.failed
    assert any("time allowed for all checks" in outcome.saw for outcome in report.outcomes)


JUNK: tuple[Any, ...] = (None, 7, "text", [], [[]], {}, True, [{"type": ["x"]}], -1.5)


class Scrambling(ZooServer):
    """A server that puts junk into random places of its results."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        return super().result_reply(identifier, self.scrambled(result), message)

    def scrambled(self, value: Any) -> Any:
        """The value with about one part in eight replaced."""
        if self.random.random() < 0.12:
            return self.random.choice(JUNK)
        if isinstance(value, dict):
            return {key: self.scrambled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.scrambled(inner) for inner in value]
        return value


@pytest.mark.parametrize("seed", range(30))
def test_no_answer_of_a_server_raises(seed: int) -> None:
    with serving(Scrambling(seed)) as url:
        report = check(url, Options(call=Calls.ALL, timeout=2, deadline=20))

    assert report.failed


def reason(report: Report) -> str:
    """What the report says of the address itself."""
    (first,) = [outcome for outcome in report.outcomes if outcome.check.id == "speaks-mcp"]
    return first.saw
