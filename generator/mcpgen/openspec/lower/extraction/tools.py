"""Extracts tool names: exact lists, forbidden names, and names that the text calls tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mcpgen.openspec.lower.extraction.calls import (
    NAME,
    SHALL,
    SHALL_NOT,
    SNAKE,
    names_in,
    parse_name_list,
)
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence
from mcpgen.openspec.model.requirements import Role

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_LISTING = re.compile(
    r"\btools/list\b|\b(?:tools?|read) surface\b|\blists? (?:MCP )?tools\b|\btool list\b"
)
_EXACTLY = re.compile(
    rf"\b(?i:exactly)\b(?: these| the following| the)?(?: (?:\d+|{'|'.join(NUMBERS)}))?"
    r"(?:(?: MCP)? tools)?:?"
)
_COUNTED = re.compile(
    rf"{SHALL} (?:expose|register|provide|offer|list|contain)\w* (?:the |exactly )?"
    rf"(\d{{1,2}}|{'|'.join(NUMBERS)})(?: MCP)? tools:?"
)
_FORBIDDEN = re.compile(
    rf"(?:{SHALL_NOT}) (?:include|list|contain|expose|advertise|offer|register)\b([^;:]*)"
)
_PHRASE = re.compile(r"\b(?:any|an?) ([a-z][a-z /-]*? tools?)\b")
_OTHER_LIST = re.compile(rf"{SHALL_NOT}|\bstructuredContent\b|\bfields?\b|\barguments?\b|\bkeys?\b")
"""Words before `exactly` that mark a list of other things or a forbidden list."""

_COMMANDS = re.compile(r"\b(?:sub)?commands\b")
_MCP = re.compile(
    r"(?<![a-z0-9_])mcp(?![a-z0-9_])|\bmodel context protocol\b|\btools/(?:list|call)\b",
    re.IGNORECASE,
)
"""Words of a text about an MCP server; a Chinese text has no spaces around `MCP`."""

_OWN = re.compile(rf"{_MCP.pattern}|\bserver\b.{{0,80}}\btools?\b", re.IGNORECASE)
"""Words of a sentence about the tools of a server."""

_CAMEL = r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"
_WORD = r"[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*"
"""A name that every host accepts: a dot marks a method of the described program."""

_KEBAB = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"
_LOWER = r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*"
_TICKED = rf"`({_WORD})(?:\([^`]*\))?`"
_BARE = rf"({SNAKE}|{_CAMEL})"
_KINDS = r"(?:MCP|mcp|JSON-RPC|curl|read|read-only|write|new|existing|debug)"
_EXPOSE = r"(?:expos|provid|register|offer|implement|publish|includ|support|add|contain|list|return|receiv)\w*"
_NO_TOOL = (
    r"(?:(?:MCP |async |helper |class |static )?(?:functions?|methods?|commands?|subcommands?|prompts?"
    r"|resources?|fields?|columns?|tables?|events?|hooks?|endpoints?|parameters?|arguments?|options?"
    r"|flags?|modules?|packages?|class(?:es)?|structs?|traits?|interfaces?|helpers?|scripts?|skills?"
    r"|files?|variables?|propert(?:y|ies)|keys?|values?|status|states?|errors?|codes?|types?|enums?"
    r"|crates?|jobs?|messages?|notifications?|requests?|ports?|adapters?|services?|agents?|hints?"
    r"|capabilit(?:y|ies)|strings?)\b"
    r"(?! tools?\b))"
)

_STATED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{SHALL} (?:\w+ )?{_EXPOSE} (?:an? |the |both |its )?(?:{_KINDS} )*{_TICKED} "
        rf"(?:{_KINDS} )*tools?\b",
        rf"\bMCP tools? {_TICKED}",
        rf"{_TICKED} MCP tools?\b",
        rf"\bMCP tools? (?:named |called )?{_BARE}\b(?!\()",
        rf"{_TICKED} [^`.]{{0,60}}\bas an? MCP tool\b",
        rf"\btools/call`? (?:requests? |messages? )?(?:for|of|to) (?:the )?(?:tool )?`({NAME})`",
    )
)
"""Sentences that state a tool in any text."""

_TOLD = tuple(
    re.compile(pattern)
    for pattern in (
        rf"`({NAME})(?:\([^`]*\))?` (?:{_KINDS} )*tool\b(?!(?: list| surface| name| events?|-))",
        rf"(?<!\ba )(?<!\ban )\btools? (?:named |called )?`({NAME})(?:\([^`]*\))?`",
        rf"{SHALL} (?:\w+ )?{_EXPOSE} an? (?:{_KINDS} )*tool (?:named |called )?{_TICKED}",
        rf"{SHALL} (?:\w+ )?(?:expose|provide|register|offer) (?:an? |the )?`({_LOWER}(?=`)|{SNAKE})(?:\([^`]*\))?`"
        rf"(?=$|[,.;(]| \(| (?:that|which|to|for|with|plus|returning|accepting|taking)\b)",
        rf"\btool (?:named |called )?{_BARE}\b(?![(.])",
        rf"(?<![\w`./]){_BARE} tool\b(?!(?: list| surface| name|-))",
        rf"{_TICKED} (?:is|are) annotated\b",
        rf"`({_WORD})` SHALL accept `\{{",
        rf"\btool: {_TICKED}",
        rf"`({SNAKE})\(\{{[^`]*\}}\)`",
        rf"\bMCP `({SNAKE})(?:\([^`]*\))?`(?! {_NO_TOOL})",
        rf"`({NAME})(?:\([^`]*\))?` ?工具",
        rf"工具 ?`({NAME})(?:\([^`]*\))?`",
    )
)
"""Sentences that state a tool in a text about MCP."""

_CALLER = (
    r"(?:[Cc]lients?|[Aa]gents?|[Mm]odels?|LLMs?|[Cc]allers?|[Uu]sers?|hosts?|assistants?|AI|Claude|session|somebody"
    r"|someone|consumer|клиент|агент)"
)
_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_CALLER}\b(?:[^`.;]|`[^`]*`){{0,80}}\b(?:calls?|invokes?|calling|invoking|вызывает) "
        rf"(?:the )?(?:MCP )?(?:tool )?`({NAME})(?:\([^`]*\))?`(?! {_NO_TOOL})",
        rf"^(?:the )?(?:tool )?`({SNAKE}|{_KEBAB})(?:\([^`]+\))?` (?:tool )?(?:is|are) (?:called|invoked)\b",
        rf"^(?:the )?`({SNAKE})` (?:runs|is run|receives|is given)\b",
        rf"(?:客户端|客戶端|用户|使用者|模型|{_CALLER}) ?(?:[^`。；]|`[^`]*`){{0,40}}(?:调用|調用|呼叫) ?`({SNAKE})(?:\([^`]*\))?`",
        rf"\b{_CALLER}\b[^`.;]{{0,60}}\b(?:calls|invokes) ({SNAKE})\b(?!\()",
        rf"^(?:WHEN )?(?:the )?({SNAKE}) is (?:called|invoked)\b",
        rf"^(?:calling|invoking) `?({SNAKE})`?(?= |$)",
        rf"`({SNAKE})(?:\([^`]+\))?` (?:is|was|are|has been) (?:called|invoked|executed)\b",
    )
)
"""Steps of a scenario in which a client calls a tool."""

_OTHER_CALL = re.compile(rf"(?:,? \(?(?:or|and) |, |/)`({SNAKE})(?:\([^`]*\))?`")
"""A further tool in a list of called tools."""

_BEGINS = re.compile(
    rf"^(?:The )?`({SNAKE})(?:\([^`]*\))?` {SHALL} (?:return|accept|list|create|delete|update|search|take|get"
    r"|fetch|support|be callable|require|expose|provide|run|execute|report|respond|reject|validate)\b"
)
"""Sentences about the behavior of a tool, in a text about MCP."""

_INTRODUCTION = re.compile(r"\b[Tt]ools\b[^.]*:$")
_LISTED = re.compile(
    rf"^(?:`({_WORD})(?:\([^`]*\))?`|({SNAKE})(?:\([^)]*\))?)(?: tool)?\s*(?:$|[:—–(,-]|that\b|to\b|SHALL\b|-)"
)
_HEAD_ROW = re.compile(r"^\| ?(?:MCP )?(?:tools?(?: name)?|工具(?:名称)?) ?\|", re.IGNORECASE)
_TABLE_ROW = re.compile(rf"^\| ?(?:`({_WORD})(?:\([^`]*\))?`|({SNAKE})) ?\|")
_ENUMERATION = re.compile(
    rf"\btools\b[^`:.—]{{0,120}}?(?:[:—–]|--|\bare\b|\bof\b|\()\s*|\bat (?:minimum|least):\s*"
    rf"|\b(?P<verb>{_EXPOSE}) (?:at (?:least|minimum)[: ]*|the |these )?(?=`)"
    r"|\btools\b[^`:.—]{0,120}(?=\(`)|\btools (?=`)|工具[^`：:。]{0,40}[：:]\s*(?=`)"
)
_DEMAND = re.compile(rf"{SHALL} (?:\w+ )?$")
_MEMBER = re.compile(
    rf"(?:^|[,;/(、，…]|\band\b|\bor\b|[:—–]|\bplus\b|[与與和及])\s*`({_WORD})(?:\([^`]*\)(?: -> [^`]*)?)?`(?!(?:\s{_NO_TOOL}|:))"
)
_LIST_OF_TOOLS = re.compile(
    rf"\b{_EXPOSE} (?:the )?((?:{_TICKED}(?:, and |, | and | or |/)){{1,20}}{_TICKED}) "
    rf"(?:{_KINDS} )*tools\b"
    rf"|((?:{_TICKED} ?[、，,与與和及] ?){{1,20}}{_TICKED}) ?[\d一二三四五六七八九十两兩]*[个個]?(?:MCP )?工具"
)
_END_OF_LIST = re.compile(rf"\. |\b{SHALL}\b")
_ASIDE = re.compile(r"(?<=`) \((?!`)[^()]*\)")
"""A remark in brackets behind a name; names in the remark are arguments."""

_BARE_TOOLS = re.compile(
    r"\btools (?:are available|are listed|are registered|include)?:? ?(?=[a-z])"
)
_HEADING = re.compile(
    rf"^(?:{_KINDS} )*[Tt]ool(?:(?::| [-—–]) `?({_WORD})| `?({SNAKE}|{_CAMEL}|(?<=`){_WORD}(?=`)))"
    r"`?(?:\(.*\))?$"
    rf"|^`?({SNAKE}|{_CAMEL}|(?<=`){_WORD}(?=`))`?(?:\(.*\))? (?:{_KINDS} )*[Tt]ool\b"
)
_NEGATED = re.compile(
    rf"{SHALL_NOT}|\b(?:does|do|is|are) NOT\b|\b(?:no longer|legacy|deprecated|removed|renamed|obsolete|formerly|instead of"
    r"|same as old|does not|do not|is not|are not)\b|禁止|不得|不应"
)
_OTHER_THINGS = (
    re.compile(
        rf"((?:`{NAME}(?:\([^`]*\))?`(?:, and |, or |, | and | or )){{0,20}}`{NAME}(?:\([^`]*\))?`) {_NO_TOOL}"
    ),
    re.compile(rf"\b{_NO_TOOL} (`{NAME}(?:\([^`]*\))?`)"),
    re.compile(
        rf"(`{NAME}\((?:[A-Za-z_]\w*, )+(?:\w+=|\{{)[^`]*\)`|`{NAME}\([^`]*\b\w+=(?!true\b|false\b|null\b|True\b|False\b|None\b)[A-Za-z_]\w*[,)][^`]*`)"
    ),
)
"""Names of functions, commands, fields and the like; the last is a call in code: `run(suite, log=out)`."""

_CALLED_NAME = re.compile(rf"`({NAME})[`(]")
_MCP_OR_EXPOSE = re.compile(rf"{_MCP.pattern}|{SHALL}|\b{_EXPOSE}\b")
_EXAMPLE = re.compile(r"(?:\be\.?g\.?,?|\bsuch as|\bfor example,?|\blike)\s*\(?$")
_NO_NAME = re.compile(
    r"\b(?:[Nn]o|nor|[Nn]either)(?: [\w/-]+){0,2}(?: ?`[^`]*`?(?:,|,? (?:or|and|nor)| /)?){0,9} ?$"
)
_SUBAGENT = r"\b[Ss]ub-?[Aa]gents?\b"
_OF_SUBAGENT = re.compile(
    rf"{_SUBAGENT}(?:'s)?(?: \([^)]*\))? (?:(?:[\w-]+ ){{0,2}}[Tt]ools?\b|(?:that |which )?(?:{SHALL}|MAY|may|can|has|have|is"
    r"|are|gets?|receives?|invokes?|calls?|uses?|executes?|runs?|attempts?|requests?)\b)"
    r"|\b(?:dis)?allowed[-_ ]?[Tt]ools\b"
)
"""Words before a name that is a tool of a model in the described program."""

_TO_SUBAGENT = re.compile(
    rf"`[^.;]{{0,60}}?\btools? (?:\w+ )?(?:to|for|of) (?:[\w'-]+ ){{0,3}}(?:{_SUBAGENT}|[A-Z]\w*Agent\b)"
)
"""The same words behind a name."""

_OF_SERVER = re.compile(rf"\bserver {SHALL}\b|{SHALL} (?:\w+ )?{_EXPOSE} [^.;]*\bMCP tools?\b")
_PROGRAM_CALLS = re.compile(
    r"\b(?:calls?|invokes?|executes?|dispatches) (?:the |an? )?(?:MCP )?(?:tool )?$"
)
"""Words in a THEN before a tool that the described program calls itself."""

_HOST_TOOLS = frozenset(
    [
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "Edit",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillShell",
        "LS",
        "MultiEdit",
        "NotebookEdit",
        "NotebookRead",
        "Read",
        "Skill",
        "SlashCommand",
        "Task",
        "TodoRead",
        "TodoWrite",
        "WebFetch",
        "WebSearch",
        "Write",
    ]
)
"""Tools that coding agents bring along; a server has them only if the text says so of the server."""

_NOT_TOOLS = frozenset(
    {"tools", "tool", "initialize", "ping", "name", "true", "false", "null", "list"}
    | {
        "content",
        "description",
        "inputSchema",
        "isError",
        "outputSchema",
        "structuredContent",
        "title",
    }
)
"""Names beside the word tool that are not tools."""


def extract_tool_facts(sentences: Sequence[Sentence], title: str = "") -> list[Fact]:
    """Returns the facts about tools of all sentences; `title` names the subject of the text.

    A name is a tool where the text calls the name a tool. In a text about MCP a client that calls
    a name is enough, unless the text calls the name a function, a command or the like.
    """
    exact = [fact for sentence in sentences for fact in _exact_tools(sentence)]
    forbidden = [fact for sentence in sentences for fact in _forbidden_tools(sentence)]
    return [*exact, *forbidden, *_mentioned_tools(sentences, title, exact)]


def known_tool_names(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Returns the names of tools, listed or mentioned."""
    kinds = (FactKind.EXACT_TOOLS, FactKind.TOOL)
    return tuple(dict.fromkeys(name for fact in facts if fact.kind in kinds for name in fact.names))


