"""Step definitions of client actions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from re import Match

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import arguments_of
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    ARGUMENTS,
    EMPTY,
    OBJECT,
    UNKNOWN,
    argument_named,
    complete_values,
    has_placeholder,
    is_placeholder,
    read_arguments,
    read_object,
    unknown_value,
)
from mcpgen.openspec.lower.step_definitions.http_actions import API_ACTIONS
from mcpgen.openspec.lower.step_definitions.step_definition import (
    CLIENT,
    ITEMS,
    NOWHERE,
    PAIRS,
    Made,
    StepContext,
    StepDefinition,
    ToolArguments,
    compile_pattern,
    parse_names,
    parse_pairs,
)
from mcpgen.openspec.model.companion import ActionKind, ScenarioAction

_TOOL = r"(?:the )?`?(?P<tool>[A-Za-z][A-Za-z0-9_.-]{0,127})(?:\(\))?`?(?: (?:MCP )?tool)?"
_CALLS = rf"{CLIENT} (?:calls?|invokes?|uses|executes)"
_CALLED = r"(?:is|are|gets) (?:called|invoked|executed|requested)"
_SUBJECT = rf"(?:(?:[Tt]he tool|[Ii]t) {_CALLED}|[Cc]alled|[Ii]nvoked|[Cc]alling)"
_NOTHING = (
    r"(?P<nothing>(?:without|with no) (?:any )?(?:arguments|parameters|input)|with an empty object)"
)
_METHODS = "ping|resources/list|resources/templates/list|prompts/list|server/discover"


_OWN_PATHS = ("/healthz", "/readyz", "/.well-known/", "/mcp", "/metrics")
"""Paths of MCP servers; an API has other paths."""


def _request(method: str, **headers: str) -> ScenarioAction:
    return ScenarioAction(ActionKind.REQUEST, method, None, NOWHERE, headers=headers)


def _listing(match: Match[str], context: StepContext) -> Made:
    return _request("tools/list")


def _stranger(match: Match[str], context: StepContext) -> Made:
    return _request("tools/list", Authorization="")


def _other_request(match: Match[str], context: StepContext) -> Made:
    return _request(match["method"])


def _http(match: Match[str], context: StepContext) -> Made:
    """Reads an HTTP request to a path of MCP servers; other paths may belong to an API."""
    if not match["path"].startswith(_OWN_PATHS):
        return None
    return ScenarioAction(ActionKind.HTTP, match["verb"], None, NOWHERE, path=match["path"])


def _plain_call(match: Match[str], context: StepContext) -> Made:
    return _tool_call_action(
        match["tool"], {}, _without_values(context) if match["nothing"] else context
    )


def _without_values(context: StepContext) -> StepContext:
    """Returns the context of a call without arguments: those of fixtures do not count."""
    return replace(context, values={})


def _call_without(match: Match[str], context: StepContext) -> Made:
    return _tool_call_action(match["tool"], {}, context, match["left_out"])


def _call_with(match: Match[str], context: StepContext) -> Made:
    return _tool_call_action(
        match["tool"], parse_pairs(match["given"]), context, match["left_out"] or ""
    )


def _literal_call(match: Match[str], context: StepContext) -> Made:
    values = arguments_of(match["given"])
    if match["given"].strip() and not values:
        context = _without_values(context)
    return None if values is None else _tool_call_action(match["tool"], values, context)


def _passive_call(match: Match[str], context: StepContext) -> Made:
    """Reads a call in the passive; a tool without a name is the subject of the requirement."""
    groups = match.groupdict()
    name = groups.get("tool") or context.subject
    tool = context.tools.get(name)
    if tool is None:
        return None
    values: Mapping[str, Json] | None = {}
    if groups["nothing"]:
        context = _without_values(context)
    elif groups["body"]:
        values = read_object(groups["body"])
        context = context if values else _without_values(context)
    elif groups["given"]:
        values = read_arguments(groups["given"], tool, context.values)
    elif groups["empty"]:
        is_text = tool.types.get(groups["empty"], "string") == "string"
        values = {groups["empty"]: ""} if is_text else None
    elif unknown := argument_named(groups["unknown"] or groups["absent"] or "", tool):
        value = unknown_value(unknown, tool)
        values = None if value is None else {unknown: value}
    elif groups["unknown"] or groups["absent"]:
        values = None
    return (
        None
        if values is None
        else _tool_call_action(name, values, context, groups["left_out"] or "")
    )


def _in_backticks(match: Match[str], context: StepContext) -> Made:
    tool = context.tools.get(match["tool"])
    text = match["given"]
    if tool is None or is_placeholder(text):
        return None
    if not text.strip():
        return _tool_call_action(match["tool"], {}, context)
    values = arguments_of(text)
    context = context if values else _without_values(context)
    return None if values is None else _tool_call_action(match["tool"], values, context)


def _read_resource(match: Match[str], context: StepContext) -> Made:
    uri = match["uri"] or match["read"]
    if is_placeholder(uri):
        return None
    return ScenarioAction(ActionKind.REQUEST, "resources/read", {"uri": uri}, NOWHERE)


def _get_prompt(match: Match[str], context: StepContext) -> Made:
    tool = ToolArguments(frozenset(), frozenset())
    values = read_arguments(match["given"], tool, context.values) if match["given"] else {}
    if values is None:
        return None
    texts: dict[str, Json] = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in values.items()
    }
    params: dict[str, Json] = {"name": match["prompt"], "arguments": texts}
    return ScenarioAction(ActionKind.REQUEST, "prompts/get", params, NOWHERE)


def _tool_call_action(
    name: str, values: Mapping[str, Json], context: StepContext, left_out: str = ""
) -> Made:
    """Returns the call if all arguments are known; `left_out` has to name known arguments."""
    tool = context.tools.get(name)
    if tool is None:
        return None
    # The value of a fixture may be `${name}`, which an action saves; in a text that is a placeholder.
    changed = {name: value for name, value in values.items() if value != context.values.get(name)}
    if has_placeholder(changed):
        return None
    absent = parse_names(left_out, tool.takes)
    is_unclear = bool(left_out and not absent)
    complete = None if is_unclear else complete_values(values, absent, tool, context.values)
    return None if complete is None else ScenarioAction(ActionKind.CALL, name, complete, NOWHERE)


_ABSENT = rf"(?:without|and no|and without) (?:an? )?(?P<left_out>{ITEMS})"
_PART = r"(?: (?:arguments?|parameters?|inputs?|fields?))?"
_WITH = (
    rf"(?: {_NOTHING}|(?:,? with (?:only )?(?:(?:the )?(?:arguments|parameters|params|args|input):? )?"
    rf"(?:(?P<body>{OBJECT})|(?P<given>{ARGUMENTS})|{EMPTY}|{UNKNOWN}){_PART})?"
    rf"(?: (?:without|and no|and without|but no|but without|with no) (?:an? |the |any |the required )?(?P<left_out>{ITEMS}){_PART})?)"
)
"""The arguments of a call: none, names with values, an object; then arguments left out."""

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
        _call_with,
        'a client calls `fetch` with `id: "a1"`, limit: 5 and no `fields`',
        "calls the tool with these arguments",
        does=True,
    ),
    StepDefinition(
        "calls-without",
        compile_pattern(rf"{_CALLS} {_TOOL} (?:without|with no) (?:an? )?(?P<left_out>{ITEMS})"),
        _call_without,
        "a client calls `schema` without a `stream`",
        "calls the tool without arguments, if it needs none",
        does=True,
    ),
    StepDefinition(
        "calls-bare",
        compile_pattern(
            rf"{_CALLS} {_TOOL}(?P<nothing> (?:without|with no) (?:any )?arguments| with an empty object)?"
        ),
        _plain_call,
        "a client calls `schema` without any arguments",
        "calls the tool without arguments, if it needs none",
        does=True,
    ),
    StepDefinition(
        "calls-as-written",
        compile_pattern(
            rf"{_CALLS} `(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<given>[^`]{{0,500}})\)`"
        ),
        _literal_call,
        'a client calls `search(query="ants", limit=3)`',
        "calls the tool with the arguments in the brackets",
        does=True,
    ),
    StepDefinition(
        "calls-with-object",
        compile_pattern(
            rf"{_CALLS} {_TOOL} with (?:arguments |the arguments )?`(?P<given>\{{[^`]{{0,500}}\}})`"
        ),
        _literal_call,
        'a client calls `fetch` with `{"id": "a1"}`',
        "calls the tool with the members of this object as arguments",
        does=True,
    ),
    StepDefinition(
        "requests-method",
        compile_pattern(
            rf"{CLIENT} (?:calls|requests|sends) `?(?P<method>{_METHODS})`?(?: request)?"
        ),
        _other_request,
        "a client requests `resources/list`",
        "makes this request of MCP",
        does=True,
    ),
    *API_ACTIONS,
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
    StepDefinition(
        "calls-named-values",
        compile_pattern(rf"{_CALLS} {_TOOL}{_WITH}"),
        _passive_call,
        "the agent calls `search` with `query` set to `ants` and `limit` set to `3`",
        "calls the tool with these arguments",
        does=True,
    ),
    StepDefinition(
        "is-called",
        compile_pattern(rf"{_TOOL} {_CALLED}{_WITH}"),
        _passive_call,
        '`search` is called with `query="ants"` and `limit=3`',
        "calls the tool with these arguments",
        does=True,
    ),
    StepDefinition(
        "is-called-as-written",
        compile_pattern(
            r"(?:[Tt]he )?`(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<given>[^`]{0,500})\)`"
            rf"(?: tool)? {_CALLED}"
        ),
        _in_backticks,
        '`search(query="ants", limit=3)` is called',
        "calls the tool with the arguments in the brackets",
        does=True,
    ),
    StepDefinition(
        "subject-is-called",
        compile_pattern(rf"{_SUBJECT}{_WITH}"),
        _passive_call,
        "the tool is called with `detail: full`",
        "calls the only tool that the name of the requirement or of the scenario holds",
        does=True,
    ),
    StepDefinition(
        "list-is-requested",
        compile_pattern(
            rf"{CLIENT} (?:lists?|requests?|enumerates?|inspects?|retrieves?|fetches|discovers?) (?:the |all )?"
            r"(?:(?:available|MCP|server's|registered|advertised) ){0,3}(?:tools?|tools? list|list of tools)"
            r"|(?:[Tt]he )?`?tools/list`?(?: method| request)? is (?:called|requested|invoked|sent)"
            r"|[Tt]he (?:MCP )?(?:tools? list|list of (?:available )?tools) is "
            r"(?:requested|enumerated|inspected|fetched|retrieved)"
        ),
        _listing,
        "the client requests the available tools",
        "requests `tools/list`",
        does=True,
    ),
    StepDefinition(
        "reads-resource",
        compile_pattern(
            rf"{CLIENT} (?:reads?|requests?|fetches|accesses) (?:the )?(?:MCP )?(?:resource )?"
            r"`?(?P<uri>[a-z][a-z0-9+.-]{1,30}://[^`\s]{1,300})`?(?: resource)?"
            r"|(?:[Tt]he )?(?:resource )?`(?P<read>[a-z][a-z0-9+.-]{1,30}://[^`\s]{1,300})`(?: resource)?"
            r" is (?:read|requested|fetched)"
        ),
        _read_resource,
        "a client reads the resource `records://recent`",
        "requests `resources/read` with this address",
        does=True,
    ),
    StepDefinition(
        "gets-prompt",
        compile_pattern(
            rf"{CLIENT} (?:gets?|requests?|fetches|retrieves?) (?:the )?(?:MCP )?"
            rf"(?:`(?P<prompt>[A-Za-z][A-Za-z0-9_.-]{{0,127}})` prompt)(?: with (?P<given>{ARGUMENTS}))?"
        ),
        _get_prompt,
        "a client requests the `summary` prompt with `day` set to `monday`",
        "requests `prompts/get` with these arguments",
        does=True,
    ),
)
"""Step definitions of WHEN steps; the first match counts."""
