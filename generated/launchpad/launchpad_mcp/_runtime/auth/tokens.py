# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Access tokens: JSON Web Tokens, introspection, key sets of issuers, and claims.

JWK: https://www.rfc-editor.org/rfc/rfc7517; JWT: https://www.rfc-editor.org/rfc/rfc7519,
https://www.rfc-editor.org/rfc/rfc8725; introspection: https://www.rfc-editor.org/rfc/rfc7662."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Self
from urllib.parse import quote

import aiohttp
import jwt

from ..caller import Caller
from ..tool import Json
from .config import AuthConfig, AuthError, forbidden_error, undecided_error


def caller_of_claims(
    claims: Mapping[str, Json], token: str, access: AuthConfig, path: Mapping[str, str]
) -> Caller:
    """The caller of verified claims at the path values.

    Raises `AuthError` for an owner's token, and for a token for other path values.
    """
    for claim, value in access.owner_claims.items():
        if value in claim_words(claims.get(claim)):
            raise forbidden_error("The credential of an owner must not be used here")
    for parameter, claim in access.path_claims.items():
        if path.get(parameter) not in _claim_names(claims.get(claim)):
            raise forbidden_error("The credential is not for this path")
    subject = claims.get("sub") or claims.get("client_id")
    if not isinstance(subject, str):
        raise AuthError("The token does not say whose it is")
    roles = frozenset(claim_words(claims.get(access.role_claim)))
    scopes = _scopes(claims, roles, access)
    return Caller(subject, scopes, roles, credential=token, path=path, token=True)


def _scopes(
    claims: Mapping[str, Json], roles: frozenset[str], access: AuthConfig
) -> frozenset[str] | None:
    if not roles.isdisjoint(access.operator_roles):
        return None
    if access.scope_claim not in claims:
        return None if access.unscoped else frozenset()
    return frozenset(claim_words(claims[access.scope_claim]))


def _claim_names(claim: Json) -> list[str]:
    """The strings of a claim; a string with spaces is one name."""
    return [
        name for name in (claim if isinstance(claim, list) else [claim]) if isinstance(name, str)
    ]


def token_expiry(claims: Mapping[str, Json]) -> float:
    """The expiry of a verified token, in seconds since 1970; infinite if absent or too large for a
    float."""
    try:
        return float(claims.get("exp") or inf)
    except OverflowError:
        return inf


def claim_words(claim: Json) -> list[str]:
    """The words of a claim: a list of strings, or one space-separated string."""
    if isinstance(claim, list):
        return [word for word in claim if isinstance(word, str)]
    return claim.split() if isinstance(claim, str) else []


TIMEOUT_SECONDS = 5
"""Total timeout of a request to an issuer, in seconds."""

MAX_RESPONSE_BYTES = 256 * 1024
"""Maximum bytes of an issuer's response."""


class IssuerClient:
    """The HTTP client for all issuers; follows no redirects and stores no cookies."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
            headers={"Accept": "application/json"},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session:
            await self._session.close()

    async def json(self, url: str, form: dict[str, str] | None = None, basic: str = "") -> Json:
        """Fetches JSON from a URL, by GET or by POST of `form`.

        Raises `AuthError` (503) on any failure, since the caller can be neither accepted nor
        refused.
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
                body = await response.content.read(MAX_RESPONSE_BYTES + 1)
                while len(body) <= MAX_RESPONSE_BYTES and not response.content.at_eof():
                    body += await response.content.read(MAX_RESPONSE_BYTES + 1 - len(body))
                if response.status != 200 or len(body) > MAX_RESPONSE_BYTES:
                    raise undecided_error("The issuer of tokens does not answer as it should")
                return json.loads(body)
        except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError):
            raise undecided_error("The issuer of tokens does not answer") from None


logger = logging.getLogger(__name__)

FRESH_SECONDS = 300
"""Age in seconds after which keys are fetched again in the background."""

USABLE_SECONDS = 3600
"""Maximum age in seconds of keys in use while the issuer does not answer."""

RETRY_SECONDS = 15
"""Pause in seconds after a failed background fetch."""

