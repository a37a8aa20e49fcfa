"""Where something stands in what the user wrote."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in one file: the file and the path of keys that leads to the value.

    `file` is the path as messages print it (POSIX separators). `path` holds the raw keys and
    indexes from the document's root, `()` for the root itself. `line` and `column` count from 1
    and are set only where a reader already knows them (a syntax error); everywhere else they are
    0 and looked up from `path` when, and only when, the location is printed.
    """

    file: str
    path: tuple[str, ...] = ()
    line: int = 0
    column: int = 0

    def __truediv__(self, key: str | int) -> Location:
        """The place of the child `key` of this value."""
        return Location(self.file, (*self.path, str(key)), self.line, self.column)

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer (RFC 6901); `""` for the root."""
        return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in self.path)
