"""The folder a specification lies in, and the one its references may not leave."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass

from mcpgen.read.files import Content, FileOutside, content_inside


@dataclass(frozen=True, slots=True)
class SpecRoot:
    """Where the first document lies (`base`, as typed), its file name, the real path of the allowed
    folder and how messages call that."""

    base: str
    first: str
    allowed: str
    called: str
    wide: bool

    @classmethod
    def of(cls, name: str, root: str | None) -> SpecRoot:
        """The folders of a first document with that name; `root` widens what is allowed."""
        base, first = posixpath.split(name)
        called = root if root is not None else base
        return cls(base, first, os.path.realpath(called), called or ".", root is not None)

    def name_of(self, key: str) -> str:
        """How messages call the document with that key."""
        return posixpath.normpath(posixpath.join(self.base, key))

    def content_of(self, key: str) -> Content | FileOutside:
        """The bytes of the document with that key, if it lies in the allowed folder."""
        if not self.wide and key.split("/")[0] == "..":
            return FileOutside()
        return content_inside(os.path.join(self.base, *key.split("/")), self.allowed)
