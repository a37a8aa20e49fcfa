"""An access token by the client credentials grant, for servers that want OAuth.

Source: https://www.rfc-editor.org/rfc/rfc6749#section-4.4 and, for `resource`,
https://www.rfc-editor.org/rfc/rfc8707#section-2
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote_plus, urlencode, urlsplit

from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.probe import Probe, ProbeRequest
from mcpgen.conformance.redaction import redact_text

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MAX_BYTES = 256 * 1024
"""Bytes of the answer of a token endpoint."""


class TokenError(Exception):
    """The token endpoint returned no token; the text describes the answer."""


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A registered OAuth client and the token request. `scope`: words separated by spaces, or `""`.
    `resource`: the URL of the server, or `""`."""

    token_url: str
    id: str
    secret: str = field(repr=False)
    scope: str = ""
    resource: str = ""


def transport_problem(url: str) -> str:
    """The reason why a secret must not be sent to this URL, or `""`. The reason does not repeat the
    URL, which may have a password."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "the text is not a URL"
    if parts.scheme not in ("http", "https") or not host:
        return "the text is not an https URL"
    if parts.scheme == "http" and host not in LOOPBACK:
        return "the URL is not https: the secret would be read on its way"
    return ""


def access_token(client: OAuthClient, timeout: float) -> str:
    """Fetches a Bearer token by the client credentials grant. Raises TokenError; no message
    contains the secret.

    The secret is sent as HTTP Basic, and again in the body after HTTP 400 or 401: some servers
    accept only the body (RFC 6749 §2.3.1).
    """
    basic = f"{quote_plus(client.id)}:{quote_plus(client.secret)}".encode()
    header = {"Authorization": f"Basic {base64.b64encode(basic).decode()}"}
    exchange = _request_token(client, header, {}, timeout)
    if exchange.status in (400, 401):
        body = {"client_id": client.id, "client_secret": client.secret}
        exchange = _request_token(client, {}, body, timeout)
    answer = exchange.messages[0] if exchange.messages else None
    token = answer.get("access_token") if isinstance(answer, dict) else None
    if exchange.status != 200 or not isinstance(token, str):
        answer_text = redact_text(_describe_answer(exchange), (client.secret,))
        raise TokenError(f"no token from {client.token_url}: {answer_text}")
    kind = answer.get("token_type", "") if isinstance(answer, dict) else ""
    if str(kind).lower() != "bearer" or any(not 0x21 <= ord(c) <= 0x7E for c in token):
        raise TokenError(f"the token from {client.token_url} is not a Bearer token")
    return token


def _request_token(
    client: OAuthClient, headers: Mapping[str, str], fields: Mapping[str, str], timeout: float
) -> HttpExchange:
    form = {"grant_type": "client_credentials", **fields}
    form |= {"scope": client.scope} if client.scope else {}
    form |= {"resource": client.resource} if client.resource else {}
    common = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    probe = Probe(client.token_url, timeout=timeout, deadline=timeout, max_bytes=MAX_BYTES)
    try:
        return probe.send(ProbeRequest("POST", {**common, **headers}, urlencode(form).encode()))
    finally:
        probe.close()


def _describe_answer(exchange: HttpExchange) -> str:
    """Status and error code (RFC 6749 §5.2) of the endpoint's answer. The body is left out, since a
    body may repeat the secret.
    """
    if exchange.status == 0:
        return str(exchange)
    answer = exchange.messages[0] if exchange.messages else None
    words = answer.get("error") if isinstance(answer, dict) else None
    return f"HTTP {exchange.status}" + (f", {printable(words)}" if isinstance(words, str) else "")
