"""Step definitions of requests to the API, performed as calls of the operation's tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from re import Match
from urllib.parse import parse_qsl, unquote

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    ARGUMENTS,
    OBJECT,
    UNKNOWN,
    complete_values,
    is_placeholder,
    is_unknown,
    read_arguments,
    read_object,
    typed_value,
    unknown_value,
)
from mcpgen.openspec.lower.step_definitions.step_definition import (
    CLIENT,
    NOWHERE,
    Made,
    StepContext,
    StepDefinition,
    ToolArguments,
    compile_pattern,
)
from mcpgen.openspec.model.companion import ActionKind, ScenarioAction

_NAMES_NOTHING = re.compile(r"[{<:](?:non[_-]?existent|unknown|missing)[\w-]*[}>]?", re.IGNORECASE)
"""A placeholder for a value that names nothing: `{non_existent_id}`."""

_VERB = r"(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD)"
_PATH = r"(?P<path>/[^\s`,]{0,300})"
_OPERATION = rf"`?{_VERB} {_PATH}`?(?: request)?"
_SENT = r"(?:is|are) (?:called|requested|sent|made|received|invoked|issued)"
_SENDS = r"(?:sends?|calls?|requests?|makes?|issues?|submits?|performs?|invokes?)"
_BODY = (
    r"(?:,? (?:with|and)(?: (?:an? |the )?(?:JSON |request )?(?:body|payload|query parameters?"
    rf"|parameters?))?:? (?:(?P<body>{OBJECT})|(?P<given>{ARGUMENTS})|{UNKNOWN})"
    rf"|,? for (?:{UNKNOWN.replace('unknown>', 'unknown_for>').replace('absent>', 'absent_for>')})"
    r"|,? (?:with no|with an empty|without an?|without a) (?:request )?body"
    r"|,? (?:without|with no)(?: an?| the| the required)? `(?P<left_out>[A-Za-z_][A-Za-z0-9_]{0,60})`"
    r"(?: (?:field|member|property|parameter|query parameter))?)?"
)


def api_call(match: Match[str], context: StepContext) -> Made:
    """Returns the call of the tool whose operation fits method and path, with all required
    arguments; None if a value is a placeholder, or no tool or several tools fit."""
    path, _, query = match["path"].partition("?")
    groups = match.groupdict()
    names = ("unknown", "absent", "unknown_for", "absent_for")
    unknown = next((groups[name] for name in names if groups[name]), "")
    fitting: list[tuple[str, ToolArguments, dict[str, str]]] = []
    is_complete = any(prefix for prefix in context.prefixes if not path.startswith(f"{prefix}/"))
    for is_bare in (False,) if is_complete else (False, True):
        for name, tool in context.tools.items():
            in_path = (
                _path_values(tool, match["verb"], path, unknown, is_bare, context.values)
                if tool
                else None
            )
            if tool and in_path is not None:
                fitting.append((name, tool, in_path))
        if fitting:
            break
    # A path without parameters is more exact than a template: `/pets/mine` is not `/pets/{id}`.
    fewest = min((len(values) for _, _, values in fitting), default=0)
    exact = [row for row in fitting if len(row[2]) == fewest]
    if len(exact) != 1:
        return None
    name, tool, path_values = exact[0]
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    values: dict[str, Json] = {}
    for key, text in {**path_values, **pairs}.items():
        if (placeholder := _placeholder_name(text)) in context.values:
            values[key] = context.values[placeholder]
            continue
        names_nothing = _NAMES_NOTHING.fullmatch(text)
        value = unknown_value(key, tool) if names_nothing else typed_value(unquote(text), key, tool)
        if value is None:
            return None
        values[key] = value
    if unknown and not any(is_unknown(value) for value in values.values()):
        return None
    more = _body_values(match, tool, context.values)
    if more is None or values.keys() & more.keys():
        return None
    left_out = [match["left_out"]] if match["left_out"] else []
    if set(_IN_PATH.findall(tool.operation)) - {*values, *context.values}:
        return None
    complete = complete_values({**values, **more}, left_out, tool, context.values)
    return None if complete is None else ScenarioAction(ActionKind.CALL, name, complete, NOWHERE)


def _is_about(entity: str, template: str) -> bool:
    """Returns whether an entity is the subject of a path: `note id` of `/notes/{id}`, or `id` alone."""
    words = [word for word in re.split(r"[\s_]+", entity.lower()) if word != "id"]
    return bool(entity) and all(word.rstrip("s") in template.lower() for word in words)


def _body_values(
    match: Match[str], tool: ToolArguments, values: Mapping[str, Json]
) -> Mapping[str, Json] | None:
    if match["body"]:
        return read_object(match["body"])
    return read_arguments(match["given"], tool, values) if match["given"] else {}


def _is_open(part: str) -> bool:
    """Returns whether a part of a path stands for a value."""
    return is_placeholder(part) or part.startswith(":")


def _placeholder_name(text: str) -> str:
    """Returns the name of a placeholder in a path: `{id}`, `<id>` or `:id`; `""` for other text."""
    match = re.fullmatch(r"\{(\w+)\}|<(\w+)>|:(\w+)", text)
    return next(filter(None, match.groups()), "") if match else ""


_IN_PATH = re.compile(r"\{(.+?)\}")
_PREFIX = re.compile(r"^(?:/api)?(?:/v[0-9]{1,3})?(?=/)")
"""A prefix that a text may have and a document may leave to the URL of the server, or the reverse."""


def written_prefixes(tools: Iterable[ToolArguments], texts: Iterable[str]) -> frozenset[str]:
    """Returns the prefixes of operations, such as `/api/v1`, that requests in the texts have too.

    A text that writes the prefix means another path without the prefix, such as a page.
    """
    matches = (_PREFIX.match(tool.operation.partition(" ")[2]) for tool in tools)
    prefixes = {match[0] for match in matches if match and match[0]}
    joined = "\n".join(texts) if prefixes else ""
    return frozenset(prefix for prefix in prefixes if re.search(rf"(?<![\w/]){prefix}/", joined))


def _path_values(
    tool: ToolArguments,
    verb: str,
    path: str,
    unknown: str,
    is_bare: bool,
    available: Mapping[str, Json],
) -> dict[str, str] | None:
    """Returns the path parameters of a request to the tool's operation, None for another request.

    The parameter `unknown` stands as a placeholder in the path, and names nothing that exists; in a
    path with a single parameter, any other word for the parameter does too. `is_bare`: both paths are
    compared without prefixes such as `/api/v1`. A placeholder named in `available` is kept for the caller.
    """
    method, _, template = tool.operation.partition(" ")
    if is_bare:
        path, template = _PREFIX.sub("", path), _PREFIX.sub("", template)
    parts, segments = path.strip("/").split("/"), template.strip("/").split("/")
    if method != verb or len(parts) != len(segments):
        return None
    values = {}
    is_only = template.count("{") == 1
    for part, expected in zip(parts, segments, strict=True):
        name = re.fullmatch(r"\{(.+)\}", expected)
        is_meant = name and (name[1] == unknown or (is_only and _is_about(unknown, template)))
        value = unknown_value(name[1], tool) if name and is_meant else None
        if _NAMES_NOTHING.fullmatch(part) and name:
            values[name[1]] = part
        elif name and value is not None and _is_open(part):
            values[name[1]] = str(value)
        elif name and part and (not _is_open(part) or _placeholder_name(part) in available):
            values[name[1]] = part
        elif part != expected:
            return None
    return values


API_ACTIONS = (
    StepDefinition(
        "sends-operation",
        compile_pattern(
            rf"{CLIENT} {_SENDS} (?:an? |the )?(?:HTTP )?(?:request to )?{_OPERATION}{_BODY}"
        ),
        api_call,
        "a client sends `GET /schema?detail=full`",
        "calls the tool of this operation, if path, query and body give all required arguments",
        does=True,
    ),
    StepDefinition(
        "operation-is-called",
        compile_pattern(
            rf"(?:[Aa]n? |[Tt]he )?(?:HTTP )?(?:request to )?{_OPERATION}(?: endpoint)?(?: {_SENT})?{_BODY}"
        ),
        api_call,
        'GET /schema is called with `{"detail": "full"}`',
        "calls the tool of this operation, if path, query and body give all required arguments",
        does=True,
    ),
    StepDefinition(
        "request-is-made",
        compile_pattern(
            rf"(?:[Aa]n?|[Tt]he) (?:HTTP )?(?:request is (?:made|sent|received) (?:to|for) `?{_VERB} "
            rf"{_PATH}`?){_BODY}"
        ),
        api_call,
        "a request is made to `GET /schema`",
        "calls the tool of this operation, if path, query and body give all required arguments",
        does=True,
    ),
    StepDefinition(
        "method-request-is-made",
        compile_pattern(
            rf"(?:[Aa]n?|[Tt]he) (?:HTTP )?`?{_VERB}`? request is (?:made|sent|received|issued)"
            rf" (?:to|for|at|on) `?{_PATH}`?{_BODY}"
        ),
        api_call,
        "a GET request is made to `/schema`",
        "calls the tool of this operation, if path, query and body give all required arguments",
        does=True,
    ),
)
"""Step definitions of requests to the API."""

API_ACTION_NAMES = frozenset(definition.name for definition in API_ACTIONS)
