# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The rule that authenticates callers by token or API key."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from math import inf
from urllib.parse import parse_qsl

from pydantic import SecretStr

from ..caller import Caller, caller_of, scope_with_caller
from ..server.asgi import Asgi, Receive, Scope, Send, respond
from ..server.message_rules import IncomingMessage, MessageRefused, MessageRule
from ..tool import Json
from .api_keys import EVERYWHERE, CallerKey, caller_keys
from .config import AuthConfig, AuthError, CallerSettings, forbidden_error, malformed_error
from .scopes import missing_scopes
from .tokens import (
    Introspection,
    IssuerClient,
    JwtVerifier,
    KeySet,
    caller_of_claims,
    looks_signed,
    token_expiry,
)
from .www_authenticate import WELL_KNOWN, Challenger

MAX_CACHED_CREDENTIALS = 10_000
"""Maximum number of cached credentials; the least recently used is evicted."""


class AuthCache:
    """LRU cache from a hash of credential and path values to the caller or the `AuthError`."""

    def __init__(
        self, clock: Callable[[], float] = time.time, max_entries: int = MAX_CACHED_CREDENTIALS
    ) -> None:
        self._clock = clock
        self._max_entries = max_entries
        self._entries: OrderedDict[bytes, tuple[Caller | AuthError, float]] = OrderedDict()

    def key(self, credential: str, path_values: Iterable[str]) -> bytes:
        """The cache key of a credential at `path_values`."""
        return hashlib.sha256("\n".join((credential, *path_values)).encode()).digest()

    def find(self, key: bytes) -> Caller | AuthError | None:
        """The cached verdict, or None if there is no entry or the entry has expired."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[1] <= self._clock():
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: bytes, verdict: Caller | AuthError, until: float) -> None:
        """Caches a verdict until `until`, in seconds since 1970."""
        self._entries[key] = verdict, until
        if len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)


MAX_CREDENTIAL_BYTES = 8192
"""Maximum bytes of a header with a credential; verifying longer tokens would cost time."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""https://www.rfc-editor.org/rfc/rfc6750#section-2.1"""


def read_credential(scope: Scope, key_header: str = "") -> str:
    """The token or key of a request, `""` without a credential.

    `key_header` may carry a key beside `Authorization`. Raises `AuthError` for more than one
    credential, for a malformed bearer token, and for a token in the query, because logs and browser
    histories keep URLs.
    """
    query = scope.get("query_string", b"")
    if query and _has_query_token(query):
        raise malformed_error("A credential must not stand in the address")
    bearers = _header_values(scope, b"authorization")
    keys = _header_values(scope, key_header.lower().encode()) if key_header else []
    if len(bearers) + len(keys) > 1:
        raise malformed_error("More than one credential was sent")
    for value in (*bearers, *keys):
        if len(value) > MAX_CREDENTIAL_BYTES:
            raise malformed_error(f"A credential holds at most {MAX_CREDENTIAL_BYTES} bytes")
    if bearers:
        return _bearer(bearers[0])
    if keys:
        return _token(keys[0])
    return ""


def has_credential_prefix(scope: Scope, prefixes: tuple[str, ...]) -> bool:
    """True if a credential of the request begins with one of the prefixes. Includes an `X-Api-Key`
    that is only passed on to the API."""
    if not prefixes:
        return False
    values = [*_header_values(scope, b"authorization"), *_header_values(scope, b"x-api-key")]
    return any(value.rpartition(" ")[2].startswith(prefixes) for value in values)


def _has_query_token(query: bytes) -> bool:
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return any(name.lower() == "access_token" for name, _ in pairs)


def _header_values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip(" \t") for key, value in scope["headers"] if key == name]


def _bearer(value: str) -> str:
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer":
        raise AuthError("Only bearer tokens are taken")
    return _token(token.strip(" "))


def _token(text: str) -> str:
    if _TOKEN.fullmatch(text) is None:
        raise AuthError("The credential is malformed")
    return text


logger = logging.getLogger(__name__)

OPEN = ("/healthz", "/readyz")
"""Paths of probes, served without a credential."""

SIGNED_SECONDS = 300
"""Cache time of a verified JWT, in seconds."""

OPAQUE_SECONDS = 60
"""Cache time of an introspection response, in seconds."""


