"""Step definitions of THEN steps about success, errors, statuses and members of a result."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from re import Match

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    has_placeholder,
    is_placeholder,
    read_object,
)
from mcpgen.openspec.lower.step_definitions.step_definition import (
    ANSWER,
    MUST,
    TEXT,
    Made,
    PartialMatch,
    StepContext,
    StepDefinition,
    changes_meaning,
    claim,
    compile_pattern,
    parse_names,
    quoted_texts,
)
from mcpgen.openspec.model.companion import ActionKind, Assertion

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_KINDS = (
    r"(?P<kinds>(?:(?:clear|descriptive|structured|clean|validation|actionable|[a-z]+-not-found"
    r"|not[- ]found|\"not found\"|access-denied|authentication|authorization|JSON-RPC) ){0,3})"
    r"(?:(?:MCP|tool|HTTP|appropriate) ){0,2}"
)
_ERROR = rf"(?:an? |the )?{_KINDS}error(?: (?:response|result|message))?"
_CALL = (
    r"(?:[Tt]he|[Tt]his) (?:(?:MCP|tool|API|HTTP) )?(?:call|request|invocation|operation|command)"
)
_SERVER = (
    r"(?:(?:[Tt]he|[Tt]his|[Ii]ts) (?:(?:MCP|tool|API|HTTP) )?"
    r"(?:server|tool|system|API|endpoint|service|adapter|handler|router|backend)|[Ii]t)"
)
_WHY = (
    r"(?P<why>,? (?:indicating|explaining|stating|describing|that|listing|naming|about|with|for|from"
    r"|because|due to|suggesting|containing|mentioning|identifying)\b[^;]{1,300}"
    r"| (?:—|–|-) \"[^\"]{1,200}\")?"
)
_MEMBERS = re.compile(
    r",? (?:with|containing) (?:an? |the )?(?P<items>`[\w.]{1,60}`(?:(?:, (?:and )?| and )`[\w.]{1,60}`){0,10})"
    r"(?: (?:fields?|keys?|properties|members))?"
)
_FILE = re.compile(r".*\.(?:md|json|ya?ml|toml|txt|html|py|[jt]sx?|go|rs|java|sql|sh|csv|css)")

_PHRASE = (
    r"(?: (?:Continue|OK|Created|Accepted|No Content|Moved Permanently|Found|Not Modified|Bad Request"
    r"|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Conflict|Gone"
    r"|Payload Too Large|Content Too Large|Unsupported Media Type|Unprocessable (?:Entity|Content)"
    r"|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable"
    r"|Gateway Timeout))?"
)
_CODE_BEHIND = re.compile(r"\b[1-5][0-9][0-9] ([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`")
_BODY_BEHIND = re.compile(
    r",? (?:with|containing) (?:an? |the )?(?:(?:JSON |response |error |problem )?(?:body|object|payload|error"
    r"|code|error code|problem code|reason code|message):? )?`(?:(?P<body>\{[^`]*\})|(?P<code>[A-Za-z][A-Za-z0-9]*"
    r"(?:_[A-Za-z0-9]+)+)|(?P<member>[A-Za-z_][\w.]*): ?(?P<value>\"[^\"`]*\"))`(?! (?:header|field|member|key|or\b))"
)
"""The body of an answer behind its status: an object, an error code, or a member with its value."""

_TELLING = re.compile(r"_|.{8}")
"""A text that an answer does not have by chance, unlike `from`."""

_STATUS_GROUPS = ("status", "bare", "first", "only")
"""Groups of a status; a pattern names a group once."""

_STATUS = (
    r"(?:an? |the )?`?(?:HTTP )?(?:status )?(?:code )?(?:of )?`?(?P<status>[1-5][0-9][0-9])"
    rf"{_PHRASE}(?: [a-z][a-z0-9]*(?:_[a-z0-9]+)+)?`?(?: (?:status(?: code)?|response|error|error response))?"
)
_RETURNS = (
    rf"(?:{MUST} (?:be|have|return|answer with|respond with|reply with|fail with)"
    r"|is|are|has|equals|returns|responds with|answers with|replies with|fails with"
    r"|is rejected with|is refused with|is denied with)"
)
_STATUS_ANSWER = (
    rf"(?:{ANSWER}|(?:[Tt]he |[Aa]n? )?(?:(?:HTTP|API) )?(?:(?:response )?status(?: code)?|response|request"
    r"|API|system|service|backend|controller)|[Tt]he (?:response(?:'s)?|HTTP) status(?: code)?)"
)


def _read_error_outcome(match: Match[str], context: StepContext) -> Made:
    """Reads an error; a reason in prose stays pending, a quoted message has to be in the answer."""
    groups = match.groupdict()
    why = re.sub(r"^,? with an error(?: result| response)?$", "", groups.get("why") or "")
    kinds = groups.get("kinds") or groups.get("sorts") or ""
    if context.lists:
        return None
    claims: list[Assertion] = [claim("refused", equals=True)]
    quoted, statuses = _without_status(quoted_texts(why))
    if why and changes_meaning(why):
        return None
    if re.fullmatch(
        rf",? (?:with|containing|mentioning|stating|that says)(?: (?:an?|the))?(?: error)?(?: (?:message|code|text))?:? {TEXT}",
        why,
    ):
        if any(is_placeholder(text) for text in quoted):
            return PartialMatch(tuple(claims), why)
        claims.append(claim("text", contains=list(quoted)))
        if statuses:
            kinds += f"status {' and '.join(statuses)}"
        return PartialMatch(tuple(claims), kinds) if kinds else tuple(claims)
    unseen = f"{kinds}{why}"
    return PartialMatch(tuple(claims), unseen) if unseen else tuple(claims)


def _without_status(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns messages without the HTTP status before a code, as in `400 name_required`, and statuses."""
    parts = [re.match(r"(?:([1-5][0-9][0-9]) (?=[a-z]\w*$))?", text, re.ASCII) for text in texts]
    messages = [text[part.end() :] for text, part in zip(texts, parts, strict=True) if part]
    return messages, [part[1] for part in parts if part and part[1]]