def _exact_tools(sentence: Sentence) -> Iterator[Fact]:
    text = sentence.text
    about = f"{sentence.about} {text}"
    for match in _COUNTED.finditer(text):
        names, end = parse_name_list(text, match.end())
        if names and len(set(names)) == _number_word(match[1]):
            yield Fact(FactKind.EXACT_TOOLS, names, sentence, (match.start(), end), demanded=True)
            return
    if not _LISTING.search(about) and not re.search(r"\btools\b", text):
        return
    if _COMMANDS.search(about) and not _MCP.search(about):
        return
    for match in _EXACTLY.finditer(text):
        names, end = parse_name_list(text, match.end())
        if names and _OTHER_LIST.search(text, 0, match.start()) is None:
            yield Fact(FactKind.EXACT_TOOLS, names, sentence, (match.start(), end), demanded=True)


def _forbidden_tools(sentence: Sentence) -> Iterator[Fact]:
    """Yields names forbidden in the list of tools; the sentence has to be about the list."""
    if not _LISTING.search(f"{sentence.about} {sentence.text}"):
        return
    for match in _FORBIDDEN.finditer(sentence.text):
        phrase = match[1]
        if re.search(r"\b(?:input|argument|parameter|alias|flag|field|selector)s?\b", phrase):
            continue
        if re.search(r"\b(?:none of|tools?) [^.]*$", sentence.text[: match.start()]):
            continue
        names = names_in(phrase)
        phrases = tuple(dict.fromkeys(_PHRASE.findall(phrase)))
        if names or phrases:
            yield Fact(
                FactKind.FORBIDDEN_TOOLS,
                names,
                sentence,
                match.span(),
                phrases=phrases,
                demanded=True,
            )


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place where the text names a tool; `stated`: the place alone is enough evidence."""

    name: str
    sentence: Sentence
    span: tuple[int, int]
    stated: bool


def _mentioned_tools(
    sentences: Sequence[Sentence], title: str, exact: Sequence[Fact]
) -> Iterator[Fact]:
    """Yields a fact per mention of a tool, in text order."""
    exact_names = {name for fact in exact for name in fact.names}
    about_subagents = bool(re.search(_SUBAGENT, title)) and not _MCP.search(title)
    about_mcp = _is_about_mcp(sentences, title) or bool(exact_names)
    mentions = [mention for sentence in sentences for mention in _mentions(sentence, about_mcp)]
    mentions += _mentions_in_headings(sentences, about_mcp)
    mentions += _mentions_in_lists(sentences)
    mentions = [mention for mention in mentions if not _is_of_program(mention, about_subagents)]
    stated = {mention.name for mention in mentions if mention.stated} | exact_names
    doubtful = {name for sentence in sentences for name in _other_things(sentence)} - stated
    for mention in mentions:
        if mention.name not in doubtful and (mention.name in stated or _is_spelled(mention.name)):
            yield Fact(FactKind.TOOL, (mention.name,), mention.sentence, mention.span)


def _is_of_program(mention: _Mention, about_subagents: bool) -> bool:
    """Returns whether a model inside the described program uses the tool, instead of a client."""
    sentence = mention.sentence
    text, start = sentence.text, mention.span[0]
    if _OF_SERVER.search(text):
        return False
    before = f"{sentence.requirement}. {sentence.scenario}. {text[:start]}"
    if mention.name in _HOST_TOOLS or about_subagents or _OF_SUBAGENT.search(before):
        return True
    if _TO_SUBAGENT.match(text, text.find("`", start)):
        return True
    return (
        sentence.role is Role.THEN and _PROGRAM_CALLS.search(text[:start].rstrip("`")) is not None
    )


def _is_spelled(name: str) -> bool:
    """Returns whether a name is spelled like a tool: small letters with separators."""
    return re.fullmatch(_LOWER, name) is not None


def _is_about_mcp(sentences: Sequence[Sentence], title: str) -> bool:
    """Returns whether a text is about an MCP server.

    Evidence is the title, a request of the protocol, or the word MCP in a twelfth of the sentences.
    """
    texts = [f"{sentence.requirement} {sentence.text}" for sentence in sentences]
    if _MCP.search(title) or any("tools/list" in text or "tools/call" in text for text in texts):
        return True
    return sum(bool(_MCP.search(text)) for text in texts) * 12 > len(texts)


def _mentions(sentence: Sentence, about_mcp: bool) -> Iterator[_Mention]:
    text = sentence.text
    own = about_mcp or bool(_OWN.search(f"{sentence.about} {text}"))
    patterns = [(pattern, True) for pattern in (*_STATED, *(_TOLD if own else ()))]
    if own and sentence.role is not Role.THEN:
        patterns += [(pattern, False) for pattern in _CALLED]
    if about_mcp and sentence.role is Role.NONE:
        patterns.append((_BEGINS, False))
    for pattern, stated in patterns:
        for match in pattern.finditer(text):
            if not _is_excluded(match[1], text, match.start(1)):
                yield _Mention(match[1], sentence, match.span(1), stated)
            end = match.end()
            while not stated and (call := _OTHER_CALL.match(text, end)):
                yield _Mention(call[1], sentence, call.span(1), False)
                end = call.end()
    if own:
        yield from _enumerated_tools(sentence)
    yield from _names_before_tools(sentence)


def _names_before_tools(sentence: Sentence) -> Iterator[_Mention]:
    """Yields the members of a list before the word `tools`: SHALL provide `a`, `b` and `c` tools."""
    for match in _LIST_OF_TOOLS.finditer(sentence.text):
        for member in re.finditer(_TICKED, match[0]):
            if not _is_excluded(member[1], sentence.text, match.start()):
                start = match.start() + member.start()
                yield _Mention(member[1], sentence, (start, match.end()), True)


def _enumerated_tools(sentence: Sentence) -> Iterator[_Mention]:
    """Yields the members of a list behind the word `tools`: `a` (what it does), `b` and `c`."""
    text = sentence.text
    if not re.search(r"\b[Tt]ools\b|工具", f"{sentence.about} {text}"):
        return
    plain = _ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    for opening in _ENUMERATION.finditer(plain):
        before = text[: opening.start()]
        if _NEGATED.search(before) or not _MCP_OR_EXPOSE.search(f"{sentence.requirement} {text}"):
            continue
        if opening["verb"] and not _exposes_tools(sentence, text[: opening.start()]):
            continue
        start = opening.end()
        enumeration = _END_OF_LIST.split(plain[start:], maxsplit=1)[0]
        members = [
            match
            for match in _MEMBER.finditer(enumeration)
            if not _is_excluded(match[1], text, start + match.start(1))
        ]
        if len(members) > 1 or (members and members[0].start() <= 1):
            for match in members:
                if re.fullmatch(rf"{SNAKE}|{_CAMEL}|[a-z]+(?:-[a-z]+)+", match[1]):
                    span = (start + match.start(1), start + match.end(1))
                    yield _Mention(match[1], sentence, span, True)
    for opening in _BARE_TOOLS.finditer(text):
        names = re.compile(rf"{SNAKE}(?:, (?:and )?{SNAKE})+").match(text, opening.end())
        for name in re.findall(SNAKE, names[0]) if names else ():
            yield _Mention(name, sentence, (opening.start(), opening.end()), True)


def _exposes_tools(sentence: Sentence, before: str) -> bool:
    """Returns whether the words before a verb such as `include` speak of a server or a list of tools."""
    return bool(_LISTING.search(f"{sentence.about} {sentence.text}") or _DEMAND.search(before))


def _mentions_in_headings(sentences: Sequence[Sentence], about_mcp: bool) -> Iterator[_Mention]:
    """Yields the tools that names of requirements and scenarios are about: `Tool: read_file`.

    The mention is placed in the first sentence below the heading.
    """
    pairs: set[tuple[str, str]] = set()
    for sentence in sentences:
        for name in (sentence.requirement, sentence.scenario):
            if not name or (sentence.requirement, name) in pairs:
                continue
            pairs.add((sentence.requirement, name))
            match = _HEADING.search(name) if about_mcp or _MCP.search(name) else None
            tool = match[match.lastindex or 0] if match else ""
            if tool and not _is_excluded(tool, name, 0):
                yield _Mention(tool, sentence, (0, 0), True)


def _mentions_in_lists(sentences: Sequence[Sentence]) -> Iterator[_Mention]:
    """Yields the first names of list entries and table rows below a line about tools."""
    listing = rows = False
    place = None
    for sentence in sentences:
        text = sentence.text
        if sentence.at == place:
            # The last sentence of a paragraph introduces the list.
            listing = listing or (bool(_INTRODUCTION.search(text)) and not _NEGATED.search(text))
            continue
        place = sentence.at
        entry = (_TABLE_ROW if rows else _LISTED).match(text) if listing or rows else None
        if entry:
            name = entry[1] or entry[2]
            if not _is_excluded(name, text, 0):
                yield _Mention(name, sentence, entry.span(), True)
            continue
        rows = bool(_HEAD_ROW.match(text)) or (rows and set(text) <= set("|-: "))
        listing = bool(_INTRODUCTION.search(text)) and not _NEGATED.search(text)


def _is_excluded(name: str, text: str, start: int) -> bool:
    """Returns whether a sentence negates a name, gives the name as an example, or uses a dot."""
    if name in _NOT_TOOLS or name.isupper() or len(name) == 1:
        return True
    if re.search(r"(?:^mcp|[_-](?:mcp|server|error)$)", name):
        return True
    before = text[max(0, start - 120) : start].rstrip("`")
    return bool(
        _EXAMPLE.search(before)
        or _NO_NAME.search(before)
        or _NEGATED.search(before.rpartition(". ")[2])
    )


def _other_things(sentence: Sentence) -> Iterator[str]:
    """Yields the names that the text calls a function, a command, a field or the like."""
    for pattern in _OTHER_THINGS:
        for match in pattern.finditer(sentence.text):
            yield from _CALLED_NAME.findall(match[1])


def _number_word(text: str) -> int:
    return int(text) if text.isdigit() else NUMBERS.index(text) + 1
