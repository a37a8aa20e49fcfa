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
_STATEMENT = re.compile(r"^\t+(?:(?P<keyword>return|throw|await|delete) .*|[\w.$#]+.*);$")
_FUNCTION = re.compile(
    r"\t?(?:export |static |async |get |set |function\*? |class |\*)*(?P<name>[\w$#]+)[( ].*\{$"
)
_KEYWORDS = (
    *("if", "for", "while", "switch", "catch", "return", "const", "let", "try", "else", "do"),
    *("var", "static"),
)
_ENDINGS = (")", "]", "}", "string", "number", "name", "regex")


@dataclass(frozen=True, slots=True)
class TokenMutation:
    """The replacement of `source[start:end]` by `new`. `region` is the file of the source that the
    bundler names in `//#region`, `function` the outermost function, or the method of a class.
    """

    start: int
    end: int
    new: str
    operator: str
    line: int
    column: int
    region: str
    function: str = ""


def token_mutations(source: str, regions: frozenset[str]) -> list[TokenMutation]:
    """Every mutation in the regions, in document order. Comments, texts for people (with a space) and
    the number of `void 0`, which is undefined for any number, are left alone.
    """
    result = []
    lines = source.splitlines(keepends=True)
    starts, region_of, function_of, position, region, function = [], [], [], 0, "", ""
    for line in lines:
        if match := _REGION.match(line):
            region, function = match[1].rpartition("/")[2], ""
        if (match := _FUNCTION.match(line.rstrip())) and match["name"] not in _KEYWORDS:
            function = match["name"]
        function_of.append(function)
        starts.append(position)
        region_of.append(region)
        position += len(line)
    line_number = 0
    for start, end, new, operator in sorted([*_tokens(source), *_statements(lines, starts)]):
        while line_number + 1 < len(starts) and starts[line_number + 1] <= start:
            line_number += 1
        if region_of[line_number] in regions:
            column = start - starts[line_number]
            place = (line_number + 1, column, region_of[line_number], function_of[line_number])
            result.append(TokenMutation(start, end, new, operator, *place))
    return result


def _lex(source: str) -> list[tuple[str, str, int, int]]:
    """The tokens without white space and comments: kind, text, start, end."""
    result: list[tuple[str, str, int, int]] = []
    position = 0
    while position < len(source):
        kind, text = (result[-1][0], result[-1][1]) if result else ("", "")
        # A slash after an operand divides; everywhere else a slash begins a regular expression.
        is_operand = (text if kind == "operator" else kind) in _ENDINGS
        is_operand = is_operand and text not in ("return", "case", "typeof")
        is_comment = source.startswith(("//", "/*"), position)
        begins_regex = source[position] == "/" and not is_operand and not is_comment
        match = (_REGEX.match(source, position) if begins_regex else None) or _TOKEN.match(
            source, position
        )
        assert match is not None
        name = "regex" if match.re is _REGEX else str(match.lastgroup)
        if name != "space":
            result.append((name, match[0], position, match.end()))
        position = match.end()
    return result


def _tokens(source: str) -> Iterator[tuple[int, int, str, str]]:
    """The mutations of single tokens: start, end, replacement, operator."""
    tokens = _lex(source)
    previous = ""
    for index, (kind, text, start, end) in enumerate(tokens):
        if text in _SWAPPED and kind in ("operator", "name"):
            yield start, end, _SWAPPED[text], _OPERATORS.get(text, "constant")
        elif text == "!":
            yield start, end, "", "drop-not"
        elif kind == "number" and text.isdigit() and previous != "void":
            yield start, end, str(int(text) + 1), "constant"
        elif kind == "string" and " " not in text and text[0] in "\"'":
            is_key = previous in ("{", ",") and source[end : end + 1] == ":"
            if not is_key and previous not in ("from", "import"):
                yield start, end, f"{text[:-1]}-x{text[0]}", "constant"
        elif text == "(" and previous == "if":
            closing = _closing(tokens, index)
            yield start, closing, f"(!{source[start:closing]})", "negate-condition"
        previous = text


def _closing(tokens: list[tuple[str, str, int, int]], index: int) -> int:
    """The end of the parenthesis that the token `index` opens."""
    depth = 0
    for kind, text, _, end in tokens[index:]:
        depth += {"(": 1, ")": -1}.get(text, 0) if kind == "operator" else 0
        if depth == 0:
            return end
    return tokens[index][3]


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


def apply_mutation(source: str, mutation: TokenMutation) -> str:
    """The source with the mutation."""
    return source[: mutation.start] + mutation.new + source[mutation.end :]
