"""Guesses the call and the state of scenarios that no step definition binds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qsl

from mcpgen.ir.source import Json
from mcpgen.openspec.bind.client_actions import (
    OTHER_SENDER,
    REQUEST,
    TODO,
    Claim,
    client_request,
    client_requests,
    credentials_entry,
    http_entry,
    is_abbreviated,
    posted_object,
    request_path,
)
from mcpgen.openspec.bind.guessed_assertions import gives_answer, guess_claims
from mcpgen.openspec.companion.scenarios import SEVERAL
from mcpgen.openspec.lower.step_definitions import (
    EXAMPLES,
    StepContext,
    ToolArguments,
    example_of,
    is_established,
    match_step,
    read_values,
    typed_value,
)
from mcpgen.openspec.lower.step_definitions.call_arguments import read_object, unknown_value
from mcpgen.openspec.model.companion import ActionKind, ScenarioAction
from mcpgen.openspec.model.requirements import Requirement, Role, Scenario, Step

_MAX_BODY = 4_000
"""Characters of a requirement's own text that are searched for its action."""

_LEFT_OUT = re.compile(
    r"\b(?:without|no|missing|omit(?:s|ting)?) (?:an? |the )?`?([A-Za-z_][\w-]*)`?"
)
_OF_CALLER = re.compile(r"\b(?:resolves|rejects) with\b|\b(?:call|request) itself\b", re.IGNORECASE)
"""Words about code that made a call, in place of a call."""

_DESCRIPTION = re.compile(
    r"\b(?:reads?|retrieves?|inspects?|fetches|looks? at|gets?|examines?)\b[^.;]{0,60}\btools?\b[^.;]{0,30}"
    r"\b(?:descriptions?|metadata|schemas?|definitions?|annotations?)\b"
    r"|\btools? (?:is|are) (?:registered|listed|advertised|announced|exposed)\b(?! with an? (?:\w+ )?name)",
    re.IGNORECASE,
)
"""Words about a tool in the list, in place of a call of the tool."""

_OTHER_PROGRAM = re.compile(
    r"`[a-z][\w./-]* [^`{}()]*` (?:is run|runs|is executed)\b|^(?:the |an? )?(?:[\w-]+ ){0,3}(?:tests?|suite) [a-z]+s\b",
    re.IGNORECASE,
)
"""Words about a command line or a run of tests, which name a tool without a call by a client."""

_OUT_OF_RANGE = re.compile(
    r"`?(?: (?:is|value|values|of|are))* ?(?:[<>≤≥]|(?:above|below|outside|over|under|beyond|exceeding|exceeds|greater|less"
    r"|longer|larger|smaller|invalid|negative|malformed|empty|blank|not)\b)"
)
"""Words behind an argument whose value is no usual value."""

_CALLING = re.compile(r"\b(?:tool|called|calling|invoked|invoking)\b", re.IGNORECASE)
"""Words of a call whose tool is the subject of the requirement."""

_ODD_BEFORE = re.compile(
    r"\b(?:non-?exist\w*|unknown|invalid|empty|missing|malformed|negative|wrong|expired|unregistered|blank) `?$",
    re.IGNORECASE,
)
"""Words before an argument whose value is no usual value."""

_NO_SUCH = re.compile(
    r"\b(?:non-?exist\w*|unknown) (?:[\w-]+ )?(?:id|identifier|record|resource|item|key)\b"
    r"|\b(?:id|identifier|record|resource|item)s? (?:that|which) (?:does not|doesn't|do not|don't) exist\b",
    re.IGNORECASE,
)
"""Words about the value of a path that names nothing."""

_TOOL_LIST = re.compile(
    r"`[A-Za-z][\w-]*(?:\(\))?`(?:(?:,| or| and|, or|, and| \(or) `[A-Za-z][\w-]*(?:\(\))?`)+"
)
"""Several tools in one list."""

