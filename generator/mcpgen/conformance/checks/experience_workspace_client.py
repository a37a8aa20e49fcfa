"""What the client of Experience Workspace makes of an answer, and the turns it takes.

Source: https://github.com/adobe-rnd/da-agent (its MCP client), retold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.strict_json import Json

REVISION = "2025-03-26"
OPENING_SECONDS = 15.0
"""How long the client waits for `initialize` and for `tools/list`."""

CALL_SECONDS = 60.0
"""How long the client waits for `tools/call`."""

CALL_PROMISED = 15.0
"""How long a call may take by the host's document, which allows less than its client."""

PROMPT_SECONDS = 1.0
"""What opening and listing should stay below: they run on every turn of a chat."""


def accepted_response(exchange: HttpExchange) -> Json:
    """The response that the client takes from an answer, or None where it finds none.

    It splits a stream at line feeds, sees only lines that begin with `data: `, and takes the first
    response whatever its id; any other body it reads as one JSON value.
    """
    if not 200 <= exchange.status < 300:
        return None
    text = exchange.body.decode("utf-8", "replace")
    if "text/event-stream" in exchange.headers.get("content-type", ""):
        return next(_responses(text), None)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _responses(text: str) -> Iterator[Json]:
    gathered = ""
    for line in (*text.split("\n"), ""):
        if line.startswith("data: "):
            gathered += line[len("data: ") :]
        elif line == "" and gathered:
            found = _parsed(gathered)
            gathered = ""
            if isinstance(found, dict) and ("result" in found or "error" in found):
                yield found


def _parsed(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn of a chat as the server sees it: it is opened anew and asked for its tools."""

    opening: HttpExchange
    listed: HttpExchange
    session: str

    @property
    def seconds(self) -> tuple[tuple[str, float], ...]:
        """How long the opening and the list took."""
        return (("`initialize`", self.opening.seconds), ("`tools/list`", self.listed.seconds))


def turn(visit: CheckContext) -> ChatTurn:
    """A new turn, in a session of its own. Raises Unmet when the server cannot be opened."""
    talk = ProbeSession(visit.talk.probe, REVISION, visit.options)
    talk.declared("tools")
    talk.ready()
    listed = talk.send("tools/list", identifier="turn")
    return ChatTurn(talk.opening, listed, talk.session)
