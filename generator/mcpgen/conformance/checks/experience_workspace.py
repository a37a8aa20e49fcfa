"""Experience Workspace: what this host asks of a server that is registered with it.

The protocol's checks that its client depends on are taken over by its profile; these are the rest.
Source: the host's checklist for authors of servers and, where it says more, its client's code.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage
from mcpgen.conformance.checks.experience_workspace_client import (
    CALL_PROMISED,
    CALL_SECONDS,
    OPENING_SECONDS,
    PROMPT_SECONDS,
    REVISION,
    accepted_response,
    turn,
)
from mcpgen.conformance.client_session import Headers
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.ip_ranges import covers_host, private
from mcpgen.conformance.sensitive_names import secretive

PROFILE = "experience-workspace"
SOURCE = "https://github.com/adobe-rnd/da-agent"
TURNS = 3
"""How often the server is opened anew, one turn of a chat after the other."""

_PAGE = SpecPage("Experience Workspace", SOURCE, (REVISION,), PROFILE)


def _https(visit: CheckContext) -> Iterator[Finding]:
    url, hostname = visit.talk.probe.url, visit.talk.probe.hostname
    if url is None or url.scheme == "https":
        return
    if private(hostname):
        saw = f"`{hostname}` is an address for development, which the host cannot reach"
        yield Finding("a public https address when the server is registered", saw, warns=True)
    else:
        yield Finding("an https address", f"`http://{hostname}`")


def _trusted(visit: CheckContext) -> Iterator[Finding]:
    domains, hostname = visit.options.trusted_domains, visit.talk.probe.hostname
    if domains and not covers_host(hostname, domains):
        yield Finding(f"a host name in {', '.join(domains)}", f"`{hostname}`")


def _turns(visit: CheckContext) -> Iterator[Finding]:
    for number in range(2, TURNS + 1):
        listed = turn(visit).listed
        if listed.response("turn") is None or listed.error:
            yield Finding(f"the tools when opened for turn {number} of a chat", str(listed))
            return


def _opening_time(visit: CheckContext) -> Iterator[Finding]:
    yield from _late("`initialize`", visit.talk.opening, OPENING_SECONDS, visit)


def _cold_list(visit: CheckContext) -> Iterator[Finding]:
    yield from _late("`tools/list` in a new session", turn(visit).listed, OPENING_SECONDS, visit)


def _late(
    what: str, exchange: HttpExchange, allowed: float, visit: CheckContext
) -> Iterator[Finding]:
    pace = visit.options.pace
    saw = f"{exchange.seconds:.1f} s"
    if not exchange.messages:
        yield Finding(f"{what} is answered within {allowed * pace:g} s", str(exchange))
    elif exchange.seconds > allowed * pace:
        yield Finding(f"{what} is answered within {allowed * pace:g} s", saw)
    elif exchange.seconds > PROMPT_SECONDS * pace:
        yield Finding(f"{what} takes well under a second: every turn waits", saw, warns=True)


def _call_time(visit: CheckContext) -> Iterator[Finding]:
    pace = visit.options.pace
    for call in visit.calls:
        took = call.exchange.seconds
        if took > CALL_PROMISED * pace:
            allowed = CALL_SECONDS if took > CALL_SECONDS * pace else CALL_PROMISED
            expected = f"a call within {allowed * pace:g} s"
            yield Finding(expected, f"{took:.1f} s", call.name, warns=allowed is CALL_PROMISED)


def _readable(visit: CheckContext) -> Iterator[Finding]:
    answers = [
        ("`initialize`", visit.talk.opening, "opening", ""),
        ("`tools/list`", turn(visit).listed, "turn", ""),
        *(("`tools/call`", call.exchange, call.identifier, call.name) for call in visit.calls[:5]),
    ]
    for what, exchange, identifier, tool in answers:
        sent = exchange.response(identifier)
        if sent is not None and accepted_response(exchange) != sent:
            expected = f"the first response in the answer to {what}, as JSON or in `data: ` lines"
            yield Finding(expected, str(exchange), tool)


def _session(visit: CheckContext) -> Iterator[Finding]:
    first = turn(visit)
    if not first.session:
        return
    if first.listed.response("turn") is None or first.listed.error:
        yield Finding("requests with the session's id are answered", str(first.listed))
    ended = visit.talk.delete({"Mcp-Session-Id": first.session})
    if not (200 <= ended.status < 300 or ended.status == 405):
        yield Finding("DELETE ends the session, or is politely refused with 405", str(ended))


def _first_page(visit: CheckContext) -> Iterator[Finding]:
    pages = visit.listing.pages
    if pages and pages[0].get("nextCursor") is not None:
        seen = len(pages[0].get("tools", ()))
        saw = f"{seen} on the first page, and a `nextCursor`"
        yield Finding("all tools on one page: the host reads no other", saw, warns=True)


def _tools(visit: CheckContext) -> Iterator[Finding]:
    if not visit.tools:
        yield Finding("at least one tool", "none: the host leaves the server out")


def _secrets(visit: CheckContext) -> Iterator[Finding]:
    for tool in visit.tools:
        schema = tool.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for key in properties if isinstance(properties, dict) else ():
            if secretive(key):
                yield Finding("no argument carries a secret", f"`{key}`", tool["name"])
    url = visit.talk.probe.url
    if url is None:
        return
    if url.username or url.password:
        yield Finding("no credentials in the address", "a user name before the host name")
    for key, _ in parse_qsl(url.query):
        if secretive(key):
            yield Finding("no secret in the address", f"the query parameter `{key}`")


def _fails_closed(visit: CheckContext) -> Iterator[Finding]:
    known = {name: text for name, text in visit.options.headers.items() if secretive(name)}
    if not known:
        if not private(visit.talk.probe.hostname):
            saw = "it answers anyone: no credentials were given"
            yield Finding("a server that asks who calls it", saw, warns=True)
        return
    spoiled: Headers = {
        name: f"{text.partition(' ')[0]} not-the-credential" for name, text in known.items()
    }
    for how, headers in (
        ("without credentials", dict.fromkeys(known)),
        ("with wrong credentials", spoiled),
    ):
        exchange = _opened_with(visit, headers)
        if exchange.status not in (401, 403):
            yield Finding(f"HTTP 401 or 403 {how}", str(exchange))


def _opened_with(visit: CheckContext, headers: Headers) -> HttpExchange:
    talk = visit.talk
    params = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": r.CLIENT}
    return talk.post(talk.message("initialize", params, "stranger"), headers, awaits="stranger")


RULES = (
    CheckDef(
        _PAGE.host(
            "workspace-https",
            "The endpoint is reached over HTTPS.",
            "checklist",
            "The host forwards the user's token; it registers no address where that could be read.",
            "Put the server behind a proxy that ends TLS, and register the https address.",
        ),
        _https,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-trusted-domain",
            "Where the user's identity is needed, the endpoint lies in a trusted domain.",
            "checklist; src/mcp/token-allowlist.ts",
            "Only servers in trusted domains get the user's token; any other one sees a stranger.",
            "Name the trusted domains when you check; move the server there, or have its domain "
            "added to the list. `*.example.com` covers the domain and all below it.",
        ),
        _trusted,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-every-turn",
            "The server can be opened and listed again and again, without an end in between.",
            "src/mcp/tool-adapter.ts",
            "The host opens every server anew on every turn of a chat; one that takes only its first "
            "`initialize` has no tools from the second turn on.",
            "Keep nothing that a second `initialize` would break; best keep no sessions at all.",
        ),
        _turns,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-opening-in-time",
            "`initialize` is answered within 15 seconds, and better within one.",
            "checklist",
            "Later than that the host drops the server for the turn, without a word to the user.",
            "Answer from memory; connect to what lies behind when the first tool is called.",
        ),
        _opening_time,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-cold-list",
            "`tools/list` in a new session is answered within 15 seconds, and better within one.",
            "checklist",
            "Later than that the server has no tools in this turn.",
            "Have the list ready when the server starts; never ask another system for it.",
        ),
        _cold_list,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-call-in-time",
            "A call is answered within 15 seconds as the host asks, and within 60 as it waits.",
            "checklist; src/mcp/client.ts",
            "The host's document promises its users 15 seconds; its client gives up after 60.",
            "Start long work, answer with a handle, and add a tool that tells how far it is.",
        ),
        _call_time,
        calls=True,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-readable",
            "The client finds the response in every answer.",
            "src/mcp/client.ts",
            "It splits a stream at line feeds, sees only lines that begin with `data: ` and a space, "
            "and takes the first response whatever its id.",
            "End lines with a line feed alone, write a space after `data:`, and send nothing but the "
            "response to the request.",
        ),
        _readable,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-session",
            "A session that was issued is honoured on later requests and on DELETE.",
            "checklist",
            "The client sends the id back with every request and ends the session with DELETE.",
            "Look the id up on every request; answer DELETE with 200 or 204, or 405 if you keep "
            "sessions until they expire.",
        ),
        _session,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-first-page",
            "All tools stand on the first page of `tools/list`.",
            "src/mcp/client.ts",
            "The client reads one page and never asks for the next: the other tools do not exist.",
            "Send all tools at once.",
        ),
        _first_page,
        still=True,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-has-tools",
            "The server announces at least one tool.",
            "src/tool-assembly.ts",
            "A server without tools is left out.",
            "Announce tools to everyone who may open the server.",
        ),
        _tools,
        still=True,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-no-secrets",
            "No secret and no number of a person is passed in an argument or in the address.",
            "checklist",
            "Arguments are written by the model and kept in the chat, addresses in logs.",
            "Take credentials from headers; hold those for other systems in the server.",
        ),
        _secrets,
        still=True,
    ),
    CheckDef(
        _PAGE.host(
            "workspace-fails-closed",
            "A request without credentials, or with wrong ones, is refused.",
            "checklist",
            "The host forwards tokens as they are; a server that does not look at them serves anyone.",
            "Validate the token or key on every request; answer 401 when anything is not right, also "
            "when validating itself fails.",
        ),
        _fails_closed,
    ),
)
