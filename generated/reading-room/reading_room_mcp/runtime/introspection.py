"""Opaque tokens: what their issuer says of them; https://www.rfc-editor.org/rfc/rfc7662."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from math import inf, isfinite
from urllib.parse import quote

from .auth_errors import AuthError, undecided_error
from .issuer_fetch import IssuerClient
from .jwt_auth import LEEWAY_SECONDS
from .tool import Json

REFUSED_SECONDS = 5
"""How long a token that is not active is not asked about again."""


class Introspection:
    """The end point of one issuer, and the credentials of this server there."""

    def __init__(
        self, url: str, client: str, secret: str, issuer: str, fetch: IssuerClient
    ) -> None:
        self._url = url
        pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
        self._basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._issuer = issuer
        self._fetch = fetch

    async def claims(self, token: str, audience: str) -> Mapping[str, Json]:
        """What the issuer says of an active token for this audience. Raises `AuthError` for every
        other one."""
        form = {"token": token, "token_type_hint": "access_token"}
        claims = await self._fetch.json(self._url, form, self._basic)
        if not isinstance(claims, dict):
            raise undecided_error("The issuer of tokens does not answer as it should")
        if claims.get("active") is not True:
            raise AuthError("The token is not active", kept=REFUSED_SECONDS)
        if problem := _problem(claims, audience, self._issuer):
            raise AuthError(problem, kept=REFUSED_SECONDS)
        return claims


def _problem(claims: Mapping[str, Json], audience: str, issuer: str) -> str:
    """What is wrong with a token that its issuer calls active, `""` if nothing is."""
    named = claims.get("aud")
    if audience not in (named if isinstance(named, list) else [named]):
        return "The token is for another server"
    if issuer and claims.get("iss", issuer) != issuer:
        return "The token is from another issuer"
    now = time.time()
    if _seconds(claims.get("exp"), absent=now + 1, odd=-inf) + LEEWAY_SECONDS <= now:
        return "The token has expired"
    if _seconds(claims.get("nbf"), absent=now, odd=inf) - LEEWAY_SECONDS > now:
        return "The token is not valid yet"
    return ""


def _seconds(value: Json, *, absent: float, odd: float) -> float:
    """A time as an issuer writes it, or what stands for none and for one that cannot be read."""
    if value is None:
        return absent
    try:
        return float(value) if isinstance(value, int | float) and isfinite(value) else odd
    except OverflowError:
        return odd
