"""Authorization, for servers that ask for credentials."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from urllib.parse import quote, urlsplit

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.credentials import (
    WELL_KNOWN,
    asked,
    badly_signed,
    bearer,
    challenged,
    given,
    metadata_places,
    parameters,
    stripped,
    unsigned,
)
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.findings import Finding, NotDeclared, Unmet
from mcpgen.conformance.strict_json import Json
from mcpgen.conformance.target import Visit

_PAGE = Page("Authorization", page("2026-07-28", "basic/authorization"), profile="security")
_DISCOVERY = Page(
    "Authorization Server Discovery",
    page("2026-07-28", "basic/authorization/authorization-server-discovery"),
    profile="security",
)
_HTTP = Page("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", profile="security")
_BEARER = Page("Bearer Token Usage", "https://www.rfc-editor.org/rfc/rfc6750", profile="security")
_RESOURCE = Page(
    "Protected Resource Metadata", "https://www.rfc-editor.org/rfc/rfc9728", profile="security"
)
_SESSIONS = Page(
    "Security Best Practices",
    page("2025-11-25", "basic/security_best_practices"),
    profile="security",
)
HOUR = 3_600


def _missing(visit: Visit) -> Iterator[Finding]:
    exchange = challenged(visit)
    if exchange.status != 401:
        yield Finding("HTTP 401 without credentials, for the server has metadata", str(exchange))


def _wrong(visit: Visit) -> Iterator[Finding]:
    challenged(visit)
    for what, credentials in _wrongs(visit):
        exchange = asked(visit, credentials)
        if exchange.status not in (400, 401):
            yield Finding(f"HTTP 401 for {what}", str(exchange))


def _wrongs(visit: Visit) -> Iterator[tuple[str, dict[str, str | None]]]:
    yield "a made-up token", {"Authorization": "Bearer mcpgen-check-made-this-up"}
    yield "an empty token", {"Authorization": "Bearer "}
    token = bearer(visit.options)
    if token:
        yield "the token cut short", {"Authorization": f"Bearer {token[:-1]}"}
        yield "the token with more after it", {"Authorization": f"Bearer {token}x"}
        yield "the token in the scheme Basic", {"Authorization": f"Basic {token}"}
    for name in given(visit.options):
        if name.lower() != "authorization":
            yield f"a made-up `{name}`", {name: "mcpgen-check-made-this-up"}


def _forged(visit: Visit) -> Iterator[Finding]:
    challenged(visit)
    claims = _claims(visit, time.time() + HOUR)
    for what, token in (
        ("an unsigned token", unsigned(claims)),
        ("a token with a wrong signature", badly_signed(claims)),
    ):
        yield from _let_in(visit, what, token)


def _expired(visit: Visit) -> Iterator[Finding]:
    challenged(visit)
    yield from _let_in(visit, "an expired token", unsigned(_claims(visit, time.time() - HOUR)))
    yield from _refused_tokens(visit, audience=False)


def _audience(visit: Visit) -> Iterator[Finding]:
    challenged(visit)
    claims = _claims(visit, time.time() + HOUR) | {"aud": "https://another.example/mcp"}
    yield from _let_in(visit, "a token for another server", badly_signed(claims))
    yield from _refused_tokens(visit, audience=True)


def _refused_tokens(visit: Visit, *, audience: bool) -> Iterator[Finding]:
    """What becomes of the tokens that the tester knows to be bad: those of a wrong audience, or all
    others."""
    for what, token in visit.options.refused_tokens.items():
        if ("audience" in what) is audience:
            yield from _let_in(visit, f"the token called `{what}`", token)


def _let_in(visit: Visit, what: str, token: str) -> Iterator[Finding]:
    exchange = asked(visit, {"Authorization": f"Bearer {token}"})
    if exchange.status != 401:
        yield Finding(f"HTTP 401 for {what}", str(exchange))


def _claims(visit: Visit, expires: float) -> dict[str, Json]:
    url = visit.talk.probe.url
    here = url.geturl() if url else ""
    return {"sub": "mcpgen-check", "aud": here, "exp": int(expires), "iat": int(expires) - HOUR}


def _query(visit: Visit) -> Iterator[Finding]:
    challenged(visit)
    token = bearer(visit.options)
    if not token:
        raise Unmet("a bearer token to put into the address", "the run was given none")
    url = visit.talk.probe.url
    path = (url.path or "/") if url else "/"
    talk = visit.talk
    method = "server/discover" if talk.modern else "initialize"
    client = {"name": "mcpgen-check", "version": "1"}
    params: dict[str, Json] = {}
    if not talk.modern:
        params = {"protocolVersion": talk.revision, "capabilities": {}, "clientInfo": client}
    for name in ("access_token", "token"):
        message = talk.message(method, params, "query")
        headers = {**talk.headers(method, params), **stripped(visit.options)}
        target = f"{path}?{name}={quote(token, safe='')}"
        exchange = talk.post(message, headers, awaits="query", target=target)
        if exchange.status not in (400, 401):
            yield Finding(f"HTTP 401 for a token in the address (`{name}`)", str(exchange))


def _challenge(visit: Visit) -> Iterator[Finding]:
    exchange = challenged(visit)
    if exchange.status == 401 and not exchange.headers.get("www-authenticate"):
        yield Finding("`WWW-Authenticate` with HTTP 401", str(exchange))


def _discoverable(visit: Visit) -> Iterator[Finding]:
    exchange = challenged(visit)
    named = parameters(exchange).get("resource_metadata")
    if not named and not metadata_places(visit, exchange):
        expected = f"`resource_metadata` in `WWW-Authenticate`, or metadata at `{WELL_KNOWN}`"
        yield Finding(expected, exchange.headers.get("www-authenticate", "neither"))


def _metadata(visit: Visit) -> Iterator[Finding]:
    exchange = challenged(visit)
    named = parameters(exchange).get("resource_metadata", "")
    places = metadata_places(visit, exchange)
    if not places and not named:
        raise NotDeclared("metadata of a protected resource")
    if not places:
        expected = "metadata as JSON at the address that the challenge names"
        yield Finding(expected, f"nothing of the kind at {printable(named)}")
    for place, metadata in places:
        for expected, saw in _metadata_problems(visit, metadata):
            yield Finding(f"{expected}, at `{place}`", saw)


def _metadata_problems(visit: Visit, metadata: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    resource = metadata.get("resource")
    if not isinstance(resource, str) or not _covers(visit, resource):
        yield "`resource` is the address of this server", printable(resource)
    servers = metadata.get("authorization_servers")
    if not isinstance(servers, list) or not servers or not all(map(_is_server, servers)):
        yield "`authorization_servers` lists at least one https address", printable(servers)
    methods = metadata.get("bearer_methods_supported", ["header"])
    if not isinstance(methods, list) or "query" in methods:
        yield "`bearer_methods_supported` without `query`", printable(methods)
    scopes = metadata.get("scopes_supported", [])
    if not isinstance(scopes, list) or any(not isinstance(scope, str) for scope in scopes):
        yield "`scopes_supported` is a list of texts", printable(scopes)


def _covers(visit: Visit, resource: str) -> bool:
    """Whether a resource is the target's URL, or one that its path lies below."""
    url = visit.talk.probe.url
    try:
        parts = urlsplit(resource)
    except ValueError:
        return False
    if url is None or parts.fragment or parts.scheme != url.scheme:
        return False
    mine, other = url.path.rstrip("/"), parts.path.rstrip("/")
    within = mine == other or mine.startswith(f"{other}/")
    return parts.netloc.lower() == url.netloc.rpartition("@")[2].lower() and within


