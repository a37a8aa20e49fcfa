"""Raw HTTP requests to a server under test. Failures of the server are values, never exceptions.

No MCP SDK and no HTTP library with redirects, retries, decompression or lenient parsing: these
would repair the defects that the checks look for.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, urlsplit

from mcpgen.conformance.deadline_socket import TimedSocket, open_socket
from mcpgen.conformance.exchange import Fault, FaultKind, HttpExchange
from mcpgen.conformance.model import BUDGET, DEADLINE, RATE_LIMIT
from mcpgen.conformance.read_response import (
    MAX_PROGRESS_SECONDS,
    ProgressWait,
    ResponseTooLarge,
    read_answer,
    read_final_head,
    read_head,
)
from mcpgen.conformance.strict_json import Json

TOTAL_BYTES = 128 * 1024 * 1024
"""Limit for all bodies of one run. Allows 100 reads of the largest known tool list (1.1 MB); parsed
JSON takes several times the memory.
"""

RATE_LIMIT_WAITS = (1.0, 1.0, 2.0, 4.0)
"""Seconds to wait before each repetition of a request that a rate limit refused without `Retry-After`."""

MAX_RETRY_SECONDS = 10.0
"""Maximum `Retry-After` that is waited for; a longer wait takes too much of a run's 120 seconds."""


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """A request to send. A header with the value None is not sent, not even by default.

    `awaits`: JSON-RPC id of the response that completes an event stream; None reads to the end.
    `headers_only`: leaves the body unread. `first`: reads an event stream up to the first message.
    `hang_up`: closes the connection without waiting. `target`: path and query instead of those in
    the URL. `timeout`: seconds to wait instead of the probe's timeout (0: the probe's).
    `progress_token`: progress notifications with this token extend the time. `waits`: sends the request
    again later if the server limits requests.
    """

    method: str = "POST"
    headers: Mapping[str, str | None] | None = None
    body: bytes = b""
    awaits: Json = None
    headers_only: bool = False
    first: bool = False
    hang_up: bool = False
    target: str = ""
    timeout: float = 0.0
    progress_token: Json = None
    waits: bool = True


