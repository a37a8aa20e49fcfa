"""Access tokens by OAuth 2, for a client or for a user, fetched when needed and kept while they last."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Sequence
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ..observability.redact import Redactor
from ..server.origin_check import LOOPBACK
from .client import UpstreamClient
from .credentials import SecurityScheme, TokenRequest
from .response import UpstreamError, UpstreamResponse

MARGIN_SECONDS = 30
"""How long before its end a token is replaced, so that it does not end on the way."""

LIFETIME_SECONDS = 300
"""How long a token is kept if its issuer does not say."""


class ClientCredentialsTokens:
    """The tokens of every scheme; source: https://www.rfc-editor.org/rfc/rfc6749#section-4.3 (for a
    user) and https://www.rfc-editor.org/rfc/rfc6749#section-4.4 (for a client)."""

    def __init__(self, upstream: UpstreamClient, redactor: Redactor) -> None:
        self._upstream = upstream
        self._redactor = redactor
        self._kept: dict[str, tuple[str, float]] = {}
        self._lock = asyncio.Lock()

    async def token(self, grant: TokenRequest) -> str:
        """A token that is still good. Raises `UpstreamError` if the issuer gives none."""
        async with self._lock:
            token, end = self._kept.get(grant.id, ("", 0.0))
            if time.monotonic() < end:
                return token
            token, seconds = await self._fetch(grant)
            self._redactor.learn(token)
            self._kept[grant.id] = token, time.monotonic() + seconds
            return token

    def forget(self, scheme: SecurityScheme) -> None:
        """Drops a token that was not accepted."""
        self._kept.pop(scheme.id, None)

    async def _fetch(self, grant: TokenRequest) -> tuple[str, float]:
        # FastAPI's `tokenUrl="token"` lies below the base URL, which has no slash at its end.
        url = urljoin(f"{self._upstream.address}/", grant.url)
        # The API gets the token over the same connection, so that TLS there is the operator's choice.
        if not urlsplit(grant.url).netloc:
            return await _granted(self._upstream, url, grant.fields, grant.client, grant.secret)
        return await fetch_token(self._upstream, url, grant.fields, grant.client, grant.secret)


async def fetch_token(
    upstream: UpstreamClient, url: str, fields: Sequence[tuple[str, str]], client: str, secret: str
) -> tuple[str, float]:
    """The token that an issuer grants, and for how many seconds to use it.

    Raises `UpstreamError` if it grants none.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise UpstreamError("has a token address that is not https, so no secret is sent there")
    return await _granted(upstream, url, fields, client, secret)


async def _granted(
    upstream: UpstreamClient, url: str, fields: Sequence[tuple[str, str]], client: str, secret: str
) -> tuple[str, float]:
    headers = {"Accept": "application/json"}
    if not (client and secret):
        # https://www.rfc-editor.org/rfc/rfc6749#section-2.3: a public client names itself alone.
        named = [("client_id", client)] if client else []
        return _token(await upstream.post_form(url, urlencode([*fields, *named]).encode(), headers))
    pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
    basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
    form = urlencode(fields).encode()
    answer = await upstream.post_form(url, form, {**headers, "Authorization": basic})
    if answer.status in (400, 401) and not _is_about_the_grant(answer):
        # Some issuers only read the client's credentials from the form.
        form = urlencode([*fields, ("client_id", client), ("client_secret", secret)]).encode()
        answer = await upstream.post_form(url, form, headers)
    return _token(answer)


def _is_about_the_grant(answer: UpstreamResponse) -> bool:
    """True if the issuer knows the client and refuses the user: a second try with the same password
    could lock the account."""
    try:
        return bool(json.loads(answer.body)["error"] == "invalid_grant")
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _token(answer: UpstreamResponse) -> tuple[str, float]:
    """The token and for how many seconds to use it."""
    if answer.status != 200:
        raise UpstreamError(f"gives no access token: its issuer answered {answer.status}")
    try:
        issued = json.loads(answer.body)
        token = issued["access_token"]
        seconds = float(issued.get("expires_in") or LIFETIME_SECONDS)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UpstreamError(
            "gives no access token: its issuer's answer is not understood"
        ) from None
    # https://www.rfc-editor.org/rfc/rfc8693#section-2.2.1: this one is no access token.
    if not isinstance(token, str) or str(issued.get("token_type")).upper() == "N_A":
        raise UpstreamError("gives no access token: its issuer's answer is not understood")
    return token, max(seconds - MARGIN_SECONDS, 1.0)
