"""The references of a tree that lead to other files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any
from urllib.parse import unquote, urljoin

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.document_urls import is_remote, remote_key
from mcpgen.ir.source import Document, Json

MAY_LEAD_AWAY = re.compile(r"\$ref[\"']?\s*:\s*[\"']?[^#\"'\s]")
"""Finds, in the text, a `$ref` whose value may not be local."""

ESCAPED = re.compile("24(?:(?<=u0024)|(?<=x24))")
"""The first character of `$ref` where it is escaped. Texts are searched for what a pattern begins
with, which is several times faster than for either of two words."""

FILE_NAME = re.compile(r"\.(?:ya?ml|json)\b")
_ENTRY = r'"[^"\\]*"\s*:\s*"[^"\\]*"\s*'
MAPPING = re.compile(rf"mapping[\"']?\s*:\s*(\{{\s*(?:{_ENTRY},\s*)*(?:{_ENTRY})?\}})?")
"""Finds, in the text, what may be a discriminator's `mapping`; its group is the value, where all of it
is written as JSON writes it."""

MAPPED_FILE = re.compile(r"[^#]*\.(?:ya?ml|json)(?:#.*)?", re.DOTALL)
"""A value of a discriminator's `mapping` that is a file; anything else there is a schema's name."""

LITERALS = frozenset({"example", "default", "enum", "const"})
"""Keywords whose value is data, in which `$ref` means nothing."""

NAMED = frozenset(
    {
        "$defs",
        "callbacks",
        "content",
        "definitions",
        "dependentSchemas",
        "encoding",
        "headers",
        "links",
        "mediaTypes",
        "parameters",
        "pathItems",
        "paths",
        "patternProperties",
        "properties",
        "requestBodies",
        "responses",
        "schemas",
        "securityDefinitions",
        "securitySchemes",
        "variables",
        "webhooks",
    }
)
"""Keywords whose value maps names that authors chose, so that its keys are no keywords."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to another file. `path` leads to the string that holds `text`.

    `optional` tells that the build can do without it: it stands in an extension that mcpgen does
    not read, or could be a plain name.
    """

    text: str
    path: tuple[str, ...]
    optional: bool = False


class _Keys(Enum):
    """What the keys of a value are."""

    KEYWORDS = auto()
    NAMES = auto()
    EXAMPLE_NAMES = auto()
    EXAMPLE = auto()
    """Fields of an example: only its own `$ref` counts, the rest is data."""
    FRAGMENT = auto()
    """Keywords or names: the root of a file that is only a part of a document."""


Link = tuple[Any, str] | None
"""The path to a value as a chain of its keys, last one first; a tuple per value would be dear."""

Waiting = tuple[Json, _Keys, Link, bool]
"""A value to be looked at, what its keys are, the way to it, and whether it is optional."""


def may_lead_away(text: str) -> bool:
    """Whether a document of this text can hold a reference to a file; a cheap look at the text."""
    if MAY_LEAD_AWAY.search(text) or ESCAPED.search(text):
        return True
    if "discriminator" not in text or not FILE_NAME.search(text):
        return False
    mappings = MAPPING.findall(text)
    return any(not mapping or FILE_NAME.search(mapping) for mapping in mappings)


def external_references(tree: Json, *, first: bool) -> Iterator[Reference]:
    """The references of the tree to other files, in document order.

    `first` tells that it is the specification's first document, not a part kept in a file.
    """
    waiting: list[Waiting] = [(tree, _Keys.KEYWORDS if first else _Keys.FRAGMENT, None, False)]
    while waiting:
        value, keys, link, optional = waiting.pop()
        if type(value) is list:
            below = [
                (child, _Keys.KEYWORDS, (link, str(index)), optional)
                for index, child in enumerate(value)
                if type(child) in (dict, list)
            ]
            waiting.extend(reversed(below))
            continue
        if type(value) is not dict:
            continue
        target = value.get("$ref")
        if type(target) is str and _is_followed(target, optional):
            yield Reference(target, _path((link, "$ref")), optional)
        if keys in (_Keys.KEYWORDS, _Keys.FRAGMENT):
            yield from _mapped(value.get("discriminator"), link)
        waiting.extend(reversed(list(_children(value, keys, link, optional))))


def _is_followed(target: str, optional: bool) -> bool:
    """Whether a `$ref` leads to another file; extensions also refer to files of other kinds."""
    return target[:1] not in ("#", "") and (
        not optional or MAPPED_FILE.fullmatch(target) is not None
    )


def _mapped(discriminator: Json, link: Link) -> Iterator[Reference]:
    """The files that a discriminator's mapping names."""
    mapping = discriminator.get("mapping") if type(discriminator) is dict else None
    for name, target in mapping.items() if type(mapping) is dict else ():
        if type(target) is str and MAPPED_FILE.fullmatch(target):
            path = _path(((link, "discriminator"), "mapping"))
            yield Reference(target, (*path, name), optional=True)


