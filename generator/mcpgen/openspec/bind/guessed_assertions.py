"""Guesses the assertions of THEN steps that no step definition binds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from http import HTTPStatus

from mcpgen.openspec.bind.client_actions import REQUEST, Claim, is_abbreviated, request_path
from mcpgen.openspec.lower.extraction.type_words import TYPES
from mcpgen.openspec.lower.step_definitions.call_arguments import read_object
from mcpgen.openspec.lower.step_definitions.step_definition import value

_TO_ANOTHER = re.compile(
    r"\b(?:posts|sends|issues|forwards|calls|writes)\b.{0,200}?\band (?=(?:returns?|responds?|replies|answers)\b)",
    re.DOTALL,
)
"""Words about a request of the server to another program, before the words about the answer."""

_NAMING = re.compile(
    r"\b(?:message|error|text)\b[^`.;]{0,40}\b(?:naming|names|mentioning|mentions|instruct(?:s|ing)?|tell(?:s|ing)?|suggest(?:s|ing)?)\b"
)
"""Words before a name that stands in the text of an error."""

_RESULT = re.compile(
    r"\b(?:response|result|returns?|returned|reply|answers?|outputs?|body|JSON|payload|error|message"
    r"|tool|server|contains?|includes?|equals?)\b|返回|响应|包含|возвра|ответ",
    re.IGNORECASE,
)
"""Words of steps about an answer; a step about a table, a file or a log has others."""

_ELSEWHERE = re.compile(
    r"\b(?:rows?|tables?|columns?|database|commit(?:s|ted)?|logs?|logged|files?|director(?:y|ies)|folder"
    r"|redirect(?:s|ed)?|cookies?|headers?|browser|page|dialog|buttons?|queue|cache|metrics?|spans?)\b"
    r"|файл|таблиц|frontmatter|数据库|日志|调用参数",
    re.IGNORECASE,
)
_OF_REQUEST = re.compile(
    r"(?:(?:the|an?|each|every) )?(?:[\w-]+ ){0,2}(?:requests?|quer(?:y|ies)|prompts?|webhooks?|emails?|events?|jobs?)"
    r"(?: (?:body|payload|headers?|URL))?(?:'s)? (?:SHALL |MUST )?(?:includes?|contains?|carr(?:y|ies)|has|have|uses?)\b"
    r"|запрос (?:содержит|включает)|请求|上传",
    re.IGNORECASE,
)
"""Words at the start of a clause about a request or a message of the server, in place of the answer."""

_SENDS = re.compile(
    r"(?:and )?(?:(?:it|(?:the|this) (?:[\w-]+ ){0,2}(?:server|tool|library|adapter|system|service|handler|wrapper|bridge)) )?"
    r"(?:(?:SHALL|MUST|shall|must|will) )?(?:sends?|calls?|issues?|makes?|invokes?|performs?)"
    r"(?: (?P<once>exactly one|only one|a single|one)| an?| the)?(?: (?:HTTP|single|request|to))* ?`?$",
)
"""Words of the server before a request to its upstream."""

_PATH_PLACEHOLDER = re.compile(r"(?<=/)(?:\{[^{}/]*\}|<[^<>/]*>|:\w+)(?=/|$)")

_OWN_MEMBER = re.compile(
    r"(?:and )?(?:(?:the|its) )?`([a-z_]\w{0,60})`(?: (?:field|member|value))? (?:is|SHALL be|MUST be|equals) "
    r"`?(?:[\"'0-9-]|true\b|false\b|null\b)",
    re.IGNORECASE | re.ASCII,
)
"""A clause whose subject is a member with a literal value."""

_IN_RESULT = re.compile(
    r"`([A-Za-z][\w.-]{2,60})` (?:is included|is present|appears|is listed) in (?:the |its )?(?:search )?(?:results?|response|output|answer)"
)
"""A name that stands in the text of an answer."""

_ALTERNATIVES = re.compile(
    r"` ?(?:or|или|/) ?`|`或`|\(or\b|\b(?:either|one of|any of)\b|由.{0,80}组成|\bor an? (?:[\w-]+ ){0,3}error\b"
)
"""Words between names of which an answer has only one."""

_STATUS_ALTERNATIVES = re.compile(
    r"\b([1-5])\d\d\b`?(?: [A-Z]\w+){0,3}`?(?: or | или |或| ?/ ?)`?(?:HTTP )?([1-5])\d\d\b"
)
"""Several statuses of which an answer has one, by the first digit."""

_LIST_INCLUDES = re.compile(
    r"(?:the )?`tools/list`(?: response| result)? (?:(?:SHALL|MUST) )?(?:includes?|contains?|lists?|shows?|advertises?) "
    r"((?:(?:the )?`[A-Za-z][\w.-]*`(?:,? and |, )?)+)"
)
"""Names of tools in the list."""

_FIELDS = (
    re.compile(
        r"\b(?:fields|properties|keys|members)(?: \(|: ?)([a-z_]\w*(?:, (?:and )?[a-z_]\w*)+)(?=\)|$)"
    ),
    re.compile(
        r"\b(?:includes?|contains?|has|with) (?:the )?([a-z_]\w*(?:, [a-z_]\w*)+,? and [a-z_]\w*) "
        r"(?:fields|properties|keys|members)\b"
    ),
)
"""A list of members without back-ticks."""

_HEADER = re.compile(
    r"`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+)(?:`(?=(?: response)? headers?\b)|: ?([^`]{1,200})`)"
)
"""A header in back-ticks, with its value or before the word header."""

_MEMBER = re.compile(
    r"(?:^|(?<!configured)(?<!state)(?<!status)(?<!mode)(?<!type)(?<!kind)(?<!value)(?<! by)(?<! per) |[(（、，：]"
    r"|(?<=[\u4e00-\u9fff]))"
    r"`(?:(?=\"?\w+\"?(?: ?=|:) ?(?:[\"'0-9-]|true\b|false\b|null\b|\[\]|\{\}))|(?=\w+`(?! ?(?:参数|parameter\b|argument\b|param\b))))\"?([a-z_]\w{0,60})",
    re.ASCII,
)
"""A name in back-ticks that may be a member; types begin with a capital letter."""

_LITERAL = re.compile(
    r"(?:\"?`?(?: (?:boolean|string|integer|number) (?:field|member|property|flag)(?= (?:set|equal)))?(?: (?:in the (?:response|result|body|answer)|is|are|SHALL be|MUST be|SHALL equal|equals?|equal to|set to|of|with value|containing))*[ :=]+`?)"
    r"(\"[^\"<>{}]{0,200}\"|'[^'<>{}]{0,200}'|-?[0-9]{1,9}(?:\.[0-9]{1,6})?|true|false|null|\[\]|\{\})"
    r"(?!\w|\.\w| (?:or|to|and [0-9]|for|when|if)\b|\+|%|-)"
)
"""A literal value behind the name of a member."""

_TYPE = re.compile(
    r"\"?`(?: ?\(| (?:(?:field )?(?:(?:is|SHALL be|MUST be|as) )?an? )?)(?P<empty>empty )?(?:non-empty )?"
    rf"(?P<type>{'|'.join(word for word in TYPES if word != 'text')})\b(?P<null>(?: or |\|| \| )(?:null|None)\b)?"
    r"(?! ?(?:or|\|)\b| (?:items?|entries|elements|values?)\b)",
)
"""A type, and whether the value is an empty array, behind the name of a member. The word text
stands also behind names that are no members ("the `error` text is stored")."""

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_COUNT = re.compile(
    r"\"?`(?: (?:array|list))? (?:contains|containing|has|lists|includes|with|of) (?:exactly )?"
    rf"(?P<count>[0-9]{{1,6}}|{'|'.join(_NUMBERS)}) (?:[\w-]+ ){{0,3}}?"
    r"(?:entry|entries|items?|elements?|rows?|objects?)\b(?! (?:per|for (?:each|every))\b)"
)
"""The number of elements behind the name of a member."""

_EMPTY_BEFORE = re.compile(r"\bempty `\"?$")

_CONDITION = re.compile(
    r"\b(?:if|unless|otherwise|once|optional(?:ly)?|may|where applicable|если|может|могут)\b|如果|可以|可能",
    re.IGNORECASE,
)
"""Words of a result that only some answers have."""

_ASIDE = re.compile(r"\s?[(（][^()（）]*[)）]")
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|i\.e\.|such as|for example|for instance|because|since|previously|rather than|instead of)|(?:例|比)?如(?!果|何)|например|потому",
    re.IGNORECASE,
)
"""Words before names that are only an example, a reason, or what is not the case."""

_BOUNDARY = re.compile(r"[,，、] ?|\s(?:and|but|while|with|и|но)\s|[并且但]|;")
"""The end of a part of a clause; a negation behind says nothing about the part."""

_ABSENT = re.compile(
    r"\b(?:does|do|SHALL|MUST|shall|must|will) (?:not|NOT) (?:include|contain|have|expose|return|carry)(?: any| an?| the)? "
    r"(`[A-Za-z_]\w{0,60}`(?:(?:, (?:or |nor )?| or | nor )`[A-Za-z_]\w{0,60}`){0,8})(?: (?:fields?|members?|keys?|propert(?:y|ies)))?"
    r"(?=[,.;)]|$)",
    re.ASCII,
)
"""Members that an answer does not have."""

_FAILS = re.compile(
    r"\b(?:error\w*|fail\w*|reject\w*|den(?:y|ies|ied)|refus\w*|invalid|not found|unknown|missing|non-?exist\w*"
    r"|does(?: not|n't) exist|doesn't|unable|cannot|can't|unavailable|unreachable|expired|forbidden|unauthori[sz]ed|unauthenticated"
    r"|[45]\d\d|[45]xx|time(?:s|d)? ?out|exceed\w*|malformed|conflict\w*|warning|blocked|revoked|disabled|down|offline"
    r"|crash\w*|throttl\w*|abort\w*|exception|redirect\w*|unsupported|undefined|wrong|bad|corrupt\w*|outside)\b"
    r"|ошиб|невалид|неверн|недоступ|отказ|несуществ|отсутств|不存在|错误|无效|失败|拒绝|不合法",
    re.IGNORECASE,
)
"""Words of a scenario whose answer may be an error."""

_RETURNS = re.compile(
    r"(?:and )?(?:(?:it|(?:the |this )?(?:(?:MCP|tool|API|HTTP|REST|same|returned|JSON) ){0,2}(?:server|tool|system|service|API|endpoint"
    r"|backend|call|request|response|result|output|answer|reply)|`[a-z]\w*` tool) )?(?:(?:SHALL|MUST|shall|must|will) )?"
    r"(?:returns?|responds? with|answers? with|replies with)\b"
    r"|(?:[\w`'-]+ ){1,8}(?:is|are|SHALL be|MUST be) returned\b"
    r"|(?:the |each |every )?(?:(?:tool|API|search|JSON|HTTP|returned) )*(?:response|result|output|answer|reply)s?(?: body| list| payload)?"
    r" (?:(?:SHALL|MUST) )?(?:includes?|contains?|lists?|has|have|shows?)\b"
    r"|(?:API|сервер|система|инструмент|tool)? ?(?:SHALL |MUST )?(?:возвращает(?:ся)?|возвращаются|вернуть) |(?:系统|接口|工具)? ?(?:SHALL |MUST )?返回",
    re.IGNORECASE,
)
"""A step whose subject gives an answer."""

_CLAUSE_END = re.compile(r";\s|；|\s—\s|\.\s+(?=[A-Z])")

_NO_MEMBERS = frozenset({"null", "true", "false", "none", "and", "or", "not"})
"""Names in back-ticks that are values or words."""


def _words(text: str) -> frozenset[str]:
    """Returns the words of a text in lower case, without the ending `'s`."""
    return frozenset(re.findall(r"\w+", re.sub(r"['’]s\b", "", text.lower())))


_ANSWER_WORDS = _words("""
    a also an and answer answers api are as at be body both by call carries carry contain containing contains
    client endpoint entries entry equal equals field fields following gives has have http in include included
    includes is it its item items json key keys list listing lists mcp member members mention mentioning
    mentions message must name named names naming object objects of on output payload present properties
    property replies reply request respond responds response result results return returned returning returns
    server service set shall show shows status structured structuredContent system text that the then this to
    tool top level value values was were will with
    """)
"""Words that say no more than that the answer has the names and values of the assertions."""

_SUCCESS_WORDS = _words("2xx 200 201 202 204 ok success successful successfully succeed succeeds")
_FAILURE_WORDS = _words(
    "code error errors fail failed failing fails isError raises refused refuses reject rejected rejects true"
)
_ABSENCE_WORDS = _words("any do does no nor not or")
_TYPE_WORDS = _words(f"{' '.join(TYPES)} or none")
_EMPTY_WORDS = _words("empty array list zero")
_COUNT_WORDS = _words("array list exactly entry element elements row rows")
_STATUS_WORDS = _words(" ".join(["code", *(status.phrase for status in HTTPStatus)]))

_NEGATED = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|only|instead|absent|omits?|unchanged)\b|n't\b|\b(?:не|без)\b|不|未|无",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:is|are|be|gets?) (?:rejected|refused|denied)\b|\b(?:returns?|responds? with|fails? with|raises?"
    r"|receives?) (?:an? |the )?(?:[\w`\"-]+ ){0,5}error\b|\berror (?:is|SHALL be) returned\b"
    r"|\b(?:rejects|refuses|denies) (?:it|the (?:call|request|operation))\b"
    r"|\b(?:status|HTTP|returns?|response is|with)(?: an?| code| status)* `?[45]\d\d\b"
    r"|\b[45](?:xx|XX)\b|\b[45]\d\d`? (?:[A-Z][a-z]+`? ){0,3}(?:response|status|error|状态码)|(?:返回|возвращается) ?`?[45]\d\d\b"
    r"|^`?[45]\d\d (?:[A-Z][a-z]+)|возвращает(?:ся)? ошибку|返回.{0,3}错误(?!语义)",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\b(?:status|HTTP|code|returns?|responds|response is|with|an?|be)(?: an?| is| code| status| with| of| HTTP|:)* "
    r"`{0,2}([1-5][0-9][0-9])\b(?! ?(?:ms|seconds|items|rows|entries|characters|bytes|%))"
    r"|(?:返回|возвращается|ответ|возвращает) ?(?:HTTP )?`?([1-5][0-9][0-9])\b|^`?([1-5][0-9][0-9])(?: [A-Z][a-z]+)",
    re.IGNORECASE,
)
_SUCCEEDS = re.compile(
    r"\b(?:status|HTTP|returns?|response is|with|an?)(?: an?| code| status)* `?2\d\d\b|\bsucceeds\b"
    r"|\b2\d\d`? (?:response|status|状态码)|(?:返回|возвращается) ?`?2\d\d\b",
    re.IGNORECASE,
)


def guess_claims(text: str, *, is_http: bool = False) -> Iterator[Claim]:
    """Yields assertions about words of a THEN: an error, quoted texts, names in back-ticks.

    `is_http`: the action is an HTTP request, so a status is the status of its answer.
    """
    text = _TO_ANOTHER.sub("", text)
    statuses = _statuses(text)
    claims: list[Claim] = []
    for clause in _clauses(text):
        is_only = is_http and len(statuses) == 1
        guessed = _clause_claims(clause, is_only, is_http)
        claims += (claim for claim in guessed if claim not in claims)
    yield from claims


def unchecked_clauses(text: str, claims: Sequence[Claim]) -> str:
    """Returns the clauses of a THEN that say more than the assertions `claims`.

    A word is shown if an assertion has the word, or if the word only says that there is an answer.
    """
    shown = " ".join(json.dumps(claim, ensure_ascii=False) for claim in claims)
    # `\b` of a regular expression is no part of the word behind.
    words = _ANSWER_WORDS | _words(shown.replace(r"\\b", " "))
    if {"refused": False} in claims:
        words |= _SUCCESS_WORDS
    if {"refused": True} in claims:
        words |= _FAILURE_WORDS
    if any("status" in claim for claim in claims):
        words |= _STATUS_WORDS
    if any("absent" in claim for claim in claims):
        words |= _ABSENCE_WORDS
    if any("type" in claim for claim in claims):
        words |= _TYPE_WORDS
    counts = {claim["count"] for claim in claims if "count" in claim}
    if 0 in counts:
        words |= _EMPTY_WORDS
    if counts - {0}:
        words |= _COUNT_WORDS | {word for word, number in _NUMBERS.items() if number in counts}
    return "; ".join(
        clause
        for clause in _clauses(_TO_ANOTHER.sub("", text))
        if not words.issuperset(_words(clause))
    )


def may_fail(texts: Iterable[str]) -> bool:
    """Returns whether the words of a scenario leave room for an error as the answer."""
    return any(_FAILS.search(text) for text in texts)


def gives_answer(text: str) -> bool:
    """Returns whether a THEN says that the tool or the server answers with something."""
    match = _RETURNS.match(text)
    words = match[0] if match else ""
    return bool(words) and not _NEGATED.search(words.replace("only ", "").replace("Only ", ""))


def _masked(text: str) -> str:
    """Returns the text with `_` in place of all characters in back-ticks or quotes."""
    return re.sub(r"`[^`]*`|\"[^\"]*\"", lambda literal: "_" * len(literal[0]), text)


def _clauses(text: str) -> list[str]:
    """Returns the clauses of a step; a separator in back-ticks or quotes ends no clause."""
    separators = [*_CLAUSE_END.finditer(_masked(text))]
    starts = [0, *(separator.end() for separator in separators)]
    ends = [*(separator.start() for separator in separators), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _affirmed(text: str) -> str:
    """Returns the part of a clause before its first negation or example.

    Leaves out parentheses with a negation or an example.
    """
    affirmed, at = "", 0
    for aside in _ASIDE.finditer(_masked(text)):
        if _NEGATED.search(aside[0]) or _EXAMPLE.search(aside[0]):
            affirmed += text[at : aside.start()]
            at = aside.end()
    affirmed += text[at:]
    masked = _masked(affirmed)
    if example := _EXAMPLE.search(masked):
        affirmed, masked = affirmed[: example.start()], masked[: example.start()]
    negation = _NEGATED.search(masked)
    if not negation:
        return affirmed
    ends = [end.start() for end in _BOUNDARY.finditer(masked[: negation.start()])]
    return affirmed[: ends[-1]] if ends else ""


def _statuses(text: str) -> set[str]:
    return {next(filter(None, match.groups())) for match in _STATUS.finditer(text)}


def _clause_claims(clause: str, is_only_status: bool, is_http: bool) -> Iterator[Claim]:
    """Yields the assertions of a clause; `is_only_status`: an HTTP answer, and the step names one status."""
    masked = _masked(clause)
    if _CONDITION.search(masked):
        return
    text = _affirmed(clause)
    if several := _STATUS_ALTERNATIVES.search(text):
        classes = {several[1], several[2]}
        if classes <= {"2"} or classes <= {"4", "5"}:
            yield {"refused": classes != {"2"}}
        return
    if re.search(r"\bor an? (?:[\w-]+ ){0,3}error\b", text):
        return
    if is_only_status and (statuses := _statuses(text)):
        yield {"status": int(statuses.pop())}
    elif _REFUSED.search(text):
        yield {"refused": True}
    elif _SUCCEEDS.search(text):
        yield {"refused": False}
    if included := _LIST_INCLUDES.match(text):
        names = re.findall(r"`([A-Za-z][\w.-]*)`", included[1])
        yield {"tools": {"include": names}}
        return
    if requests := [*REQUEST.finditer(text)]:
        # The members of the clause are those of the request, not of the answer.
        yield from _upstream_claims(requests, text)
        return
    if is_http and not _OF_REQUEST.match(text):
        yield from _header_claims(text)
    is_result = _RESULT.search(text) or _OWN_MEMBER.match(text)
    if result_name := _IN_RESULT.match(text):
        yield {"text": {"contains": [result_name[1]]}}
        return
    if _ELSEWHERE.search(masked) or _OF_REQUEST.match(clause):
        return
    if _RESULT.search(masked):
        yield from _absence_claims(clause)
    if not is_result:
        return
    plain = re.sub(r"`[^`]*`", "", text)
    quoted = re.findall(r'"([^"<>{}]{1,200})"', plain) + re.findall(r'`"([^"`<>{}]{1,200})"`', text)
    spans = [literal.span() for _, literal in _members_with_literal(text)]
    quoted = [
        words for words in quoted if not any(words in text[start:end] for start, end in spans)
    ]
    if _ALTERNATIVES.search(text):
        return
    if quoted:
        yield {"text": {"contains": quoted}}
    if naming := _NAMING.search(text):
        if names := re.findall(r"`([^`]{1,60})`", text[naming.end() :]):
            yield {"text": {"contains": names}}
        return
    yield from _member_claims(text)


def _upstream_claims(requests: Sequence[re.Match[str]], text: str) -> Iterator[Claim]:
    """Yields the assertion about the request that the server sends; a placeholder is any segment."""
    request = requests[0]
    sends = _SENDS.match(text[: request.start()])
    path = _PATH_PLACEHOLDER.sub("*", request_path(request)) or "/"
    if (
        sends is None
        or is_abbreviated(request)
        or re.search(r"[<>{}…#]|TODO|/[^/]+\*|\*[^/]", path)
    ):
        return
    count = {"count": 1} if sends["once"] and len(requests) == 1 else {"at_least": 1}
    yield {"upstream": {"method": request[1], "path": path, **count}}


def _header_claims(text: str) -> Iterator[Claim]:
    """Yields assertions about the headers that a clause names; a placeholder in a value is no value."""
    for header in _HEADER.finditer(text):
        content = header[2] or ""
        is_value = content and not re.search(r"[<>{}*]|\.\.\.|…", content)
        yield {"header": header[1], **({"contains": content} if is_value else {"present": True})}


def _absence_claims(text: str) -> Iterator[Claim]:
    for absent in _ABSENT.finditer(text):
        for name in re.findall(r"`(\w+)`", absent[1]):
            yield {"path": f"**.{name}", "absent": True}


def _members_with_literal(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yields the names of members with a literal value, each with the match of the value."""
    for name in _MEMBER.finditer(text):
        if literal := _LITERAL.match(text, name.end(1)):
            yield name[1], literal


