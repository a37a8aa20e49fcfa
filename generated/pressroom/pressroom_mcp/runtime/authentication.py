"""Who calls: the rule that lets nobody in who has not proved it."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from math import inf

from pydantic import SecretStr

from .api_keys import EVERYWHERE, CallerKey, caller_keys
from .asgi import Asgi, Receive, Scope, Send, respond
from .auth_cache import AuthCache
from .auth_config import AuthConfig
from .auth_errors import AuthError, forbidden_error
from .caller import Caller, caller_of, scope_with_caller
from .caller_settings import CallerSettings
from .introspection import Introspection
from .issuer_fetch import IssuerClient
from .jwks import KeySet
from .jwt_auth import JwtVerifier, looks_signed
from .middleware import IncomingMessage, MessageRefused, Middleware
from .request_credential import begins_like, credential
from .scopes import missing
from .token_claims import caller_of_claims, end
from .tool import Json
from .www_authenticate import WELL_KNOWN, Challenger

logger = logging.getLogger(__name__)

OPEN = ("/healthz", "/readyz")
"""Paths that probes ask without a credential."""

SIGNED_SECONDS = 300
"""How long a signed token counts as good without its key being looked up again."""

OPAQUE_SECONDS = 60
"""How long what an issuer said of a token holds."""


class Authentication(Middleware):
    """The gate of a server. Raises `ValueError` when callers have no way to prove who they are."""

    def __init__(self, settings: CallerSettings, access: AuthConfig) -> None:
        self._access = access
        self._settings = settings
        self._fetch = IssuerClient()
        self._verified = AuthCache()
        _refuse_owners(settings, access.owner_prefixes)
        issuer = settings.caller_issuer or access.issuer
        public = settings.address
        self._audience = settings.caller_audience or access.audience
        self._keys = caller_keys(settings.caller_keys.get_secret_value(), settings.caller_keys_file)
        self._keys.refuse_unknown(access.known_scopes, access.known_roles)
        self._key_set = self._made_key_set(issuer)
        self._signed = (
            JwtVerifier(issuer, access.algorithms, self._key_set) if self._key_set else None
        )
        self._opaque = self._made_introspection(issuer)
        has_tokens = self._signed or self._opaque
        if has_tokens and not public:
            variable = settings.variable("public_url")
            raise ValueError(
                f"tokens must name this server: set {variable} to the address that clients reach it at,"
                " such as https://mcp.example.com"
            )
        self._challenger = Challenger(access, public, issuer if has_tokens else "")
        if not (self._keys or has_tokens or settings.caller_anonymous):
            raise ValueError(_closed(settings))

    def _made_key_set(self, issuer: str) -> KeySet | None:
        url = self._settings.caller_jwks_url or self._access.jwks_url
        if url and not issuer:
            variable = self._settings.variable("caller_issuer")
            raise ValueError(f"keys without the issuer that signs with them: set {variable}")
        return KeySet(url, self._fetch) if url else None

    def _made_introspection(self, issuer: str) -> Introspection | None:
        settings = self._settings
        url = settings.caller_introspection_url or self._access.introspection_url
        client = settings.caller_introspection_client_id
        secret = settings.caller_introspection_client_secret.get_secret_value()
        if url and not (client and secret):
            names = ("caller_introspection_client_id", "caller_introspection_client_secret")
            wanted = " and ".join(settings.variable(name) for name in names)
            raise ValueError(
                f"the issuer tells nothing about tokens to strangers: set {wanted} to what it gave this"
                " server"
            )
        return Introspection(url, client, secret, issuer, self._fetch) if url else None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keeps a client for issuers open, and says when the door is open to anybody."""
        if self._settings.caller_anonymous:
            variable = self._settings.variable("caller_anonymous")
            logger.warning(
                "ANYBODY MAY CALL EVERYTHING: %s is on. This is for development only.", variable
            )
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._fetch)
            if self._key_set:
                stack.push_async_callback(self._key_set.close)
            yield

    def gate(self, app: Asgi) -> Asgi:
        """The application behind the door."""

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
                caller = await self._caller(scope, path)
            except AuthError as rejected:
                await self._challenger.answer(rejected, path, scope, receive, send)
                return
            await app(scope_with_caller(scope, caller), receive, send)

        return gated

    async def _describe(self, place: str, scope: Scope, send: Send) -> None:
        """Answers with the metadata of the resource at a path, for everybody to read."""
        metadata: Json = self._challenger.metadata(place)
        if metadata is None or scope["method"] != "GET":
            await respond(send, 404, {"error": "not_found"})
        else:
            await respond(send, 200, metadata, ((b"access-control-allow-origin", b"*"),))

    async def _caller(self, scope: Scope, path: Mapping[str, str]) -> Caller:
        """Who sends a request. Raises `AuthError` for those who are not let in."""
        shown = credential(scope, self._access.key_header)
        owners = self._access.owner_prefixes
        if shown.startswith(owners) or begins_like(scope, owners):
            raise forbidden_error("The credential of an owner must not be used here")
        if not shown:
            if self._settings.caller_anonymous:
                return Caller(path=path)
            raise AuthError("A credential is required", shown=False)
        mark = self._verified.mark(shown, path.values())
        verdict = self._verified.found(mark)
        if verdict is None:
            verdict = await self._judged(shown, path, mark)
        if isinstance(verdict, AuthError):
            # Each raise would add to the trace of the one before, and keep its requests.
            raise verdict.with_traceback(None)
        return verdict

    async def _judged(self, shown: str, path: Mapping[str, str], mark: bytes) -> Caller:
        """The bearer of a credential that was not seen of late."""
        if known := self._keys.found(shown):
            holder = _key_holder(known, shown, path)
            self._verified.keep(mark, holder, inf)
            return holder
        audience = self._audience_at(path)
        now = time.time()
        try:
            if self._signed and looks_signed(shown):
                claims = await self._signed.claims(shown, audience)
                until = now + SIGNED_SECONDS
            elif self._opaque:
                claims = await self._opaque.claims(shown, audience)
                until = now + OPAQUE_SECONDS
            else:
                raise AuthError("The credential is not known")
        except AuthError as rejected:
            if rejected.kept:
                self._verified.keep(mark, rejected, now + rejected.kept)
            raise
        caller = caller_of_claims(claims, shown, self._access, path)
        self._verified.keep(mark, caller, min(until, end(claims)))
        return caller

    def _audience_at(self, path: Mapping[str, str]) -> str:
        """What tokens must be for. Where nothing else ties a token to each value in the path, only
        one for this very resource is good."""
        if not path.keys() <= self._access.path_claims.keys():
            return self._challenger.resource(path)
        return self._audience or self._challenger.resource(path)