class Authentication(MessageRule):
    """Authenticates every HTTP request. Raises `ValueError` if no way to authenticate is
    configured."""

    def __init__(self, settings: CallerSettings, access: AuthConfig) -> None:
        self._access = access
        self._settings = settings
        self._issuer_client = IssuerClient()
        self._verified = AuthCache()
        _refuse_owners(settings, access.owner_prefixes)
        issuer = settings.caller_issuer or access.issuer
        public = settings.address
        self._audience = settings.caller_audience or access.audience
        self._keys = caller_keys(settings.caller_keys.get_secret_value(), settings.caller_keys_file)
        self._keys.refuse_unknown(access.known_scopes, access.known_roles)
        self._key_set = self._create_key_set(issuer)
        self._signed = (
            JwtVerifier(issuer, access.algorithms, self._key_set) if self._key_set else None
        )
        self._opaque = self._create_introspection(issuer)
        has_tokens = self._signed or self._opaque
        if has_tokens and not public:
            variable = settings.variable("public_url")
            raise ValueError(
                f"tokens must name this server: set {variable} to the address that clients reach it at,"
                " such as https://mcp.example.com"
            )
        self._challenger = Challenger(access, public, issuer if has_tokens else "")
        if not (self._keys or has_tokens or settings.caller_anonymous):
            raise ValueError(_no_authentication_error(settings))

    def _create_key_set(self, issuer: str) -> KeySet | None:
        url = self._settings.caller_jwks_url or self._access.jwks_url
        if url and not issuer:
            variable = self._settings.variable("caller_issuer")
            raise ValueError(f"keys without the issuer that signs with them: set {variable}")
        return KeySet(url, self._issuer_client) if url else None

    def _create_introspection(self, issuer: str) -> Introspection | None:
        settings = self._settings
        url = settings.caller_introspection_url or self._access.introspection_url
        client = settings.caller_introspection_client_id
        secret = settings.caller_introspection_client_secret.get_secret_value()
        if url and not (client and secret):
            names = ("caller_introspection_client_id", "caller_introspection_client_secret")
            variables = " and ".join(settings.variable(name) for name in names)
            raise ValueError(
                f"the issuer tells nothing about tokens to strangers: set {variables} to what it gave"
                " this server"
            )
        return Introspection(url, client, secret, issuer, self._issuer_client) if url else None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keeps the HTTP client for issuers open; logs a warning if anonymous calls are allowed."""
        if self._settings.caller_anonymous:
            variable = self._settings.variable("caller_anonymous")
            logger.warning(
                "ANYBODY MAY CALL EVERYTHING: %s is on. This is for development only.", variable
            )
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._issuer_client)
            if self._key_set:
                stack.push_async_callback(self._key_set.close)
            yield

    def http_only(self) -> str:
        """Names `[authentication]`, unless the local user has a token or callers may be
        anonymous."""
        settings = self._settings
        if settings.stdio_token.get_secret_value() or settings.caller_anonymous:
            return ""
        return (
            f"[authentication] wants a credential; set {settings.variable('stdio_token')} to the"
            f" token of the local user, or {settings.variable('caller_anonymous')}=true to give the"
            " local user every right"
        )

    def gate(self, app: Asgi) -> Asgi:
        """Wraps the application: probes and metadata are public, all other requests need a
        credential."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            place = scope["path"]
            if place in OPEN:
                await app(scope, receive, send)
                return
            if place == WELL_KNOWN or place.startswith(f"{WELL_KNOWN}/"):
                await self._describe(place.removeprefix(WELL_KNOWN), scope, send)
                return
            path = caller_of(scope).path
            try:
                caller = await self._authenticate(scope, path)
            except AuthError as rejected:
                await self._challenger.answer(rejected, path, scope, receive, send)
                return
            await app(scope_with_caller(scope, caller), receive, send)

        return gated

    async def _describe(self, place: str, scope: Scope, send: Send) -> None:
        """Answers with the public resource metadata for a path, or 404."""
        metadata: Json = self._challenger.metadata(place)
        if metadata is None or scope["method"] != "GET":
            await respond(send, 404, {"error": "not_found"})
        else:
            await respond(send, 200, metadata, ((b"access-control-allow-origin", b"*"),))

    async def _authenticate(self, scope: Scope, path: Mapping[str, str]) -> Caller:
        """Authenticates the sender of a request. Raises `AuthError` if refused."""
        credential = read_credential(scope, self._access.key_header)
        owners = self._access.owner_prefixes
        if credential.startswith(owners) or has_credential_prefix(scope, owners):
            raise forbidden_error("The credential of an owner must not be used here")
        if not credential:
            if self._settings.caller_anonymous:
                return Caller(path=path)
            raise AuthError("A credential is required", has_credential=False)
        cache_key = self._verified.key(credential, path.values())
        verdict = self._verified.find(cache_key)
        if verdict is None:
            verdict = await self._verify(credential, path, cache_key)
        if isinstance(verdict, AuthError):
            # Each raise would append to the traceback of the cached error and keep the requests of
            # earlier raises in memory.
            raise verdict.with_traceback(None)
        return verdict

    async def _verify(self, credential: str, path: Mapping[str, str], cache_key: bytes) -> Caller:
        """Verifies a credential that is not in the cache, and caches the verdict."""
        if entry := self._keys.find(credential):
            caller_of_entry = _caller_of_key(entry, credential, path)
            self._verified.put(cache_key, caller_of_entry, inf)
            return caller_of_entry
        audience = self._audience_at(path)
        now = time.time()
        try:
            if self._signed and looks_signed(credential):
                claims = await self._signed.claims(credential, audience)
                until = now + SIGNED_SECONDS
            elif self._opaque:
                claims = await self._opaque.claims(credential, audience)
                until = now + OPAQUE_SECONDS
            else:
                raise AuthError("The credential is not known")
        except AuthError as rejected:
            if rejected.cache_seconds:
                self._verified.put(cache_key, rejected, now + rejected.cache_seconds)
            raise
        caller = caller_of_claims(claims, credential, self._access, path)
        self._verified.put(cache_key, caller, min(until, token_expiry(claims)))
        return caller

    def _audience_at(self, path: Mapping[str, str]) -> str:
        """The audience that tokens must have: the URL of this resource if some path parameter has
        no claim, since only the audience then ties a token to the path values."""
        if not path.keys() <= self._access.path_claims.keys():
            return self._challenger.resource(path)
        return self._audience or self._challenger.resource(path)