_ACTS = re.compile(
    r"\b(?:calls?|called|invokes?|invoked|sends?|sent|posts?|submits?|supplies|requests?|issues?)\b",
    re.IGNORECASE,
)
"""Words of a WHEN that is an action; a state has others."""

_OUTSIDE_REQUEST = re.compile(
    r"\b(?:any|every|other|an endpoint|endpoints|clicks?|selects?|opens?|dialog|page|screen|button|dashboard|component|test|cron|scheduler|consumer|worker|startup|starts)\b",
    re.IGNORECASE,
)
"""Words of a state in which no client sends the request of the other scenarios."""

_LIST_SHOWS = re.compile(
    r"^(?:the )?`tools/list`(?: response| result)? (?:includes?|contains?|lists?|shows?|advertises?|returns?|(?:SHALL|MUST) )"
)
"""Words of a THEN about the list of tools in a state."""

_VERBS = {
    "GET": re.compile(
        r"\b(?:reads?|lists?|listed|fetch\w*|retriev\w*|view\w*|search\w*|quer\w*)\b|查询|获取",
        re.IGNORECASE,
    ),
    "POST": re.compile(
        r"\b(?:creat\w*|posts?|posted|submit\w*|register\w*|adds?|upload\w*)\b|创建|添加",
        re.IGNORECASE,
    ),
    "PUT": re.compile(
        r"\b(?:updat\w*|chang\w*|edit\w*|renam\w*|replac\w*)\b|修改|更新", re.IGNORECASE
    ),
    "PATCH": re.compile(
        r"\b(?:patch\w*|updat\w*|chang\w*|edit\w*|renam\w*|replac\w*)\b|修改|更新", re.IGNORECASE
    ),
    "DELETE": re.compile(r"\b(?:delet\w*|remov\w*)\b|删除|卸载", re.IGNORECASE),
}
"""Verbs of a request, by method."""

_BARE_CALL = re.compile(
    r"(?:(?:the|this|that) )?(?:tool |call |request )?(?:is )?(?:invoked|called|executed|made|sent|processed|received)\.?",
    re.IGNORECASE,
)
"""A WHEN without the arguments of the call, which stand in GIVEN."""

_CALL_OF_GIVEN = re.compile(r"\b(?:call|request|invocation) (?:to|of|for|with)\b|`\w+(?:: |=)")
"""Words of a GIVEN with the tool or the arguments of the call."""

_CALLED = re.compile(r"\b(?:calls?|called|calling|invokes?|invoked|invoking)\b", re.IGNORECASE)

_SENT = re.compile(
    r"\b(?:clients?|callers?|users?|admins?|browser|agents?)\b.{0,60}\b(?:calls?|requests?|sends?|posts?|submits?|makes?|issues?)\b"
    r"|\brequests? (?:to .{0,80})?(?:is|are) (?:made|sent|received|submitted)\b|\b(?:GET|POST|PUT|PATCH|DELETE) request\b"
    r"|(?:клиент|пользователь) (?:отправляет|вызывает|запрашивает)|(?:客户端|用户).{0,4}(?:发送|请求|调用)",
    re.IGNORECASE,
)
"""Words of a client that sends a request."""


def action_entry(action: ScenarioAction) -> Claim:
    """Renders the action of a step definition in the companion's syntax."""
    headers: dict[str, Json] = {"headers": dict(action.headers)} if action.headers else {}
    if action.kind is ActionKind.CALL:
        return {"call": {"tool": action.name, "arguments": action.value, **headers}}
    if action.kind is ActionKind.HTTP:
        return {"http": {"method": action.name, "path": action.path, **headers}}
    params: dict[str, Json] = {"params": action.value} if action.value else {}
    return {"request": {"method": action.name, **params, **headers}}


def actions_entry(actions: Sequence[ScenarioAction]) -> Claim:
    """Renders the actions of a scenario in the companion's syntax; several stand under `do`."""
    entries = [action_entry(action) for action in actions]
    return entries[0] if len(entries) == 1 else {SEVERAL: entries}


