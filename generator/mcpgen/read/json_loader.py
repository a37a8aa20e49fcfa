"""JSON text to a tree."""

from __future__ import annotations

import json
import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Json
from mcpgen.read import limits
from mcpgen.read.findings import Findings
from mcpgen.read.json_faults import report_faults, report_long_integer
from mcpgen.read.json_positions import JsonPlaces
from mcpgen.read.loaded_document import LoadedDocument
from mcpgen.read.numbers import finite

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
