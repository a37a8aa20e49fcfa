"""Authorization: tokens, challenges, metadata of the protected resource."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import quote, urlsplit

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.strict_json import Json

CREDENTIAL_HEADER = re.compile(r"auth|key|token|secret|cookie|session", re.I)
"""Matches names of headers that carry credentials."""

WELL_KNOWN = "/.well-known/oauth-protected-resource"
PARAMETER = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
SCHEME = re.compile(r"(?:^|,)\s*([\w.+-]+)\s+$")
"""Matches the scheme of a challenge at the end of the text before a parameter."""

_AUTHORIZATION = SpecPage("Authorization", spec_url("2026-07-28", "basic/authorization"))
_TOKENS = replace(_AUTHORIZATION, profile="security")
_BEST_PRACTICES = SpecPage(
    "Security Best Practices",
    "https://modelcontextprotocol.io/docs/2025-11-25/tutorials/security/security_best_practices",
    profile="security",
)
_DISCOVERY = SpecPage(
    "Authorization Server Discovery",
    spec_url("2026-07-28", "basic/authorization/authorization-server-discovery"),
)
_HTTP = SpecPage("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110")
_BEARER = SpecPage("Bearer Token Usage", "https://www.rfc-editor.org/rfc/rfc6750")
_RESOURCE = SpecPage("Protected Resource Metadata", "https://www.rfc-editor.org/rfc/rfc9728")
NAMED_METADATA = "metadata as JSON at the address that the challenge names"
CHALLENGE_NAMES_METADATA = "2025-06-18"
"""The revision in which the challenge has to name the metadata; later ones also allow the known path."""

HOUR = 3_600


def credential_headers(options: CheckOptions) -> dict[str, str]:
    """Headers of the run that carry credentials."""
    return {
        name: value for name, value in options.headers.items() if CREDENTIAL_HEADER.search(name)
    }


def bearer(options: CheckOptions) -> str:
    """The bearer token among the headers of the run, or `""`."""
    for name, value in options.headers.items():
        scheme, _, token = value.partition(" ")
        if name.lower() == "authorization" and scheme.lower() == "bearer":
            return token.strip()
    return ""


_OTHER_SCHEME = "the token in the scheme Basic"


def without_credentials(options: CheckOptions) -> dict[str, str | None]:
    """Header overrides that remove the run's credentials (None removes a header)."""
    return dict.fromkeys(credential_headers(options))


def open_session(context: CheckContext, headers: Mapping[str, str | None]) -> HttpExchange:
    """The exchange of an opening request with `headers` in place of the run's credentials."""
    session = context.session
    merged = {**without_credentials(context.options), **headers}
    if session.modern:
        return session.send("server/discover", identifier="door", headers=merged)
    return session.initialize(session.revision, "door", merged)


def unauthorized_response(context: CheckContext) -> HttpExchange:
    """The exchange of an opening request without credentials.

    Raises NotApplicable if the server requires none: neither HTTP 401 nor Protected Resource
    Metadata. Sent once in a run.
    """
    if context.unauthorized is None:
        context.unauthorized = open_session(context, {})
    exchange = context.unauthorized
    if exchange.status == 0:
        raise PrerequisiteMissing("an answer to a request without credentials", str(exchange))
    if exchange.status != 401 and not metadata_places(context, exchange):
        raise NotApplicable("authorization")
    return exchange


def challenge_parameters(exchange: HttpExchange) -> dict[str, str]:
    """Parameters of a Bearer challenge in `WWW-Authenticate`, names in lower case; `{}` for other
    schemes.

    Example: `Bearer scope="pets:read"` gives `{"scope": "pets:read"}`.
    """
    challenge = exchange.headers.get("www-authenticate", "")
    parameters: dict[str, str] = {}
    scheme, end = "", 0
    for match in PARAMETER.finditer(challenge):
        # RFC 9110 §11.6.1: the header may list several challenges, each of which begins with a scheme.
        if begin := SCHEME.search(challenge[end : match.start()]):
            scheme = begin[1].lower()
        if scheme == "bearer":
            parameters[match[1].lower()] = match[2] or match[3] or ""
        end = match.end()
    return parameters


def metadata_places(
    context: CheckContext, exchange: HttpExchange
) -> list[tuple[str, dict[str, Json]]]:
    """Protected Resource Metadata documents (RFC 9728) with their paths, in order: named by the
    challenge (same host only), path-specific, root. Fetched once in a run for `unauthorized_response`.
    """
    if exchange is context.unauthorized and context.resource_metadata is not None:
        return context.resource_metadata
    documents = []
    for place in dict.fromkeys(_metadata_paths(context, exchange)):
        answer = context.session.fetch(place)
        is_document = answer.status == 200 and not answer.is_event_stream
        if is_document and answer.messages and isinstance(answer.messages[0], dict):
            documents.append((place, answer.messages[0]))
    if exchange is context.unauthorized:
        context.resource_metadata = documents
    return documents


