"""JSON text to a tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Json
from mcpgen.read import limits
from mcpgen.read.findings import Findings
from mcpgen.read.json_values import finite, parse_integer
from mcpgen.read.positions import LineStarts, LoadedDocument, Position

HALF_ESCAPE = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|[c-fC-F](?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]))"
)
"""An escaped half of a character without its other half before or behind it."""


def load_json(text: str, file: str, findings: Findings) -> LoadedDocument | None:
    """The tree of the text, or None when there is none.

    Faults that leave a tree (duplicate keys, numbers out of range) are only noticed while the text
    is parsed; where they stand is looked up afterwards, in the rare case that there are any.

    Adds MG106, MG110, MG111, MG117 and MG123–MG125.
    """
    at = Location(file)
    if text.count(",") > limits.NODES:
        findings.add(codes.TOO_MANY_VALUES, at, limit=f"{limits.NODES:,}")
        return None
    noticed = _Noticed()
    try:
        tree = json.loads(
            text,
            object_pairs_hook=noticed.mapping,
            parse_float=noticed.number,
            parse_constant=noticed.constant,
        )
    except json.JSONDecodeError as error:
        place = Location(file, line=error.lineno, column=error.colno)
        findings.add(codes.BROKEN_JSON, place, problem=_sentence(error.msg))
        return None
    except RecursionError:
        findings.add(codes.TOO_DEEP, at, limit=limits.DEPTH)
        return None
    except ValueError:
        # The only other one json raises: an integer with more digits than Python converts.
        report_long_integer(text, file, findings)
        return None
    faulty = noticed.fault or HALF_ESCAPE.search(text)
    # Half a character cannot be written anywhere, so there is no tree, as of YAML.
    if faulty and codes.HALF_CHARACTER in report_faults(text, file, findings):
        return None
    if noticed.largest > limits.MAP_KEYS:
        findings.add(codes.MAPPING_TOO_LARGE, at, limit=f"{limits.MAP_KEYS:,}")
        return None
    if _depth(tree) > limits.DEPTH:
        findings.add(codes.TOO_DEEP, at, limit=limits.DEPTH)
        return None
    return LoadedDocument(tree, JsonPlaces(text).find)


class _Noticed:
    """What the parser's hooks saw: whether there is a fault, and the size of the largest mapping."""

    def __init__(self) -> None:
        self.fault = False
        self.largest = 0

    def mapping(self, entries: list[tuple[str, Json]]) -> dict[str, Json]:
        """The mapping of the entries; the last of several with one key counts."""
        mapping = dict(entries)
        count = len(entries)
        if count != len(mapping):
            self.fault = True
        if count > self.largest:
            self.largest = count
        return mapping

    def number(self, text: str) -> float | None:
        """The number, or None (and a fault) when it is out of range."""
        value = finite(text)
        self.fault |= value is None
        return value

    def constant(self, text: str) -> None:
        """Nothing: NaN and Infinity are faults."""
        self.fault = True


def _sentence(message: str) -> str:
    """The parser's message as the end of a sentence."""
    return message[:1].lower() + message[1:].removesuffix(" at")


def _depth(tree: Json) -> int:
    """The levels of nesting of a tree, counted level by level up to one more than allowed."""
    level, depth = [tree], 0
    while level and depth <= limits.DEPTH:
        level = [
            below
            for value in level
            if type(value) is dict or type(value) is list
            for below in (value.values() if type(value) is dict else value)
        ]
        depth += 1
    return depth


WORDS = frozenset({"true", "false", "null"})
INTEGER = re.compile(r"-?[0-9]+")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def report_faults(text: str, file: str, findings: Findings) -> frozenset[Code]:
    """Reports duplicate keys, numbers out of range and halves of characters, each with its place, and
    returns which of these there are.

    Adds MG110, MG111 and MG117.
    """
    starts = LineStarts(text)
    seen: set[tuple[int, str]] = set()
    found: set[Code] = set()
    for token in scan_tokens(text):
        code = _fault(token, seen)
        if code is None:
            continue
        found.add(code)
        if not findings.skips(code, file):
            fact = token.path[-1] if token.is_key else token.text
            findings.add(code, _place(token, starts, file), key=fact, text=fact)
    return frozenset(found)


def _fault(token: Token, seen: set[tuple[int, str]]) -> Code | None:
    """What is wrong with a token, if anything; `seen` are the keys of every mapping so far."""
    if token.text[0] != '"':
        return None if _is_usable(token) else codes.UNUSABLE_NUMBER
    if "\\u" in token.text and LONE_SURROGATE.search(unquote(token.text)):
        return codes.HALF_CHARACTER
    if not token.is_key:
        return None
    entry = (token.mapping, token.path[-1])
    if entry in seen:
        return codes.DUPLICATE_KEY
    seen.add(entry)
    return None


