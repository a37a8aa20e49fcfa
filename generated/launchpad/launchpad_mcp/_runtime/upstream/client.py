# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The pooled HTTP client of the API, with decompression in bounded steps."""

from __future__ import annotations

import logging
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from string import punctuation
from typing import Any, Self
from urllib.parse import quote, urljoin, urlsplit

import aiohttp
from aiohttp import StreamReader
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.http_parser import RawResponseMessage
from yarl import URL

from ..extensions import INSTALLED
from ..settings import ServerSettings
from .exchange import UpstreamError, UpstreamRequest, UpstreamResponse, content_essence

ACCEPTED = "gzip"  # The `Accept-Encoding` of requests; every API that compresses supports gzip
PIECE = 64 * 1024  # Maximum bytes decompressed at once
MEMBERS = 1024  # Maximum number of gzip members in a body; each member costs time, even if empty

WINDOW = 4096
"""Bytes passed to the decompressor at once. zlib copies the bytes after the end of a member, so large
inputs with small members are slow."""

_AUTOMATIC = zlib.MAX_WBITS | 32


def pieces(chunks: AsyncIterator[bytes], coding: str) -> AsyncIterator[bytes]:
    """The content of a body in pieces, decompressed. Raises `UpstreamError` for an unexpected
    encoding or broken data."""
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return chunks
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise UpstreamError("answered in a compression that was not asked for", sent=True)
    return _inflate(chunks)


async def read_bounded(content: AsyncIterator[bytes], budget: int) -> tuple[bytes, bool]:
    """At most `budget` bytes of the content, and True if complete."""
    body = bytearray()
    async for piece in content:
        body += piece
        if len(body) > budget:
            return bytes(body[:budget]), False
    return bytes(body), True