def guess_action(scenario: Scenario, context: StepContext) -> Claim | None:
    """Returns a call of the only tool that the WHEN steps name, with the values they name.

    Required arguments without a value in the text get example values. A request names the tool of its
    operation.
    """
    whens = [step for step in scenario.steps if step.role is Role.WHEN]
    if whens and (match := match_step(whens[0], context)) and match.action:
        return action_entry(match.action)
    words = " ".join(step.text for step in action_steps(scenario))
    if _OF_CALLER.search(words) or _OTHER_PROGRAM.search(words):
        return None
    if _DESCRIPTION.search(words):
        return {"request": {"method": "tools/list"}}
    requests = list(REQUEST.finditer(words))
    if len(requests) == 1 and (call := _operation_call(requests[0], words, context)):
        return call
    if (request := client_request(scenario)) and not is_abbreviated(request):
        return http_entry(request, words)
    name = _only_tool(words, context)
    if not name:
        return {"request": {"method": "tools/list"}} if "tools/list" in words else None
    return _guess_call(name, {}, words, context)


def _only_tool(words: str, context: StepContext) -> str:
    """Returns the only tool that words name, or the tool of the requirement for words about a call."""
    identifiers = set(re.findall(r"[A-Za-z0-9_.-]+", words))
    mentions = [name for name in context.tools if name in identifiers]
    if len(mentions) == 1:
        return mentions[0]
    return context.subject if context.subject and _CALLING.search(words) else ""


def guess_several_actions(scenario: Scenario, context: StepContext) -> tuple[Claim, ...]:
    """Returns an action for each request or tool joined by `or`, or a call for each value of an
    argument with several values; otherwise none. The client performs all of them.
    """
    words = " ".join(step.text for step in action_steps(scenario))
    requests = client_requests(scenario)
    if len(requests) > 1:
        return tuple(
            _operation_call(request, REQUEST.sub("", words), context)
            or http_entry(request, REQUEST.sub("", words))
            for request in requests
        )
    if repeated := _repeated_calls(words, context):
        return repeated
    lists = [match for match in _TOOL_LIST.finditer(words) if re.search(r"\bor\b", match[0])]
    if len(lists) != 1 or REQUEST.search(words) or not _CALLED.search(words):
        return ()
    names = re.findall(r"`([\w-]+)(?:\(\))?`", lists[0][0])
    if not set(names) <= context.tools.keys():
        return ()
    remaining_words = words.replace(lists[0][0], "")
    return tuple(_guess_call(name, {}, remaining_words, context) for name in names)


def _repeated_calls(words: str, context: StepContext) -> tuple[Claim, ...]:
    """Returns a call for each value of an argument that words give several values; else none.

    A later call keeps the other arguments of the call before.
    """
    name = _only_tool(words, context)
    tool = context.tools.get(name)
    if tool is None or REQUEST.search(words):
        return ()
    calls: list[dict[str, Json]] = [{}]
    for key, value in read_values(words, tool):
        if key in tool.takes:
            if calls[-1].get(key, value) != value:
                calls.append({**calls[-1]})
            calls[-1][key] = value
    if len(calls) == 1:
        return ()
    return tuple(_guess_call(name, values, words, context) for values in calls)


def _guess_call(
    name: str, arguments: Mapping[str, Json], words: str, context: StepContext
) -> Claim:
    tool = context.tools[name] or ToolArguments(frozenset(), frozenset())
    read = {key: value for key, value in read_values(words, tool) if key in tool.takes}
    body = {**_beside_name(name, tool, words), **(posted_object(words) or {})}
    own = {key: value for key, value in body.items() if key in tool.takes or not tool.takes}
    left_out = set(_LEFT_OUT.findall(words))
    values = {
        key: value for key, value in {**own, **read, **arguments}.items() if key not in left_out
    }
    quoted = {word for word in re.findall(r"`([A-Za-z_]\w*)`", words) if word in tool.takes}
    for key in sorted((tool.needs | quoted) - values.keys() - left_out):
        is_odd = any(
            _OUT_OF_RANGE.match(words, at.end())
            or _ODD_BEFORE.search(words[max(0, at.start() - 30) : at.start()])
            for at in re.finditer(rf"(?<!\w){re.escape(key)}\b", words)
        )
        values[key] = TODO if is_odd else _example(key, tool)
    return {"call": {"tool": name, "arguments": values, **credentials_entry(words)}}