class Probe:
    """An HTTP client with kept-alive connections; thread-safe.

    `timeout` bounds one exchange, `deadline` all exchanges, in seconds. `max_bytes` bounds one
    body, `total_bytes` all bodies, `event_bytes` one SSE event (0: no limit). `ends` is the
    deadline in monotonic seconds. `unasked` has `DEADLINE` or `BUDGET` for each request that was not sent,
    or whose time the deadline cut short, and `RATE_LIMIT` for each request that a rate limit refused.
    """

    is_stdio = False
    """True for a server over stdio."""

    def __init__(
        self,
        url: str,
        *,
        timeout: float,
        deadline: float,
        max_bytes: int,
        total_bytes: int = TOTAL_BYTES,
        event_bytes: int = 0,
    ) -> None:
        self.ends = time.monotonic() + deadline
        self.unasked: list[str] = []
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._total_bytes = self._bytes_left = total_bytes
        self._event_bytes = event_bytes
        self._may_wait = True
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._url: SplitResult | None
        self._url, self._bad_address = _parts(url)

    @property
    def host(self) -> str:
        """The Host header of the target."""
        return self._url.netloc.rpartition("@")[2] if self._url else ""

    @property
    def hostname(self) -> str:
        """The host name of the target, in lower case."""
        return (self._url.hostname or "") if self._url else ""

    @property
    def url(self) -> SplitResult | None:
        """The parsed URL of the target, None if invalid."""
        return self._url

    def send(self, sending: ProbeRequest) -> HttpExchange:
        """Sends a request and reads the answer. Never raises for failures of server or network.

        No clause forbids a rate limit, so a request that HTTP 429, or 503 with `Retry-After`, refuses is
        sent again after a wait. The first request that stays refused ends the waits of the run.
        """
        exchange = self._send_once(sending)
        if not sending.waits:
            return exchange
        for pause in RATE_LIMIT_WAITS:
            seconds = _retry_seconds(exchange, pause)
            if seconds is None:
                return exchange
            too_long = seconds > MAX_RETRY_SECONDS or time.monotonic() + seconds >= self.ends
            if too_long or not self._may_wait:
                break
            time.sleep(seconds)
            exchange = self._send_once(sending)
        if _retry_seconds(exchange, 0.0) is not None:
            self._may_wait = False
            self.unasked.append(RATE_LIMIT)
            text = f"not asked: a rate limit refused the request with HTTP {exchange.status}"
            return HttpExchange(fault=Fault(FaultKind.LIMITED, text))
        return exchange

    def _send_once(self, sending: ProbeRequest) -> HttpExchange:
        if self._url is None:
            return HttpExchange(fault=Fault(FaultKind.ADDRESS, self._bad_address))
        started = time.monotonic()
        ends = min(started + (sending.timeout or self._timeout), self.ends)
        if ends <= started:
            self.unasked.append(DEADLINE)
            text = "not asked: the time allowed for all checks was over"
            return HttpExchange(fault=Fault(FaultKind.DEADLINE, text))
        if self._bytes_left <= 0:
            self.unasked.append(BUDGET)
            text = f"not asked: the server had sent {self._total_bytes:,} bytes in all, and no more are read"
            return HttpExchange(fault=Fault(FaultKind.TOO_LARGE, text))
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        reused = connection is not None
        exchange = self._exchange(connection or self._connection(self._url), sending, ends)
        if reused and exchange.status == 0 and _is_stale_connection(exchange):
            exchange = self._exchange(self._connection(self._url), sending, ends)
        if ends == self.ends and exchange.fault and exchange.fault.kind is FaultKind.TIMEOUT:
            # The end of the run cut the time for the answer short.
            self.unasked.append(DEADLINE)
        return replace(exchange, seconds=time.monotonic() - started)

    def for_session(self) -> Probe:
        """The probe of a new session: HTTP sessions share the connections of this probe."""
        return self

    def close_all(self) -> None:
        """Closes the connections of every session."""
        self.close()

    def close(self) -> None:
        """Closes every connection."""
        with self._lock:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _connection(self, url: SplitResult) -> http.client.HTTPConnection:
        port = url.port or (443 if url.scheme == "https" else 80)
        return http.client.HTTPConnection(url.hostname or "", port)

    def _exchange(
        self, connection: http.client.HTTPConnection, sending: ProbeRequest, ends: float
    ) -> HttpExchange:
        keep = False
        response = None
        try:
            timed = self._open(connection, ends)
            self._write(connection, sending)
            if sending.hang_up:
                connection.close()
                return HttpExchange(fault=Fault(FaultKind.ABANDONED, "hung up on purpose"))
            response = connection.getresponse()
            read_final_head(response)
            if sending.headers_only:
                exchange = read_head(response)
            else:
                limit = min(self._max_bytes, self._bytes_left)
                exchange = read_answer(
                    response,
                    timed,
                    sending.awaits,
                    limit,
                    event_bytes=self._event_bytes,
                    first=sending.first,
                    progress=ProgressWait(sending.progress_token, self._latest(ends)),
                )
                self._take(len(exchange.body))
                keep = response.isclosed() and not response.will_close
        except ResponseTooLarge as error:
            self._take(self._max_bytes)
            exchange = HttpExchange(fault=Fault(FaultKind.TOO_LARGE, str(error)))
        except (OSError, http.client.HTTPException, ValueError) as error:
            exchange = HttpExchange(fault=_fault(error))
        finally:
            if response is not None:
                response.close()
        if keep:
            with self._lock:
                self._idle.append(connection)
        else:
            connection.close()
        return exchange

    def _latest(self, ends: float) -> float:
        """The latest end of an exchange whose regular end is `ends`, in monotonic seconds."""
        return min(max(ends, time.monotonic() + MAX_PROGRESS_SECONDS), self.ends)

    def _take(self, count: int) -> None:
        """Subtracts read bytes from the budget."""
        with self._lock:
            self._bytes_left -= count

    def _open(self, connection: http.client.HTTPConnection, ends: float) -> TimedSocket:
        current: object = connection.sock
        if isinstance(current, TimedSocket):
            current.ends = ends
            return current
        tls = self._url is not None and self._url.scheme == "https"
        raw = open_socket(connection.host, connection.port, ends, tls=tls)
        timed = TimedSocket(raw, ends)
        # http.client asks a socket for three methods only, all of which TimedSocket has.
        connection.sock = timed
        return timed

    def _write(self, connection: http.client.HTTPConnection, sending: ProbeRequest) -> None:
        headers = dict(sending.headers or {})
        assert self._url is not None
        target = sending.target or (self._url.path or "/") + (
            f"?{self._url.query}" if self._url.query else ""
        )
        connection.putrequest(sending.method, target, skip_host=True, skip_accept_encoding=True)
        headers.setdefault("Host", self.host)
        # Without the header a server may choose any coding (RFC 9110 §12.5.3).
        headers.setdefault("Accept-Encoding", "identity")
        if sending.method == "POST":
            headers.setdefault("Content-Length", str(len(sending.body)))
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        # A server may refuse an oversize body and close before reading it all; its answer, if it
        # sent one, is still there to be read.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.endheaders(sending.body or None)


