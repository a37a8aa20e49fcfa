"""Parses JSON text to a tree, and finds positions of values and of faults.

`json.loads` gives no positions. The exact but slow scan by `scan_tokens` runs only for a text with
faults; `JsonPlaces` scans only the containers on the way to a requested path.
"""

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
from mcpgen.read.positions import LineStarts, LoadedDocument, Position
from mcpgen.read.yaml_scalars import parse_float, parse_integer

HALF_ESCAPE = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|[c-fC-F](?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]))"
)
"""An escaped surrogate without its other half directly before or after."""


def load_json(text: str, file: str, findings: Findings) -> LoadedDocument | None:
    """Parses a text; None if there is no usable tree.

    Duplicate keys and numbers out of range leave a tree; hooks of the parser notice them without
    position, and `report_faults` finds the positions afterwards.

    Adds MG106, MG110, MG111, MG117 and MG123–MG125.
    """
    at = Location(file)
    if text.count(",") > limits.NODES:
        findings.add(codes.TOO_MANY_VALUES, at, limit=f"{limits.NODES:,}")
        return None
    observer = _ParserHooks()
    try:
        tree = json.loads(
            text,
            object_pairs_hook=observer.mapping,
            parse_float=observer.number,
            parse_constant=observer.constant,
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
    faulty = observer.fault or HALF_ESCAPE.search(text)
    # Half a character cannot be written anywhere, so there is no tree, as of YAML.
    if faulty and codes.HALF_CHARACTER in report_faults(text, file, findings):
        return None
    if observer.largest > limits.MAP_KEYS:
        findings.add(codes.MAPPING_TOO_LARGE, at, limit=f"{limits.MAP_KEYS:,}")
        return None
    if _depth(tree) > limits.DEPTH:
        findings.add(codes.TOO_DEEP, at, limit=limits.DEPTH)
        return None
    return LoadedDocument(tree, JsonPlaces(text).find)


class _ParserHooks:
    """Hooks for `json.loads`: `fault` is true after a duplicate key or an unusable number;
    `largest` is the entry count of the largest mapping."""

    def __init__(self) -> None:
        self.fault = False
        self.largest = 0

    def mapping(self, entries: list[tuple[str, Json]]) -> dict[str, Json]:
        """Mapping of the entries; the last of several entries with one key wins."""
        mapping = dict(entries)
        count = len(entries)
        if count != len(mapping):
            self.fault = True
        if count > self.largest:
            self.largest = count
        return mapping

    def number(self, text: str) -> float | None:
        """The number, or None and a fault if out of range."""
        value = parse_float(text)
        self.fault |= value is None
        return value

    def constant(self, text: str) -> None:
        """Notes a fault: NaN and Infinity are not JSON (RFC 8259 §6)."""
        self.fault = True


def _sentence(message: str) -> str:
    """Parser message as the end of a sentence."""
    return message[:1].lower() + message[1:].removesuffix(" at")


def _depth(tree: Json) -> int:
    """Levels of nesting, counted breadth-first up to `limits.DEPTH` + 1."""
    level, depth = [tree], 0
    while level and depth <= limits.DEPTH:
        level = [
            child
            for value in level
            if type(value) is dict or type(value) is list
            for child in (value.values() if type(value) is dict else value)
        ]
        depth += 1
    return depth


WORDS = frozenset({"true", "false", "null"})
INTEGER = re.compile(r"-?[0-9]+")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def report_faults(text: str, file: str, findings: Findings) -> frozenset[Code]:
    """Reports duplicate keys, numbers out of range and lone surrogates with positions; returns
    their codes.

    Adds MG110, MG111 and MG117.
    """
    starts = LineStarts(text)
    keys: set[tuple[int, str]] = set()
    faults: set[Code] = set()
    for token in scan_tokens(text):
        code = _token_fault(token, keys)
        if code is None:
            continue
        faults.add(code)
        if not findings.skips(code, file):
            fact = token.path[-1] if token.is_key else token.text
            findings.add(code, _token_location(token, starts, file), key=fact, text=fact)
    return frozenset(faults)


def _token_fault(token: Token, keys: set[tuple[int, str]]) -> Code | None:
    """Code for a faulty token, or None; `keys` holds the keys of every mapping so far."""
    if token.text[0] != '"':
        return None if _is_usable(token) else codes.UNUSABLE_NUMBER
    if "\\u" in token.text and LONE_SURROGATE.search(unquote(token.text)):
        return codes.HALF_CHARACTER
    if not token.is_key:
        return None
    entry = (token.mapping, token.path[-1])
    if entry in keys:
        return codes.DUPLICATE_KEY
    keys.add(entry)
    return None


def _token_location(token: Token, starts: LineStarts, file: str) -> Location:
    position = starts(token.offset)
    return Location(file, tuple(token.path), position.line, position.column)


def report_long_integer(text: str, file: str, findings: Findings) -> None:
    """Reports the first integer with more digits than Python converts. The text after the integer
    may be malformed.

    Adds MG111.
    """
    for token in scan_tokens(text):
        if INTEGER.fullmatch(token.text) and parse_integer(token.text) is None:
            at = _token_location(token, LineStarts(text), file)
            findings.add(codes.UNUSABLE_NUMBER, at, text=token.text)
            return


def _is_usable(token: Token) -> bool:
    """True for `true`, `false`, `null` and finite numbers."""
    if token.text in WORDS:
        return True
    if INTEGER.fullmatch(token.text):
        return parse_integer(token.text) is not None
    return parse_float(token.text) is not None


TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s"{}\[\],:]++')


class Token(NamedTuple):
    """A key or a scalar: the text as written, the offset, and the path.

    `path` is one list that `scan_tokens` changes between tokens: copy the list to keep a path.
    `mapping` is the number of the enclosing mapping in order of opening, 0 for none.
    """

    text: str
    offset: int
    path: list[str]
    is_key: bool
    mapping: int


def scan_tokens(text: str) -> Iterator[Token]:
    """Yields every key and scalar of a well-formed JSON text in order."""
    path: list[str] = []
    mappings: list[int | None] = []
    count = 0
    expects_key = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "{" or token == "[":
            is_mapping = token == "{"
            count += is_mapping
            mappings.append(count if is_mapping else None)
            path.append("" if is_mapping else "0")
            expects_key = is_mapping
        elif token == "}" or token == "]":
            mappings.pop()
            path.pop()
            expects_key = False
        elif token == ",":
            expects_key = mappings[-1] is not None
            if not expects_key:
                path[-1] = str(int(path[-1]) + 1)
        elif token != ":":
            mapping = mappings[-1] if mappings else None
            if expects_key:
                path[-1] = unquote(token)
            yield Token(token, match.start(), path, expects_key, mapping or 0)
            expects_key = False


def unquote(token: str) -> str:
    r"""Text of a JSON string token. Example: the token `"a\u0062"` is `ab`."""
    return json.loads(token) if "\\" in token else token[1:-1]


SPACE = re.compile(r"[ \t\n\r]*")
VALUE_AT = json.JSONDecoder().raw_decode


LEVELS = 2
"""Levels scanned together with a container: `paths` and `components` are most of a text, so a
second scan for their members would double the time."""


class JsonPlaces:
    """Positions in a JSON text, found on demand; the entries of a container are scanned once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries: dict[int, dict[str, tuple[int, int]]] = {}

    def find(self, path: tuple[str, ...]) -> Position:
        """Position of the value at the path, or of the nearest existing ancestor."""
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
        """Records the entries of the container at `start` and of `levels` levels below; returns the
        offset after the container.

        An entry maps a key to the offsets of the entry and of its value. The last of several
        entries with one key wins, as in the tree.
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
        """Offset after the white space at `offset`."""
        space = SPACE.match(self._text, offset)
        return space.end() if space else offset