def _beside_name(name: str, tool: ToolArguments, words: str) -> Mapping[str, Json]:
    """Returns the arguments behind the name of a tool: `find { name: "x" }`, `find("x")`, `find({ url })`.

    A text without a name is the only argument that the tool needs, or takes. A name without a value
    is `TODO`.
    """
    match = re.search(
        rf"(?<![\w-]){re.escape(name)}`? ?(?:\(([^()]{{0,500}})\)|(\{{[^`]{{0,500}}\}}))", words
    )
    if match is None:
        return {}
    text = (match[1] or match[2] or "").strip()
    if values := read_object(text):
        return values
    only = tool.needs if len(tool.needs) == 1 else tool.takes
    if len(only) == 1 and (literal := re.fullmatch(r"\"([^\"<>]*)\"|'([^'<>]*)'", text)):
        return dict.fromkeys(only, literal[1] or literal[2] or "")
    if re.fullmatch(r"\{ ?\w+(?:, ?\w+)* ?\}", text):
        return dict.fromkeys(re.findall(r"\w+", text), TODO)
    return {}


def _example(name: str, tool: ToolArguments) -> Json:
    """Returns a value of the schema, or of the type; `TODO` for a text without a schema."""
    kind = tool.types.get(name, "string")
    value = (
        None
        if kind == "string" and not tool.schemas.get(name)
        else example_of(tool.schemas.get(name))
    )
    if value is None or value == EXAMPLES["string"]:
        return EXAMPLES.get(kind, TODO) if kind != "string" else TODO
    return value


def _operation_call(request: re.Match[str], words: str, context: StepContext) -> Claim | None:
    """Returns a call of the tool whose operation a request names, with or without a common prefix."""
    _, _, query = request[2].partition("?")
    is_short = is_abbreviated(request)
    parts = [part for part in request_path(request).lstrip(".…").split("/") if part]
    fitting: list[tuple[tuple[int, int], str, dict[str, str]]] = []
    for name, tool in context.tools.items():
        method, _, template = tool.operation.partition(" ") if tool else ("", "", "")
        segments = [part for part in template.split("/") if part]
        if method == request[1] and (values := _aligned(parts, segments, is_short)) is not None:
            fitting.append(((abs(len(parts) - len(segments)), len(values)), name, values))
    best = sorted(fitting)[:2]
    if not best or (len(best) > 1 and (is_short or best[0][0] == best[1][0])):
        return None
    _, name, path_values = best[0]
    tool = context.tools[name] or ToolArguments(frozenset(), frozenset())
    texts = {**path_values, **dict(parse_qsl(query, keep_blank_values=True))}
    arguments = {
        key: typed_value(text, key, tool) for key, text in texts.items() if key in tool.takes
    }
    arguments = {
        key: _path_example(key, tool, words) if value is None else value
        for key, value in arguments.items()
    }
    return _guess_call(name, arguments, words.replace(request[0], ""), context)


def _path_example(name: str, tool: ToolArguments, words: str) -> Json:
    """Returns the value of a path parameter that the text leaves open, or says to name nothing."""
    if not _NO_SUCH.search(words):
        return _example(name, tool)
    value = unknown_value(name, tool)
    return TODO if value is None else value