class SteppingUp(Authentication):
    """Authentication with HTTP 403 for scopes that a message needs and the caller lacks.

    https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-challenge-handling
    """

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """Lists all missing scopes of the tool or method in one challenge."""
        family = _family(message)
        required = self._access.step_up.get(message.tool) or self._access.family_scopes.get(
            family, ()
        )
        missing = missing_scopes(message.caller.scopes, required)
        if not missing:
            return None
        reason = f"{message.tool or message.method} needs more scopes"
        header = self._challenger.header(message.caller.path, "insufficient_scope", missing, reason)
        details = {"error": "insufficient_scope", "scope": " ".join(missing)}
        return MessageRefused(403, self._access.error_code or 403, reason, details, (header,))


def _family(message: IncomingMessage) -> str:
    """The family of a message, such as `resources` or `prompts`. A completion belongs to the family
    of its reference."""
    params = message.content.get("params")
    reference = params.get("ref") if isinstance(params, dict) else None
    if message.method != "completion/complete" or not isinstance(reference, dict):
        return message.method.partition("/")[0]
    return f"{reference.get('type')}s".removeprefix("ref/")


def _caller_of_key(entry: CallerKey, credential: str, path: Mapping[str, str]) -> Caller:
    """The caller of a key. Raises `AuthError` if the key is not bound to the path values."""
    for parameter, value in path.items():
        if entry.path.get(parameter) not in (value, EVERYWHERE):
            raise forbidden_error("The credential is not for this path")
    return Caller(entry.subject, entry.scopes, entry.roles, credential, path)


def _refuse_owners(settings: CallerSettings, prefixes: tuple[str, ...]) -> None:
    """Raises `ValueError` if a secret setting of this server is an owner's credential: callers
    would act with the owner's rights."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) and value.get_secret_value().startswith(prefixes):
            variable = settings.variable(name)
            raise ValueError(f"{variable} holds the credential of an owner, which must not be here")


def _no_authentication_error(settings: CallerSettings) -> str:
    """The error message for a server without any way to authenticate callers."""
    names = ("caller_keys", "caller_jwks_url", "caller_introspection_url")
    ways = ", ".join(settings.variable(name) for name in names)
    variable = settings.variable("caller_anonymous")
    return (
        f"callers have no way to prove who they are; set one of {ways}, or {variable} to develop;"
        f" `python -m {__package__}.api_keys SUBJECT` makes a key and its entry for the first"
    )
