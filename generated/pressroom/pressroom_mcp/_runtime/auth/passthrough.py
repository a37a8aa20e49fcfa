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
from ..server.middleware import Deliver, Invocation, Middleware
from ..server.origin_check import LOOPBACK
from ..server.transport_guard import PATHS
from ..settings import Names, ServerSettings
from ..upstream.client import request_url
from ..upstream.credentials import SecurityScheme, add_credential
from ..upstream.request import InvalidArguments, UpstreamRequest
from ..upstream.response import UpstreamResponse

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_PATTERN = re.compile(
    rf"\*(?:\.{_LABEL}){{2,}}|{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.IGNORECASE
)
_AUTHORITY = re.compile(r"https?://[A-Za-z0-9._\[\]:-]+(?:[/?#]|$)", re.IGNORECASE)


def is_pattern(text: str) -> bool:
    """Whether the text can stand on a list of trusted hosts: `example.com`, which is only itself,
    or `*.example.com`, which is the domain and every one below it."""
    return _PATTERN.fullmatch(text) is not None


def may_see_credentials(url: str, patterns: Iterable[str]) -> bool:
    """Whether a URL leads to one of the hosts, over TLS unless it is this machine.

    One that cannot be read, or that two readers may read differently, leads nowhere.
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


BEARER = SecurityScheme("bearer", "bearer")
"""Where the caller's token travels."""

KEY = SecurityScheme("x-api-key", "apiKey", place="header", name="x-api-key")
"""Where the caller's key travels."""


class PassthroughSettings(ServerSettings):
    """Where the credentials of callers may go."""

    trusted_hosts: Names = ()
    """Hosts that callers' credentials may be sent to, in place of those the project declares."""

    @field_validator("trusted_hosts", mode="before")
    @classmethod
    def _check_hosts(cls, given: object) -> object:
        hosts = given.split(",") if isinstance(given, str) else given
        named = tuple(str(host).strip() for host in hosts) if isinstance(hosts, Iterable) else ("",)
        if not all(is_pattern(host) for host in named):
            raise ValueError("must be names of hosts, or `*.` and a domain")
        return named


class Passthrough(Middleware):
    """Sends what the caller showed, to trusted hosts only; the API decides whether it is good.

    Behind a rule that has found out who calls, only an access token that was found good goes on.
    Without such a rule anybody may see the tools, and the API checks the credential of each call.
    Raises ValueError if the API itself is not trusted.
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

    def gate(self, app: Asgi) -> Asgi:
        """The application, told what each request shows; one that shows two of a kind gets 400."""

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
        """The answer to the request with the caller's credential.

        Raises `InvalidArguments` if there is none, or if the request leads to a host that is not trusted.
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
                request = add_credential(request, scheme, (headers[scheme.id],))
        return await deliver(request)


def _with_headers(caller: Caller, token: str, key: str) -> Caller:
    """The caller with what goes on to the API of the token and the key in the request."""
    shown = caller.credential
    if shown:
        token = shown if caller.token else ""
        # A key that this server itself asked for opens nothing else.
        key = "" if key == shown else key
    secrets = ((BEARER.id, token), (KEY.id, key))
    headers = {id: secret for id, secret in secrets if secret}
    if shown or not headers:
        return replace(caller, headers=headers)
    credential = token or key
    subject = f"unverified:{sha256(credential.encode()).hexdigest()[:16]}"
    return replace(caller, subject=subject, credential=credential, headers=headers)


def _values(scope: Scope, name: bytes) -> list[str]:
    """Every value of a header that holds something."""
    values = (value.decode("latin-1").strip() for key, value in scope["headers"] if key == name)
    return [value for value in values if value]


def _bearer(values: list[str]) -> str:
    """The token of an `Authorization` header, `""` if it holds something else."""
    scheme, _, token = values[0].partition(" ") if values else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else ""
