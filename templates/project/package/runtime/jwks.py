"""The keys that an issuer signs its tokens with, fetched when needed and kept while they last.

https://www.rfc-editor.org/rfc/rfc7517
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jwt

from .auth_errors import AuthError, undecided_error
from .issuer_fetch import IssuerClient
from .tool import Json

logger = logging.getLogger(__name__)

FRESH_SECONDS = 300
"""After this keys are fetched again, behind the calls."""

USABLE_SECONDS = 3600
"""How long keys are used while the issuer does not answer."""

RETRY_SECONDS = 15
"""How long after a failure the next try begins, behind the calls."""

INTERVAL_SECONDS = 1
"""The least time between two fetches, however many tokens name keys that are not known."""

MOST = 100
"""Keys of one issuer."""

_KINDS = {
    "RS": ("RSA", None),
    "PS": ("RSA", None),
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", None),
}
"""By algorithm, or how its name begins: the kind of key and its curve."""


@dataclass(frozen=True)
class PublicKey:
    """One public key; `algorithm` is `""` if the issuer binds it to none."""

    id: str
    kind: str
    curve: str
    algorithm: str
    public: Any

    def serves(self, algorithm: str) -> bool:
        """Whether signatures of an algorithm may be made with it."""
        kind, curve = _KINDS.get(algorithm) or _KINDS.get(algorithm[:2], ("", None))
        return (
            self.kind == kind and curve in (None, self.curve) and self.algorithm in ("", algorithm)
        )


class KeySet:
    """The keys of one issuer."""

    def __init__(
        self, url: str, fetch: IssuerClient, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._url = url
        self._fetch = fetch
        self._clock = clock
        self._keys: tuple[PublicKey, ...] = ()
        self._got = float("-inf")
        self._begun = float("-inf")
        self._fetching: asyncio.Task[None] | None = None

    async def key(self, id: str | None, algorithm: str) -> Any:
        """The public key of a token. Raises `AuthError` if the issuer has none like it, or does not
        answer and nothing that it said is recent enough."""
        age = self._clock() - self._got
        if age > USABLE_SECONDS:
            await self._refetched()
        elif age > FRESH_SECONDS and self._clock() - self._begun > RETRY_SECONDS:
            self._begin()
        # A fetch under way may have begun before the key was published, so the second one counts.
        for _ in range(2):
            if found := self._found(id, algorithm):
                return found.public
            await self._refetched()
        if found := self._found(id, algorithm):
            return found.public
        raise AuthError("The token is signed with a key that its issuer does not publish")

    def _found(self, id: str | None, algorithm: str) -> PublicKey | None:
        """The key with an id; the only one that fits if the token names none."""
        fitting = [key for key in self._keys if key.serves(algorithm)]
        if id is None:
            return fitting[0] if len(fitting) == 1 else None
        return next((key for key in fitting if key.id == id), None)

    async def _refetched(self) -> None:
        await asyncio.shield(self._begin())

    def _begin(self) -> asyncio.Task[None]:
        """The fetch under way, which all who need it share."""
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._fetched())
            self._fetching.add_done_callback(self._ended)
        return self._fetching

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._fetching = None
        if not task.cancelled() and task.exception():
            logger.warning("The keys at %s could not be fetched", self._url)

    async def _fetched(self) -> None:
        await asyncio.sleep(self._begun + INTERVAL_SECONDS - self._clock())
        self._begun = self._clock()
        keys = public_keys(await self._fetch.json(self._url))
        if not keys:
            raise undecided_error("The issuer of tokens publishes no keys")
        self._keys, self._got = keys, self._clock()

    async def close(self) -> None:
        """Ends a fetch that nobody waits for."""
        if self._fetching:
            self._fetching.cancel()


def public_keys(document: Json) -> tuple[PublicKey, ...]:
    """The keys of a JWK set that can verify signatures; others are left out."""
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        return ()
    made = (_key(entry) for entry in entries[:MOST])
    return tuple(key for key in made if key)


def _key(entry: Json) -> PublicKey | None:
    """One key, None for what is secret, weak, for encryption or not understood."""
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