def _member_claims(text: str) -> Iterator[Claim]:
    """Yields assertions about the members of the result that a clause names, with literal values."""
    objects = re.findall(r"`(\{[^`]*\})`", text)
    members = re.findall(
        r"(?:^|,)\s*\"?([A-Za-z_]\w{0,60})\"?\s*(?=[:,]|$)",
        " ".join(literal[1:-1] for literal in objects),
        re.ASCII,
    )
    values = {
        name: member
        for literal in objects
        for name, member in (read_object(literal.replace("'", '"')) or {}).items()
        if not isinstance(member, dict | list)
    }
    for member, literal in _members_with_literal(text):
        values.setdefault(member, value(literal[1].replace("'", '"')))
    bare = [
        name
        for pattern in _FIELDS
        for field_list in pattern.findall(text)
        for name in re.findall(r"\w+", field_list)
    ]
    named = [*_MEMBER.finditer(text)]
    described = {match[1]: _description_claim(text, match) for match in named}
    names = dict.fromkeys([*members, *bare, *(match[1] for match in named)])
    for name in (name for name in names if name not in _NO_MEMBERS):
        claim = described.get(name) or {"present": True}
        yield {"path": f"**.{name}", **({"equals": values[name]} if name in values else claim)}


def _description_claim(text: str, name: re.Match[str]) -> Claim:
    """Returns the claim about the number of elements or the type of a member; `{}` without one.

    Example: "`rows` (list | null)" gives `{"type": ["array", "null"]}`.
    """
    if count := _COUNT.match(text, name.end(1)):
        return {"count": _NUMBERS.get(count["count"]) or int(count["count"])}
    match = _TYPE.match(text, name.end(1))
    if match is None:
        return {}
    kind = TYPES[match["type"]]
    is_empty = match["empty"] or _EMPTY_BEFORE.search(text, 0, name.start(1))
    if is_empty:
        return {"count": 0} if kind in ("array", "object") and not match["null"] else {}
    return {"type": [kind, "null"] if match["null"] else kind}
