"""What the checks of authorization know of the server: does it ask for credentials, and which were
given to the run."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import NotApplicable, PrerequisiteMissing
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.strict_json import Json

SECRET = re.compile(r"auth|key|token|secret|cookie|session", re.I)
"""Names of headers that carry credentials."""

WELL_KNOWN = "/.well-known/oauth-protected-resource"
PARAMETER = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')


def credential_headers(options: CheckOptions) -> dict[str, str]:
    """The headers of the run that carry credentials."""
    return {name: value for name, value in options.headers.items() if SECRET.search(name)}


def bearer(options: CheckOptions) -> str:
    """The bearer token that the run was given, or `""`."""
    for name, value in options.headers.items():
        scheme, _, token = value.partition(" ")
        if name.lower() == "authorization" and scheme.lower() == "bearer":
            return token.strip()
    return ""


def without_credentials(options: CheckOptions) -> dict[str, str | None]:
    """Headers that take the credentials of the run away."""
    return dict.fromkeys(credential_headers(options))


def open_session(visit: CheckContext, headers: Mapping[str, str | None]) -> HttpExchange:
    """The answer to an opening request with these headers in place of the credentials."""
    talk = visit.talk
    wanted = {**without_credentials(visit.options), **headers}
    if talk.modern:
        return talk.send("server/discover", identifier="door", headers=wanted)
    params = {"protocolVersion": talk.revision, "capabilities": {}, "clientInfo": CLIENT}
    return talk.send("initialize", params, identifier="door", headers=wanted)


CLIENT = {"name": "mcpgen-check", "version": "1"}


def unauthorized_response(visit: CheckContext) -> HttpExchange:
    """The answer without credentials. Raises NotDeclared when the server asks for none, neither by
    HTTP 401 nor by the metadata of a protected resource."""
    exchange = open_session(visit, {})
    if exchange.status == 0:
        raise PrerequisiteMissing("an answer to a request without credentials", str(exchange))
    if exchange.status != 401 and not metadata_places(visit, exchange):
        raise NotApplicable("authorization")
    return exchange


def challenge_parameters(exchange: HttpExchange) -> dict[str, str]:
    """The parameters of a `WWW-Authenticate` header of the scheme Bearer, names in lower case."""
    challenge = exchange.headers.get("www-authenticate", "")
    scheme, _, rest = challenge.partition(" ")
    if scheme.lower() != "bearer":
        return {}
    return {name.lower(): text or plain for name, text, plain in PARAMETER.findall(rest)}


def metadata_places(
    visit: CheckContext, exchange: HttpExchange
) -> list[tuple[str, dict[str, Json]]]:
    """The places where there is metadata of the resource, with what they say: the one that the
    challenge names if it is of this server, the one of the path, the one of the root."""
    found = []
    for place in dict.fromkeys(_places(visit, exchange)):
        answer = visit.talk.fetch(place)
        if answer.status == 200 and answer.messages and isinstance(answer.messages[0], dict):
            found.append((place, answer.messages[0]))
    return found


def _places(visit: CheckContext, exchange: HttpExchange) -> list[str]:
    url = visit.talk.probe.url
    path = url.path.rstrip("/") if url else ""
    places = [f"{WELL_KNOWN}{path}", WELL_KNOWN]
    named = _split(challenge_parameters(exchange).get("resource_metadata", ""))
    # What another host says is fetched from that host by clients, but never by this probe.
    if named and url and named[0].lower() == url.netloc.lower():
        places.insert(0, named[1])
    return places


def _split(address: str) -> tuple[str, str] | None:
    """Host and path of a URL, or None."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.path.isascii():
        return None
    path = "".join(c for c in parts.path if 0x21 <= ord(c) <= 0x7E)
    return (parts.netloc, path) if path.startswith("/") else None


def unsigned(claims: Mapping[str, Json]) -> str:
    """A JSON Web Token with these claims that nobody signed (`alg: none`)."""
    return ".".join((_part({"alg": "none", "typ": "JWT"}), _part(claims), ""))


def badly_signed(claims: Mapping[str, Json]) -> str:
    """A JSON Web Token with these claims whose signature is nonsense."""
    signature = base64.urlsafe_b64encode(b"no signature of anybody's").decode().rstrip("=")
    return ".".join((_part({"alg": "RS256", "typ": "JWT"}), _part(claims), signature))


def _part(value: Mapping[str, Json]) -> str:
    raw = json.dumps(dict(value), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
