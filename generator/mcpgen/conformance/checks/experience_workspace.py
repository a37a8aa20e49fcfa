"""The profile `experience-workspace`: requirements of this host for registered servers.

The profile includes protocol checks (`profiles.WORKSPACE_ALSO`). Source: the host's checklist for
authors of servers and the host's MCP client, https://github.com/adobe-rnd/da-agent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage
from mcpgen.conformance.checks.predicates import covers_host, private
from mcpgen.conformance.client_session import Headers, ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Finding
from mcpgen.conformance.redaction import secretive
from mcpgen.conformance.strict_json import Json

REVISION = "2025-03-26"
OPENING_SECONDS = 15.0
"""The client's timeout for `initialize` and for `tools/list`, in seconds."""

CALL_SECONDS = 60.0
"""The client's timeout for `tools/call`, in seconds."""

CALL_PROMISED = 15.0
"""The limit for a call in the host's checklist, in seconds; stricter than the client's timeout."""

PROMPT_SECONDS = 1.0
"""Advised limit for opening and listing, in seconds: both run on every turn of a chat."""

PROFILE = "experience-workspace"
SOURCE = "https://github.com/adobe-rnd/da-agent"
TURNS = 3
"""Number of turns that are simulated."""

_PAGE = SpecPage("Experience Workspace", SOURCE, (REVISION,), PROFILE)


def accepted_response(exchange: HttpExchange) -> Json:
    """The response as read by the host's client, or None.

    The client splits an event stream at line feeds, reads only lines with the prefix `data: `, and
    takes the first response with any id. Other bodies are read as a JSON value.
    """
    if not 200 <= exchange.status < 300:
        return None
    text = exchange.body.decode("utf-8", "replace")
    if "text/event-stream" in exchange.headers.get("content-type", ""):
        return next(_responses(text), None)
    return _parse_json(text)


def _responses(text: str) -> Iterator[Json]:
    data = ""
    for line in (*text.split("\n"), ""):
        if line.startswith("data: "):
            data += line[len("data: ") :]
        elif line == "" and data:
            message = _parse_json(data)
            data = ""
            if isinstance(message, dict) and ("result" in message or "error" in message):
                yield message


