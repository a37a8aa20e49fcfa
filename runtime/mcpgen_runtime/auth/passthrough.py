"""Passes the caller's credential on to the hosts that may have the credential."""

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

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_PATTERN = re.compile(
    rf"\*(?:\.{_LABEL}){{2,}}|{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.IGNORECASE
)
_AUTHORITY = re.compile(r"https?://[A-Za-z0-9._\[\]:-]+(?:[/?#]|$)", re.IGNORECASE)


def is_pattern(text: str) -> bool:
    """True if `text` is an entry of a trusted-host list: `example.com` for the host alone, or
    `*.example.com` for the domain and all subdomains."""
    return _PATTERN.fullmatch(text) is not None


def may_see_credentials(url: str, patterns: Iterable[str]) -> bool:
    """True if the URL leads to a trusted host, over TLS unless the host is loopback.

    False for URLs that cannot be parsed, or that parsers may read differently.
    """
    if not _AUTHORITY.match(url):
        return False
    try:
        parsed = URL(url, encoded=True)
        host = (parsed.raw_host or "").lower()
        _ = parsed.port
    except ValueError:
        return False
    if parsed.scheme != "https" and host not in LOOPBACK:
        return False
    return any(_covers(pattern.lower(), host) for pattern in patterns)


def _covers(pattern: str, host: str) -> bool:
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern.strip("[]")


BEARER = HeaderScheme("bearer", "bearer")
"""Sends the caller's token upstream."""

KEY = HeaderScheme("x-api-key", "apiKey", name="x-api-key")
"""Sends the caller's key upstream."""


class PassthroughSettings(ServerSettings):
    """Settings of the hosts that may receive callers' credentials."""

    trusted_hosts: Names = ()
    """Hosts that may receive callers' credentials; overrides the project's list."""

    @field_validator("trusted_hosts", mode="before")
    @classmethod
    def _check_hosts(cls, value: object) -> object:
        hosts = value.split(",") if isinstance(value, str) else value
        patterns = (
            tuple(str(host).strip() for host in hosts) if isinstance(hosts, Iterable) else ("",)
        )
        if not all(is_pattern(host) for host in patterns):
            raise ValueError("must be names of hosts, or `*.` and a domain")
        return patterns


class Passthrough(Middleware):
    """Passes the caller's credential on to trusted hosts only; the API decides whether the
    credential is valid.

    Behind an authentication rule, only a verified access token is passed on. Without such a rule
    everybody may list the tools, and the API checks the credential of each call. Raises
    `ValueError` if the API itself is not a trusted host.
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
        """Names `credentials.mode`, unless the local user has a token."""
        if self._settings.stdio_token.get_secret_value():
            return ""
        variable = self._settings.variable("stdio_token")
        return f"`credentials.mode` hands on the caller's credential; set {variable} to the token"

    def gate(self, app: Asgi) -> Asgi:
        """Records the credentials of each request in the caller; two credentials of a kind get
        400."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] not in PATHS:
                await app(scope, receive, send)
                return
            tokens, keys = _values(scope, b"authorization"), _values(scope, b"x-api-key")
            caller = _with_headers(caller_of(scope), _bearer(tokens), "".join(keys))
            if len(tokens) > 1 or len(keys) > 1:
                await respond(send, 400, rpc_error("More than one credential of a kind"))
            else:
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
        for scheme in (KEY, BEARER):
            if scheme.id in headers:
                request = scheme.add(request, (headers[scheme.id],))
        return await deliver(request)


def _with_headers(caller: Caller, token: str, key: str) -> Caller:
    """The caller with the token and key that may be passed on to the API."""
    authenticated = caller.credential
    if authenticated:
        token = authenticated if caller.token else ""
        # A key that authenticated the caller here must not be sent to another service.
        key = "" if key == authenticated else key
    secrets = ((BEARER.id, token), (KEY.id, key))
    headers = {id: secret for id, secret in secrets if secret}
    if authenticated or not headers:
        return replace(caller, headers=headers)
    credential = token or key
    subject = f"unverified:{sha256(credential.encode()).hexdigest()[:16]}"
    return replace(caller, subject=subject, credential=credential, headers=headers)


def _values(scope: Scope, name: bytes) -> list[str]:
    """All non-empty values of a header."""
    values = (value.decode("latin-1").strip() for key, value in scope["headers"] if key == name)
    return [value for value in values if value]


def _bearer(values: list[str]) -> str:
    """The token of an `Authorization` header, `""` for other schemes."""
    scheme, _, token = values[0].partition(" ") if values else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else ""