def _metadata_paths(context: CheckContext, exchange: HttpExchange) -> list[str]:
    url = context.session.probe.url
    path = url.path.rstrip("/") if url else ""
    places = [f"{WELL_KNOWN}{path}", WELL_KNOWN]
    if announced := _own_path(context, challenge_parameters(exchange).get("resource_metadata", "")):
        places.insert(0, announced)
    return places


def _own_path(context: CheckContext, address: str) -> str:
    """The path of an http(s) URL of the target's host, or `""`: this probe fetches nothing from other
    hosts.
    """
    url, parts = context.session.probe.url, _split_url(address)
    return parts[1] if parts and url and parts[0].lower() == url.netloc.lower() else ""


def _split_url(address: str) -> tuple[str, str] | None:
    """Host and path of an http(s) URL, or None."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.path.isascii():
        return None
    path = "".join(c for c in parts.path if 0x21 <= ord(c) <= 0x7E)
    return (parts.netloc, path) if path.startswith("/") else None


def unsigned(claims: Mapping[str, Json]) -> str:
    """A JSON Web Token with `alg: none` and an empty signature."""
    return ".".join((_encode_part({"alg": "none", "typ": "JWT"}), _encode_part(claims), ""))


def badly_signed(claims: Mapping[str, Json]) -> str:
    """A JSON Web Token with an invalid RS256 signature."""
    signature = base64.urlsafe_b64encode(b"no signature of anybody's").decode().rstrip("=")
    return ".".join((_encode_part({"alg": "RS256", "typ": "JWT"}), _encode_part(claims), signature))


def _encode_part(value: Mapping[str, Json]) -> str:
    raw = json.dumps(dict(value), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _check_auth_missing_401(context: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(context)
    if exchange.status != 401:
        # "Authorization is OPTIONAL": metadata may serve callers who choose to sign in. A run with
        # credentials says that the server needs some.
        optional = exchange.status == 200 and not credential_headers(context.options)
        expected = "HTTP 401 without credentials, for the server has metadata"
        yield Finding(expected, str(exchange), warns=optional)


def _check_auth_wrong_401(context: CheckContext) -> Iterator[Finding]:
    unauthorized_response(context)
    for fault, credentials in _wrong_credentials(context):
        for finding in _check_credentials_refused(context, fault, credentials):
            # No sentence says that a valid token in another scheme is refused.
            yield replace(finding, warns=True) if fault == _OTHER_SCHEME else finding


def _check_credentials_refused(
    context: CheckContext, fault: str, credentials: Mapping[str, str | None]
) -> Iterator[Finding]:
    exchange = open_session(context, credentials)
    if exchange.status not in (400, 401):
        # The sentence is about access tokens of OAuth; a server with keys of its own may answer 403.
        warns = exchange.status == 403 and not _has_oauth(context)
        yield Finding(f"HTTP 401 for {fault}", str(exchange), warns=warns)


def _has_oauth(context: CheckContext) -> bool:
    without = unauthorized_response(context)
    return bool(challenge_parameters(without) or metadata_places(context, without))


def _wrong_credentials(context: CheckContext) -> Iterator[tuple[str, dict[str, str | None]]]:
    yield "a made-up token", {"Authorization": "Bearer mcpgen-check-made-this-up"}
    yield "an empty token", {"Authorization": "Bearer "}
    token = bearer(context.options)
    if token:
        yield "the token cut short", {"Authorization": f"Bearer {token[:-1]}"}
        yield "the token with more after it", {"Authorization": f"Bearer {token}x"}
        yield _OTHER_SCHEME, {"Authorization": f"Basic {token}"}
    for name in credential_headers(context.options):
        if name.lower() != "authorization":
            yield f"a made-up `{name}`", {name: "mcpgen-check-made-this-up"}


def _check_auth_forged_401(context: CheckContext) -> Iterator[Finding]:
    unauthorized_response(context)
    claims = _claims(context, time.time() + HOUR)
    for fault, token in (
        ("an unsigned token", unsigned(claims)),
        ("a token with a wrong signature", badly_signed(claims)),
    ):
        yield from _check_token_refused(context, fault, token)


def _check_auth_expired_401(context: CheckContext) -> Iterator[Finding]:
    unauthorized_response(context)
    yield from _check_token_refused(
        context, "an expired token", unsigned(_claims(context, time.time() - HOUR))
    )
    yield from _check_refused_tokens(context, audience=False)


def _check_auth_audience_401(context: CheckContext) -> Iterator[Finding]:
    unauthorized_response(context)
    claims = _claims(context, time.time() + HOUR) | {"aud": "https://another.example/mcp"}
    yield from _check_token_refused(context, "a token for another server", badly_signed(claims))
    yield from _check_refused_tokens(context, audience=True)


def _check_refused_tokens(context: CheckContext, *, audience: bool) -> Iterator[Finding]:
    """Checks `options.refused_tokens`: tokens of a wrong audience if `audience`, the others if not."""
    for fault, token in context.options.refused_tokens.items():
        if ("audience" in fault) is audience:
            yield from _check_token_refused(context, f"the token called `{fault}`", token)


def _check_token_refused(context: CheckContext, fault: str, token: str) -> Iterator[Finding]:
    yield from _check_credentials_refused(context, fault, {"Authorization": f"Bearer {token}"})


def _claims(context: CheckContext, expires: float) -> dict[str, Json]:
    url = context.session.probe.url
    audience = url.geturl() if url else ""
    return {"sub": "mcpgen-check", "aud": audience, "exp": int(expires), "iat": int(expires) - HOUR}


def _check_auth_query_token_refused(context: CheckContext) -> Iterator[Finding]:
    unauthorized_response(context)
    token = bearer(context.options)
    if not token:
        raise PrerequisiteMissing(
            "a bearer token to put into the address", "the run was given none"
        )
    url = context.session.probe.url
    path = (url.path or "/") if url else "/"
    session = context.session
    method = "server/discover" if session.modern else "initialize"
    params: dict[str, Json] = {}
    if not session.modern:
        params = {"protocolVersion": session.revision, "capabilities": {}, "clientInfo": r.CLIENT}
    for name in ("access_token", "token"):
        message = session.message(method, params, "query")
        headers = {**session.headers(method, params), **without_credentials(context.options)}
        target = f"{path}?{name}={quote(token, safe='')}"
        exchange = session.post(message, headers, awaits="query", target=target)
        if exchange.status not in (400, 401):
            yield Finding(f"HTTP 401 for a token in the address (`{name}`)", str(exchange))


def _check_session_is_no_credential(context: CheckContext) -> Iterator[Finding]:
    legacy = [context.in_revision(revision) for revision in reversed(r.STREAMABLE)]
    with_session = [
        legacy_context
        for legacy_context in legacy
        if legacy_context.session.is_supported and legacy_context.session.session_id
    ]
    unauthorized_response(context)
    if not with_session:
        raise NotApplicable("sessions")
    session = with_session[0].session
    session.open()
    exchange = session.send("ping", headers=without_credentials(context.options))
    # The sentence forbids to take the session for a credential; `auth-missing-401` checks the status.
    if not 400 <= exchange.status < 500:
        expected = "a refusal of a request of a known session without credentials"
        yield Finding(expected, str(exchange))


def _check_auth_challenge_present(context: CheckContext) -> Iterator[Finding]:
    for revision in r.ALL:
        for method in sorted(context.in_revision(revision).session.unchallenged):
            request = f"`{method}`" if method else "a malformed message"
            saw = f"none, in the answer to {request} of {revision}"
            yield Finding("`WWW-Authenticate` with HTTP 401", saw)
            return
    exchange = unauthorized_response(context)
    if exchange.status == 401 and not exchange.headers.get("www-authenticate"):
        yield Finding("`WWW-Authenticate` with HTTP 401", str(exchange))


def _check_auth_metadata_found(context: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(context)
    address = challenge_parameters(exchange).get("resource_metadata")
    if not address and not metadata_places(context, exchange):
        expected = f"`resource_metadata` in `WWW-Authenticate`, or metadata at `{WELL_KNOWN}`"
        yield Finding(expected, exchange.headers.get("www-authenticate", "neither"))
    elif not address and context.in_revision(CHALLENGE_NAMES_METADATA).session.is_supported:
        expected = (
            f"`resource_metadata` in `WWW-Authenticate`, for clients of {CHALLENGE_NAMES_METADATA}"
        )
        yield Finding(expected, exchange.headers.get("www-authenticate", "no challenge"))


def _check_auth_metadata_shape(context: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(context)
    address = challenge_parameters(exchange).get("resource_metadata", "")
    places = metadata_places(context, exchange)
    if not places and not address:
        raise NotApplicable("metadata of a protected resource")
    if not places:
        yield Finding(NAMED_METADATA, f"nothing of the kind at {printable(address)}")
    elif (own := _own_path(context, address)) and "?" not in address and own not in dict(places):
        # Clients use the named address, and look for the others only if no address is named. The probe
        # fetches paths without a query.
        status = context.session.fetch(own).status
        saw = (
            f"metadata at `{places[0][0]}`, HTTP {status} without metadata at {printable(address)}"
        )
        # A redirect may lead clients to the metadata, and an overloaded server may have it.
        yield Finding(NAMED_METADATA, saw, warns=status not in (200, 404, 410))
    for place, metadata in places:
        for expected, saw in _metadata_problems(context, metadata):
            yield Finding(f"{expected}, at `{place}`", saw)


def _metadata_problems(
    context: CheckContext, metadata: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    resource = metadata.get("resource")
    if not isinstance(resource, str) or not _covers_target(context, resource):
        yield "`resource` is the address of this server", printable(resource)
    servers = metadata.get("authorization_servers")
    if (
        not isinstance(servers, list)
        or not servers
        or not all(map(_is_authorization_server, servers))
    ):
        yield "`authorization_servers` lists at least one https address", printable(servers)
    methods = metadata.get("bearer_methods_supported", ["header"])
    if not isinstance(methods, list) or "query" in methods:
        yield "`bearer_methods_supported` without `query`", printable(methods)
    scopes = metadata.get("scopes_supported", [])
    if not isinstance(scopes, list) or any(not isinstance(scope, str) for scope in scopes):
        yield "`scopes_supported` is a list of texts", printable(scopes)


def _covers_target(context: CheckContext, resource: str) -> bool:
    """True if `resource` is the target's URL or a parent path of the target's URL."""
    url = context.session.probe.url
    try:
        parts = urlsplit(resource)
    except ValueError:
        return False
    if url is None or parts.fragment or parts.scheme != url.scheme:
        return False
    target_path, resource_path = url.path.rstrip("/"), parts.path.rstrip("/")
    is_below = target_path == resource_path or target_path.startswith(f"{resource_path}/")
    return parts.netloc.lower() == url.netloc.rpartition("@")[2].lower() and is_below


def _is_authorization_server(value: Json) -> bool:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
    except ValueError:
        return False
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")


def _check_auth_challenge_scope(context: CheckContext) -> Iterator[Finding]:
    parameters = challenge_parameters(unauthorized_response(context))
    if "resource_metadata" not in parameters:
        raise NotApplicable("authorization by OAuth")
    if "scope" not in parameters:
        yield Finding("`scope` in `WWW-Authenticate`", printable(parameters))
    elif "offline_access" in parameters["scope"].split():
        yield Finding("`scope` without `offline_access`", parameters["scope"])


def _check_auth_error_code(context: CheckContext) -> Iterator[Finding]:
    without = challenge_parameters(unauthorized_response(context))
    if not without:
        raise NotApplicable("bearer tokens")
    if "error" in without:
        yield Finding("no `error` where no token was sent", printable(without))
    wrong = challenge_parameters(
        open_session(context, {"Authorization": "Bearer mcpgen-check-made-this-up"})
    )
    if wrong.get("error") != "invalid_token":
        yield Finding('`error="invalid_token"` for a made-up token', printable(wrong))


RULES = (
    _AUTHORIZATION.must(
        "auth-missing-401", "Error Handling", _check_auth_missing_401, unauthenticated=True
    ),
    _AUTHORIZATION.must(
        "auth-wrong-401", "Token Handling", _check_auth_wrong_401, unauthenticated=True
    ),
    _TOKENS.must("auth-forged-401", "Token Handling", _check_auth_forged_401, unauthenticated=True),
    _TOKENS.must(
        "auth-expired-401", "Token Handling", _check_auth_expired_401, unauthenticated=True
    ),
    _TOKENS.must(
        "auth-audience-401", "Token Handling", _check_auth_audience_401, unauthenticated=True
    ),
    _TOKENS.should(
        "auth-query-token-refused",
        "Token Requirements, 2",
        _check_auth_query_token_refused,
        unauthenticated=True,
    ),
    _BEST_PRACTICES.must(
        "session-is-no-credential", "Session Hijacking", _check_session_is_no_credential
    ),
    _HTTP.must(
        "auth-challenge-present", "§15.5.2", _check_auth_challenge_present, unauthenticated=True
    ),
    _DISCOVERY.should(
        "auth-metadata-found",
        "Protected Resource Metadata Discovery Requirements",
        _check_auth_metadata_found,
        unauthenticated=True,
    ),
    _RESOURCE.must(
        "auth-metadata-shape",
        "§3.2, §3.3; MCP Authorization Server Location",
        _check_auth_metadata_shape,
        unauthenticated=True,
    ),
    _AUTHORIZATION.should(
        "auth-challenge-scope",
        "Scope Selection Strategy; Refresh Tokens",
        _check_auth_challenge_scope,
        unauthenticated=True,
    ),
    _BEARER.should("auth-error-code", "§3.1", _check_auth_error_code, unauthenticated=True),
)
