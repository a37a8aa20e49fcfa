"""Step definitions of assertions about the response."""

from __future__ import annotations

import re
from re import Match

from mcpgen.openspec.lower.step_definitions.step_definition import (
    ANSWER,
    HAS,
    HAVE,
    ITEMS,
    MUST,
    NOT,
    TEXT,
    VALUE,
    Made,
    StepContext,
    StepDefinition,
    claim,
    compile_pattern,
    parse_names,
    quoted_texts,
    value,
)

_TEXT_OF = (
    r"(?:(?:[Tt]he|[Ii]ts) (?:model-visible )?text(?: of the result)?|`?content\[\]`?(?: text)?)"
)
_SAY = r"(?:include|contain|mention|name|say|show)"
_QUOTED = rf"{TEXT}(?:(?:, (?:and |or )?| and | or ){TEXT}){{0,20}}"
_ADVERTISE = r"(?:advertise|accept|announce|expose|take|have)"
_PART = r"(?: (?:argument|input|parameter)s?)?"
_UNITS = {"bytes": 1, "kb": 1000, "kib": 1024, "mb": 1000**2, "mib": 1024**2}
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_SIZE = r"(?P<number>[0-9]{1,9}) ?(?P<unit>bytes|KB|KiB|MB|MiB)"
_MEMBER = re.compile(r"structuredContent(?:\.[A-Za-z_]\w*){1,9}|[a-z_]\w*", re.ASCII)
_VALUES = frozenset({"true", "false", "null", "undefined", "structuredContent", "content"})
_UPSTREAM = r"(?:the )?(?:upstream|resource server|backend|API)(?: API| server)?"


def _exactly(match: Match[str], context: StepContext) -> Made:
    names = _all(match["items"], context) if context.lists else ()
    return (claim("tools", exactly=list(names)),) if names else None


def _assert_tools_listed(match: Match[str], context: StepContext) -> Made:
    """Reads tool names: declared tools, or names the step calls tools."""
    names = _all(match["items"], context) if context.lists else ()
    if not set(names) <= set(context.tools) and not match["called"]:
        return None
    return (claim("tools", include=list(names)),) if names else None


def _unlisted(match: Match[str], context: StepContext) -> Made:
    """Reads names and glossary phrases; no claim if any item is unknown."""
    if not context.lists or not _none(match["items"]):
        return None
    excluded: list[str] = []
    for item in re.split(r", (?:or |nor )?| or | nor ", match["items"]):
        phrase = re.sub(r"^(?:any|an?|the) ", "", item)
        patterns = context.glossary.get(phrase) or parse_names(item, context.tools)
        if not patterns:
            return None
        excluded += patterns
    return (claim("tools", exclude=list(dict.fromkeys(excluded))),)


def _advertised(match: Match[str], context: StepContext) -> Made:
    tools, arguments = _all(match["tools"], context), _all(match["items"])
    if not context.lists or not arguments or not tools or not set(tools) <= set(context.tools):
        return None
    return (claim("arguments", of=list(tools), include=list(arguments)),)


def _unadvertised(match: Match[str], context: StepContext) -> Made:
    arguments = parse_names(match["items"]) if _none(match["items"]) else ()
    of = "every" if match["none"].lower().startswith("no tool") else list(context.named)
    return (
        (claim("arguments", of=of, exclude=list(arguments)),)
        if context.lists and arguments and of
        else None
    )


def _assert_error(match: Match[str], context: StepContext) -> Made:
    return (claim("is_error", equals=True),) if context.calls else None


def _success(match: Match[str], context: StepContext) -> Made:
    return (claim("is_error", equals=False),) if context.calls else None


def _assert_code(match: Match[str], context: StepContext) -> Made:
    return (claim("code", equals=int(match["code"])),)


def _assert_status(match: Match[str], context: StepContext) -> Made:
    return None if context.of_api else (claim("status", equals=int(match["status"])),)


def _typed(match: Match[str], context: StepContext) -> Made:
    claims = [claim("path", f"**.{match['key']}", equals=value(match["value"]))]
    if match["code"]:
        claims.insert(0, claim("path", "**", contains=match["code"].strip("`")))
    return tuple(claims)


