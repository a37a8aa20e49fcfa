"""Tokens: who is let in, for servers that ask for credentials."""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import quote

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.checks.auth_context import (
    badly_signed,
    bearer,
    credential_headers,
    open_session,
    unauthorized_response,
    unsigned,
    without_credentials,
)
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.strict_json import Json

_PAGE = SpecPage("Authorization", page("2026-07-28", "basic/authorization"), profile="security")
_SESSIONS = SpecPage(
    "Security Best Practices",
    page("2025-11-25", "basic/security_best_practices"),
    profile="security",
)
HOUR = 3_600


def _missing(visit: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(visit)
    if exchange.status != 401:
        yield Finding("HTTP 401 without credentials, for the server has metadata", str(exchange))


def _wrong(visit: CheckContext) -> Iterator[Finding]:
    unauthorized_response(visit)
    for what, credentials in _wrongs(visit):
        exchange = open_session(visit, credentials)
        if exchange.status not in (400, 401):
            yield Finding(f"HTTP 401 for {what}", str(exchange))


def _wrongs(visit: CheckContext) -> Iterator[tuple[str, dict[str, str | None]]]:
    yield "a made-up token", {"Authorization": "Bearer mcpgen-check-made-this-up"}
    yield "an empty token", {"Authorization": "Bearer "}
    token = bearer(visit.options)
    if token:
        yield "the token cut short", {"Authorization": f"Bearer {token[:-1]}"}
        yield "the token with more after it", {"Authorization": f"Bearer {token}x"}
        yield "the token in the scheme Basic", {"Authorization": f"Basic {token}"}
    for name in credential_headers(visit.options):
        if name.lower() != "authorization":
            yield f"a made-up `{name}`", {name: "mcpgen-check-made-this-up"}


def _forged(visit: CheckContext) -> Iterator[Finding]:
    unauthorized_response(visit)
    claims = _claims(visit, time.time() + HOUR)
    for what, token in (
        ("an unsigned token", unsigned(claims)),
        ("a token with a wrong signature", badly_signed(claims)),
    ):
        yield from _let_in(visit, what, token)


def _expired(visit: CheckContext) -> Iterator[Finding]:
    unauthorized_response(visit)
    yield from _let_in(visit, "an expired token", unsigned(_claims(visit, time.time() - HOUR)))
    yield from _refused_tokens(visit, audience=False)


def _audience(visit: CheckContext) -> Iterator[Finding]:
    unauthorized_response(visit)
    claims = _claims(visit, time.time() + HOUR) | {"aud": "https://another.example/mcp"}
    yield from _let_in(visit, "a token for another server", badly_signed(claims))
    yield from _refused_tokens(visit, audience=True)


def _refused_tokens(visit: CheckContext, *, audience: bool) -> Iterator[Finding]:
    """What becomes of the tokens that the tester knows to be bad: those of a wrong audience, or all
    others."""
    for what, token in visit.options.refused_tokens.items():
        if ("audience" in what) is audience:
            yield from _let_in(visit, f"the token called `{what}`", token)


def _let_in(visit: CheckContext, what: str, token: str) -> Iterator[Finding]:
    exchange = open_session(visit, {"Authorization": f"Bearer {token}"})
    if exchange.status != 401:
        yield Finding(f"HTTP 401 for {what}", str(exchange))


def _claims(visit: CheckContext, expires: float) -> dict[str, Json]:
    url = visit.talk.probe.url
    here = url.geturl() if url else ""
    return {"sub": "mcpgen-check", "aud": here, "exp": int(expires), "iat": int(expires) - HOUR}


def _query(visit: CheckContext) -> Iterator[Finding]:
    unauthorized_response(visit)
    token = bearer(visit.options)
    if not token:
        raise PrerequisiteMissing(
            "a bearer token to put into the address", "the run was given none"
        )
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
        headers = {**talk.headers(method, params), **without_credentials(visit.options)}
        target = f"{path}?{name}={quote(token, safe='')}"
        exchange = talk.post(message, headers, awaits="query", target=target)
        if exchange.status not in (400, 401):
            yield Finding(f"HTTP 401 for a token in the address (`{name}`)", str(exchange))


def _session_alone(visit: CheckContext) -> Iterator[Finding]:
    legacy = [visit.sibling(revision) for revision in reversed(r.STREAMABLE)]
    opened = [one for one in legacy if one.talk.spoken and one.talk.session]
    unauthorized_response(visit)
    if not opened:
        raise NotApplicable("sessions")
    talk = opened[0].talk
    talk.ready()
    exchange = talk.send("ping", headers=without_credentials(visit.options))
    if exchange.status != 401:
        expected = "HTTP 401 for a request of a known session without credentials"
        yield Finding(expected, str(exchange))


RULES = (
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
