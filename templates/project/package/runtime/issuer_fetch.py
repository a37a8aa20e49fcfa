"""Small JSON documents from the issuers of tokens, within bounds."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Self

import aiohttp

from .auth_errors import undecided_error
from .tool import Json

SECONDS = 5
"""How long an issuer may take to answer, in all."""

LONGEST = 256 * 1024
"""Bytes of an answer."""


class IssuerClient:
    """One client for all issuers, which follows no redirect and keeps no cookie."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=SECONDS),
            headers={"Accept": "application/json"},
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session:
            await self._session.close()

    async def json(self, url: str, form: dict[str, str] | None = None, basic: str = "") -> Json:
        """The document at a URL, or the answer to a form that is posted there.

        Raises `AuthError` if there is none: whether the caller is known cannot be said then.
        """
        if not self._session:
            raise undecided_error("The server has not started")
        try:
            async with self._session.request(
                "GET" if form is None else "POST",
                url,
                data=form,
                headers={"Authorization": basic} if basic else None,
                allow_redirects=False,
            ) as response:
                body = await response.content.read(LONGEST + 1)
                while len(body) <= LONGEST and not response.content.at_eof():
                    body += await response.content.read(LONGEST + 1 - len(body))
                if response.status != 200 or len(body) > LONGEST:
                    raise undecided_error("The issuer of tokens does not answer as it should")
                return json.loads(body)
        except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError):
            raise undecided_error("The issuer of tokens does not answer") from None
