"""The lines of the user's files, for excerpts in messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from mcpgen.diagnostics import Diagnostics
from mcpgen.read.decode import decode_text
from mcpgen.read.files import content_of
from mcpgen.read.findings import Findings


class SourceLines:
    """Answers what a line of a file says.

    `texts` are the documents that were read, by name. A file that could not be read as a document
    has no text there although its line is wanted most; it is read from the disk then, or from
    `given`, which holds the bytes that came by another way, such as standard input.
    """

    def __init__(
        self, texts: Iterable[tuple[str, str]], given: Mapping[str, bytes] | None = None
    ) -> None:
        self._given = dict(given or {})
        self._texts: dict[str, str | None] = dict(texts)
        self._lines: dict[str, list[str]] = {}

    def __call__(self, file: str, line: int) -> str | None:
        """The line, counted from 1 and without its end, or None when there is none."""
        if file not in self._lines:
            self._lines[file] = (self._text(file) or "").split("\n")
        lines = self._lines[file]
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _text(self, file: str) -> str | None:
        if file not in self._texts:
            content = self._given.get(file) or content_of(Path(file))
            unused = Findings(Diagnostics())
            self._texts[file] = (
                decode_text(content, file, unused) if type(content) is bytes else None
            )
        return self._texts[file]