def _success(match: Match[str], context: StepContext) -> Made:
    return None if context.lists else (claim("refused", equals=False),)


def _read_status_outcome(match: Match[str], context: StepContext) -> Made:
    """Reads the status of an API behind a tool: a success, or an error with the number as text.

    MCP shows no status of a success, so a status other than 200 stays partly bound.
    """
    groups = match.groupdict()
    status = int(next(groups[name] for name in _STATUS_GROUPS if groups[name]))
    if context.action is not None and context.action.kind is ActionKind.HTTP:
        unseen = "".join(_CODE_BEHIND.findall(match[0])) + (
            groups.get("why") or groups.get("dash") or ""
        )
        status_claims = (claim("status", equals=status),)
        return PartialMatch(status_claims, unseen) if unseen else status_claims
    tool = context.tools.get(context.action.name) if context.action and context.calls else None
    if tool is None or not context.of_api or not (200 <= status < 300 or status >= 400):
        return None
    why = groups.get("why") or groups.get("dash") or ""
    if why and changes_meaning(why) and not why.startswith((" —", " –", " -")):
        return None
    if status >= 400:
        claims = [claim("refused", equals=True), claim("text", matches=rf"\b{status}\b")]
        texts: list[Json] = [*_CODE_BEHIND.findall(match[0])]
        if body := _BODY_BEHIND.match(why):
            phrases = [body["code"]] if body["code"] else [*_body_members(body).values()]
            if phrases and all(isinstance(text, str) and _TELLING.search(text) for text in phrases):
                texts += phrases
                why = why[body.end() :]
        if texts:
            claims.append(claim("text", contains=texts))
        if (quoted := re.fullmatch(r' (?:—|–|-) "([^"]+)"', why)) and not is_placeholder(quoted[1]):
            claims.append(claim("text", contains=[quoted[1]]))
            why = ""
        return PartialMatch(tuple(claims), why) if why else tuple(claims)
    claims = [claim("refused", equals=False)]
    if (body := _BODY_BEHIND.match(why)) and (pairs := _body_members(body)):
        claims += [claim("path", f"**.{name}", equals=value) for name, value in pairs.items()]
        why = why[body.end() :]
    members = _MEMBERS.fullmatch(why)
    if members and (paths := _member_paths(members["items"])):
        claims += [claim("path", path, present=True) for path in paths]
        why = ""
    unseen = why if status == 200 else f"status {status}{why}"
    return PartialMatch(tuple(claims), unseen) if unseen else tuple(claims)


def _body_members(match: Match[str]) -> Mapping[str, Json]:
    """Returns the members of the body behind a status; empty if a value is a placeholder or no scalar."""
    if match["member"]:
        value = _literal(match["value"])
        return {match["member"]: value[0]} if value else {}
    pairs = read_object(match["body"]) if match["body"] else None
    is_scalar = pairs and not any(isinstance(value, dict | list) for value in pairs.values())
    return pairs if pairs and is_scalar and not has_placeholder(dict(pairs)) else {}