INTERVAL_SECONDS = 1
"""Minimum pause in seconds between fetches; tokens with unknown key ids cannot raise the rate."""

MAX_KEYS = 100
"""Maximum number of keys per issuer."""

_KINDS = {
    "RS": ("RSA", None),
    "PS": ("RSA", None),
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", None),
}
"""Key type and curve by algorithm, or by the first two letters of the algorithm."""


@dataclass(frozen=True)
class PublicKey:
    """One public key; `algorithm` is `""` if the issuer names no algorithm."""

    id: str
    kind: str
    curve: str
    algorithm: str
    public: Any

    def serves(self, algorithm: str) -> bool:
        """True if the key can verify signatures of an algorithm."""
        kind, curve = _KINDS.get(algorithm) or _KINDS.get(algorithm[:2], ("", None))
        return (
            self.kind == kind and curve in (None, self.curve) and self.algorithm in ("", algorithm)
        )


class KeySet:
    """The keys of one issuer, cached and refetched when stale."""

    def __init__(
        self, url: str, issuer_client: IssuerClient, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._url = url
        self._issuer_client = issuer_client
        self._clock = clock
        self._keys: tuple[PublicKey, ...] = ()
        self._fetched_at = float("-inf")
        self._fetch_started = float("-inf")
        self._fetch_task: asyncio.Task[None] | None = None

    async def key(self, id: str | None, algorithm: str) -> Any:
        """The public key of a token. Raises `AuthError` if the issuer publishes no such key, or if
        the issuer fails and the cached keys are too old."""
        age = self._clock() - self._fetched_at
        if age > USABLE_SECONDS:
            await self._refetch()
        elif age > FRESH_SECONDS and self._clock() - self._fetch_started > RETRY_SECONDS:
            self._start_fetch()
        # A running fetch may have started before the key was published, so a second fetch decides.
        for _ in range(2):
            if match := self._find(id, algorithm):
                return match.public
            await self._refetch()
        if match := self._find(id, algorithm):
            return match.public
        raise AuthError("The token is signed with a key that its issuer does not publish")

    def _find(self, id: str | None, algorithm: str) -> PublicKey | None:
        """The key with the id; without an id, the only key that fits."""
        candidates = [key for key in self._keys if key.serves(algorithm)]
        if id is None:
            return candidates[0] if len(candidates) == 1 else None
        return next((key for key in candidates if key.id == id), None)

    async def _refetch(self) -> None:
        await asyncio.shield(self._start_fetch())

    def _start_fetch(self) -> asyncio.Task[None]:
        """Starts a fetch, or returns the running fetch, which all callers share."""
        if self._fetch_task is None:
            self._fetch_task = asyncio.create_task(self._fetch_keys())
            self._fetch_task.add_done_callback(self._on_fetch_done)
        return self._fetch_task

    def _on_fetch_done(self, task: asyncio.Task[None]) -> None:
        self._fetch_task = None
        if not task.cancelled() and task.exception():
            logger.warning("The keys at %s could not be fetched", self._url)

    async def _fetch_keys(self) -> None:
        await asyncio.sleep(self._fetch_started + INTERVAL_SECONDS - self._clock())
        self._fetch_started = self._clock()
        keys = public_keys(await self._issuer_client.json(self._url))
        if not keys:
            raise undecided_error("The issuer of tokens publishes no keys")
        self._keys, self._fetched_at = keys, self._clock()

    async def close(self) -> None:
        """Cancels a running fetch."""
        if self._fetch_task:
            self._fetch_task.cancel()


def public_keys(document: Json) -> tuple[PublicKey, ...]:
    """The keys of a JWK set that can verify signatures; all other entries are ignored."""
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        return ()
    keys = (_read_public_key(entry) for entry in entries[:MAX_KEYS])
    return tuple(key for key in keys if key)


def _read_public_key(entry: Json) -> PublicKey | None:
    """A key of the set; None if secret, weak, for encryption or malformed."""
    if not isinstance(entry, dict) or entry.get("kty") not in ("RSA", "EC", "OKP"):
        return None
    operations = entry.get("key_ops", ["verify"])
    is_for_this = isinstance(operations, list) and "verify" in operations
    if entry.get("use", "sig") != "sig" or not is_for_this:
        return None
    try:
        public = jwt.PyJWK({name: entry[name] for name in entry if name not in ("d", "alg")}).key
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None
    if entry["kty"] == "RSA" and public.key_size < 2048:
        return None
    texts = (entry.get(name, "") for name in ("kid", "kty", "crv", "alg"))
    id, kind, curve, algorithm = (text if isinstance(text, str) else "" for text in texts)
    return PublicKey(id, kind, curve, algorithm, public)


LEEWAY_SECONDS = 30
"""Tolerated difference between the clocks of issuer and server, in seconds."""

_FAULTS = (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError)
"""Exceptions of a failed verification; besides `PyJWTError`, raised for claims of unexpected types
and sizes."""

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (jwt.ExpiredSignatureError, "The token has expired"),
    (jwt.ImmatureSignatureError, "The token is not valid yet"),
    (jwt.InvalidAudienceError, "The token is for another server"),
    (jwt.InvalidIssuerError, "The token is from another issuer"),
    (jwt.InvalidSignatureError, "The signature of the token is wrong"),
    (jwt.MissingRequiredClaimError, "The token lacks a claim: exp, iss, aud and sub are needed"),
)


