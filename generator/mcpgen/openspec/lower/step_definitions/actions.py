"""Step definitions of client actions."""

from __future__ import annotations

from collections.abc import Mapping
from re import Match

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import arguments_of
from mcpgen.openspec.lower.step_definitions.step_definition import (
    CLIENT,
    ITEMS,
    NOWHERE,
    PAIRS,
    Made,
    StepContext,
    StepDefinition,
    compile_pattern,
    parse_names,
    parse_pairs,
)
from mcpgen.openspec.model.companion import ActionKind, ScenarioAction

_TOOL = r"(?:the )?`?(?P<tool>[A-Za-z][A-Za-z0-9_.-]{0,127})`?(?: tool)?"
_CALLS = rf"{CLIENT} (?:calls|invokes)"
_METHODS = "ping|resources/list|resources/templates/list|prompts/list|server/discover"


def _request(method: str, **headers: str) -> ScenarioAction:
    return ScenarioAction(ActionKind.REQUEST, method, None, NOWHERE, headers=headers)


def _listing(match: Match[str], around: StepContext) -> Made:
    return _request("tools/list")


def _stranger(match: Match[str], around: StepContext) -> Made:
    return _request("tools/list", Authorization="")


def _other(match: Match[str], around: StepContext) -> Made:
    return _request(match["method"])


def _http(match: Match[str], around: StepContext) -> Made:
    return ScenarioAction(ActionKind.HTTP, match["verb"], None, NOWHERE, path=match["path"])


def _plain(match: Match[str], around: StepContext) -> Made:
    return _call(match["tool"], {}, around)


def _without(match: Match[str], around: StepContext) -> Made:
    return _call(match["tool"], {}, around, match["left_out"])


def _with(match: Match[str], around: StepContext) -> Made:
    return _call(match["tool"], parse_pairs(match["given"]), around, match["left_out"] or "")


def _written(match: Match[str], around: StepContext) -> Made:
    values = arguments_of(match["given"])
    return None if values is None else _call(match["tool"], values, around)


def _call(name: str, values: Mapping[str, Json], around: StepContext, left_out: str = "") -> Made:
    """Returns the call if all arguments are known and no required argument is missing.

    `left_out` has to name known arguments.
    """
    tool = around.tools.get(name)
    if tool is None:
        return None
    absent = set(parse_names(left_out, tool.takes))
    if (left_out and not absent) or not (values.keys() | absent) <= tool.takes:
        return None
    if not tool.needs <= values.keys() or absent & values.keys():
        return None
    return ScenarioAction(ActionKind.CALL, name, dict(values), NOWHERE)


_ABSENT = rf"(?:without|and no|and without) (?:an? )?(?P<left_out>{ITEMS})"

ACTIONS = (
    StepDefinition(
        "lists-tools",
        compile_pattern(
            rf"{CLIENT} (?:(?:calls|requests|sends|invokes|asks for) `?tools/list`?|lists (?:the |all )?"
            r"(?:available )?(?:MCP )?tools)(?: (?:on|at|of) the (?:(?:recommended|normal|main|MCP) )"
            r"{0,2}(?:endpoint|server))?"
        ),
        _listing,
        "a client calls `tools/list` on the recommended MCP endpoint",
        "requests `tools/list`",
        does=True,
    ),
    StepDefinition(
        "makes-list",
        compile_pattern(
            rf"{CLIENT} (?:generates|makes) the (?:(?:normal|ordinary|MCP) ){{0,2}}`?tools/list`?"
            r"(?: (?:response|payload))?"
        ),
        _listing,
        "the test harness generates the normal `tools/list`",
        "requests `tools/list`",
        does=True,
    ),
    StepDefinition(
        "lists-as-stranger",
        compile_pattern(
            rf"{CLIENT} (?:calls|requests|sends) `?tools/list`? without (?:an? )?"
            r"(?:`?Authorization`? header|bearer token|access token|credentials?)"
        ),
        _stranger,
        "a client calls `tools/list` without an `Authorization` header",
        "requests `tools/list` with an empty `Authorization`",
        does=True,
    ),
    StepDefinition(
        "calls-with",
        compile_pattern(rf"{_CALLS} {_TOOL} with (?P<given>{PAIRS})(?: {_ABSENT})?"),
        _with,
        'a client calls `fetch` with `id: "a1"`, limit: 5 and no `fields`',
        "calls the tool with these arguments",
        does=True,
    ),
    StepDefinition(
        "calls-without",
        compile_pattern(rf"{_CALLS} {_TOOL} (?:without|with no) (?:an? )?(?P<left_out>{ITEMS})"),
        _without,
        "a client calls `schema` without a `stream`",
        "calls the tool without arguments, if it needs none",
        does=True,
    ),
    StepDefinition(
        "calls-bare",
        compile_pattern(
            rf"{_CALLS} {_TOOL}(?: (?:without|with no) (?:any )?arguments| with an empty object)?"
        ),
        _plain,
        "a client calls `schema` without any arguments",
        "calls the tool without arguments, if it needs none",
        does=True,
    ),
    StepDefinition(
        "calls-as-written",
        compile_pattern(
            rf"{_CALLS} `(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<given>[^`]{{0,500}})\)`"
        ),
        _written,
        'a client calls `search(query="ants", limit=3)`',
        "calls the tool with the arguments in the brackets",
        does=True,
    ),
    StepDefinition(
        "calls-with-object",
        compile_pattern(
            rf"{_CALLS} {_TOOL} with (?:arguments |the arguments )?`(?P<given>\{{[^`]{{0,500}}\}})`"
        ),
        _written,
        'a client calls `fetch` with `{"id": "a1"}`',
        "calls the tool with the members of this object as arguments",
        does=True,
    ),
    StepDefinition(
        "requests-method",
        compile_pattern(
            rf"{CLIENT} (?:calls|requests|sends) `?(?P<method>{_METHODS})`?(?: request)?"
        ),
        _other,
        "a client requests `resources/list`",
        "makes this request of MCP",
        does=True,
    ),
    StepDefinition(
        "sends-http",
        compile_pattern(
            rf"{CLIENT} (?:sends|makes|requests) (?:an? )?(?:HTTP )?`?(?P<verb>GET|HEAD|OPTIONS|DELETE)"
            r" (?P<path>/[A-Za-z0-9._~/-]{0,200})`?(?: request)?"
        ),
        _http,
        "a client sends `GET /healthz`",
        "makes this HTTP request",
        does=True,
    ),
)
"""Step definitions of WHEN steps; the first match counts."""
