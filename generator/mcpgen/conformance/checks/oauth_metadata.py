"""The way to a token: challenges and metadata of servers that ask for credentials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.auth_context import (
    WELL_KNOWN,
    challenge_parameters,
    metadata_places,
    open_session,
    unauthorized_response,
)
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

_PAGE = SpecPage("Authorization", page("2026-07-28", "basic/authorization"), profile="security")
_DISCOVERY = SpecPage(
    "Authorization Server Discovery",
    page("2026-07-28", "basic/authorization/authorization-server-discovery"),
    profile="security",
)
_HTTP = SpecPage("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", profile="security")
_BEARER = SpecPage(
    "Bearer Token Usage", "https://www.rfc-editor.org/rfc/rfc6750", profile="security"
)
_RESOURCE = SpecPage(
    "Protected Resource Metadata", "https://www.rfc-editor.org/rfc/rfc9728", profile="security"
)


def _challenge(visit: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(visit)
    if exchange.status == 401 and not exchange.headers.get("www-authenticate"):
        yield Finding("`WWW-Authenticate` with HTTP 401", str(exchange))


def _discoverable(visit: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(visit)
    named = challenge_parameters(exchange).get("resource_metadata")
    if not named and not metadata_places(visit, exchange):
        expected = f"`resource_metadata` in `WWW-Authenticate`, or metadata at `{WELL_KNOWN}`"
        yield Finding(expected, exchange.headers.get("www-authenticate", "neither"))


def _metadata(visit: CheckContext) -> Iterator[Finding]:
    exchange = unauthorized_response(visit)
    named = challenge_parameters(exchange).get("resource_metadata", "")
    places = metadata_places(visit, exchange)
    if not places and not named:
        raise NotApplicable("metadata of a protected resource")
    if not places:
        expected = "metadata as JSON at the address that the challenge names"
        yield Finding(expected, f"nothing of the kind at {printable(named)}")
    for place, metadata in places:
        for expected, saw in _metadata_problems(visit, metadata):
            yield Finding(f"{expected}, at `{place}`", saw)


def _metadata_problems(
    visit: CheckContext, metadata: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
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


def _covers(visit: CheckContext, resource: str) -> bool:
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


def _scope(visit: CheckContext) -> Iterator[Finding]:
    found = challenge_parameters(unauthorized_response(visit))
    if "resource_metadata" not in found:
        raise NotApplicable("authorization by OAuth")
    if "scope" not in found:
        yield Finding("`scope` in `WWW-Authenticate`", printable(found))
    elif "offline_access" in found["scope"].split():
        yield Finding("`scope` without `offline_access`", found["scope"])


def _error_code(visit: CheckContext) -> Iterator[Finding]:
    without = challenge_parameters(unauthorized_response(visit))
    if not without:
        raise NotApplicable("bearer tokens")
    if "error" in without:
        yield Finding("no `error` where no token was sent", printable(without))
    wrong = challenge_parameters(
        open_session(visit, {"Authorization": "Bearer mcpgen-check-made-this-up"})
    )
    if wrong.get("error") != "invalid_token":
        yield Finding('`error="invalid_token"` for a made-up token', printable(wrong))


RULES = (
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
    CheckDef(
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
)