def looks_signed(token: str) -> bool:
    """True if a token has the shape of a JSON Web Token."""
    return token.count(".") == 2 and token.startswith("ey")


class JwtVerifier:
    """Verifies JWTs of one issuer, signed with one of the issuer's keys and an allowed
    algorithm."""

    def __init__(self, issuer: str, algorithms: Sequence[str], keys: KeySet) -> None:
        self._issuer = issuer
        self._algorithms = frozenset(algorithms)
        self._keys = keys

    async def claims(self, token: str, audience: str) -> Mapping[str, Json]:
        """The claims of a valid token for the audience. Raises `AuthError` otherwise."""
        try:
            header = jwt.get_unverified_header(token)
            unverified = jwt.decode(token, options={"verify_signature": False})
        except _FAULTS:
            raise AuthError("The token is malformed") from None
        algorithm, id = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms or "crit" in header:
            raise AuthError("The token is signed in a way that is not taken here")
        if unverified.get("iss") != self._issuer:
            # Checked before the key lookup, so that tokens of other issuers cause no key fetches.
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
            raise AuthError(_invalid_token_reason(fault)) from None
        return claims


def _invalid_token_reason(fault: Exception) -> str:
    reasons = (reason for kind, reason in _REASONS if isinstance(fault, kind))
    return next(reasons, "The token is malformed")


REFUSED_SECONDS = 5
"""Cache time of the rejection of an inactive token, in seconds."""


class Introspection:
    """Client of one issuer's introspection endpoint."""

    def __init__(
        self, url: str, client: str, secret: str, issuer: str, issuer_client: IssuerClient
    ) -> None:
        self._url = url
        pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
        self._basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._issuer = issuer
        self._issuer_client = issuer_client

    async def claims(self, token: str, audience: str) -> Mapping[str, Json]:
        """The claims of an active token for the audience. Raises `AuthError` otherwise."""
        form = {"token": token, "token_type_hint": "access_token"}
        claims = await self._issuer_client.json(self._url, form, self._basic)
        if not isinstance(claims, dict):
            raise undecided_error("The issuer of tokens does not answer as it should")
        if claims.get("active") is not True:
            raise AuthError("The token is not active", cache_seconds=REFUSED_SECONDS)
        if problem := _problem(claims, audience, self._issuer):
            raise AuthError(problem, cache_seconds=REFUSED_SECONDS)
        return claims


def _problem(claims: Mapping[str, Json], audience: str, issuer: str) -> str:
    """The problem of a token that the issuer calls active, `""` if valid."""
    audiences = claims.get("aud")
    if audience not in (audiences if isinstance(audiences, list) else [audiences]):
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
    """A time claim in seconds; `absent` for None, `odd` for an invalid value."""
    if value is None:
        return absent
    try:
        return float(value) if isinstance(value, int | float) and isfinite(value) else odd
    except OverflowError:
        return odd
