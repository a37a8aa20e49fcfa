"""Takes the keys of `mcpgen.toml` one by one and says what is wrong with each."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from mcpgen.config import selectors
from mcpgen.config.key import Key, Kind
from mcpgen.config.keys import KEYS
from mcpgen.config.places import place
from mcpgen.config.tables.selection import Selector
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes

TYPES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (dict, "a table"),
    (list, "a list"),
    (object, "a date or a time"),
)
"""What TOML's values are called in a message; the first that fits."""


class Reader:
    """A walk over the tree that finds a value for every key; holds what every finding needs."""

    def __init__(self, text: str, name: str, diagnostics: Diagnostics) -> None:
        self.text, self.name, self.diagnostics = text, name, diagnostics
        self.keys = {key.path: key for key in KEYS}
        self.tables = {path.rpartition(".")[0] for path in self.keys} - {""}
        self.found: dict[str, Any] = {key.path: key.default for key in KEYS}
        self.places: dict[tuple[str, ...], Location] = {}

    def values(self, tree: Mapping[str, Any]) -> Mapping[str, Any]:
        """One value for every key of the table: what the document says, or the default."""
        self._table(tree, ())
        return self.found

    def _table(self, tree: Mapping[str, Any], path: tuple[str, ...]) -> None:
        """Takes every key of a table, and of the tables in it."""
        for name, value in tree.items():
            inner = (*path, name)
            dotted = ".".join(inner)
            if dotted in self.keys:
                self._take(self.keys[dotted], value, inner)
            elif dotted not in self.tables:
                known = [*self.keys, *self.tables]
                self._unknown(dotted, known, inner)
            elif isinstance(value, dict):
                self._table(value, inner)
            else:
                self._wrong_type(dotted, "a table", value, inner)

    def _take(self, key: Key, value: Any, path: tuple[str, ...]) -> None:
        self.places[path] = self._at(path)
        if key.kind is Kind.SELECTORS:
            self.found[key.path] = self._selectors(key, value, path)
        elif key.kind is Kind.TEXTS:
            self.found[key.path] = self._texts(key, value, path)
        elif key.kind in (Kind.NAMES, Kind.CHOICES):
            self.found[key.path] = self._names(key, value, path)
        elif key.kind is Kind.FIELDS:
            self.found[key.path] = self._fields(key, value, path)
        elif type(value) is not {Kind.STRING: str, Kind.INTEGER: int, Kind.BOOLEAN: bool}[key.kind]:
            self._wrong_type(key.path, key.kind, value, path)
        elif not key.fits(value):
            self._illegal(key.path, key.must, value, path)
        else:
            self.found[key.path] = value
            if key.kind is Kind.INTEGER:
                self.places[path] = self._at(path)

    def _texts(self, key: Key, value: Any, path: tuple[str, ...]) -> tuple[str, ...]:
        if not isinstance(value, list):
            self._wrong_type(key.path, key.kind, value, path)
            return ()
        kept: list[str] = []
        for index, text in enumerate(value):
            inner = (*path, str(index))
            if not isinstance(text, str):
                self._wrong_type(f"{key.path}[{index}]", Kind.STRING, text, inner)
            elif not key.fits(text):
                self._illegal(f"{key.path}[{index}]", key.must, text, inner)
            else:
                # Counted like the texts that are kept, which is how others know them.
                self.places[*path, str(len(kept))] = self._at(inner)
                kept.append(text)
        return tuple(kept)

    def _names(self, key: Key, value: Any, path: tuple[str, ...]) -> dict[str, str]:
        if not isinstance(value, dict):
            self._wrong_type(key.path, key.kind, value, path)
            return {}
        names: dict[str, str] = {}
        for operation, chosen in value.items():
            inner = (*path, operation)
            if not isinstance(chosen, str):
                self._wrong_type(f"{key.path}.{operation}", Kind.STRING, chosen, inner)
            elif not key.fits(chosen):
                self._illegal(f"{key.path}.{operation}", key.must, chosen, inner)
            elif key.kind is Kind.NAMES and chosen in names.values():
                must = "a name that no other operation has"
                self._illegal(f"{key.path}.{operation}", must, chosen, inner)
            else:
                names[operation] = chosen
                self.places[inner] = self._at(inner)
        return names

    def _fields(self, key: Key, value: Any, path: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            self._wrong_type(key.path, key.kind, value, path)
            return {}
        fields: dict[str, tuple[str, ...]] = {}
        for operation, paths in value.items():
            inner = (*path, operation)
            name = f"{key.path}.{operation}"
            if not isinstance(paths, list):
                self._wrong_type(name, "a list of strings", paths, inner)
                continue
            wrong = [one for one in paths if not isinstance(one, str) or not key.fits(one)]
            for one in wrong:
                self._illegal(name, key.must, one, (*inner, str(paths.index(one))))
            if not paths:
                self._illegal(name, key.must, paths, inner)
            elif not wrong:
                fields[operation] = tuple(paths)
                self.places[inner] = self._at(inner)
                for index in range(len(paths)):
                    self.places[*inner, str(index)] = self._at((*inner, str(index)))
        return fields

    def _selectors(self, key: Key, value: Any, path: tuple[str, ...]) -> tuple[Selector, ...]:
        if not isinstance(value, list):
            self._wrong_type(key.path, key.kind, value, path)
            return ()
        kept: list[Selector] = []
        for index, element in enumerate(value):
            selector = self._selector(key, element, (*path, str(index)))
            if selector is not None:
                # Counted like the selectors that are kept, which is how others know them.
                self.places[*path, str(len(kept))] = self._at((*path, str(index)))
                kept.append(selector)
        return tuple(kept)

    def _selector(self, key: Key, value: Any, path: tuple[str, ...]) -> Selector | None:
        if isinstance(value, str):
            selector = selectors.from_text(value)
        elif isinstance(value, dict) and self._are_fields(key, value, path):
            selector = selectors.from_fields(value)
        else:
            if not isinstance(value, dict):
                self._wrong_type(f"{key.path}[{path[-1]}]", "a string or a table", value, path)
            return None
        if must := selectors.complaint(selector):
            self._add(codes.ILLEGAL_SELECTOR, path, must=must)
            return None
        return selector

    def _are_fields(self, key: Key, fields: dict[str, Any], path: tuple[str, ...]) -> bool:
        """Whether a selector's table has known keys and strings only; tells what is wrong."""
        unknown = [name for name in fields if name not in selectors.FIELDS]
        for name in unknown:
            self._unknown(name, list(selectors.FIELDS), (*path, name))
        wrong = [name for name, value in fields.items() if not isinstance(value, str)]
        for name in wrong:
            self._wrong_type(f"{key.path}.{name}", Kind.STRING, fields[name], (*path, name))
        return not unknown and not wrong

    def _unknown(self, key: str, known: list[str], path: tuple[str, ...]) -> None:
        leaves = {option.rpartition(".")[2]: option for option in known}
        close = difflib.get_close_matches(key, known, 1, 0.6) or [
            leaves[leaf]
            for leaf in difflib.get_close_matches(key.rpartition(".")[2], list(leaves), 1, 0.75)
        ]
        nearest = f"; did you mean `{close[0]}`?" if close else ""
        self._add(codes.UNKNOWN_KEY, path, key=key, nearest=nearest)

    def _wrong_type(self, key: str, expected: str, value: Any, path: tuple[str, ...]) -> None:
        found = next(word for kind, word in TYPES if isinstance(value, kind))
        self._add(codes.WRONG_TYPE, path, key=key, expected=str(expected), found=found)

    def _illegal(self, key: str, must: str, value: Any, path: tuple[str, ...]) -> None:
        self._add(codes.ILLEGAL_VALUE, path, key=key, must=must, value=_quoted(value))

    def _add(self, code: Code, path: tuple[str, ...], **facts: str) -> None:
        self.diagnostics.add(code, self._at(path), severity=None, **facts)

    def _at(self, path: tuple[str, ...]) -> Location:
        line, column = place(self.text, path)
        return Location(self.name, path, line, column)


def _quoted(value: object) -> str:
    """The value as a message shows it: on one line, and not longer than a line."""
    text = value if isinstance(value, str) else json.dumps(value)
    line = json.dumps(text, ensure_ascii=False)[1:-1] if not text.isprintable() else text
    return f"`{line[:77]}…`" if len(line) > 78 else f"`{line}`"