class SteppingUp(Authentication):
    """The same, which asks with HTTP 403 for scopes that a message needs and the caller lacks.

    https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-challenge-handling
    """

    async def screen(self, told: IncomingMessage) -> MessageRefused | None:
        """All scopes that are missing for the tool or the method, in one challenge."""
        family = _family(told)
        needed = self._access.step_up.get(told.tool) or self._access.family_scopes.get(family, ())
        lacking = missing(told.caller.scopes, needed)
        if not lacking:
            return None
        why = f"{told.tool or told.method} needs more scopes"
        header = self._challenger.header(told.caller.path, "insufficient_scope", lacking, why)
        details = {"error": "insufficient_scope", "scope": " ".join(lacking)}
        return MessageRefused(403, self._access.error_code or 403, why, details, (header,))


def _family(told: IncomingMessage) -> str:
    """What a message is about: `resources`, `prompts`, or the like. What completes a text is about
    that which the text belongs to."""
    params = told.content.get("params")
    reference = params.get("ref") if isinstance(params, dict) else None
    if told.method != "completion/complete" or not isinstance(reference, dict):
        return told.method.partition("/")[0]
    return f"{reference.get('type')}s".removeprefix("ref/")


def _key_holder(known: CallerKey, shown: str, path: Mapping[str, str]) -> Caller:
    """The holder of a key, at an endpoint with these values in its path."""
    for parameter, value in path.items():
        if known.path.get(parameter) not in (value, EVERYWHERE):
            raise forbidden_error("The credential is not for this path")
    return Caller(known.subject, known.scopes, known.roles, shown, path)


def _refuse_owners(settings: CallerSettings, prefixes: tuple[str, ...]) -> None:
    """Raises `ValueError` for a secret of this server that is an owner's: no caller may borrow it."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) and value.get_secret_value().startswith(prefixes):
            variable = settings.variable(name)
            raise ValueError(f"{variable} holds the credential of an owner, which must not be here")


def _closed(settings: CallerSettings) -> str:
    """Why a server that nobody could call does not start."""
    names = ("caller_keys", "caller_jwks_url", "caller_introspection_url")
    ways = ", ".join(settings.variable(name) for name in names)
    variable = settings.variable("caller_anonymous")
    return (
        f"callers have no way to prove who they are; set one of {ways}, or {variable} to develop;"
        f" `python -m {__package__}.keys SUBJECT` makes a key and its entry for the first"
    )
