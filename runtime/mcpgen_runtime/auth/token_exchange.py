"""Exchanges the caller's token for a token for the API.

Source: https://www.rfc-editor.org/rfc/rfc8693
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256

from pydantic import SecretStr

from ..server.invocation import Deliver, Invocation
from ..server.middleware import Middleware
from ..settings import ServerSettings
from ..upstream.client import UpstreamClient, request_url, url_origin
from ..upstream.exchange import InvalidArguments, UpstreamRequest, UpstreamResponse
from ..upstream.oauth_client import fetch_token
from ..upstream.secret_store import HeaderScheme

logger = logging.getLogger(__name__)

MAX_CACHED_TOKENS = 10_000
"""Maximum number of cached tokens; the least recently used is evicted."""

BEARER = HeaderScheme("bearer", "bearer")
"""Adds the exchanged token to a request, in the header `Authorization`."""

_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


class TokenExchangeSettings(ServerSettings):
    """Credentials of this server at the issuer that exchanges tokens."""

    exchange_tokens: bool = True
    """Exchanges the token of the caller; if false, requests are sent without a token of the caller."""
    exchange_client_id: SecretStr | None = None
    exchange_client_secret: SecretStr | None = None
    exchange_token_url: str = ""
    """The token endpoint of the issuer; overrides the endpoint of the project."""


@dataclass(frozen=True)
class RequestedToken:
    """The token that the server requests, and the token endpoint `token_url` of the issuer;
    https://www.rfc-editor.org/rfc/rfc8693#section-2.1."""

    token_url: str
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()

    def fields(self, subject_token: str) -> list[tuple[str, str]]:
        """The form fields, names and values, of the request that exchanges a caller's token."""
        return [
            ("grant_type", _GRANT),
            ("subject_token", subject_token),
            ("subject_token_type", _ACCESS_TOKEN),
            ("requested_token_type", _ACCESS_TOKEN),
            *(("audience", name) for name in self.audience),
            *(("resource", url) for url in self.resource),
            *((("scope", " ".join(self.scopes)),) if self.scopes else ()),
        ]


class TokenExchanger(Middleware):
    """Sends an exchanged token to the API; the caller's own token is sent to the issuer only.

    Exchanges only tokens that this server has verified. Sends the exchanged token only to the origin of
    the API, because the issuer gives the token for the API, and another host could misuse the token.
    Raises `ValueError` without client credentials.
    """

    def __init__(
        self, settings: TokenExchangeSettings, agent: str, requested_token: RequestedToken
    ) -> None:
        self._settings = settings
        self._url = settings.exchange_token_url or requested_token.token_url
        self._requested_token = requested_token
        self._client_id, self._client_secret = (
            secret.get_secret_value() if secret else ""
            for secret in (settings.exchange_client_id, settings.exchange_client_secret)
        )
        if settings.exchange_tokens and not (self._client_id and self._client_secret):
            names = [settings.variable(f"exchange_client_{part}") for part in ("id", "secret")]
            raise ValueError(
                f"tokens cannot be exchanged; set {' and '.join(names)} to what the issuer gave this server"
            )
        self._issuer_client = UpstreamClient(settings, agent)
        self._tokens: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        """Exchanged tokens with the monotonic time of expiry, by hash of the credential, least recently
        used first."""
        self._pending: dict[bytes, asyncio.Task[str]] = {}
        """Running exchanges, by hash of the credential."""

    def http_only(self) -> str:
        """The reason why the rule cannot run without HTTP: over stdio, only `stdio_token` gives the
        caller a token. `""` if `stdio_token` is set, or if no token is exchanged."""
        settings = self._settings
        if settings.stdio_token.get_secret_value() or not settings.exchange_tokens:
            return ""
        variable = settings.variable("stdio_token")
        return f"`credentials.mode` exchanges the caller's token; set {variable} to the token"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keeps the HTTP client for the issuer open; cancels running exchanges at the end."""
        if not self._settings.exchange_tokens:
            variable = self._settings.variable("exchange_tokens")
            logger.warning("Calls go to the API without a credential: %s is off.", variable)
        async with self._issuer_client:
            yield
        for task in self._pending.values():
            task.cancel()

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request with an exchanged token; after 401, sends the request once more with a new
        token.

        Raises `InvalidArguments` if the caller has no verified token or the request goes to another
        origin than the API's, and `UpstreamError` if the issuer gives no token.
        """
        caller = invocation.caller
        if not self._settings.exchange_tokens:
            return await deliver(request)
        if not caller.token:
            raise InvalidArguments("the caller showed no access token that could be exchanged")
        if url_origin(request_url(request, self._settings)) != url_origin(self._settings.upstream):
            raise InvalidArguments("the token of the caller is not meant for the host of this tool")
        answer = await deliver(await self._with_token(invocation, request))
        if answer.status != 401:
            return answer
        self._tokens.pop(_credential_hash(caller.credential), None)
        return await deliver(await self._with_token(invocation, request))

    async def _with_token(
        self, invocation: Invocation, request: UpstreamRequest
    ) -> UpstreamRequest:
        token = await self._token(invocation.caller.credential)
        # Masked in the result and in the log, since an API may repeat the token.
        invocation.secrets.append(token)
        return BEARER.add(request, (token,))

    async def _token(self, credential: str) -> str:
        """The exchanged token of a credential, cached. Concurrent calls share one request."""
        key = _credential_hash(credential)
        token, expires_at = self._tokens.get(key, ("", 0.0))
        if time.monotonic() < expires_at:
            self._tokens.move_to_end(key)
            return token
        if key not in self._pending:
            task = asyncio.create_task(self._fetch(key, credential))
            task.add_done_callback(lambda _: self._pending.pop(key, None))
            self._pending[key] = task
        # Shielded: a cancelled caller must not cancel the request that other callers share.
        return await asyncio.shield(self._pending[key])

    async def _fetch(self, key: bytes, credential: str) -> str:
        """Exchanges a credential, and caches the token under `key`."""
        fields = self._requested_token.fields(credential)
        token, seconds = await fetch_token(
            self._issuer_client, self._url, fields, self._client_id, self._client_secret
        )
        self._tokens[key] = token, time.monotonic() + seconds
        self._tokens.move_to_end(key)
        if len(self._tokens) > MAX_CACHED_TOKENS:
            self._tokens.popitem(last=False)
        return token


def _credential_hash(credential: str) -> bytes:
    """The cache key of a credential: a hash, so that the cache does not contain the caller's token."""
    return sha256(credential.encode()).digest()
