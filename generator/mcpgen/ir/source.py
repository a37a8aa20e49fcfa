"""What `read` returns: the user's files as trees, with nothing interpreted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = Any
"""A JSON value: dict with string keys, list, str, int, float, bool or None."""


PositionOf = Callable[[tuple[str, ...]], tuple[int, int]]
"""Tells where the value at a path of keys and indexes stands in a text, or its nearest ancestor: the
line and the column, both from 1."""


def texts_in(value: Json) -> Iterator[str]:
    """The texts in a value at any depth, in their order; names of members are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


class Dialect(StrEnum):
    """The language a document is written in, told by its version field."""

    SWAGGER_2_0 = "swagger-2.0"
    OPENAPI_3_0 = "openapi-3.0"
    OPENAPI_3_1 = "openapi-3.1"
    OPENAPI_3_2 = "openapi-3.2"
    OPENSPEC = "openspec"
    """Requirements, with the API descriptions whose operations their tools call."""


class Syntax(StrEnum):
    """How a document is written down."""

    JSON = "json"
    YAML = "yaml"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the specification.

    `name` is how messages call it: the path as the user gave it, and for the others the path from
    the same place (`specs/pets.yaml` reaches `specs/schemas/pet.yaml`). `key` is its identity for
    `$ref`: a POSIX path relative to the first document's folder, `""` for the first document
    itself. `text` has no byte order mark and only `\\n` as line break; `sha256` covers the bytes.
    `tree` is JSON: keys are strings, YAML's other keys being spelled as they were written.
    `overlays` are the texts of the overlays that the tree was changed by. `position_of` tells where a
    value stands in the text; None for a document that has no tree.
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
        """Whether one of the words stands anywhere in what the tree was made from. A pattern that
        begins with plain characters finds them several times faster than `in`."""
        return any(words.search(text) for text in (self.text, *self.overlays))


@dataclass(frozen=True, slots=True)
class Source:
    """A specification as read: its first document and every document a `$ref` reached.

    `documents` is keyed by `Document.key`, in the order they were first reached. `overlays` are
    those that were applied to the first document, in order; `spoilt` tells that one of them could
    not be, so that nothing should be made of the tree. `sha256` covers all of them.
    """

    root: Document
    documents: Mapping[str, Document]
    dialect: Dialect
    sha256: str
    overlays: tuple[Document, ...] = ()
    spoilt: bool = False


@dataclass(frozen=True, slots=True)
class RequirementSource:
    """Requirement files as read, each a `Document` whose tree is None, and the companion beside them.

    `main` is None where there are only deltas; `deltas` stand in the order in which they apply.
    `companion` is None where there is none. `capability` is the path below `specs/`
    (`area/name`), or what the file or its folder is called. `change` is the change whose deltas are
    applied to the spec; without one a delta is read alone. `sha256` covers all of them.
    """

    capability: str
    main: Document | None
    deltas: tuple[Document, ...]
    companion: Document | None
    sha256: str
    change: str = ""