def _member_paths(text: str) -> tuple[str, ...]:
    """Returns the paths of members, `data.list` as a member of `data`; empty if a name is no member."""
    names = re.findall(r"`([^`]+)`", text)
    are_members = all(
        re.fullmatch(r"[a-z_]\w*(?:\.[a-z_]\w*){0,5}", name, re.ASCII) and not _FILE.fullmatch(name)
        for name in names
    )
    reserved = {"true", "false", "null", "undefined", "structuredContent", "content"}
    return (
        tuple(f"**.{name}" for name in names) if are_members and not reserved & set(names) else ()
    )


def _fields(match: Match[str], context: StepContext) -> Made:
    """Reads names of members; a name of small letters needs the word field or another name."""
    names = () if re.search(r" or ", match["items"]) else parse_names(match["items"])
    if not context.calls or not names:
        return None
    is_clear = bool(match["fields"] or match["after"]) or all(
        re.search(r"[_.]|[a-z][A-Z]", name) for name in names
    )
    if not (is_clear or len(names) > 1):
        return None
    paths = _member_paths(" ".join(f"`{name}`" for name in names))
    return tuple(claim("path", path, present=True) for path in paths) or None


def _read_value_outcome(match: Match[str], context: StepContext) -> Made:
    value = _literal(match["value"])
    if not context.calls or value is None:
        return None
    return (claim("path", f"**.{match['name']}", equals=value[0]),)


def _read_member_values(match: Match[str], context: StepContext) -> Made:
    """Reads members with values: `` `code: "x"` ``, `` `"status": "ok"` ``, `` `total=3` ``."""
    claims = []
    for pair in re.findall(r"`([^`]+)`", match["pairs"]):
        assignment = re.fullmatch(r'"?([A-Za-z_]\w{0,60})"?(?::| =|=) ?(.{1,200})', pair)
        value = _literal(assignment[2]) if assignment else None
        if not assignment or value is None:
            return None
        claims.append(claim("path", f"**.{assignment[1]}", equals=value[0]))
    return tuple(claims) if context.calls else None


def _equal_members(match: Match[str], context: StepContext) -> Made:
    """Reads members with literal values: `` `total` is 3, `pages` is 1, and `items` is empty ``."""
    claims = []
    for name, text in re.findall(rf"`({_PLAIN})`{_IS}({_LITERAL}|(?:an )?empty)", match["pairs"]):
        value = ([],) if text.endswith("empty") else _literal(text)
        if value is None:
            return None
        claims.append(claim("path", f"**.{name}", equals=value[0]))
    return tuple(claims) if context.calls else None


def _literal(text: str) -> tuple[Json] | None:
    """Returns a scalar JSON value in a tuple, None for other text and for placeholders."""
    bare = text.strip("`")
    if is_placeholder(bare):
        return None
    try:
        value = json.loads(bare)
    except ValueError:
        return None
    return None if isinstance(value, dict | list) else (value,)


def _count_tools(match: Match[str], context: StepContext) -> Made:
    number = _NUMBERS.get(match["number"]) or int(match["number"])
    return (claim("path", "tools", count=number),) if context.lists else None


def _tools_listed(match: Match[str], context: StepContext) -> Made:
    names = parse_names(match["items"], context.tools)
    if not context.lists or not names or " or " in match["items"]:
        return None
    if not set(names) <= set(context.tools) and not match["tools"]:
        return None
    return (claim("tools", include=list(names)),)


def _tools_exactly(match: Match[str], context: StepContext) -> Made:
    names = parse_names(match["items"], context.tools)
    is_list = context.lists and names and " or " not in match["items"]
    return (claim("tools", exactly=list(names)),) if is_list else None


def _tools_unlisted(match: Match[str], context: StepContext) -> Made:
    names = parse_names(match["items"], context.tools)
    return (claim("tools", exclude=list(names)),) if context.lists and names else None


def _text_claims(match: Match[str], context: StepContext) -> Made:
    texts = quoted_texts(match["items"])
    if not context.calls or any(is_placeholder(text) for text in texts):
        return None
    return (claim("text", contains=list(texts)),)


def _read_refusal_outcome(match: Match[str], context: StepContext) -> Made:
    is_refusal = re.search(r"\b(?:reject|refuse|den(?:y|ie)|fail)", match[0])
    return _read_error_outcome(match, context) if is_refusal else None


def _not_listed(match: Match[str], context: StepContext) -> Made:
    if match["none"]:
        return (claim("tools", exclude=[match["none"]]),) if context.lists else None
    return _tools_unlisted(match, context)