def _budget(match: Match[str], context: StepContext) -> Made:
    if not (context.lists or context.calls):
        return None
    of = "tools/list" if context.lists else "result"
    if match["number"]:
        limit = int(match["number"]) * _UNITS[match["unit"].lower()]
    else:
        limit = context.budgets.get("tools_list_bytes" if context.lists else "result_bytes", 0)
    limit -= match["bound"] in ("below", "under")
    return (claim("bytes", of, at_most=limit),) if limit > 0 else None


def _text_claims(match: Match[str], context: StepContext) -> Made:
    return (claim("text", contains=list(quoted_texts(match["items"]))),)


def _absent_text_claims(match: Match[str], context: StepContext) -> Made:
    return (claim("text", lacks=list(quoted_texts(match["items"]))),)


def _member(match: Match[str], context: StepContext) -> Made:
    paths = _paths(_all(match["items"])) if context.calls else ()
    return tuple(claim("path", path, present=True) for path in paths)


def _no_member(match: Match[str], context: StepContext) -> Made:
    names = parse_names(match["items"]) if _none(match["items"]) else ()
    paths = _paths(names) if context.calls else ()
    return tuple(claim("path", path, absent=True) for path in paths)


def _keys(match: Match[str], context: StepContext) -> Made:
    names = parse_names(match["items"]) or tuple(
        re.findall(r"\w+", match["items"].replace(" and ", " "))
    )
    return (claim("path", "structuredContent", keys=list(names)),) if context.calls else None


def _equals(match: Match[str], context: StepContext) -> Made:
    paths = _paths((match["name"],)) if context.calls else ()
    return tuple(claim("path", path, equals=value(match["value"])) for path in paths)


def _header(match: Match[str], context: StepContext) -> Made:
    return (claim("header", match["name"], present=True),)


def _alone(match: Match[str], context: StepContext) -> Made:
    return (claim("upstream", count=0),)


def _requests(match: Match[str], context: StepContext) -> Made:
    number = match["number"]
    return (claim("upstream", count=_NUMBERS.get(number) or int(number)),)


def _assert_within(match: Match[str], context: StepContext) -> Made:
    factor = 1 if match["unit"].startswith("m") else 1000
    return (claim("within_ms", at_most=int(match["number"]) * factor),)


def _all(phrase: str, context: StepContext | None = None) -> tuple[str, ...]:
    """Returns the names of a conjunctive list; empty for a list with `or`."""
    return () if " or " in phrase else parse_names(phrase, context.tools if context else ())


def _none(phrase: str) -> bool:
    """Returns whether a list after SHALL NOT forbids every name, not just the combination."""
    return " and " not in phrase


