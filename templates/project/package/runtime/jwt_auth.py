"""JSON Web Tokens: what a token says, once its signature and its claims are found good.

https://www.rfc-editor.org/rfc/rfc7519, https://www.rfc-editor.org/rfc/rfc8725
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import jwt

from .auth_errors import AuthError
from .jwks import KeySet
from .tool import Json

LEEWAY_SECONDS = 30
"""How far the clocks of issuer and server may be apart."""

_FAULTS = (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError)
"""What is raised for tokens; the last ones for claims of odd types and sizes."""

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (jwt.ExpiredSignatureError, "The token has expired"),
    (jwt.ImmatureSignatureError, "The token is not valid yet"),
    (jwt.InvalidAudienceError, "The token is for another server"),
    (jwt.InvalidIssuerError, "The token is from another issuer"),
    (jwt.InvalidSignatureError, "The signature of the token is wrong"),
    (jwt.MissingRequiredClaimError, "The token lacks a claim: exp, iss, aud and sub are needed"),
)


def looks_signed(token: str) -> bool:
    """Whether a token has the shape of a JSON Web Token."""
    return token.count(".") == 2 and token.startswith("ey")


class JwtVerifier:
    """The tokens of one issuer, signed with one of its keys by one of these algorithms."""

    def __init__(self, issuer: str, algorithms: Sequence[str], keys: KeySet) -> None:
        self._issuer = issuer
        self._algorithms = frozenset(algorithms)
        self._keys = keys

    async def claims(self, token: str, audience: str) -> Mapping[str, Json]:
        """What a token for this audience says. Raises `AuthError` for every other one."""
        try:
            header = jwt.get_unverified_header(token)
            told = jwt.decode(token, options={"verify_signature": False})
        except _FAULTS:
            raise AuthError("The token is malformed") from None
        algorithm, id = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms or "crit" in header:
            raise AuthError("The token is signed in a way that is not taken here")
        if told.get("iss") != self._issuer:
            # Looked at first, so that nobody else's tokens make this server ask for keys.
            raise AuthError("The token is from another issuer")
        key = await self._keys.key(id, algorithm)
        try:
            claims: Mapping[str, Json] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=audience,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud"]},
            )
        except _FAULTS as fault:
            raise AuthError(_reason(fault)) from None
        return claims


def _reason(fault: Exception) -> str:
    said = (words for kind, words in _REASONS if isinstance(fault, kind))
    return next(said, "The token is malformed")
