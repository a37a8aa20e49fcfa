"""Access tokens by OAuth 2 client credentials, fetched when needed and kept while they last."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from urllib.parse import quote, urlencode, urlsplit

from .answer import Answer, Unanswered
from .redact import Redactor
from .security import SecurityScheme
from .upstream import Upstream

MARGIN_SECONDS = 30
"""How long before its end a token is replaced, so that it does not end on the way."""

LIFETIME_SECONDS = 300
"""How long a token is kept if its issuer does not say."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


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
        url = urlsplit(scheme.token_url)
        if url.scheme != "https" and url.hostname not in _LOOPBACK:
            raise Unanswered("has a token address that is not https, so no secret is sent there")
        fields = {"grant_type": "client_credentials"}
        if scheme.scopes:
            fields["scope"] = " ".join(scheme.scopes)
        pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
        basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        answer = await self._ask(scheme, fields, {"Authorization": basic})
        if answer.status in (400, 401):
            # Some issuers only read the client's credentials from the form.
            fields |= {"client_id": client, "client_secret": secret}
            answer = await self._ask(scheme, fields, {})
        return _token(answer)

    async def _ask(
        self, scheme: SecurityScheme, fields: dict[str, str], headers: dict[str, str]
    ) -> Answer:
        headers = {"Accept": "application/json", **headers}
        form = urlencode(fields).encode()
        return await self._upstream.post_form(scheme.token_url, form, headers)


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
    if not isinstance(token, str):
        raise Unanswered("gives no access token: its issuer's answer is not understood")
    return token, max(seconds - MARGIN_SECONDS, 1.0)
