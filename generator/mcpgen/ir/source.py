"""Result of `read`: the user's files as uninterpreted trees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = Any
"""JSON value: dict with string keys, list, str, int, float, bool or None."""


INVISIBLE_CHARACTERS = frozenset(
    {
        0x00AD,  # soft hyphen
        0x034F,  # combining grapheme joiner
        *(0x115F, 0x1160, 0x3164, 0xFFA0),  # fillers of Hangul
        *(0x17B4, 0x17B5),  # inherent vowels of Khmer
        0x2800,  # blank pattern of Braille
        *range(0x180B, 0x1810),  # variation selectors and vowel separator of Mongolian
        *range(0xFE00, 0xFE10),  # variation selectors; U+FE0F after an emoji is ordinary text
        *range(0xE0100, 0xE01F0),
    }
)
"""Code points without a glyph whose category is mostly mark, letter or symbol. The categories that
begin with C (controls, formats, unassigned characters) are invisible, too, and not in the set."""


PositionOf = Callable[[tuple[str, ...]], tuple[int, int]]
"""Returns line and column, from 1, of the value at a path of keys and indexes, or of its nearest
ancestor."""


def texts_in(value: Json) -> Iterator[str]:
    """Yields the string values at any depth, in order, without member names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from texts_in(member)


class Dialect(StrEnum):
    """Language of a document, from its version field."""

    SWAGGER_2_0 = "swagger-2.0"
    OPENAPI_3_0 = "openapi-3.0"
    OPENAPI_3_1 = "openapi-3.1"
    OPENAPI_3_2 = "openapi-3.2"
    OPENSPEC = "openspec"
    """Requirements with the API descriptions that their tools call."""


class Syntax(StrEnum):
    """Syntax of a document."""

    JSON = "json"
    YAML = "yaml"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the specification.

    `name`: path in messages (`specs/pets.yaml` reaches `specs/schemas/pet.yaml`). `key`: identity
    for `$ref`: POSIX path relative to the first document's folder, `""` for the first document.
    `text`: without byte order mark, `\n` line breaks; `sha256` covers the bytes. `tree`: JSON;
    non-string YAML keys as written. `overlays`: texts of the overlays that changed the tree.
    `position_of`: positions of values, None without a tree.
    """

    name: str
    key: str
    syntax: Syntax
    text: str
    tree: Json
    sha256: str
    overlays: tuple[str, ...] = ()
    position_of: PositionOf | None = field(default=None, compare=False, repr=False)

    def mentions(self, words: re.Pattern[str]) -> bool:
        """True if a word occurs in the sources of the tree.

        A pattern with plain leading characters is several times faster than `in`.
        """
        return any(words.search(text) for text in (self.text, *self.overlays))


@dataclass(frozen=True, slots=True)
class Source:
    """A specification as read: the first document and every document reached by `$ref`.

    `documents`: by `Document.key`, in order of discovery. `overlays`: overlays of the first
    document, in order. `is_unusable`: an overlay failed, so the tree must not be used. `sha256` covers
    everything.
    """

    root: Document
    documents: Mapping[str, Document]
    dialect: Dialect
    sha256: str
    overlays: tuple[Document, ...] = ()
    is_unusable: bool = False


@dataclass(frozen=True, slots=True)
class RequirementSource:
    """Requirement files as documents without trees, and their companion.

    `main`: None if only deltas exist. `deltas`: in order of application. `companion`: None if
    absent. `capability`: path below `specs/` (`area/name`), or the name of file or folder.
    `change`: name of the applied change; without one a delta is read alone. `sha256` covers
    everything.
    """

    capability: str
    main: Document | None
    deltas: tuple[Document, ...]
    companion: Document | None
    sha256: str
    change: str = ""