def _paths(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns result paths of members: full paths as written, bare names anywhere (`**.name`).

    Empty if any name is neither, such as the name of a type or a value.
    """
    if not all(_MEMBER.fullmatch(name) for name in names) or set(names) & _VALUES:
        return ()
    return tuple(name if "." in name else f"**.{name}" for name in names)


ASSERTIONS = (
    StepDefinition(
        "exact-tools",
        compile_pattern(
            rf"{ANSWER} {HAS} exactly (?:the tools |these tools:? )?(?P<items>{ITEMS})(?: tools)?"
        ),
        _exactly,
        "the response SHALL include exactly `schema`, `search` and `fetch`",
        "the list has these tools and no others",
        whole=True,
    ),
    StepDefinition(
        "excluded-tools",
        compile_pattern(rf"{ANSWER} {NOT} {HAVE} (?P<items>[^.;:()]{{1,400}})"),
        _unlisted,
        "it SHALL NOT include `fetch_blob`, or any event-subscription management tool",
        "none of these is listed; other words than names have to stand in the glossary",
        whole=True,
    ),
    StepDefinition(
        "included-tools",
        compile_pattern(rf"{ANSWER} {HAS} (?P<called>the tools? )?(?P<items>{ITEMS})"),
        _assert_tools_listed,
        "the response SHALL include `schema` and `search`",
        "these tools are listed",
        whole=True,
    ),
    StepDefinition(
        "no-argument",
        compile_pattern(
            rf"(?P<none>[Nn]one of (?:those|these|the|them)(?: tools)?|[Nn]o tool) {MUST} {_ADVERTISE}"
            rf" (?:an? )?(?P<items>{ITEMS}){_PART}"
        ),
        _unadvertised,
        "no tool SHALL advertise `connector_instance_id`",
        "no tool, or none of those that the scenario has named, announces these arguments",
        whole=True,
    ),
    StepDefinition(
        "arguments",
        compile_pattern(
            rf"(?P<tools>{ITEMS}) {MUST} (?:each )?{_ADVERTISE} (?P<items>{ITEMS}){_PART}"
        ),
        _advertised,
        "`schema` and `fetch` SHALL advertise `connection_id`",
        "these tools announce these arguments",
        whole=True,
    ),
    StepDefinition(
        "error-result",
        compile_pattern(
            rf"{ANSWER} (?:{MUST} (?:be|return)|is|returns) an? (?:(?:MCP|tool) ){{0,2}}error result"
            rf"|`?isError`? (?:{MUST} be|is) `?true`?"
            rf"|{ANSWER} {HAS} `?isError`?(?:: ?| = | of )`?true`?"
        ),
        _assert_error,
        "the call SHALL return an error result",
        "`isError` is true",
    ),
    StepDefinition(
        "no-error-result",
        compile_pattern(
            rf"{ANSWER} {NOT} be an error(?: result)?|`?isError`? (?:{MUST} be|is) `?false`?"
            rf"|[Tt]he call (?:{MUST} succeed|succeeds)"
            rf"|{ANSWER} {HAS} `?isError`?(?:: ?| = | of )`?false`?"
        ),
        _success,
        "the call SHALL succeed",
        "`isError` is false",
    ),
    StepDefinition(
        "error-code",
        compile_pattern(
            rf"{ANSWER} (?:{MUST} (?:be|be rejected with|return|fail with|answer with)"
            r"|is rejected with|returns|fails with) (?:an? )?(?:JSON-RPC )?error"
            r"(?: with)?(?: code)? `?(?P<code>-[0-9]{4,6})`?"
        ),
        _assert_code,
        "the server SHALL return a JSON-RPC error with code -32602",
        "the answer is an error of JSON-RPC with this code",
    ),
    StepDefinition(
        "http-status",
        compile_pattern(
            rf"{ANSWER} {MUST} (?:be|have|return|answer with|respond with) (?:an? )?"
            r"(?:HTTP(?: status)?|status)(?: code)? `?(?P<status>[1-5][0-9][0-9])`?"
            r"(?: (?:Unauthorized|Forbidden|Not Found|Bad Request|OK|Too Many Requests))?"
        ),
        _assert_status,
        "the server SHALL answer with status 401",
        "the HTTP response has this status",
    ),
    StepDefinition(
        "typed-error",
        compile_pattern(
            rf"{ANSWER} {MUST} (?:return|answer with) (?:an?|the) typed (?:(?P<code>`[a-z_]{{1,60}}`|"
            r"[a-z]+(?:_[a-z]+){1,9}) )?(?:[a-z-]+ )?error with `?(?P<key>[a-z_]{1,60})`?(?::|=) ?"
            r"`?(?P<value>\"[^\"]{1,200}\")`?"
        ),
        _typed,
        'the adapter SHALL return a typed `ambiguous_connection` error with `retry_with: "connection_id"`',
        "the answer has a member of this name and value, and the code as a value",
    ),
    StepDefinition(
        "budget",
        compile_pattern(
            rf"{ANSWER} {MUST} (?:stay|be|weigh|fit) (?P<bound>below|under|within|at most|no more than)"
            rf" (?:{_SIZE}|the configured budget)"
        ),
        _budget,
        "the serialized payload SHALL stay below the configured budget",
        "the list of tools, or the result, weighs at most so much; the budgets of the companion are "
        "`tools_list_bytes` and `result_bytes`",
    ),
    StepDefinition(
        "text-says",
        compile_pattern(rf"{_TEXT_OF} {MUST} {_SAY} (?P<items>{_QUOTED})"),
        _text_claims,
        "the text SHALL contain `next_cursor`",
        "the text of the result contains each of these",
    ),
    StepDefinition(
        "text-lacks",
        compile_pattern(rf"{_TEXT_OF} {NOT} {_SAY} (?P<items>{_QUOTED})"),
        _absent_text_claims,
        'the text SHALL NOT contain "internal"',
        "the text of the result contains none of these",
    ),
    StepDefinition(
        "document-keys",
        compile_pattern(
            rf"`?structuredContent`? {MUST} (?:contain|hold|have) only (?:(?:the|[A-Za-z-]+) ){{0,4}}?"
            r"fields:? (?P<items>`?[a-z_]+`?(?:(?:, (?:and )?| and )`?[a-z_]+`?){1,30})"
        ),
        _keys,
        "structuredContent SHALL contain only the fields `id`, `title` and `text`",
        "`structuredContent` has exactly these members",
        whole=True,
    ),
    StepDefinition(
        "no-member",
        compile_pattern(rf"{ANSWER} {NOT} {HAVE} (?P<items>{ITEMS})(?: (?:field|member|key)s?)?"),
        _no_member,
        "the result SHALL NOT include `structuredContent.data` or `request_id`",
        "no member of these names stands anywhere in the result, or none at these paths",
        whole=True,
    ),
    StepDefinition(
        "member",
        compile_pattern(
            rf"{ANSWER} {HAS} (?:an? )?(?P<items>{ITEMS})(?: (?:field|member|key|array|object)s?)?"
        ),
        _member,
        "the result SHALL include `available_connections`",
        "members of these names stand somewhere in the result, or at these paths",
        whole=True,
    ),
    StepDefinition(
        "member-equals",
        compile_pattern(
            rf"`(?P<name>[A-Za-z_][A-Za-z0-9_.]{{0,80}})` (?:{MUST} be|{MUST} equal|is) (?P<value>"
            rf"`?{VALUE}`?)"
        ),
        _equals,
        '`structuredContent.status` SHALL be "granted"',
        "the member of this name, or at this path, has this value",
    ),
    StepDefinition(
        "header",
        compile_pattern(
            rf"{ANSWER} {HAS} (?:an? |the )?`(?P<name>[A-Za-z][A-Za-z0-9-]{{0,60}})` header"
        ),
        _header,
        "the response SHALL include a `WWW-Authenticate` header",
        "the HTTP response has this header",
    ),
    StepDefinition(
        "no-upstream",
        compile_pattern(
            rf"{ANSWER} {NOT} (?:call|contact|reach|ask|send (?:any|a) requests? to|make (?:any|a)"
            rf" requests? to) {_UPSTREAM}|[Nn]o requests? {MUST} be (?:sent|made) to {_UPSTREAM}"
        ),
        _alone,
        "the adapter SHALL NOT call the upstream",
        "the upstream gets no request during the scenario",
    ),
    StepDefinition(
        "upstream-requests",
        compile_pattern(
            rf"[Ee]xactly (?P<number>{'|'.join(_NUMBERS)}|[0-9]{{1,4}}) requests? {MUST} be"
            rf" (?:sent|made) to {_UPSTREAM}"
        ),
        _requests,
        "exactly one request SHALL be sent to the upstream",
        "the upstream gets so many requests during the scenario",
    ),
    StepDefinition(
        "within-time",
        compile_pattern(
            rf"{ANSWER} {MUST} (?:arrive|return|respond|answer|complete|be returned) within"
            r" (?P<number>[0-9]{1,6}) ?(?P<unit>ms|milliseconds|s|seconds?)"
        ),
        _assert_within,
        "the server SHALL answer within 500 ms",
        "the action takes no longer",
    ),
)
"""Step definitions of THEN steps; the first match counts."""