async def _inflate(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    inflater, members = zlib.decompressobj(_AUTOMATIC), 0
    async for chunk in chunks:
        for start in range(0, len(chunk), WINDOW):
            data = chunk[start : start + WINDOW]
            while data:
                if inflater.eof or not members:
                    # gzip allows several members in sequence.
                    inflater, members = zlib.decompressobj(_AUTOMATIC), members + 1
                    if members > MEMBERS:
                        why = f"answered with more than {MEMBERS} compressed members"
                        raise UpstreamError(why, sent=True)
                try:
                    yield inflater.decompress(data, PIECE)
                except zlib.error:
                    raise UpstreamError("answered with broken compressed data", sent=True) from None
                data = inflater.unconsumed_tail or inflater.unused_data
    if members and not inflater.eof:
        raise UpstreamError("answered with compressed data that ends too early", sent=True)


REDIRECTS = 5  # Maximum number of redirects followed within the API's origin
CONNECT_SECONDS = 10  # Connect timeout, in seconds

IDLE_SECONDS = 4
"""Keep-alive of idle connections, in seconds. Node and uvicorn close after 5 seconds; a request
sent at that moment is lost, and only the API knows if the request was processed."""

INFORMATIONAL = 32  # Maximum number of informational responses (1xx) before the final response

logger = logging.getLogger(__name__)

_REFUSES = "refuses the connection"
_BREAKS_OFF = "broke off the connection"
_TEMPORARY = frozenset({_REFUSES, _BREAKS_OFF})  # Faults that may be temporary

_ERROR_MESSAGES: tuple[tuple[type[BaseException], str], ...] = (
    (aiohttp.ClientConnectorDNSError, "has a host name that is not known"),
    (aiohttp.ClientConnectorCertificateError, "has no TLS certificate that can be trusted"),
    (aiohttp.ClientSSLError, "does not speak TLS as it should"),
    (aiohttp.ClientConnectorError, _REFUSES),
    (aiohttp.InvalidURL, "has an address that is no URL"),
    (aiohttp.ClientResponseError, "answered with what is no HTTP, or with too large a header"),
    (aiohttp.ClientError, _BREAKS_OFF),
)
"""Error messages of client exceptions, most specific first."""

_UNSENT = (aiohttp.ClientConnectorError, aiohttp.InvalidURL)
"""Exceptions raised before any part of the request was sent."""


class UpstreamClient:
    """Sends requests to the API with one `aiohttp` session per server."""

    def __init__(
        self,
        settings: ServerSettings,
        agent: str,
        client: Callable[[], aiohttp.ClientSession] | None = None,
    ) -> None:
        self._settings = settings
        self._agent = agent
        self._create_session = client or _create_session
        self._timeout = aiohttp.ClientTimeout(
            total=settings.timeout_seconds, sock_connect=CONNECT_SECONDS
        )
        self._session: aiohttp.ClientSession | None = None
        self._middlewares: tuple[aiohttp.ClientMiddlewareType, ...] = ()

    @property
    def address(self) -> str:
        """The base URL of the API, `""` if not configured."""
        return self._settings.upstream

    def is_at_api(self, request: UpstreamRequest) -> bool:
        """True if a request goes to scheme, host and port of the API's own base URL."""
        return url_origin(upstream_base_url(self._settings, request)) == url_origin(
            self._settings.upstream
        )

    @property
    def variable(self) -> str:
        """The environment variable for the base URL."""
        return self._settings.variable("upstream")

    def host(self, request: UpstreamRequest) -> str:
        """Host and port of a request's URL, without user info."""
        return urlsplit(upstream_base_url(self._settings, request)).netloc.rpartition("@")[2]

    async def __aenter__(self) -> Self:
        self._session = session = self._create_session()
        # `middlewares` of a request replace the session's middlewares, which aiohttp does not
        # expose.
        self._middlewares = getattr(session, "_middlewares", ())
        calls_at_once = self._settings.calls_at_once
        if session.connector and 0 < session.connector.limit < calls_at_once:
            logger.warning(
                "The client of `hooks.py` holds at most %d connections, and %s is %d: the wait for a"
                " connection counts as time of the API. Give its connector `limit=0`.",
                session.connector.limit,
                self._settings.variable("calls_at_once"),
                calls_at_once,
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session:
            await self._session.close()

    async def send(self, request: UpstreamRequest) -> UpstreamResponse:
        """Sends a request; follows redirects within the same origin for GET and HEAD. Raises
        `UpstreamError` without a response."""
        url = request_url(request, self._settings)
        for _ in range(REDIRECTS + 1):
            answer = await self.send_once(request, url)
            target = _redirect_target(request.method, url, answer)
            if not target:
                return answer
            url = target
        raise UpstreamError(f"redirects more than {REDIRECTS} times")

    async def send_once(self, request: UpstreamRequest, url: str) -> UpstreamResponse:
        """Sends a request to any URL; raises `UpstreamError` without a response."""
        if not self._session:
            raise UpstreamError("is not connected, because the server has not started")
        is_plain = request.method == "GET" and request.body is None
        try:
            async with self._session.request(
                request.method,
                URL(url, encoded=True),
                headers=request_headers(request, self._agent),
                skip_auto_headers=None if is_plain else ("Content-Type",),
                data=request.body,
                allow_redirects=False,
                auto_decompress=False,
                timeout=self._timeout,
                ssl=request.tls or True,
                middlewares=(partial(_forward_once, request.method), *self._middlewares),
            ) as response:
                return await self._read_response(response, urlsplit(url).path)
        except aiohttp.ConnectionTimeoutError:
            raise UpstreamError("did not take the connection in time", passing=True) from None
        except TimeoutError:
            seconds = self._settings.timeout_seconds
            message = f"did not answer within {seconds:g} seconds"
            raise UpstreamError(message, passing=True, sent=True) from None
        except aiohttp.ClientError as fault:
            message = next(message for kind, message in _ERROR_MESSAGES if isinstance(fault, kind))
            sent = not isinstance(fault, _UNSENT)
            cause = fault.__cause__ if isinstance(fault, _ConnectionLost) else fault
            raise UpstreamError(message, passing=message in _TEMPORARY, sent=sent) from cause
        except OSError as fault:
            raise UpstreamError("could not be reached") from fault

    async def _read_response(self, response: aiohttp.ClientResponse, path: str) -> UpstreamResponse:
        content = pieces(response.content.iter_any(), response.headers.get("Content-Encoding", ""))
        headers = _join_headers(response.headers)
        body, complete, stream = b"", True, None
        media_type = content_essence(headers.get("content-type", ""))
        if response.status < 300 and (read_stream := INSTALLED.stream_reader(media_type)):
            stream = await read_stream(content, media_type, self._settings)
        else:
            body, complete = await read_bounded(content, self._settings.result_bytes)
        return UpstreamResponse(
            response.status, response.reason or "", headers, body, complete, path, stream
        )


def request_url(request: UpstreamRequest, settings: ServerSettings) -> str:
    """The full URL of a request."""
    url = upstream_base_url(settings, request).rstrip("/") + request.path
    return f"{url}?{request.query}" if request.query else url


def upstream_base_url(settings: ServerSettings, request: UpstreamRequest) -> str:
    """The base URL of a request. An upstream set in the environment replaces all hosts; of the
    operation's own base URL only the path is kept."""
    base_url = request.base_url
    if not base_url:
        return settings.upstream
    if not base_url.startswith("/") and "upstream" not in settings.model_fields_set:
        return base_url
    path = urlsplit(base_url).path
    # `urljoin` would take the host from a path that begins with `//`.
    return urlsplit(settings.upstream)._replace(path=path).geturl() if path else settings.upstream


def _create_session() -> aiohttp.ClientSession:
    """A session without cookies: cookies of one caller must not be sent for another. The connector
    is unlimited because `calls_at_once` limits the connections; waiting for a connection would
    count as response time of the API."""
    return aiohttp.ClientSession(
        connector=_Connector(limit=0, keepalive_timeout=IDLE_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
    )


class _Connector(aiohttp.TCPConnector):
    """A connector that limits informational responses: aiohttp reads any number, and a flood would
    take the CPU from all other calls until the timeout."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # aiohttp has no public option for the protocol of connections.
        self._factory: Any = partial(_BoundedHandler, loop=self._loop)


class _BoundedHandler(ResponseHandler):
    """A connection to the API. aiohttp calls `read` for the head of the next response,
    informational or not."""

    _informational = 0

    async def read(self) -> tuple[RawResponseMessage, StreamReader]:
        """The next head. Raises `BadHttpMessage` after too many informational responses in a
        row."""
        message, payload = await super().read()
        self._informational = self._informational + 1 if message.code < 200 else 0
        if self._informational > INFORMATIONAL:
            raise BadHttpMessage(f"more than {INFORMATIONAL} informational answers")
        return message, payload


class _ConnectionLost(aiohttp.ClientConnectionError):
    """A connection lost after the request was sent; not of a type that aiohttp retries."""


async def _forward_once(
    method: str, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Sends a request once, with the method's case preserved. aiohttp upper-cases methods, but
    methods are case-sensitive (RFC 9110, 9.1). aiohttp also repeats GET, PUT and DELETE when a
    reused connection ends (`ClientOSError`, `ServerDisconnectedError`); only the retry policy may
    repeat requests, because only the policy knows the tool's hints."""
    request.method = method
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as fault:
        raise _ConnectionLost(str(fault)) from fault


def request_headers(request: UpstreamRequest, agent: str) -> list[tuple[str, str]]:
    """The headers of a request, with the cookies."""
    headers = [("User-Agent", agent), ("Accept-Encoding", ACCEPTED), *request.headers]
    if request.cookies:
        headers.append(("Cookie", "; ".join(request.cookies)))
    return headers


def _join_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by lower-case name; several `Link` headers are joined."""
    joined: dict[str, str] = {}
    for name, value in headers.items():
        name = name.lower()
        joined[name] = f"{joined[name]}, {value}" if name == "link" and name in joined else value
    return joined


def _redirect_target(method: str, url: str, answer: UpstreamResponse) -> str:
    """The redirect target, or `""`. Never another origin, which must not receive credentials."""
    location = answer.headers.get("location", "")
    if answer.status not in (301, 302, 303, 307, 308) or method not in ("GET", "HEAD"):
        return ""
    try:
        # Many APIs send spaces and other characters that a request line cannot contain.
        target = quote(urljoin(url, location), safe=punctuation)
        is_allowed = url_origin(target) == url_origin(url)
    except ValueError:
        raise UpstreamError("redirects to an address that cannot be read") from None
    # The API must not choose the user name and password of the next request.
    is_allowed = is_allowed and _userinfo(target) in ("", _userinfo(url))
    return target if location and is_allowed else ""


def url_origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of a URL, with the default port filled in. Raises `ValueError` for an
    invalid URL."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _userinfo(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[0]
