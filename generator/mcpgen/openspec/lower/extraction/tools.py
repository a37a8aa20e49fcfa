"""Extracts tool names: exact lists, forbidden names, and mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence
from mcpgen.openspec.lower.extraction.name_patterns import (
    NAME,
    SHALL,
    SHALL_NOT,
    SNAKE,
    names_in,
    parse_name_list,
)

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
_MENTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"`({NAME})` (?:MCP )?tool\b(?! (?:list|surface|name))",
        rf"\btool `({NAME})`",
        rf"\b(?:calls?|invokes?|calling|invoking) `({NAME})(?:\([^`]*\))?`",
        rf"`({NAME})(?:\([^`]*\))?` (?:is|are) (?:called|invoked)\b",
        rf"`({NAME})` SHALL accept `\{{",
        rf"\b(?:calls|invokes) ({SNAKE})\b",
        rf"(?<![`\w])({SNAKE}) is (?:called|invoked)\b",
        rf"`({SNAKE})\(\{{[^`]*\}}\)`",
    )
)
_SEVERAL = re.compile(r"\btools:? (?=`)|\bexpose (?=(?:`[\w-]+`,? )+(?:and `[\w-]+` )?tools\b)")
_CALLED = re.compile(rf"\b(?:calls?|invokes?) ({NAME})\b")
_NOT_TOOLS = frozenset({"tools", "initialize", "ping"})
"""Names called or listed by a client that are not tools."""

_OTHER_LIST = re.compile(rf"{SHALL_NOT}|\bstructuredContent\b|\bfields?\b|\barguments?\b|\bkeys?\b")
"""Words before `exactly` that mark a list of other things or a forbidden list."""


def extract_tool_facts(sentences: Sequence[Sentence]) -> list[Fact]:
    """Returns the facts about tools of all sentences."""
    exact = [fact for one in sentences for fact in _exact(one)]
    forbidden = [fact for one in sentences for fact in _forbidden(one)]
    names = {name for fact in exact for name in fact.names}
    mentioned = [fact for one in sentences for fact in _mentioned(one, names)]
    return [*exact, *forbidden, *mentioned]


def known_tool_names(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Returns the names of tools, listed or mentioned."""
    kinds = (FactKind.EXACT_TOOLS, FactKind.TOOL)
    return tuple(dict.fromkeys(name for fact in facts if fact.kind in kinds for name in fact.names))


def _exact(sentence: Sentence) -> Iterator[Fact]:
    text = sentence.text
    about = f"{sentence.about} {text}"
    for match in _COUNTED.finditer(text):
        names, end = parse_name_list(text, match.end())
        if names and len(set(names)) == _number(match[1]):
            yield Fact(FactKind.EXACT_TOOLS, names, sentence, (match.start(), end), demanded=True)
            return
    if not _LISTING.search(about) and not re.search(r"\btools\b", text):
        return
    for match in _EXACTLY.finditer(text):
        names, end = parse_name_list(text, match.end())
        if names and _OTHER_LIST.search(text, 0, match.start()) is None:
            yield Fact(FactKind.EXACT_TOOLS, names, sentence, (match.start(), end), demanded=True)


def _forbidden(sentence: Sentence) -> Iterator[Fact]:
    """Yields names forbidden in the list of tools; the sentence has to be about the list."""
    if not _LISTING.search(f"{sentence.about} {sentence.text}"):
        return
    for match in _FORBIDDEN.finditer(sentence.text):
        said = match[1]
        if re.search(r"\b(?:input|argument|parameter|alias|flag|field|selector)s?\b", said):
            continue
        if re.search(r"\b(?:none of|tools?) [^.]*$", sentence.text[: match.start()]):
            continue
        names = names_in(said)
        phrases = tuple(dict.fromkeys(_PHRASE.findall(said)))
        if names or phrases:
            yield Fact(
                FactKind.FORBIDDEN_TOOLS,
                names,
                sentence,
                match.span(),
                phrases=phrases,
                demanded=True,
            )


def _mentioned(sentence: Sentence, exact: set[str]) -> Iterator[Fact]:
    text = sentence.text
    for pattern in _MENTIONS:
        for match in pattern.finditer(text):
            if match[1] not in _NOT_TOOLS:
                yield Fact(FactKind.TOOL, (match[1],), sentence, match.span(1))
    for match in _SEVERAL.finditer(text):
        names, end = parse_name_list(text, match.end())
        if names:
            yield Fact(FactKind.TOOL, names, sentence, (match.start(), end))
    for match in _CALLED.finditer(text):
        if match[1] in exact:
            yield Fact(FactKind.TOOL, (match[1],), sentence, match.span(1))


def _number(text: str) -> int:
    return int(text) if text.isdigit() else NUMBERS.index(text) + 1
