"""Passes the caller's credential on to the API, if the host is trusted with credentials."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from pydantic import field_validator
from yarl import URL

from ..caller import Caller, caller_of, scope_with_caller
from ..server.asgi import Asgi, Receive, Scope, Send, respond, rpc_error
from ..server.invocation import Deliver, Invocation
from ..server.middleware import Middleware
from ..server.transport_guard import LOOPBACK, PATHS
from ..settings import Names, ServerSettings
from ..upstream.client import request_url
from ..upstream.exchange import InvalidArguments, UpstreamRequest, UpstreamResponse
from ..upstream.secret_store import HeaderScheme

# A label of a host name; some private hosts have underscores.
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_PATTERN = re.compile(
    rf"\*(?:\.{_LABEL}){{2,}}|{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.IGNORECASE
)
"""`*.` before at least two labels, which refuses `*.com`; a host name or IPv4 address; or an IPv6 address in
brackets."""

_AUTHORITY = re.compile(r"https?://[A-Za-z0-9._\[\]:-]+(?:[/?#]|$)", re.IGNORECASE)
"""The beginning of a URL with a plain host and port. Parsers disagree about other characters before the path,
such as `@` and the backslash."""


def is_host_pattern(text: str) -> bool:
    """True if `text` may be an entry of a list of trusted hosts: `example.com` for the host alone,
    `*.example.com` for the domain and all subdomains, or an IP address."""
    return _PATTERN.fullmatch(text) is not None


def may_see_credentials(url: str, patterns: Iterable[str]) -> bool:
    """True if a request to the URL may carry credentials: if the host matches one of the `patterns`, and
    the scheme is https or the host is loopback.

    False for URLs that cannot be parsed, or that parsers may read differently.
    """
    if not _AUTHORITY.match(url):
        return False
    try:
        parsed = URL(url, encoded=True)
        host = (parsed.raw_host or "").lower()
        _ = parsed.port  # Raises `ValueError` for an invalid port
    except ValueError:
        return False
    if parsed.scheme != "https" and host not in LOOPBACK:
        return False
    return any(_covers(pattern.lower(), host) for pattern in patterns)


def _covers(pattern: str, host: str) -> bool:
    """True if a host, in lower case, matches a pattern of a list of trusted hosts."""
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern.strip("[]")


BEARER = HeaderScheme("bearer", "bearer")
"""Puts the caller's token into the header `Authorization` of a request to the API."""

API_KEY = HeaderScheme("x-api-key", "apiKey", name="x-api-key")
"""Puts the caller's key into the header `x-api-key` of a request to the API."""


class PassthroughSettings(ServerSettings):
    """Settings of the hosts that may receive callers' credentials."""

    trusted_hosts: Names = ()
    """Hosts that may receive callers' credentials; overrides the project's list."""

    @field_validator("trusted_hosts", mode="before")
    @classmethod
    def _check_hosts(cls, value: object) -> object:
        """The patterns of a list, or of a text with commas. Raises `ValueError` for an invalid pattern."""
        hosts = value.split(",") if isinstance(value, str) else value
        # `""` is no pattern, so a value that is no list is refused below.
        patterns = (
            tuple(str(host).strip() for host in hosts) if isinstance(hosts, Iterable) else ("",)
        )
        if not all(is_host_pattern(host) for host in patterns):
            raise ValueError("must be names of hosts, or `*.` and a domain")
        return patterns


class Passthrough(Middleware):
    """Passes the caller's credential on to trusted hosts only; the API decides whether the
    credential is valid.

    Behind an authentication rule, a bearer token is passed on only if verified, and an API key only if
    the key is not the credential of the caller here. Without such a rule everybody may list the tools,
    and the API checks the credential of each call. Raises `ValueError` if the API itself is not a
    trusted host.
    """

    def __init__(self, settings: PassthroughSettings, trusted: tuple[str, ...]) -> None:
        self._settings = settings
        self._trusted = settings.trusted_hosts or trusted
        if settings.upstream and not may_see_credentials(settings.upstream, self._trusted):
            variable = settings.variable("trusted_hosts")
            raise ValueError(
                f"{settings.upstream} is not among the hosts that callers' credentials may be sent"
                f" to over https; change {settings.variable('upstream')} or {variable}"
            )

    def http_only(self) -> str:
        """The reason why the rule needs HTTP: over stdio, only `stdio_token` gives the caller a token. `""` if
        `stdio_token` is set."""
        if self._settings.stdio_token.get_secret_value():
            return ""
        variable = self._settings.variable("stdio_token")
        return f"`credentials.mode` hands on the caller's credential; set {variable} to the token"

    def gate(self, app: Asgi) -> Asgi:
        """Records the credentials of each request in `Caller.headers`. Answers 400 if a request has the
        header `Authorization` or `x-api-key` twice."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] not in PATHS:
                await app(scope, receive, send)
                return
            authorizations, keys = _values(scope, b"authorization"), _values(scope, b"x-api-key")
            if len(authorizations) > 1 or len(keys) > 1:
                await respond(send, 400, rpc_error("More than one credential of a kind"))
                return
            token, key = _bearer_token(*authorizations), "".join(keys)
            caller = _with_headers(caller_of(scope), token, key)
            await app(scope_with_caller(scope, caller), receive, send)

        return gated

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request with the caller's credential.

        Raises `InvalidArguments` without a credential, or if the host of the request is not
        trusted.
        """
        headers = invocation.caller.headers
        if not headers:
            raise InvalidArguments(
                "the caller showed no credential that could be handed on to the API"
            )
        if not may_see_credentials(request_url(request, self._settings), self._trusted):
            raise InvalidArguments(
                "the credential of the caller must not be sent to the host of this tool"
            )
        for scheme in (API_KEY, BEARER):
            if scheme.id in headers:
                request = scheme.add(request, (headers[scheme.id],))
        return await deliver(request)


def _with_headers(caller: Caller, token: str, key: str) -> Caller:
    """The caller with the token and key that may be passed on to the API; `""` for no token or key.

    A caller without a verified credential gets the unverified one, and a subject made from the
    credential, so that limits and logs tell callers apart.
    """
    verified = caller.credential
    if verified:
        token = verified if caller.token else ""
        # A key that authenticated the caller here must not be sent to another service.
        key = "" if key == verified else key
    secrets = ((BEARER.id, token), (API_KEY.id, key))
    headers = {id: secret for id, secret in secrets if secret}
    if verified or not headers:
        return replace(caller, headers=headers)
    credential = token or key
    subject = f"unverified:{sha256(credential.encode()).hexdigest()[:16]}"
    return replace(caller, subject=subject, credential=credential, headers=headers)


def _values(scope: Scope, name: bytes) -> list[str]:
    """All non-empty values of a header."""
    values = (value.decode("latin-1").strip() for key, value in scope["headers"] if key == name)
    return [value for value in values if value]


def _bearer_token(authorization: str = "") -> str:
    """The token of an `Authorization` header, `""` for other schemes."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