def _aligned(
    parts: Sequence[str], template: Sequence[str], is_short: bool = False
) -> dict[str, str] | None:
    """Returns the path parameters of a request, compared from the end; None for another path.

    `is_short`: `parts` are only the end of a path.
    """
    values: dict[str, str] = {}
    literals = 0
    for part, expected in zip(reversed(parts), reversed(template), strict=False):
        if expected.startswith("{") and expected.endswith("}"):
            values[expected[1:-1]] = "{value}" if part.startswith(":") else part
        elif part == expected:
            literals += 1
        else:
            return None
    longer = parts if len(parts) > len(template) else template
    beyond = longer[: len(longer) - min(len(parts), len(template))]
    is_prefix = not any(part.startswith(("{", "<", ":")) for part in beyond) and len(beyond) < 4
    is_end = is_short and len(parts) <= len(template)
    return values if literals and (is_prefix or is_end) else None


def guess_required_action(
    requirement: Requirement, scenario: Scenario, context: StepContext
) -> Claim | None:
    """Returns a call of the only tool, or the only request, of the requirement.

    For a scenario whose WHEN names a state alone ("the name is taken"), and whose THEN says something
    about an answer; or whose WHEN has a part of the request, the method or the path. The other
    scenarios name the request if the requirement's own text does not.
    """
    words = " ".join(step.text for step in action_steps(scenario))
    if any(pattern.search(words) for pattern in (_OF_CALLER, _OTHER_PROGRAM, OTHER_SENDER)):
        return None
    if not words:
        return None
    thens = [step.text for step in scenario.steps if step.role is Role.THEN]
    if thens and _LIST_SHOWS.match(thens[0]) and not has_action(scenario):
        return {"request": {"method": "tools/list"}}
    statement = f"{requirement.name} {requirement.text[:_MAX_BODY]}"
    requests = _requests_of([statement])
    other_scenarios = [
        other_scenario
        for other_scenario in requirement.scenarios
        if other_scenario.name != scenario.name
    ]
    siblings = _requests_of(
        step.text for other_scenario in other_scenarios for step in action_steps(other_scenario)
    )
    if own := REQUEST.search(words):
        short = client_request(scenario)
        if not (short and is_abbreviated(short)):
            return None
        request = _full_request(own, [*requests.values(), *siblings.values()])
        return http_entry(request, words.replace(own[0], "")) if request else None
    if request := _named_request(words, requests):
        return _operation_call(request, words, context) or http_entry(request, words)
    mentions = set(re.findall(r"`([A-Za-z][\w.-]*)(?:\([^`]*\))?`", statement))
    tools = [name for name in context.tools if name in mentions or name == context.subject]
    if re.search(r"`/[^\s`]*`", words):
        return None
    if not requests and not tools and len(siblings) == 1 and _fits_method(siblings, words):
        requests = siblings
    action: Claim | None = None
    if len(requests) == 1:
        (((method, _), request),) = requests.items()
        if requests is siblings:
            request = REQUEST.match(f"{method} {request[2].partition('?')[0]}") or request
        action = _operation_call(request, words, context) or http_entry(request, words)
    elif not requests and len(tools) == 1:
        action = _guess_call(tools[0], {}, words, context)
        if _BARE_CALL.fullmatch(_when_words(scenario)):
            return action
    is_http = bool(action and "http" in action)
    return action if any(_is_about_answer(text, is_http) for text in thens) else None


def _fits_method(requests: Mapping[tuple[str, str], re.Match[str]], words: str) -> bool:
    """Returns whether the words of a state leave it at the request of the other scenarios."""
    ((method, _),) = requests
    verbs = {name for name, pattern in _VERBS.items() if pattern.search(words)}
    return not _OUTSIDE_REQUEST.search(words) and (not verbs or method in verbs)


def _is_about_answer(text: str, is_http: bool) -> bool:
    return gives_answer(text) or any(guess_claims(text, is_http=is_http))


def _requests_of(texts: Iterable[str]) -> dict[tuple[str, str], re.Match[str]]:
    """Returns the requests with a full path, by method and path without query; parameters are equal."""
    return {
        (
            match[1],
            re.sub(r"\{[^{}/]*\}|<[^<>/]*>|(?<=/):\w+", "{}", request_path(match)),
        ): match
        for text in texts
        for match in REQUEST.finditer(text)
        if not is_abbreviated(match)
    }