def _parse_json(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn of a chat: the host opens a new session and lists the tools."""

    opening: HttpExchange
    listing: HttpExchange
    session_id: str

    @property
    def seconds(self) -> tuple[tuple[str, float], ...]:
        """Durations of the opening and the list, in seconds, by name."""
        return (("`initialize`", self.opening.seconds), ("`tools/list`", self.listing.seconds))


def turn(context: CheckContext) -> ChatTurn:
    """Makes a turn in a new session. Raises PrerequisiteMissing if the server cannot be opened."""
    session = ProbeSession(context.session.probe, REVISION, context.options)
    session.require_capability("tools")
    session.open()
    listing = session.send("tools/list", identifier="turn")
    return ChatTurn(session.opening, listing, session.session_id)


def _check_workspace_https(context: CheckContext) -> Iterator[Finding]:
    url, hostname = context.session.probe.url, context.session.probe.hostname
    if url is None or url.scheme == "https":
        return
    if private(hostname):
        saw = f"`{hostname}` is an address for development, which the host cannot reach"
        yield Finding("a public https address when the server is registered", saw, warns=True)
    else:
        yield Finding("an https address", f"`http://{hostname}`")


def _check_workspace_trusted_domain(context: CheckContext) -> Iterator[Finding]:
    domains, hostname = context.options.trusted_domains, context.session.probe.hostname
    if domains and not covers_host(hostname, domains):
        yield Finding(f"a host name in {', '.join(domains)}", f"`{hostname}`")


def _check_workspace_every_turn(context: CheckContext) -> Iterator[Finding]:
    for number in range(2, TURNS + 1):
        listing = turn(context).listing
        if listing.response("turn") is None or listing.error:
            yield Finding(f"the tools when opened for turn {number} of a chat", str(listing))
            return


def _check_workspace_opening_in_time(context: CheckContext) -> Iterator[Finding]:
    yield from _check_duration("`initialize`", context.session.opening, OPENING_SECONDS, context)


def _check_workspace_cold_list(context: CheckContext) -> Iterator[Finding]:
    yield from _check_duration(
        "`tools/list` in a new session", turn(context).listing, OPENING_SECONDS, context
    )


def _check_duration(
    request: str, exchange: HttpExchange, allowed: float, context: CheckContext
) -> Iterator[Finding]:
    pace = context.options.pace
    saw = f"{exchange.seconds:.1f} s"
    if not exchange.messages:
        yield Finding(f"{request} is answered within {allowed * pace:g} s", str(exchange))
    elif exchange.seconds > allowed * pace:
        yield Finding(f"{request} is answered within {allowed * pace:g} s", saw)
    elif exchange.seconds > PROMPT_SECONDS * pace:
        yield Finding(f"{request} takes well under a second: every turn waits", saw, warns=True)


def _check_workspace_call_in_time(context: CheckContext) -> Iterator[Finding]:
    pace = context.options.pace
    for call in context.calls:
        took = call.exchange.seconds
        if took > CALL_PROMISED * pace:
            allowed = CALL_SECONDS if took > CALL_SECONDS * pace else CALL_PROMISED
            expected = f"a call within {allowed * pace:g} s"
            yield Finding(expected, f"{took:.1f} s", call.name, warns=allowed is CALL_PROMISED)


def _check_workspace_readable(context: CheckContext) -> Iterator[Finding]:
    answers = [
        ("`initialize`", context.session.opening, "opening", ""),
        ("`tools/list`", turn(context).listing, "turn", ""),
        *(
            ("`tools/call`", call.exchange, call.identifier, call.name)
            for call in context.calls[:5]
        ),
    ]
    for request, exchange, identifier, tool in answers:
        response = exchange.response(identifier)
        if response is not None and accepted_response(exchange) != response:
            expected = (
                f"the first response in the answer to {request}, as JSON or in `data: ` lines"
            )
            yield Finding(expected, str(exchange), tool)


def _check_workspace_session(context: CheckContext) -> Iterator[Finding]:
    first = turn(context)
    if not first.session_id:
        return
    if first.listing.response("turn") is None or first.listing.error:
        yield Finding("requests with the session's id are answered", str(first.listing))
    exchange = context.session.delete({"Mcp-Session-Id": first.session_id})
    if not (200 <= exchange.status < 300 or exchange.status == 405):
        yield Finding("DELETE ends the session, or is politely refused with 405", str(exchange))


def _check_workspace_first_page(context: CheckContext) -> Iterator[Finding]:
    pages = context.listing.pages
    if pages and pages[0].get("nextCursor") is not None:
        tools = pages[0].get("tools")
        count = len(tools) if isinstance(tools, list) else 0
        saw = f"{count} on the first page, and a `nextCursor`"
        yield Finding("all tools on one page: the host reads no other", saw, warns=True)


def _check_workspace_has_tools(context: CheckContext) -> Iterator[Finding]:
    if not context.tools:
        yield Finding("at least one tool", "none: the host leaves the server out")


def _check_workspace_no_secrets(context: CheckContext) -> Iterator[Finding]:
    for tool in context.tools:
        schema = tool.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for key in properties if isinstance(properties, dict) else ():
            if secretive(key):
                yield Finding("no argument carries a secret", f"`{key}`", tool["name"])
    url = context.session.probe.url
    if url is None:
        return
    if url.username or url.password:
        yield Finding("no credentials in the address", "a user name before the host name")
    for key, _ in parse_qsl(url.query):
        if secretive(key):
            yield Finding("no secret in the address", f"the query parameter `{key}`")


def _check_workspace_fails_closed(context: CheckContext) -> Iterator[Finding]:
    credentials = {name: text for name, text in context.options.headers.items() if secretive(name)}
    if not credentials:
        if not private(context.session.probe.hostname):
            saw = "it answers anyone: no credentials were given"
            yield Finding("a server that asks who calls it", saw, warns=True)
        return
    wrong: Headers = {
        name: f"{text.partition(' ')[0]} not-the-credential" for name, text in credentials.items()
    }
    for manner, headers in (
        ("without credentials", dict.fromkeys(credentials)),
        ("with wrong credentials", wrong),
    ):
        exchange = context.session.initialize(REVISION, "stranger", headers)
        if exchange.status not in (401, 403):
            yield Finding(f"HTTP 401 or 403 {manner}", str(exchange))


RULES = (
    _PAGE.host("workspace-https", "checklist", _check_workspace_https),
    _PAGE.host(
        "workspace-trusted-domain",
        "checklist; src/mcp/token-allowlist.ts",
        _check_workspace_trusted_domain,
    ),
    _PAGE.host("workspace-every-turn", "src/mcp/tool-adapter.ts", _check_workspace_every_turn),
    _PAGE.host("workspace-opening-in-time", "checklist", _check_workspace_opening_in_time),
    _PAGE.host("workspace-cold-list", "checklist", _check_workspace_cold_list),
    _PAGE.host(
        "workspace-call-in-time",
        "checklist; src/mcp/client.ts",
        _check_workspace_call_in_time,
        calls=True,
    ),
    _PAGE.host("workspace-readable", "src/mcp/client.ts", _check_workspace_readable),
    _PAGE.host("workspace-session", "checklist", _check_workspace_session),
    _PAGE.host(
        "workspace-first-page", "src/mcp/client.ts", _check_workspace_first_page, listing_only=True
    ),
    _PAGE.host(
        "workspace-has-tools", "src/tool-assembly.ts", _check_workspace_has_tools, listing_only=True
    ),
    _PAGE.host("workspace-no-secrets", "checklist", _check_workspace_no_secrets, listing_only=True),
    _PAGE.host("workspace-fails-closed", "checklist", _check_workspace_fails_closed),
)
