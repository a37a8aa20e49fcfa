"""What to do next when no MCP server answers at an address."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.exchange import FaultKind, HttpExchange, printable

ASKED = (
    "the server asks for credentials: send a token with `--bearer-env VAR`, anything else with "
    "`--header NAME:VALUE`"
)
REFUSED = "the credentials that were sent are not enough for this server"
WAIT = (FaultKind.TIMEOUT, FaultKind.DEADLINE)


def advice(url: str, target: CheckTarget) -> Iterator[str]:
    """A sentence for what answered in place of a server; none for a server, or for no idea."""
    if target.spoken:
        return
    visit = target.visit(r.LEGACY[-1])
    opening = visit.talk.opening
    if opening.status in (401, 403):
        yield REFUSED if visit.options.headers else ASKED
    elif 300 <= opening.status < 400:
        yield _redirect(url, opening)
    elif opening.media_type == "text/html" or opening.status in (404, 405):
        yield "is the path right? It is that of the MCP endpoint, often `/mcp`"
    elif opening.fault is not None and opening.fault.kind in WAIT:
        yield f"each answer was waited for {visit.options.timeout:g} s; `--timeout` waits longer"


def _redirect(url: str, opening: HttpExchange) -> str:
    try:
        place = printable(urljoin(url, opening.headers.get("location", "")))
    except ValueError:
        place = "another address"
    return (
        "redirects are not followed, so that no credentials go to strangers: check "
        f"`{place}` instead, if that is your server"
    )