def _children(value: dict[str, Json], keys: _Keys, link: Link, optional: bool) -> Iterator[Waiting]:
    """The containers below a mapping that can hold references."""
    if keys is _Keys.EXAMPLE:
        return
    for key, child in value.items():
        if type(child) not in (dict, list):
            continue
        if keys is _Keys.EXAMPLE_NAMES:
            yield child, _Keys.EXAMPLE, (link, key), optional
        elif keys is _Keys.NAMES:
            yield child, _Keys.KEYWORDS, (link, key), optional
        elif key == "examples":
            if type(child) is dict:
                yield child, _Keys.EXAMPLE_NAMES, (link, key), optional
        elif key not in LITERALS or (key == "default" and keys is _Keys.FRAGMENT):
            below = _Keys.NAMES if key in NAMED else _Keys.KEYWORDS
            yield child, below, (link, key), optional or key.startswith("x-")


def _path(link: Link) -> tuple[str, ...]:
    """The chain as a path from the root."""
    keys: list[str] = []
    while link is not None:
        link, key = link
        keys.append(key)
    return tuple(reversed(keys))


ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
"""The start of a URL with a scheme or a host; also of a Windows path with its drive."""


@dataclass(frozen=True, slots=True)
class ReferenceRefused:
    """Why a reference is not followed: a code and its facts."""

    code: Code
    facts: dict[str, str] = field(default_factory=dict)


def target_of(reference: str, base: str) -> str | ReferenceRefused:
    """The key of the document that a reference leads to: a path relative to the first document's
    folder, or a URL.

    `base` is the key of the document the reference stands in. The key is normalised and may begin
    with `..`; nothing is looked up on the disk. `""` is the document itself.
    """
    url = reference.partition("#")[0]
    if not url:
        return base
    remote = remote_key(url, base)
    if remote is not None:
        return remote
    if is_remote(base):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if ELSEWHERE.match(url):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if "?" in url:
        return _malformed("it has a query")
    try:
        path = unquote(url, errors="strict")
    except UnicodeDecodeError:
        return _malformed("its percent-encoding is not UTF-8")
    if any(character < " " for character in path):
        return _malformed("it holds a control character")
    if "\\" in path or ":" in path:
        return _malformed("it holds a backslash or a colon")
    if path.startswith("/"):
        return ReferenceRefused(codes.OUTSIDE_REFERENCE)
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def _malformed(reason: str) -> ReferenceRefused:
    return ReferenceRefused(codes.MALFORMED_REFERENCE, {"reason": reason})


_WORDS = ("$id", "$self")
_MENTIONED = re.compile(r"\$(?:id|self)")
_LITERAL = frozenset({"example", "examples", "default", "const", "enum", "value"})
"""Keys whose values are data, in which `$id` is an ordinary key."""


def identifiers(documents: Iterable[Document]) -> dict[str, str]:
    """What schemas call themselves with `$id`, and documents with `$self`: as it is written, and
    made absolute; also the key of each document, with the name it gives itself."""
    found: dict[str, str] = {}
    for document in documents:
        if document.mentions(_MENTIONED):
            own = _name(document.tree)
            if own:
                found[document.key] = own
            _collect(document.tree, found)
    return found


def resolve_uri(base: str, uri: str) -> str:
    """`uri` made absolute; as it stands where it is no URI at all."""
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri


def _collect(tree: Json, found: dict[str, str]) -> None:
    pending: list[tuple[Json, str]] = [(tree, "")]
    while pending:
        value, base = pending.pop()
        if isinstance(value, dict):
            name = _name(value)
            if name:
                base = resolve_uri(base, name)
                for each in (name, base):
                    found.setdefault(each.partition("#")[0], base)
            pending.extend((child, base) for key, child in value.items() if key not in _LITERAL)
        elif isinstance(value, list):
            pending.extend((child, base) for child in value)


def _name(value: Json) -> str:
    """The name a value gives itself, or `""`."""
    if isinstance(value, dict):
        for word in _WORDS:
            if isinstance(value.get(word), str):
                return str(value[word])
    return ""
