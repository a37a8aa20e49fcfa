"""OAuth 2 access tokens for a client or user, fetched on demand and cached until expiry."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ..observability.redact import Redactor
from ..server.transport_guard import LOOPBACK
from .client import UpstreamClient
from .credentials import SecurityScheme
from .exchange import UpstreamError, UpstreamRequest, UpstreamResponse
from .secret_store import HeaderScheme, SecretStore

MARGIN_SECONDS = 30
"""A token is replaced this many seconds before expiry, so that no token expires in transit."""

LIFETIME_SECONDS = 300
"""Cache time in seconds if the issuer gives no lifetime."""


@dataclass(frozen=True)
class TokenRequest:
    """A token request: form `fields` for `url`, client id and secret, `""` if absent. `id` is the
    id of the scheme."""

    id: str
    url: str
    fields: tuple[tuple[str, str], ...]
    client: str
    secret: str


class ClientCredentialsTokens(SecretStore):
    """Tokens of all schemes; source: https://www.rfc-editor.org/rfc/rfc6749#section-4.3 (password
    grant) and https://www.rfc-editor.org/rfc/rfc6749#section-4.4 (client credentials)."""

    def __init__(self, upstream: UpstreamClient, redactor: Redactor, vault: SecretStore) -> None:
        super().__init__(vault.schemes.values(), vault.settings)
        self._upstream = upstream
        self._redactor = redactor
        self._cached_tokens: dict[str, tuple[str, float]] = {}
        self._lock = asyncio.Lock()

    async def fetch(self, scheme: HeaderScheme) -> tuple[str, ...]:
        """The values of a scheme; for a scheme with tokens a valid token, cached. Raises
        `UpstreamError` if the issuer gives no token."""
        grant = self._grant(scheme)
        if grant is None:
            return self.secrets(scheme)
        async with self._lock:
            token, end = self._cached_tokens.get(grant.id, ("", 0.0))
            if time.monotonic() < end:
                return (token,)
            token, seconds = await self._fetch(grant)
            self._redactor.learn(token)
            self._cached_tokens[grant.id] = token, time.monotonic() + seconds
            return (token,)

    def forget(self, schemes: Iterable[HeaderScheme]) -> bool:
        """Drops rejected tokens; returns True if some scheme has tokens."""
        issued = [scheme for scheme in schemes if self._grant(scheme)]
        for scheme in issued:
            self._cached_tokens.pop(scheme.id, None)
        return bool(issued)

    def _grant(self, scheme: HeaderScheme) -> TokenRequest | None:
        """The token request for the first complete choice of settings; None if the token itself is
        set, or the scheme has no tokens."""
        if not isinstance(scheme, SecurityScheme) or self.value(scheme.setting):
            return None
        user, password, client, secret = (
            self.value(f"{scheme.setting}_{part}")
            for part in ("username", "password", "client_id", "client_secret")
        )
        scope = (("scope", " ".join(scheme.scopes)),) if scheme.scopes else ()
        if scheme.password_url and user and password:
            user_fields = (("grant_type", "password"), ("username", user), ("password", password))
            return TokenRequest(
                scheme.id, scheme.password_url, (*user_fields, *scope), client, secret
            )
        if not (scheme.token_url and client and secret):
            return None
        fields = (("grant_type", "client_credentials"), *scope)
        return TokenRequest(scheme.id, scheme.token_url, fields, client, secret)

    async def _fetch(self, grant: TokenRequest) -> tuple[str, float]:
        # FastAPI's `tokenUrl="token"` is relative to the base URL, which has no trailing slash.
        url = urljoin(f"{self._upstream.address}/", grant.url)
        # The token is sent to the API over the same connection anyway, so the operator decides
        # about TLS.
        if not urlsplit(grant.url).netloc:
            return await _request_token(
                self._upstream, url, grant.fields, grant.client, grant.secret
            )
        return await fetch_token(self._upstream, url, grant.fields, grant.client, grant.secret)


async def fetch_token(
    upstream: UpstreamClient, url: str, fields: Sequence[tuple[str, str]], client: str, secret: str
) -> tuple[str, float]:
    """Fetches a token; returns the token and the cache time in seconds.

    Raises `UpstreamError` if the issuer gives no token.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise UpstreamError("has a token address that is not https, so no secret is sent there")
    return await _request_token(upstream, url, fields, client, secret)


async def _request_token(
    upstream: UpstreamClient, url: str, fields: Sequence[tuple[str, str]], client: str, secret: str
) -> tuple[str, float]:
    headers = {"Accept": "application/json"}
    if not (client and secret):
        # https://www.rfc-editor.org/rfc/rfc6749#section-2.3: a public client sends only the client
        # id.
        client_fields = [("client_id", client)] if client else []
        return _token(
            await _post_form(upstream, url, urlencode([*fields, *client_fields]).encode(), headers)
        )
    pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
    basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
    form = urlencode(fields).encode()
    answer = await _post_form(upstream, url, form, {**headers, "Authorization": basic})
    if answer.status in (400, 401) and not _is_about_the_grant(answer):
        # Some issuers read client credentials only from the form.
        form = urlencode([*fields, ("client_id", client), ("client_secret", secret)]).encode()
        answer = await _post_form(upstream, url, form, headers)
    return _token(answer)


def _is_about_the_grant(answer: UpstreamResponse) -> bool:
    """True if the issuer rejects the user, not the client: a second attempt with the same password
    could lock the account."""
    try:
        return bool(json.loads(answer.body)["error"] == "invalid_grant")
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _token(answer: UpstreamResponse) -> tuple[str, float]:
    """The token and the cache time in seconds."""
    if answer.status != 200:
        raise UpstreamError(f"gives no access token: its issuer answered {answer.status}")
    try:
        issued = json.loads(answer.body)
        token = issued["access_token"]
        seconds = float(issued.get("expires_in") or LIFETIME_SECONDS)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise UpstreamError(
            "gives no access token: its issuer's answer is not understood"
        ) from None
    # https://www.rfc-editor.org/rfc/rfc8693#section-2.2.1: `N_A` is not an access token.
    if not (token and isinstance(token, str)) or str(issued.get("token_type")).upper() == "N_A":
        raise UpstreamError("gives no access token: its issuer's answer is not understood")
    return token, max(seconds - MARGIN_SECONDS, 1.0)


async def _post_form(
    upstream: UpstreamClient, url: str, form: bytes, headers: Mapping[str, str]
) -> UpstreamResponse:
    headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
    request = UpstreamRequest("POST", "", headers=tuple(headers.items()), body=form)
    return await upstream.send_once(request, url)