def _parts(url: str) -> tuple[SplitResult | None, str]:
    """The parsed URL, or None with the reason."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return None, f"`{url}` is not a URL: {error}"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None, f"`{url}` is not an http or https URL"
    if port == 0 or any(not 0x21 <= ord(c) <= 0x7E for c in url):
        return None, f"`{url}` is not a URL: it has characters or a port that cannot be sent"
    return parts, ""


def _retry_seconds(exchange: HttpExchange, pause: float) -> float | None:
    """Seconds until the request may be sent again, None unless a rate limit refused the request.

    `pause` stands in for a missing `Retry-After`. RFC 9110 §10.2.3: a number of seconds or a date.
    """
    retry_after = exchange.headers.get("retry-after", "")
    if exchange.status != 429 and not (exchange.status == 503 and retry_after):
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, OverflowError):
        # OverflowError: a number in the date is larger than any year or offset.
        return pause


def _is_stale_connection(exchange: HttpExchange) -> bool:
    """True if the server closed a kept-alive connection before the request."""
    return exchange.fault is not None and exchange.fault.kind is FaultKind.DISCONNECTED


def _fault(error: Exception) -> Fault:
    """The fault for an exception of the network; subclasses are tested first."""
    if isinstance(error, ssl.SSLError):
        return Fault(FaultKind.TLS, f"TLS error: {error.reason or error}")
    if isinstance(error, TimeoutError):
        return Fault(FaultKind.TIMEOUT, "no complete answer within the time allowed")
    if isinstance(error, socket.gaierror):
        return Fault(FaultKind.UNREACHABLE, f"no such host: {error.strerror}")
    if isinstance(error, ConnectionRefusedError):
        return Fault(FaultKind.UNREACHABLE, "connection refused: nothing listens there")
    if isinstance(error, ConnectionError | http.client.RemoteDisconnected):
        return Fault(FaultKind.DISCONNECTED, "the server closed the connection without an answer")
    if isinstance(error, http.client.IncompleteRead):
        return Fault(FaultKind.DISCONNECTED, "the connection ended in the middle of the answer")
    if isinstance(error, OSError):
        return Fault(FaultKind.UNREACHABLE, f"cannot be reached: {error.strerror or error}")
    return Fault(FaultKind.NOT_HTTP, f"not an HTTP answer: {type(error).__name__}")
