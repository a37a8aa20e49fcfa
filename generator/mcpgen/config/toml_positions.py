"""The positions of keys in a TOML document, which `tomllib` does not report.

Computed only for diagnostics, and only for documents that `tomllib` has parsed.
"""

from __future__ import annotations

import re
import tomllib

TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<quoted>\"{3}(?:[^\\]|\\.)*?\"{3,5} | '{3}.*?'{3,5} | \"(?:[^"\\\n]|\\.)*\" | '[^'\n]*')
  | (?P<newline>\n)
  | (?P<sign>[\[\]{},.=])
  | (?P<bare>[^\s\[\]{},.=\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)

KeyPath = tuple[str, ...]


def toml_position(text: str, path: KeyPath) -> tuple[int, int]:
    """Line and column (from 1) of the key or array element at `path`, or of the nearest parent in
    the document; (1, 1) for the root."""
    positions = _Scanner(text).scan()
    while path and path not in positions:
        path = path[:-1]
    offset = positions.get(path, 0)
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class _Scanner:
    """A pass over the tokens. Holds the position, because the grammar is recursive."""

    def __init__(self, text: str) -> None:
        self.tokens = [
            (match.lastgroup or "", match.group(), match.start())
            for match in TOKEN.finditer(text)
            if match.lastgroup != "comment"
        ]
        self.tokens.append(("end", "", len(text)))
        self.at = 0
        self.table: KeyPath = ()
        self.offsets: dict[KeyPath, int] = {}
        self.lengths: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        """The offset of every key and array element, by path."""
        while self.kind != "end":
            if self.kind == "newline":
                self.at += 1
            elif self.text == "[":
                self._header()
            else:
                self._pair(self.table)
        return self.offsets

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    @property
    def text(self) -> str:
        return self.tokens[self.at][1]

    def _skip(self, *signs: str) -> bool:
        """Steps over the token if it is among `signs`; True if so."""
        is_sign = self.text in signs and self.kind in ("sign", "newline")
        self.at += is_sign
        return is_sign

    def _header(self) -> None:
        """`[table]` or `[[array of tables]]`; the following keys belong to the table."""
        self._skip("[")
        array = self._skip("[")
        self.table = self._key((), through_arrays=True)
        if array:
            index = self.lengths.get(self.table, 0)
            self.lengths[self.table] = index + 1
            self.table = (*self.table, str(index))
            self.offsets[self.table] = self.tokens[self.at - 1][2]
        while self._skip("]"):
            continue

    def _key(self, prefix: KeyPath, *, through_arrays: bool = False) -> KeyPath:
        """A dotted key; records the position of each part."""
        path = prefix
        while True:
            kind, text, offset = self.tokens[self.at]
            name = tomllib.loads(f"name = {text}")["name"] if kind == "quoted" else text
            self.at += 1
            path = (*path, name)
            self.offsets.setdefault(path, offset)
            if not self._skip("."):
                return path
            if through_arrays and path in self.lengths:
                path = (*path, str(self.lengths[path] - 1))

    def _pair(self, prefix: KeyPath) -> None:
        path = self._key(prefix)
        self._skip("=")
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._skip("["):
            self._elements(path)
        elif self._skip("{"):
            while not self._skip("}"):
                if not self._skip(",", "\n"):
                    self._pair(path)
        else:
            while self.text not in (",", "]", "}", "\n", ""):
                self.at += 1

    def _elements(self, path: KeyPath) -> None:
        index = 0
        while not self._skip("]"):
            if not self._skip(",", "\n"):
                element = (*path, str(index))
                self.offsets[element] = self.tokens[self.at][2]
                self._value(element)
                index += 1