_NAME = r"`[A-Za-z_][\w.]{0,60}`"
_NAMES = rf"{_NAME}(?:(?:, (?:and )?| and ){_NAME}){{0,20}}"
_TOOL_NAME = r"`?[A-Za-z][\w.-]{0,60}`?"
_TOOL_NAMES = rf"{_TOOL_NAME}(?:(?:, (?:and )?| and | or ){_TOOL_NAME}){{0,40}}"
_PLAIN = r"[A-Za-z_]\w{0,60}"
_IS = rf" (?:{MUST} be|{MUST} equal|is|are|equals) "
_INCLUDES = rf"(?:{MUST} (?:include|contain|return|have|carry|hold)|includes?|contains?|returns?|has|carries)"
_BODY = rf"(?:{ANSWER}|[Tt]he (?:response |result |JSON |returned )?(?:body|JSON|object|payload|envelope))"
_LITERAL = r"(?:`[^`]{1,200}`|\"[^\"`]{0,200}\"|-?[0-9]{1,15}(?:\.[0-9]{1,9})?|true|false|null)"
_IS_LISTED = (
    rf"(?:is|are|{MUST} be) (?:listed|present|available|included|registered|exposed|advertised"
    r"|discoverable|returned)(?: in the (?:tools? )?list)?"
)

