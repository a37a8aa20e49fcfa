"""Extracts arguments of tools: advertised, forbidden, and used in calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from re import Match

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import (
    CONDITION,
    NAME,
    PAIRS,
    SHALL,
    SHALL_NOT,
    SNAKE,
    arguments_of,
    call_value_schema,
    parse_name_list,
)
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence
from mcpgen.openspec.lower.extraction.type_words import type_schema

_ONE = rf"(?:`(?P<ticked>{NAME})(?P<type>: ?[^`]*)?`|(?P<bare>{SNAKE}))"
_PART = r"(?:tool )?(?:inputs?|arguments?|parameters?)"
_TAKES = r"(?:accepts?|advertises?|takes?|exposes?|haves?|has)"

_ALL_TAKE = re.compile(
    rf"\b(?:[Aa]ll|[Ee]very|[Ee]ach)(?: MCP)? tools? (?:{SHALL} )?(?:{_TAKES}) (?:an? )?"
    rf"(?:(?P<optional>optional) )?{_ONE}(?: {_PART})?"
)
_SOME_TAKE = re.compile(
    rf"(?: tools?)? {SHALL} (?:accept|advertise|take) (?:an? )?(?:(?P<optional>optional) )?(?={{)?"
)
_NONE = re.compile(r"\b(?:[Nn]o|[Nn]one of|[Nn]either|[Nn]or)\b[^.;]*$")
"""Words before a demand that negate the demand."""

_SHAPE = re.compile(rf"`({NAME})`(?: tool)? {SHALL} accept `\{{([^`]*)\}}`")
_LISTED = re.compile(
    rf"`({NAME})`(?: tool)? {SHALL} accept ((?:`{NAME}`(?: \((?:required|optional)\))?,? ?(?:and )?)+)"
    rf"{_PART}"
)
_LISTED_ONE = re.compile(rf"`({NAME})`(?: \((required|optional)\))?")
_FORBIDDEN = (
    re.compile(
        rf"{SHALL_NOT} (?:expose|advertise|accept|have|take)\b(?:(?! {SHALL}\b)[^.;])*?{_ONE}"
        rf"[^.;`]{{0,20}}? (?:as )?an? (?:MCP )?{_PART}"
    ),
    re.compile(rf"\b[Nn]one of (?:those|these|the) tools {SHALL} {_TAKES} (?:an? )?{_ONE}"),
    re.compile(rf"\b[Nn]o tools? (?:{SHALL} )?{_TAKES} (?:an? )?{_ONE}"),
)
_CALLS = (
    re.compile(rf"`(?P<tool>{NAME})\((?P<arguments>[^`]*)\)`"),
    re.compile(rf"(?<![\w`.])(?P<tool>{NAME})\((?P<arguments>[^()`]*)\)"),
    re.compile(
        rf"`(?P<tool>{NAME})`(?: ?工具)?(?: (?:is called )?with |[，, ]*(?:带|帶)?(?:参数|參數|传入)[为為是：:]? ?)"
        r"`(?P<arguments>\{[^`]*\})`"
    ),
    re.compile(
        rf"\b(?:calls|invokes) (?P<q>`?)(?P<tool>{NAME})(?P=q) with "
        rf"(?P<arguments>{PAIRS}|`[^`]*`)"
    ),
)
_WORD = re.compile(NAME)
_PART_OF_CALL = re.compile(r"([a-z_][a-z0-9_]*)(?: ?[:=] ?(?:\"[^\"]*\"|\w+))?")
_WITH = re.compile(
    rf"\b(?:calls|invokes|calling) (?P<q>`?)(?P<tool>{NAME})(?P=q) with(?:out)? (?:both |an? |only )?"
)


def extract_argument_facts(sentences: Sequence[Sentence], tools: Sequence[str]) -> Iterator[Fact]:
    """Yields the facts about arguments; `tools` are known tool names."""
    for sentence in sentences:
        yield from _advertised_arguments(sentence, tools)
        yield from _forbidden_arguments(sentence)
        yield from _call_facts(sentence, tools)
        yield from _call_arguments(sentence, tools)


def _advertised_arguments(sentence: Sentence, tools: Sequence[str]) -> Iterator[Fact]:
    text = sentence.text
    for match in _ALL_TAKE.finditer(text):
        yield _read_argument_of_every_tool(sentence, match)
    for match in _SHAPE.finditer(text):
        yield _read_shape(sentence, match)
    for match in _LISTED.finditer(text):
        pairs = _LISTED_ONE.findall(match[2])
        names = tuple(name for name, _ in pairs)
        required = frozenset(name for name, how in pairs if how == "required")
        yield Fact(
            FactKind.ARGUMENT,
            names,
            sentence,
            match.span(),
            tools=(match[1],),
            required=required,
            demanded=True,
        )
    yield from _shared_arguments(sentence, tools)


def _shared_arguments(sentence: Sentence, tools: Sequence[str]) -> Iterator[Fact]:
    """Yields facts of `a, b and c SHALL advertise optional x`: tools first, then an argument."""
    declared = set(tools)
    for match in _SOME_TAKE.finditer(sentence.text):
        before = sentence.text[: match.start()].rpartition(". ")[2]
        mentions = [name for name in dict.fromkeys(_WORD.findall(before)) if name in declared]
        if _NONE.search(before):
            continue
        first = mentions and before.lstrip("`").startswith(mentions[0])
        argument = re.match(_ONE, sentence.text[match.end() :])
        if not argument or not mentions or not (first or len(mentions) > 1):
            continue
        behind = sentence.text[match.end() + argument.end() :]
        if re.match(r"(?: \(\w+\))?,? (?:and )?`", behind) or re.match(r"\s*\{", behind):
            continue
        name = argument["ticked"] or argument["bare"]
        end = match.end() + argument.end()
        yield Fact(
            FactKind.ARGUMENT,
            (name,),
            sentence,
            (match.start(), end),
            tools=tuple(mentions),
            demanded=CONDITION.search(behind) is None,
        )


def _read_shape(sentence: Sentence, match: Match[str]) -> Fact:
    """Reads `{ target: string, detail?: 'brief'|'full' }`."""
    schemas: dict[str, Mapping[str, Json]] = {}
    required = set()
    for part in match[2].split(","):
        name, _, kind = part.partition(":")
        key = name.strip().rstrip("?")
        if not re.fullmatch(NAME, key):
            continue
        schemas[key] = type_schema(kind)
        if kind and not name.strip().endswith("?"):
            required.add(key)
    return Fact(
        FactKind.ARGUMENT,
        tuple(schemas),
        sentence,
        match.span(),
        tools=(match[1],),
        schemas=schemas,
        required=frozenset(required),
        demanded=True,
    )


def _read_argument_of_every_tool(sentence: Sentence, match: Match[str]) -> Fact:
    """Reads `all tools accept an optional x and y`."""
    name = _argument_name(match)
    more_names, end = parse_name_list(sentence.text, match.end())
    typed = match["type"]
    return Fact(
        FactKind.ARGUMENT,
        (name, *more_names),
        sentence,
        (match.start(), end),
        schemas={name: type_schema(typed.lstrip(": "))} if typed else {},
        demanded=CONDITION.search(sentence.text, end) is None,
    )


def _forbidden_arguments(sentence: Sentence) -> Iterator[Fact]:
    names = set()
    for pattern in _FORBIDDEN:
        for match in pattern.finditer(sentence.text):
            name = _argument_name(match)
            if name not in names and not CONDITION.search(sentence.text[match.end() :]):
                names.add(name)
                yield Fact(
                    FactKind.FORBIDDEN_ARGUMENT, (name,), sentence, match.span(), demanded=True
                )


def _call_facts(sentence: Sentence, tools: Sequence[str]) -> Iterator[Fact]:
    for pattern in _CALLS:
        for match in pattern.finditer(sentence.text):
            values = arguments_of(match["arguments"])
            if match["tool"] not in tools:
                continue
            if values is None:
                yield from _read_sketch(sentence, match)
            else:
                schemas = {name: call_value_schema(value) for name, value in values.items()}
                yield Fact(
                    FactKind.CALL,
                    tuple(values),
                    sentence,
                    match.span(),
                    tools=(match["tool"],),
                    schemas=schemas,
                    values=values,
                )


def _read_sketch(sentence: Sentence, match: Match[str]) -> Iterator[Fact]:
    """Reads `schema(stream, detail: "full")`: names, optionally with a value."""
    parts = [_PART_OF_CALL.fullmatch(part.strip()) for part in match["arguments"].split(",")]
    if all(parts):
        names = tuple(part[1] for part in parts if part)
        yield Fact(FactKind.ARGUMENT, names, sentence, match.span(), tools=(match["tool"],))


def _call_arguments(sentence: Sentence, tools: Sequence[str]) -> Iterator[Fact]:
    """Reads `calls a with b and c`: arguments present in or missing from a call."""
    for match in _WITH.finditer(sentence.text):
        names, end = parse_name_list(sentence.text, match.end())
        bare = None if names else re.match(SNAKE, sentence.text[match.end() :])
        if bare:
            names, end = (bare[0],), match.end() + bare.end()
        if match["tool"] in tools and names:
            span = (match.start(), end)
            yield Fact(FactKind.ARGUMENT, names, sentence, span, tools=(match["tool"],))


def _argument_name(match: Match[str]) -> str:
    return str(match["ticked"] or match["bare"])
