"""The file that holds what a build has made, and what is taken from it.

Behind a line with their digest stand the values, one on a line: its key, and what it is as JSON. A file
that is cut, foreign or of another mcpgen is none; what is in it is read as values that `codec` knows,
and is never run.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TypeVar

from mcpgen.cache.keys import hash_texts
from mcpgen.cache.serialize import decode, encode

FEW = 100
"""Operations below which a build takes no longer than to remember it."""

MANY = 8_000
"""Operations beyond which what is made of them is larger than what is kept."""

LARGEST = 64_000_000
"""Bytes of a file; what is larger is not kept."""

KEPT = 16
"""Files kept in the folder, those used last."""

Made = TypeVar("Made")


class BuildCache:
    """What was made before, by a digest of everything it was made from.

    `maker` tells versions of mcpgen apart. Without `path` nothing is remembered, nor of a server
    with fewer than `few` operations.
    """

    def __init__(self, path: Path | None = None, maker: str = "", few: int = FEW) -> None:
        self._path = path
        self._maker = maker
        self._few = few
        self._before: dict[bytes, bytes] | None = None
        """The lines of the file, by their keys."""
        self._now: dict[bytes, bytes] = {}
        self._keys: dict[int, tuple[object, str]] = {}
        self._is_new = False

    @property
    def is_there(self) -> bool:
        """Whether an earlier build, by the same mcpgen, has left something."""
        return bool(self._known())

    def is_worth(self, count: int) -> bool:
        """Whether anything is remembered of so many operations."""
        return self.has_room(count) and self._few <= count

    def has_room(self, count: int) -> bool:
        """Whether values of so many operations can be kept."""
        return self._path is not None and count <= MANY

    def get(self, key: str, kind: type[Made]) -> Made | None:
        """What was made from what the key stands for, None if nobody remembers."""
        known = key.encode()
        line = self._known().get(known)
        if line is None:
            return None
        try:
            made = decode(kind, json.loads(line.partition(b" ")[2].decode("ascii")))
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError):
            return None
        self._now[known] = line
        return made

    def put(self, key: str, made: object) -> None:
        """Remembers a dataclass, if it comes back from a file as it is."""
        if self._path is None:
            return
        with contextlib.suppress(TypeError, ValueError, RecursionError):
            told = json.dumps(encode(made), separators=(",", ":"))
            if decode(type(made), json.loads(told)) == made:
                self._now[key.encode()] = f"{key} {told}".encode("ascii")
                self._is_new = True

    def name(self, made: object, key: str) -> None:
        """From now on a key stands for this very value: all that it was made from is in the key."""
        self._keys[id(made)] = (made, key)

    def key_of(self, made: object) -> str | None:
        """The key that stands for this very value, None where there is none."""
        named = self._keys.get(id(made))
        return named[1] if named else None

    def save(self) -> None:
        """Writes the file, if anything in it is new; a folder that cannot be written to is no
        fault of the build."""
        if self._path is None or not self._is_new:
            return
        content = b"\n".join(self._now.values())
        if len(content) > LARGEST:
            return
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(beside, "wb", opener=_private) as file:
                file.writelines((self.head(content), b"\n", content))
            beside.replace(self._path)
            _forget_oldest(self._path.parent)

    def _known(self) -> dict[bytes, bytes]:
        if self._before is None:
            self._before = self._read()
        return self._before

    def _read(self) -> dict[bytes, bytes]:
        if self._path is None:
            return {}
        try:
            if self._path.stat().st_size > LARGEST + 1_000 or not _is_ours(self._path):
                return {}
            content = self._path.read_bytes()
        except (OSError, ValueError):
            return {}
        head, *lines = content.split(b"\n")
        if head != self.head(memoryview(content)[len(head) + 1 :]):
            return {}
        return {line[: line.find(b" ")]: line for line in lines}

    def head(self, content: bytes | memoryview) -> bytes:
        """The first line of a file with this content."""
        return hash_texts(self._maker, content).encode()


NO_CACHE = BuildCache()
"""Remembers nothing."""


def _private(path: str, flags: int) -> int:
    """Opens a file that is nobody else's."""
    return os.open(path, flags, 0o600)


def _is_ours(path: Path) -> bool:
    """Whether nobody else can have written a file: its digest tells damage, not who made it."""
    if sys.platform == "win32":
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def _forget_oldest(folder: Path) -> None:
    """Removes the files that were written longest ago, and those that a stopped build has left."""
    files = [path for path in folder.iterdir() if path.is_file()]
    for path in sorted(files, key=_age)[:-KEPT]:
        path.unlink()


def _age(path: Path) -> float:
    return path.stat().st_mtime