def _place(token: Token, starts: LineStarts, file: str) -> Location:
    position = starts(token.offset)
    return Location(file, tuple(token.path), position.line, position.column)


def report_long_integer(text: str, file: str, findings: Findings) -> None:
    """Reports the first integer that has too many digits; the text need be well formed only so far.

    Adds MG111.
    """
    for token in scan_tokens(text):
        if INTEGER.fullmatch(token.text) and parse_integer(token.text) is None:
            at = _place(token, LineStarts(text), file)
            findings.add(codes.UNUSABLE_NUMBER, at, text=token.text)
            return


def _is_usable(token: Token) -> bool:
    """Whether a token without quotes is a word of JSON or a number that it can carry."""
    if token.text in WORDS:
        return True
    if INTEGER.fullmatch(token.text):
        return parse_integer(token.text) is not None
    return finite(token.text) is not None


TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s"{}\[\],:]++')


class Token(NamedTuple):
    """A key or a scalar: its text as written, where it starts, and the path of what it belongs to.

    `path` is one list that changes with every token; who keeps it copies it. `mapping` counts the
    mappings in order of opening, so that keys of one can be told from another's.
    """

    text: str
    offset: int
    path: list[str]
    is_key: bool
    mapping: int


def scan_tokens(text: str) -> Iterator[Token]:
    """Every key and scalar of a well-formed JSON text, in order."""
    path: list[str] = []
    opened: list[int | None] = []
    count = 0
    expects_key = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "{" or token == "[":
            is_mapping = token == "{"
            count += is_mapping
            opened.append(count if is_mapping else None)
            path.append("" if is_mapping else "0")
            expects_key = is_mapping
        elif token == "}" or token == "]":
            opened.pop()
            path.pop()
            expects_key = False
        elif token == ",":
            expects_key = opened[-1] is not None
            if not expects_key:
                path[-1] = str(int(path[-1]) + 1)
        elif token != ":":
            mapping = opened[-1] if opened else None
            if expects_key:
                path[-1] = unquote(token)
            yield Token(token, match.start(), path, expects_key, mapping or 0)
            expects_key = False


def unquote(token: str) -> str:
    """The text that a JSON string token writes."""
    return json.loads(token) if "\\" in token else token[1:-1]


SPACE = re.compile(r"[ \t\n\r]*")
VALUE_AT = json.JSONDecoder().raw_decode


LEVELS = 2
"""Containers that are looked through along with the one around them, so many levels below the root:
`paths` and `components` are most of a text, which would be read once more for what is in them."""


class JsonPlaces:
    """The places in one text. Nothing is looked for before it is asked for, and the entries of a
    container are found once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries: dict[int, dict[str, tuple[int, int]]] = {}

    def find(self, path: tuple[str, ...]) -> Position:
        """The position of the value at the path, or of its nearest ancestor."""
        place = value = self._skip(0)
        if path and not self._entries:
            self._look_through(value, LEVELS)
        for key in path:
            if value not in self._entries:
                self._look_through(value, 0)
            entry = self._entries[value].get(key)
            if entry is None:
                break
            place, value = entry
        return self._starts(place)

    @cached_property
    def _starts(self) -> LineStarts:
        return LineStarts(self._text)

    def _look_through(self, start: int, levels: int) -> int:
        """Takes down the entries of the container at `start`, and of those so many levels below it:
        by key, where the entry and its value stand. Returns the offset behind it.

        Of several entries with one key the last counts, as it does for the tree.
        """
        opening = self._text[start : start + 1]
        entries: dict[str, tuple[int, int]] = {}
        self._entries[start] = entries
        offset = self._skip(start + 1)
        while opening in ("{", "[") and self._text[offset : offset + 1] not in ("}", "]", ""):
            place = offset
            key = str(len(entries))
            if opening == "{":
                key, offset = VALUE_AT(self._text, offset)
                offset = self._skip(self._skip(offset) + 1)
            entries[key] = (place, offset)
            if levels and self._text[offset] in "{[":
                offset = self._look_through(offset, levels - 1)
            else:
                _, offset = VALUE_AT(self._text, offset)
            offset = self._skip(offset)
            if self._text[offset : offset + 1] == ",":
                offset = self._skip(offset + 1)
        return offset + 1

    def _skip(self, offset: int) -> int:
        """The offset behind the white space at `offset`."""
        space = SPACE.match(self._text, offset)
        return space.end() if space else offset
