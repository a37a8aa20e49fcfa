"""Drafts the HTTP requests of clients that a text names, for operations without a tool."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.step_definitions.call_arguments import read_object
from mcpgen.openspec.model.requirements import Role, Scenario

Claim = Mapping[str, Json]
"""An action or an assertion in the companion's syntax."""

TODO = "TODO"
"""A text for the author to replace."""

REQUEST = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD)[` ]+(/[^\s`\"'),;，。]*)")

STRANGER = re.compile(
    r"\bwithout (?:an?y? |the |valid |a valid )?(?:`?Auth(?:orization)?`?(?: header)?\b|(?:bearer |access )?token|credentials"
    r"|(?:valid )?session|authentication)\b|\bunauthenticated\b|\bnot authenticated\b",
    re.IGNORECASE,
)
"""Words of a request without credentials."""

_NEAR = 120
"""Characters before a request that may name its sender."""

_SENDER = re.compile(
    r"\b(?:users?|clients?|callers?|admins?|administrators?|agents?|owners?|members?|consumers?|operators?"
    r"|visitors?|customers?|editors?|viewers?|browsers?|someone|they|requests?)(?: \([^()]{1,40}\))?"
    r" (?:sends?|calls?|makes?|issues?|invokes?|submits?|performs?|hits?|requests?|is (?:made|sent|received)|arrives"
    r"|are (?:made|sent))(?: (?:an?|the|HTTP|authenticated|valid|request|for|to|at|on|with)){0,4} ?`?$"
    r"|(?:клиент|пользователь) (?:отправляет|вызывает|запрашивает|выполняет) ?`?$"
    r"|(?:客户端|用户|管理员|调用方|前端用户) ?(?:发送|请求|调用|访问) ?`?$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:(?:an?|the|any) )?(?:(?:authenticated|unauthenticated|valid|second|first|new|HTTP|authorized) ){0,2}"
    r"(?:(?:request|call)s? (?:to )?)?`?",
    re.IGNORECASE,
)
_RESULT_OF_ANOTHER = re.compile(
    r"`?(?: (?:request|call|endpoint|response|route|handler)s?)?,? (?:fails?|failed|returns?|returned|responds?|resolves?"
    r"|rejects?|errors?|times? out|timed out|completes?|succeeds?|is (?:implemented|registered|mocked|pending|in[- ]flight"
    r"|defined|removed|deprecated)|has (?:failed|completed|returned)|does|handler|implementation)\b",
    re.IGNORECASE,
)
"""Words about the answer to another program, or about code, behind a request."""

OTHER_SENDER = re.compile(
    r"\b(?:front-?end|SPA|UI|component|hook|mutation|web ?app|mobile app|mock(?:s|ed)?|upstream|SDK|library|wrapper"
    r"|intercept(?:s|ed)?|page)\b",
    re.IGNORECASE,
)
"""Words about a request of another program than a client of the server."""

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}|<[^<>/]*>|(?<=/):\w+|(?<==):\w+|\.\.\.|…")
BODY = re.compile(r"(?:`|\b(?:body|payload|with|of)[: ]{1,2})(\{[^`{}]{1,500}\})")


def client_request(scenario: Scenario) -> re.Match[str] | None:
    """Returns the only request in the WHEN steps of a scenario if a client sends it, else None."""
    whens = [step.text for step in scenario.steps if step.role is Role.WHEN]
    found = [match for text in whens for match in REQUEST.finditer(text)]
    if len(found) != 1 or any(OTHER_SENDER.search(REQUEST.sub("", text)) for text in whens):
        return None
    (request,) = found
    before = request.string[max(0, request.start() - _NEAR) : request.start()]
    is_sent = _SENDER.search(before) or (request.start() < _NEAR and _OPENING.fullmatch(before))
    behind = request.string[request.end() : request.end() + _NEAR]
    return request if is_sent and not _RESULT_OF_ANOTHER.match(behind) else None


def http_entry(request: re.Match[str], words: str) -> Claim:
    """Returns the HTTP action of a request; `TODO` stands for a value that the text leaves open."""
    path = _PLACEHOLDER.sub(TODO, request[2]).partition("#")[0].rstrip(".:")
    entry: dict[str, Json] = {"method": request[1], "path": path}
    bodies = BODY.findall(words.replace(request[0], ""))
    if request[1] in ("POST", "PUT", "PATCH"):
        body = read_object(bodies[0]) if len(bodies) == 1 else None
        if body:
            entry["body"] = dict(body)
    if STRANGER.search(words):
        entry["headers"] = {"Authorization": ""}
    return {"http": entry}
