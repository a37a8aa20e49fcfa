"""Finds references to other files in a tree, and resolves them to document keys."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any
from urllib.parse import unquote

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.document_urls import DATA_KEYS, is_remote, own_identifier, remote_key, resolve_uri
from mcpgen.ir.source import Document, Json

MAY_LEAD_AWAY = re.compile(r"\$ref[\"']?\s*:(?:\s*#[^\n]*\n)*\s*[\"']?[^#\"'\s]")
"""Matches a `$ref` in a text whose value may be another file, also below comments of YAML."""

ESCAPED = re.compile("24(?:(?<=u0024)|(?<=x24))")
"""Matches `$ref` with an escaped `$`. The pattern begins with a literal, which `re` finds several
times faster than an alternation of two words."""

FILE_NAME = re.compile(r"\.(?:ya?ml|json)\b")
_ENTRY = r'"[^"\\]*"\s*:\s*"[^"\\]*"\s*'
MAPPING = re.compile(rf"mapping[\"']?\s*:\s*(\{{\s*(?:{_ENTRY},\s*)*(?:{_ENTRY})?\}})?")
"""Matches a possible `mapping` of a discriminator; the group is the value if written as JSON."""

MAPPED_FILE = re.compile(r"[^#]*\.(?:ya?ml|json)(?:#.*)?", re.DOTALL)
"""A file in a discriminator's `mapping`; any other value is the name of a schema."""

LITERALS = frozenset({"example", "default", "enum", "const"})
"""Keywords with data as value, where `$ref` has no meaning."""