OUTCOMES = (
    StepDefinition(
        "api-status",
        compile_pattern(
            rf"(?:(?:{_STATUS_ANSWER} )?{_RETURNS} {_STATUS}{_WHY}|(?:[Rr]eturns|[Rr]esponds with) (?:an? )?{_STATUS.replace('status>', 'bare>')}"
            rf"|(?:[Aa]n? )?{_STATUS.replace('status>', 'first>')} (?:is|{MUST} be) returned"
            rf"|{_STATUS.replace('status>', 'only>')}(?P<dash> (?:—|–|-) \"[^\"]{{1,200}}\")?)"
        ),
        _read_status_outcome,
        "the response status is 404",
        "of a tool's operation: a success, or an error with this number in its text; a success other than "
        "200 is partly bound",
    ),
    StepDefinition(
        "is-refused",
        compile_pattern(
            rf"(?:{_CALL}|{_SERVER} (?:{MUST} )?(?:rejects?|refuses?|denies|deny) (?:it|the (?:call|request|operation)))"
            rf"(?:(?: {MUST} be| is) (?:rejected|refused|denied)| {MUST} fail| fails)?{_WHY}"
        ),
        _read_refusal_outcome,
        "the request is rejected with an error",
        "the answer is an error: an error result, an error of JSON-RPC or a status of failure",
        whole=True,
    ),
    StepDefinition(
        "returns-error",
        compile_pattern(
            rf"(?:(?:{ANSWER}|{_SERVER}|{_CALL}) )?(?:{MUST} (?:return|respond with|fail with|answer with|be)|returns?"
            rf"|responds with|fails with|answers with|is) {_ERROR}{_WHY}"
            rf"|(?:[Aa]n|[Tt]he) {_KINDS.replace('kinds>', 'sorts>')}error(?: (?:response|result|message))? (?:is|{MUST} be) returned"
        ),
        _read_error_outcome,
        'the tool returns an error with message "not found"',
        "the answer is an error of any form; a message in quotes has to be in its text, and a reason in "
        "other words stays pending",
        whole=True,
    ),
    StepDefinition(
        "succeeds",
        compile_pattern(
            rf"(?:{_CALL}|{ANSWER}) (?:succeeds|{MUST} succeed|is accepted|{MUST} be accepted|completes successfully"
            r"|returns successfully|is successful)|(?:[Nn]o error is (?:returned|raised))"
            r"|(?:(?:[Tt]he )?(?:tool|server|it) )?[Rr]eturns (?:an? )?success(?:ful)?(?: (?:response|result))?"
        ),
        _success,
        "the request succeeds",
        "the answer is no error",
    ),
    StepDefinition(
        "members",
        compile_pattern(
            rf"(?:{_BODY} )?{_INCLUDES} (?:an? |the )?(?P<fields>(?:JSON )?(?:object|response|result|fields?|keys?|properties|members)"
            rf"(?: (?:with|containing|including))?(?: (?:the )?(?:fields?|keys?|properties|members))? )?"
            rf"(?:(?:[a-z]+ ){{0,3}}(?!(?:list|array)\b)[a-z]*[a-rt-z] with )?(?P<items>{_NAMES})(?P<after> (?:fields?|keys?|properties|members|values?))?"
        ),
        _fields,
        "the tool returns the created record with `record_id` and `title`",
        "members of these names stand somewhere in the result",
        whole=True,
    ),
    StepDefinition(
        "member-has-value",
        compile_pattern(
            rf"(?:{_BODY} {_INCLUDES} (?:an? |the )?)?`(?P<name>[A-Za-z_]\w{{0,60}}(?:\.[a-z_]\w{{0,60}}){{0,3}})`"
            rf"(?: (?:boolean|string|integer|numeric))?(?: (?:field|key|property|flag|member))?"
            rf"(?: (?:is|{MUST} be|equals|{MUST} equal))? (?:set to|equal to|with(?: the)? value|of|as) (?P<value>{_LITERAL})"
        ),
        _read_value_outcome,
        "the JSON SHALL contain a `success` boolean field set to `true`",
        "a member of this name has this value; every member of the name, if there are several",
        whole=True,
    ),
    StepDefinition(
        "members-with-values",
        compile_pattern(
            rf"{_BODY} {_INCLUDES} (?:an? |the )?(?P<pairs>`[^`]{{3,250}}`(?:(?:, (?:and )?| and )`[^`]{{3,250}}`){{0,10}})"
        ),
        _read_member_values,
        'the response contains `"status": "ok"` and `total=3`',
        "members of these names have these values",
        whole=True,
    ),
    StepDefinition(
        "members-equal",
        compile_pattern(
            r"(?:[Tt]he (?:response|result|response body|body)(?:'s| has| contains|:)? )?"
            rf"(?P<pairs>`{_PLAIN}`{_IS}(?:{_LITERAL}|(?:an )?empty)(?:(?:, (?:and )?| and |; )`{_PLAIN}`{_IS}"
            rf"(?:{_LITERAL}|(?:an )?empty)){{0,10}})(?: (?:list|array))?"
        ),
        _equal_members,
        "`total` is 3, `page` is 1 and `items` is empty",
        "members of these names have these values; an empty member is an empty list",
        whole=True,
    ),
    StepDefinition(
        "message-says",
        compile_pattern(
            rf"(?:{_BODY}|[Tt]he (?:error )?(?:message|text)) {_INCLUDES.replace('|returns?', '')} (?:the )?"
            rf"(?:(?:text|message|string|phrase|words?) )?(?P<items>\"[^\"]{{1,200}}\"(?: and \"[^\"]{{1,200}}\"){{0,5}})"
        ),
        _text_claims,
        'the error message contains "not found"',
        "the text of the answer contains each of these",
        whole=True,
    ),
    StepDefinition(
        "tool-count",
        compile_pattern(
            rf"(?:{_BODY} {_INCLUDES} )?(?:[Ee]xactly )(?P<number>{'|'.join(_NUMBERS)}|[0-9]{{1,3}}) (?:MCP )?tools?"
            rf"(?: {_IS_LISTED})?"
        ),
        _count_tools,
        "the response contains exactly three tools",
        "the list has so many tools",
        whole=True,
    ),
    StepDefinition(
        "exactly-these-tools",
        compile_pattern(
            rf"(?:[Oo]nly|[Ee]xactly)(?: the tools?| these tools?:?)? (?P<items>{_TOOL_NAMES})(?: tools?)? {_IS_LISTED}"
        ),
        _tools_exactly,
        "exactly `schema`, `search` and `fetch` are registered",
        "the list has these tools and no others",
        whole=True,
    ),
    StepDefinition(
        "tools-are-listed",
        compile_pattern(
            rf"(?P<tools>[Tt]he tools? )?(?P<items>{_TOOL_NAMES})(?: tools?)? {_IS_LISTED}"
        ),
        _tools_listed,
        "`schema` and `search` are listed",
        "these tools are listed",
        whole=True,
    ),
    StepDefinition(
        "tools-are-not-listed",
        compile_pattern(
            rf"(?:[Tt]he tools? )?(?P<items>{_TOOL_NAME}(?: or {_TOOL_NAME}| nor {_TOOL_NAME}){{0,10}})(?: tools?)?"
            rf" (?:(?:is|are) not|{MUST} (?:NOT|not) be) (?:listed|present|available|included|registered|exposed|advertised)"
            rf"|[Nn]o (?:MCP )?tool (?:named |called )?`(?P<none>[\w.-]{{1,60}})` (?:is|{MUST} be|appears)"
            r"(?: (?:listed|present|available|registered|exposed))?"
        ),
        _not_listed,
        "the tool `drop_all` is not listed",
        "none of these tools is listed",
        whole=True,
    ),
)
"""Step definitions of outcomes."""
