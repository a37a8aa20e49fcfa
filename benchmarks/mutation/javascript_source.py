"""Mutants of JavaScript source: each changes one token, or one statement of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)
  | (?P<number>\b\d+(?:\.\d+)?(?:e\d+)?\b)
  | (?P<name>[A-Za-z_$#][\w$]*)
  | (?P<operator>===|!==|\?\?=|&&=|\|\|=|\.\.\.|=>|\?\.|<=|>=|==|!=|&&|\|\||\?\?|[-+*/%]=|\+\+|--|.)
    """,
    re.X | re.S,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_SWAPPED = {
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "&&": "||",
    "||": "&&",
    "??": "&&",
    "true": "false",
    "false": "true",
}
_OPERATORS = {"===": "compare", "!==": "compare", "<": "compare", "<=": "compare", ">": "compare"}
_OPERATORS |= {">=": "compare", "&&": "and-or", "||": "and-or", "??": "and-or"}
_REGION = re.compile(r"^//#region (\S+)")
_STATEMENT = re.compile(r"^\t+(?:(?P<keyword>return|throw|await|delete) )?[\w.$]+.*;$")
_ENDINGS = (")", "]", "}", "string", "number", "name")


@dataclass(frozen=True, slots=True)
class TokenMutation:
    """The replacement of `source[start:end]` by `new`. `region` is the file of the source that the
    bundler names in `//#region`.
    """

    start: int
    end: int
    new: str
    operator: str
    line: int
    column: int
    region: str


def token_mutations(source: str, regions: frozenset[str]) -> list[TokenMutation]:
    """Every mutation in the regions, in document order. Comments and texts for people (with a space)
    are left alone.
    """
    found = []
    lines = source.splitlines(keepends=True)
    starts, region_of, position, region = [], [], 0, ""
    for line in lines:
        if match := _REGION.match(line):
            region = match[1].rpartition("/")[2]
        starts.append(position)
        region_of.append(region)
        position += len(line)
    line_number = 0
    for start, end, new, operator in sorted([*_tokens(source), *_statements(lines, starts)]):
        while line_number + 1 < len(starts) and starts[line_number + 1] <= start:
            line_number += 1
        if region_of[line_number] in regions:
            column = start - starts[line_number]
            place = (line_number + 1, column, region_of[line_number])
            found.append(TokenMutation(start, end, new, operator, *place))
    return found


def _tokens(source: str) -> Iterator[tuple[int, int, str, str]]:
    """The mutations of single tokens: start, end, replacement, operator."""
    position, previous, previous_text = 0, "", ""
    while position < len(source):
        # A slash after an operand divides; everywhere else a slash begins a regular expression.
        is_operand = previous in _ENDINGS and previous_text not in ("return", "case", "typeof")
        regex = None if is_operand or source[position] != "/" else _REGEX.match(source, position)
        if regex and not source.startswith(("//", "/*"), position):
            position, previous, previous_text = regex.end(), "string", ""
            continue
        match = _TOKEN.match(source, position)
        assert match is not None
        kind, text = str(match.lastgroup), match[0]
        start, position = position, match.end()
        if kind == "space":
            continue
        if text in _SWAPPED and kind in ("operator", "name"):
            yield start, position, _SWAPPED[text], _OPERATORS.get(text, "constant")
        elif text == "!" and source[position] != "=":
            yield start, position, "", "drop-not"
        elif kind == "number" and text.isdigit():
            yield start, position, str(int(text) + 1), "constant"
        elif kind == "string" and " " not in text and text[0] in "\"'":
            is_key = previous_text in ("{", ",") and source[position : position + 1] == ":"
            if not is_key and previous_text not in ("from", "import"):
                yield start, position, f"{text[:-1]}-x{text[0]}", "constant"
        elif text == "(" and previous_text == "if":
            end = _closing(source, start)
            yield start, end, f"(!{source[start:end]})", "negate-condition"
        previous = kind if kind != "operator" else text
        previous_text = text


def _closing(source: str, start: int) -> int:
    """The end of the parenthesis that begins at `start`."""
    depth, position = 0, start
    while position < len(source):
        match = _TOKEN.match(source, position)
        assert match is not None
        depth += {"(": 1, ")": -1}.get(match[0], 0) if match.lastgroup == "operator" else 0
        position = match.end()
        if depth == 0:
            return position
    return start


def _statements(lines: list[str], starts: list[int]) -> Iterator[tuple[int, int, str, str]]:
    """The removal of statements that fill one line."""
    for line, start in zip(lines, starts, strict=True):
        text = line.rstrip("\n")
        match = _STATEMENT.match(text)
        if not match or any(text.count(a) != text.count(b) for a, b in ("()", "[]", "{}")):
            continue
        begin = start + len(text) - len(text.lstrip("\t"))
        if match["keyword"] == "return":
            if text.strip() != "return;":
                yield begin, start + len(text), "return void 0;", "return-none"
        elif re.match(r"^\t+(?:throw|await|delete)\b|^\t+[\w.$#]+(?:\(|\s*=[^=>])", text):
            yield begin, start + len(text), ";", "drop-statement"


def mutated(source: str, mutation: TokenMutation) -> str:
    """The source with the mutation."""
    return source[: mutation.start] + mutation.new + source[mutation.end :]
