"""Guesses the assertions of THEN steps that no step definition binds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.openspec.bind.client_actions import Claim
from mcpgen.openspec.lower.step_definitions.call_arguments import read_object
from mcpgen.openspec.lower.step_definitions.step_definition import value

_TO_ANOTHER = re.compile(
    r"\b(?:posts|sends|issues|forwards|calls|writes)\b.{0,200}?\band (?=(?:returns?|responds?|replies|answers)\b)",
    re.DOTALL,
)
"""Words about a request of the server to another program, before the words about the answer."""

_NAMING = re.compile(
    r"\b(?:message|error|text)\b[^`.;]{0,40}\b(?:naming|names|mentioning|mentions)\b"
)
"""Words before a name that stands in the text of an error."""

_RESULT = re.compile(
    r"\b(?:response|result|returns?|returned|reply|answers?|outputs?|body|JSON|payload|error|message"
    r"|tool|server|each|contains?|includes?|equals?)\b|返回|响应|возвра|ответ",
    re.IGNORECASE,
)
"""Words of steps about an answer; a step about a table, a file or a log has others."""

_ELSEWHERE = re.compile(
    r"\b(?:rows?|tables?|columns?|database|commit(?:s|ted)?|logs?|logged|files?|director(?:y|ies)|folder"
    r"|redirect(?:s|ed)?|cookies?|headers?|browser|page|dialog|buttons?|queue|cache|metrics?|spans?)\b"
    r"|файл|таблиц|frontmatter|数据库|日志|调用参数",
    re.IGNORECASE,
)
_MEMBER = re.compile(
    r"(?:^|(?<!configured)(?<!state)(?<!status)(?<!mode)(?<!type)(?<!kind)(?<!value)(?<! by)(?<! per) |\()"
    r"`\"?([a-z_]\w{0,60})\"?(?=`|(?: ?=|:) ?(?:[\"'0-9-]|true\b|false\b|null\b))",
    re.ASCII,
)
"""A name in back-ticks that may be a member; types begin with a capital letter."""

_LITERAL = re.compile(
    r"(?:\"?`?(?: (?:in the (?:response|result|body|answer)|is|are|SHALL be|MUST be|SHALL equal|equals?|equal to|set to|of|with value|containing))*[ :=]+`?)"
    r"(\"[^\"<>{}]{0,200}\"|'[^'<>{}]{0,200}'|-?[0-9]{1,9}(?:\.[0-9]{1,6})?|true|false|null)"
    r"(?!\w|\.\w| (?:or|to|and [0-9]|for|when|if)\b|\+|%|-)"
)
"""A literal value behind the name of a member."""

_CONDITION = re.compile(
    r"\b(?:if|unless|otherwise|optional(?:ly)?|may|where applicable)\b|\bесли\b|如果", re.IGNORECASE
)
"""Words of a result that only some answers have."""

_CLAUSE_END = re.compile(r";\s|；|\s—\s|\.\s+(?=[A-Z])")

_NO_MEMBERS = frozenset({"null", "true", "false", "none", "and", "or", "not"})
"""Names in back-ticks that are values or words."""

_NEGATED = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|only|instead|absent|omits?|unchanged)\b|n't\b|\b(?:не|без)\b|不|未|无",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:is|are|be|gets?) (?:rejected|refused|denied)\b|\b(?:returns?|responds? with|fails? with|raises?"
    r"|receives?) (?:an? |the )?(?:[\w`\"-]+ ){0,3}error\b|\berror (?:is|SHALL be) returned\b"
    r"|\b(?:rejects|refuses|denies) (?:it|the (?:call|request|operation))\b"
    r"|\b(?:status|HTTP|returns?|response is|with)(?: an?| code| status)* `?[45]\d\d\b"
    r"|\b[45]\d\d`? (?:[A-Z][a-z]+`? ){0,3}(?:response|status|error|状态码)|(?:返回|возвращается) ?`?[45]\d\d\b"
    r"|^`?[45]\d\d (?:[A-Z][a-z]+)|возвращает(?:ся)? ошибку|返回.{0,3}错误(?!语义)",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\b(?:status|HTTP|code|returns?|responds|response is|with|an?|be)(?: an?| code| status| with| of| HTTP|:)* "
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
        claims += (claim for claim in _clause_claims(clause, is_only) if claim not in claims)
    yield from claims


def unclaimed_clauses(text: str, *, is_http: bool = False) -> str:
    """Returns the clauses of a THEN without assertions of `guess_claims`."""
    return "; ".join(
        clause
        for clause in _clauses(_TO_ANOTHER.sub("", text))
        if not any(_clause_claims(clause, is_http))
    )


def _clauses(text: str) -> list[str]:
    """Returns the clauses of a step; a separator in back-ticks or quotes ends no clause."""
    masked = re.sub(r"`[^`]*`|\"[^\"]*\"", lambda literal: "_" * len(literal[0]), text)
    starts = [0, *(end.end() for end in _CLAUSE_END.finditer(masked))]
    ends = [*(end.start() for end in _CLAUSE_END.finditer(masked)), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _statuses(text: str) -> set[str]:
    return {next(filter(None, match.groups())) for match in _STATUS.finditer(text)}


def _clause_claims(text: str, has_status: bool) -> Iterator[Claim]:
    """Yields the assertions of a clause; `has_status`: the step names one HTTP status."""
    if _NEGATED.search(text) or _CONDITION.search(text):
        return
    if has_status and (statuses := _statuses(text)):
        yield {"status": int(statuses.pop())}
    elif _REFUSED.search(text):
        yield {"refused": True}
    elif _SUCCEEDS.search(text):
        yield {"refused": False}
    if not _RESULT.search(text) or _ELSEWHERE.search(text):
        return
    plain = re.sub(r"`[^`]*`", "", text)
    quoted = re.findall(r'"([^"<>{}]{1,200})"', plain) + re.findall(r'`"([^"`<>{}]{1,200})"`', text)
    spans = [match.span() for match in _value_spans(text)]
    quoted = [
        words for words in quoted if not any(words in text[start:end] for start, end in spans)
    ]
    if quoted:
        yield {"text": {"contains": quoted}}
    if naming := _NAMING.search(text):
        if names := re.findall(r"`([^`]{1,60})`", text[naming.end() :]):
            yield {"text": {"contains": names}}
        return
    yield from _member_claims(text)


def _value_spans(text: str) -> Iterator[re.Match[str]]:
    """Yields the members with a literal value."""
    for name in _MEMBER.finditer(text):
        if literal := _LITERAL.match(text, name.end(1)):
            yield literal


def _member_claims(text: str) -> Iterator[Claim]:
    """Yields assertions about the members of the result that a clause names, with literal values."""
    written = re.findall(r"`(\{[^`]*\})`", text)
    members = re.findall(
        r"(?:^|,)\s*\"?([A-Za-z_]\w{0,60})\"?\s*(?=[:,]|$)",
        " ".join(literal[1:-1] for literal in written),
        re.ASCII,
    )
    values = {
        name: member
        for literal in written
        for name, member in (read_object(literal.replace("'", '"')) or {}).items()
        if not isinstance(member, dict | list)
    }
    for name in _MEMBER.finditer(text):
        if literal := _LITERAL.match(text, name.end(1)):
            values.setdefault(name[1], value(literal[1].replace("'", '"')))
    names = dict.fromkeys([*members, *(match[1] for match in _MEMBER.finditer(text))])
    for name in (name for name in names if name not in _NO_MEMBERS):
        count = re.search(
            rf"`{name}` (?:contains|has|lists|includes) (?:exactly )?([0-9]{{1,6}}) (?:entries|items|elements|rows|objects)\b",
            text,
        )
        claim = {"equals": values[name]} if name in values else {"present": True}
        claim = {"count": int(count[1])} if count else claim
        yield {"path": f"**.{name}", **claim}