NAME_MAPS = frozenset(
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
"""Keywords whose value maps names chosen by authors, so the keys below are no keywords."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to another file. `path` leads to the string that holds `text`.

    `optional`: the build can do without the file, since the reference is in an extension that
    mcpgen does not read, or may be a plain name.
    """

    text: str
    path: tuple[str, ...]
    optional: bool = False


class _Keys(Enum):
    """Meaning of the keys of a value."""

    KEYWORDS = auto()
    NAMES = auto()
    EXAMPLE_NAMES = auto()
    EXAMPLE = auto()
    """Fields of an Example Object: only `$ref` at the top counts, the rest is data."""
    FRAGMENT = auto()
    """Keywords or names: the root of a file that is part of a document."""


Link = tuple[Any, str] | None
"""Path to a value as a linked list, last key first; a tuple per value would copy every prefix."""

Waiting = tuple[Json, _Keys, Link, bool]
"""A value to scan, the meaning of its keys, its path, and whether references in it are optional."""


def may_lead_away(text: str) -> bool:
    """True if a document with this text may refer to another file; false saves the scan of the
    tree."""
    if MAY_LEAD_AWAY.search(text) or ESCAPED.search(text):
        return True
    if "discriminator" not in text or not FILE_NAME.search(text):
        return False
    mappings = MAPPING.findall(text)
    return any(not mapping or FILE_NAME.search(mapping) for mapping in mappings)


def external_references(tree: Json, *, first: bool) -> Iterator[Reference]:
    """Yields the references of a tree to other files, in document order.

    `first`: the tree is the first document, not a file with part of a document.
    """
    waiting: list[Waiting] = [(tree, _Keys.KEYWORDS if first else _Keys.FRAGMENT, None, False)]
    while waiting:
        value, keys, link, optional = waiting.pop()
        if type(value) is list:
            children = [
                (child, _Keys.KEYWORDS, (link, str(index)), optional)
                for index, child in enumerate(value)
                if type(child) in (dict, list)
            ]
            waiting.extend(reversed(children))
            continue
        if type(value) is not dict:
            continue
        target = value.get("$ref")
        if type(target) is str and _is_followed(target, optional):
            yield Reference(target, _path_from_root((link, "$ref")), optional)
        if keys in (_Keys.KEYWORDS, _Keys.FRAGMENT):
            yield from _mapped_files(value.get("discriminator"), link)
        waiting.extend(reversed(list(_waiting_children(value, keys, link, optional))))


def _is_followed(target: str, optional: bool) -> bool:
    """True if a `$ref` leads to another file. Extensions also refer to files of other formats."""
    return target[:1] not in ("#", "") and (
        not optional or MAPPED_FILE.fullmatch(target) is not None
    )


def _mapped_files(discriminator: Json, link: Link) -> Iterator[Reference]:
    """Files in the `mapping` of a discriminator."""
    mapping = discriminator.get("mapping") if type(discriminator) is dict else None
    for name, target in mapping.items() if type(mapping) is dict else ():
        if type(target) is str and MAPPED_FILE.fullmatch(target):
            path = _path_from_root(((link, "discriminator"), "mapping"))
            yield Reference(target, (*path, name), optional=True)


def _waiting_children(
    value: dict[str, Json], keys: _Keys, link: Link, optional: bool
) -> Iterator[Waiting]:
    """Containers below a mapping that can hold references."""
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
            child_keys = _Keys.NAMES if key in NAME_MAPS else _Keys.KEYWORDS
            yield child, child_keys, (link, key), optional or key.startswith("x-")


def _path_from_root(link: Link) -> tuple[str, ...]:
    """Path from the root for a linked list of keys."""
    keys: list[str] = []
    while link is not None:
        link, key = link
        keys.append(key)
    return tuple(reversed(keys))


ABSOLUTE_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
"""Beginning of a URL with scheme or host; also matches a Windows path with drive."""


@dataclass(frozen=True, slots=True)
class ReferenceRefused:
    """Code and facts of a reference that is not loaded."""

    code: Code
    facts: dict[str, str] = field(default_factory=dict)


def resolve_reference(reference: str, base: str) -> str | ReferenceRefused:
    """Key of the document to which a reference leads: a normalized path relative to the first
    document's folder, possibly with `..`, or a URL.

    `base` is the key of the document that holds the reference; `""` is the first document. Nothing
    is looked up on the disk. Example: `../b.yaml#/x` in `schemas/a.yaml` gives `b.yaml`.
    """
    url = reference.partition("#")[0]
    if not url:
        return base
    remote = remote_key(url, base)
    if remote is not None:
        return remote
    if is_remote(base):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if ABSOLUTE_URL.match(url):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if "?" in url:
        return _malformed_reference("it has a query", "remove `?` and the text behind it")
    try:
        path = unquote(url, errors="strict")
    except UnicodeDecodeError:
        return _malformed_reference(
            "its percent-encoding is not UTF-8", "encode the file name as UTF-8"
        )
    if any(character < " " for character in path):
        return _malformed_reference("it has a control character", "remove the character")
    if "\\" in path or ":" in path:
        return _malformed_reference(
            "its path has a backslash or a colon",
            "write `/` between folders, and rename a file with `\\` or `:` in its name",
        )
    if path.startswith("/"):
        return ReferenceRefused(codes.OUTSIDE_REFERENCE)
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def _malformed_reference(reason: str, hint: str) -> ReferenceRefused:
    return ReferenceRefused(codes.MALFORMED_REFERENCE, {"reason": reason, "hint": hint})


_IDENTIFIER = re.compile(r"\$(?:id|self)")


def identifiers(documents: Iterable[Document]) -> dict[str, str]:
    """URIs that schemas declare by `$id` and documents by `$self`: as written, and absolute.

    Also maps the key of a document to the URI of its root.
    """
    uris: dict[str, str] = {}
    for document in documents:
        if document.mentions(_IDENTIFIER):
            name = own_identifier(document.tree)
            if name:
                uris[document.key] = name
            _collect_identifiers(document.tree, uris)
    return uris


def _collect_identifiers(tree: Json, uris: dict[str, str]) -> None:
    pending: list[tuple[Json, str]] = [(tree, "")]
    while pending:
        value, base = pending.pop()
        if isinstance(value, dict):
            name = own_identifier(value)
            if name:
                base = resolve_uri(base, name)
                for uri in (name, base):
                    uris.setdefault(uri.partition("#")[0], base)
            pending.extend((child, base) for key, child in value.items() if key not in DATA_KEYS)
        elif isinstance(value, list):
            pending.extend((child, base) for child in value)