def _full_request(short: re.Match[str], requests: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Returns the request whose path ends like an abbreviated path, None if none or several do.

    The method may differ: a path has operations of several methods.
    """
    parts = request_path(short).lstrip(".…").strip("/").split("/")
    paths = {
        request_path(match): match
        for match in requests
        if _aligned(parts, match[2].partition("?")[0].strip("/").split("/"), True) is not None
    }
    if len(paths) != 1:
        return None
    (path,) = paths
    prefix = path.strip("/").split("/")[: -len(parts)]
    return REQUEST.match(f"{short[1]} /{'/'.join([*prefix, *parts])}")


def _named_request(
    words: str, requests: Mapping[tuple[str, str], re.Match[str]]
) -> re.Match[str] | None:
    """Returns the request whose path, or else whose method, a client's words name; None if unclear."""
    if not _SENT.search(words):
        return None
    paths = {path.rstrip("/.:") for path in re.findall(r"`(/[^\s`]+)`", words)}
    methods = set(re.findall(r"(?<![-\w])(GET|POST|PUT|PATCH|DELETE)\b", words))
    if len(paths) == 1:
        (path,) = paths
        fitting = [
            key
            for key, match in requests.items()
            if match[2].rstrip("/.:") == path.partition("?")[0]
        ]
        return REQUEST.match(f"{fitting[0][0]} {path}") if len(fitting) == 1 else None
    fitting = [key for key in requests if methods == {key[0]}]
    return requests[fitting[0]] if not paths and len(fitting) == 1 else None


def _when_words(scenario: Scenario) -> str:
    return " ".join(step.text for step in scenario.steps if step.role is Role.WHEN)


def action_steps(scenario: Scenario) -> list[Step]:
    """Returns the steps with the words of the action: WHEN, and the GIVEN with the call beside a bare
    "the tool is called"."""
    is_bare = _BARE_CALL.fullmatch(_when_words(scenario)) is not None
    return [
        step
        for step in scenario.steps
        if step.role is Role.WHEN
        or (is_bare and step.role is Role.GIVEN and _CALL_OF_GIVEN.search(step.text))
    ]


def state_steps(scenario: Scenario, *, acts: bool = True) -> list[Step]:
    """Returns the steps that say the state before the action: GIVEN, and any WHEN after the first.

    `acts`: one WHEN is the action, the first with words of an action or else the first of all;
    otherwise every WHEN is a state.
    """
    whens = [step for step in scenario.steps if step.role is Role.WHEN]
    spent = action_steps(scenario)
    givens = [step for step in scenario.steps if step.role is Role.GIVEN and step not in spent]
    number = next((at for at, step in enumerate(whens) if _is_action(step.text)), 0)
    states = [step for at, step in enumerate(whens) if not acts or at != number]
    return [*(step for step in givens if not is_established(step)), *states]


def has_action(scenario: Scenario) -> bool:
    """True if a WHEN is an action, False for states alone."""
    return any(step.role is Role.WHEN and _is_action(step.text) for step in scenario.steps)


def _is_action(text: str) -> bool:
    """Returns whether a WHEN is an action: "the client deletes an id that does not exist" says all."""
    if _ACTS.search(text):
        return True
    return bool(_NO_SUCH.search(text)) and any(verb.search(text) for verb in _VERBS.values())


def fixture_name(steps: Sequence[Step]) -> str:
    """Returns the name of a fixture for the state in steps: `an-album-with-75-assets`."""
    words = re.findall(r"[a-z0-9]+", " ".join(step.text for step in steps)[:200].lower())
    name = ""
    for word in words:
        if len(name) + len(word) > 50:
            break
        name = f"{name}-{word}" if name else word
    return name if name[:1].isalpha() else f"state-{name}".rstrip("-")
