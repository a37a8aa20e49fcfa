"""Results of the last build of a project, so that the next build computes only what has changed.

Tools with their diagnostics, and class bodies of `models.py`, each by a key over everything the result
depends on. Files of tools are not kept: to render the 1,223 tools of GitHub's API takes as long as to read
their files from a cache (3.4 s of processor time for a build after one change, either way).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from json import JSONEncoder
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

MIN_OPERATIONS = 100
"""Operations below which lowering takes no longer than reading the cache."""

MAX_OPERATIONS = 8_000
"""Operations above which the results exceed `MAX_BYTES`."""

MAX_BYTES = 64_000_000
"""Bytes of a cache file; a larger one is neither written nor read."""

MAX_FILES = 16
"""Cache files in the folder, the latest."""

_REFERENCE = re.compile(r"#/\$defs/([A-Za-z0-9_.-]+)")
"""A reference to a definition, also inside a text: a key may cover too many definitions, never too few."""

_ERRORS = (
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    KeyError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    pickle.PickleError,
)
"""Exceptions of `pickle` for values that cannot be written or read."""

Result = TypeVar("Result")


class BuildCache:
    """The results of a project, by key.

    `generator` identifies the version of mcpgen: results of another version are ignored. Without
    `path`, and for a server with fewer than `min_operations`, nothing is kept.
    """

    def __init__(
        self, path: Path | None = None, generator: str = "", min_operations: int = MIN_OPERATIONS
    ) -> None:
        self._path = path
        self._generator = generator
        self._min_operations = min_operations
        self._last: dict[str, bytes] | None = None
        self._next: dict[str, bytes] = {}
        self._has_new = False

    @property
    def is_there(self) -> bool:
        """True if the last build, by the same version of mcpgen, has left results."""
        return bool(self._read())

    def is_worth(self, operations: int) -> bool:
        """True if the results of a server with so many operations are kept."""
        return self.has_room(operations) and self._min_operations <= operations

    def has_room(self, operations: int) -> bool:
        """True if the results of so many operations fit into the file."""
        return self._path is not None and operations <= MAX_OPERATIONS

    def get(self, key: str, kind: type[Result]) -> Result | None:
        """The result with this key, or None."""
        content = self._read().get(key)
        if content is None:
            return None
        try:
            result = _Unpickler(io.BytesIO(content)).load()
        except _ERRORS:
            return None
        if not isinstance(result, kind):
            return None
        self._next[key] = content
        return result

    def put(self, key: str, result: object) -> None:
        """Keeps a dataclass for the next build, if `get` can read it."""
        if self._path is not None:
            with contextlib.suppress(*_ERRORS):
                content = io.BytesIO()
                _Pickler(content, pickle.HIGHEST_PROTOCOL).dump(result)
                self._next[key] = content.getvalue()
                self._has_new = True

    def save(self) -> None:
        """Writes the results read or made by this build, if there is a new result. An unwritable
        folder is no error of the build."""
        if self._path is None or not self._has_new:
            return
        content = pickle.dumps(self._next, pickle.HIGHEST_PROTOCOL)
        if len(content) > MAX_BYTES:
            return
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(part, "wb", opener=_open_private) as file:
                file.writelines((self.head(content), content))
            part.replace(self._path)
            _remove_oldest(self._path.parent)

    def head(self, content: bytes | memoryview) -> bytes:
        """The first 64 bytes of a file with this content."""
        return hash_texts(self._generator, content).encode()

    def _read(self) -> dict[str, bytes]:
        """The results of the last build; empty for a damaged or foreign file, or another version."""
        if self._last is None:
            self._last = {}
            with contextlib.suppress(OSError, *_ERRORS):
                if self._path and _is_trustworthy(self._path):
                    content = memoryview(self._path.read_bytes())
                    if content[:64] == self.head(content[64:]):
                        self._last = _Unpickler(io.BytesIO(content[64:])).load()
        return self._last


NO_CACHE = BuildCache()
"""Keeps nothing."""


class _Pickler(pickle.Pickler):
    """Writes an enum member as its class and value."""

    def reducer_override(self, value: object) -> Any:
        """The class and the value of an enum member; the default for any other value."""
        # Some releases of Python 3.11 (seen: 3.11.2) write a member as a call of `getattr`, which
        # `_Unpickler` refuses.
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads dataclasses and enums of mcpgen. Raises UnpicklingError for anything else, so no function is
    called by a file."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a value in the file."""
        if module.startswith("mcpgen."):
            value = super().find_class(module, name)
            if isinstance(value, type) and (is_dataclass(value) or issubclass(value, Enum)):
                return value
        raise pickle.UnpicklingError(f"{module}.{name} is no dataclass of mcpgen")


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_trustworthy(path: Path) -> bool:
    """True if no other user can have written the file, and the file is not too large to read."""
    status = path.stat()
    if status.st_size > MAX_BYTES + 64:
        return False
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _remove_oldest(folder: Path) -> None:
    """Removes all files but the latest `MAX_FILES`, also partial files left by a killed build."""
    files = [path for path in folder.iterdir() if path.is_file()]
    for path in sorted(files, key=lambda path: path.stat().st_mtime)[:-MAX_FILES]:
        path.unlink()


def canonical_json(value: object) -> str:
    """JSON of a value: different values have different texts. Tuples become lists, and a dataclass
    becomes a list of name and fields. Raises TypeError for anything else.

    >>> canonical_json({"a": (1, None)})
    '{"a": [1, null]}'
    """
    return _encode(value)


@cache
def _field_getter(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Returns the name and the field values of a dataclass. Raises TypeError for any other class."""
    names = [field.name for field in fields(kind)]
    # The name is got twice, since `attrgetter` returns no tuple for a single attribute.
    return attrgetter("__class__.__qualname__", "__class__.__qualname__", *names)


_encode = JSONEncoder(
    default=lambda value: _field_getter(value.__class__)(value), check_circular=False
).encode


def hash_texts(*texts: str | bytes | memoryview) -> str:
    """The SHA-256 of several texts in hexadecimal digits; the length of each text counts."""
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


class DefinitionKeys:
    """Keys of texts that refer to definitions (`#/$defs/NAME`); `definitions` are texts by name."""

    def __init__(self, definitions: Mapping[str, str]) -> None:
        self._definitions = definitions
        self._digests = {name: hash_texts(name, text) for name, text in definitions.items()}
        self._references: dict[str, list[str]] = {}

    def of(self, text: str) -> str:
        """The key of a text, as hexadecimal digits: a hash over the text and all definitions
        reachable from the text."""
        reached: set[str] = set()
        waiting = self._names(text)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                if name not in self._references:
                    self._references[name] = self._names(self._definitions[name])
                waiting += self._references[name]
        return hash_texts(text, *(self._digests[name] for name in sorted(reached)))

    def _names(self, text: str) -> list[str]:
        return [name for name in {*_REFERENCE.findall(text)} if name in self._definitions]


__all__ = ["NO_CACHE", "BuildCache", "DefinitionKeys", "canonical_json", "hash_texts"]