def _is_server(value: Json) -> bool:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
    except ValueError:
        return False
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")


def _scope(visit: Visit) -> Iterator[Finding]:
    found = parameters(challenged(visit))
    if "resource_metadata" not in found:
        raise NotDeclared("authorization by OAuth")
    if "scope" not in found:
        yield Finding("`scope` in `WWW-Authenticate`", printable(found))
    elif "offline_access" in found["scope"].split():
        yield Finding("`scope` without `offline_access`", found["scope"])


def _error_code(visit: Visit) -> Iterator[Finding]:
    without = parameters(challenged(visit))
    if not without:
        raise NotDeclared("bearer tokens")
    if "error" in without:
        yield Finding("no `error` where no token was sent", printable(without))
    wrong = parameters(asked(visit, {"Authorization": "Bearer mcpgen-check-made-this-up"}))
    if wrong.get("error") != "invalid_token":
        yield Finding('`error="invalid_token"` for a made-up token', printable(wrong))


def _session_alone(visit: Visit) -> Iterator[Finding]:
    legacy = [visit.sibling(revision) for revision in reversed(r.STREAMABLE)]
    opened = [one for one in legacy if one.talk.spoken and one.talk.session]
    challenged(visit)
    if not opened:
        raise NotDeclared("sessions")
    talk = opened[0].talk
    talk.ready()
    exchange = talk.send("ping", headers=stripped(visit.options))
    if exchange.status != 401:
        expected = "HTTP 401 for a request of a known session without credentials"
        yield Finding(expected, str(exchange))


