"""Access tokens by OAuth 2 client credentials, fetched when needed and kept while they last."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from urllib.parse import quote, urlencode, urlsplit

from .answer import Answer, Unanswered
from .guard import LOOPBACK
from .redact import Redactor
from .security import SecurityScheme
from .upstream import Upstream

MARGIN_SECONDS = 30
"""How long before its end a token is replaced, so that it does not end on the way."""

LIFETIME_SECONDS = 300
"""How long a token is kept if its issuer does not say."""


class Tokens:
    """The tokens of every scheme; source: https://www.rfc-editor.org/rfc/rfc6749#section-4.4."""

    def __init__(self, upstream: Upstream, redactor: Redactor) -> None:
        self._upstream = upstream
        self._redactor = redactor
        self._kept: dict[str, tuple[str, float]] = {}
        self._lock = asyncio.Lock()

    async def token(self, scheme: SecurityScheme, client: str, secret: str) -> str:
        """A token that is still good. Raises `Unanswered` if the issuer gives none."""
        async with self._lock:
            token, end = self._kept.get(scheme.id, ("", 0.0))
            if time.monotonic() < end:
                return token
            token, seconds = await self._fetch(scheme, client, secret)
            self._redactor.learn(token)
            self._kept[scheme.id] = token, time.monotonic() + seconds
            return token

    def forget(self, scheme: SecurityScheme) -> None:
        """Drops a token that was not accepted."""
        self._kept.pop(scheme.id, None)

    async def _fetch(self, scheme: SecurityScheme, client: str, secret: str) -> tuple[str, float]:
        fields = {"grant_type": "client_credentials"}
        if scheme.scopes:
            fields["scope"] = " ".join(scheme.scopes)
        return await granted(self._upstream, scheme.token_url, list(fields.items()), client, secret)


async def granted(
    upstream: Upstream, url: str, fields: list[tuple[str, str]], client: str, secret: str
) -> tuple[str, float]:
    """The token that an issuer grants to a client, and for how many seconds to use it.

    Raises `Unanswered` if it grants none.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise Unanswered("has a token address that is not https, so no secret is sent there")
    headers = {"Accept": "application/json"}
    pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
    basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
    form = urlencode(fields).encode()
    answer = await upstream.post_form(url, form, {**headers, "Authorization": basic})
    if answer.status in (400, 401):
        # Some issuers only read the client's credentials from the form.
        form = urlencode([*fields, ("client_id", client), ("client_secret", secret)]).encode()
        answer = await upstream.post_form(url, form, headers)
    return _token(answer)


def _token(answer: Answer) -> tuple[str, float]:
    """The token and for how many seconds to use it."""
    if answer.status != 200:
        raise Unanswered(f"gives no access token: its issuer answered {answer.status}")
    try:
        issued = json.loads(answer.body)
        token = issued["access_token"]
        seconds = float(issued.get("expires_in") or LIFETIME_SECONDS)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Unanswered("gives no access token: its issuer's answer is not understood") from None
    # https://www.rfc-editor.org/rfc/rfc8693#section-2.2.1: this one is no access token.
    if not isinstance(token, str) or str(issued.get("token_type")).upper() == "N_A":
        raise Unanswered("gives no access token: its issuer's answer is not understood")
    return token, max(seconds - MARGIN_SECONDS, 1.0)