RULES = (
    Rule(
        _PAGE.must(
            "auth-missing-401",
            "A request without credentials gets HTTP 401.",
            "Error Handling",
            "A server that has protection but does not ask for it is open to everyone.",
            "Check the token before anything else, `server/discover` and `initialize` included.",
        ),
        _missing,
        at_the_door=True,
    ),
    Rule(
        _PAGE.must(
            "auth-wrong-401",
            "Credentials that are made up, cut short or of another scheme get HTTP 401.",
            "Token Handling",
            "Any of these let in means that the token is not looked at, or not all of it.",
            "Compare the whole credential, in constant time; refuse every other scheme.",
        ),
        _wrong,
        at_the_door=True,
    ),
    Rule(
        _PAGE.must(
            "auth-forged-401",
            "A token that nobody signed, or signed wrongly, gets HTTP 401.",
            "Token Handling",
            "Reading the claims without verifying the signature lets anyone be anybody.",
            "Verify the signature with the issuer's keys and a fixed list of algorithms, never "
            "`none`.",
        ),
        _forged,
        at_the_door=True,
    ),
    Rule(
        _PAGE.must(
            "auth-expired-401",
            "An expired token gets HTTP 401.",
            "Token Handling",
            "Tokens leak; their end is what limits the harm.",
            "Refuse tokens whose `exp` has passed. To have a really signed one tried, give the run "
            "an expired token.",
        ),
        _expired,
        at_the_door=True,
    ),
    Rule(
        _PAGE.must(
            "auth-audience-401",
            "A token that was issued for another server gets HTTP 401.",
            "Token Handling",
            "Otherwise every server its user talks to could use the token here (confused deputy).",
            "Compare `aud` with your own address. To have a really signed one tried, give the run a "
            "token of another audience.",
        ),
        _audience,
        at_the_door=True,
    ),
    Rule(
        _PAGE.must(
            "auth-query-token-refused",
            "A token in the address is not taken.",
            "Token Requirements, 2",
            "Addresses are written into logs, histories and referrers.",
            "Read the token from the `Authorization` header only.",
        ),
        _query,
        at_the_door=True,
    ),
    Rule(
        _HTTP.must(
            "auth-challenge-present",
            "HTTP 401 comes with `WWW-Authenticate`.",
            "§15.5.2",
            "Without the challenge a client does not know which credentials are wanted.",
            'Send `WWW-Authenticate: Bearer resource_metadata="…"`.',
        ),
        _challenge,
        at_the_door=True,
    ),
    Rule(
        _DISCOVERY.should(
            "auth-metadata-found",
            "The metadata of the protected resource is named in the challenge or at its well-known "
            "place.",
            "Protected Resource Metadata Discovery Requirements",
            "It is how clients learn where to get a token; without it the user must configure them. "
            "Fixed API keys need none, which is why this is not a failure.",
            f"Serve the document at `{WELL_KNOWN}` plus the path of the endpoint and name it in "
            "`WWW-Authenticate`.",
        ),
        _discoverable,
        at_the_door=True,
    ),
    Rule(
        _RESOURCE.must(
            "auth-metadata-shape",
            "The metadata names this very server and at least one authorization server.",
            "§3.2, §3.3; MCP Authorization Server Location",
            "Clients must refuse metadata whose `resource` is not the address they asked for.",
            "Set `resource` to the public address of the endpoint and list `authorization_servers`.",
        ),
        _metadata,
        at_the_door=True,
    ),
    Rule(
        _PAGE.should(
            "auth-challenge-scope",
            "The challenge names the scopes that are needed, and not `offline_access`.",
            "Scope Selection Strategy; Refresh Tokens",
            "Clients then ask for those and no more; otherwise they ask for all there are.",
            'Add `scope="…"` to `WWW-Authenticate`.',
        ),
        _scope,
        at_the_door=True,
    ),
    Rule(
        _BEARER.should(
            "auth-error-code",
            "A wrong token is called `invalid_token`; a missing one gets no error code.",
            "§3.1",
            "Clients throw away their token on `invalid_token` and would do so for nothing.",
            'Send `error="invalid_token"` only when a token came.',
        ),
        _error_code,
        at_the_door=True,
    ),
    Rule(
        _SESSIONS.must(
            "session-is-no-credential",
            "A known session id without credentials gets HTTP 401.",
            "Session Hijacking",
            "Session ids travel in logs and tools; who finds one would act as its user.",
            "Check the token of every request, also of those in a session.",
        ),
        _session_alone,
    ),
)
