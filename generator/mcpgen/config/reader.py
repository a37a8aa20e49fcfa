"""Reads the keys of `mcpgen.toml` in turn and reports errors in each value."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcpgen.config import selectors
from mcpgen.config.key_spec import KeySpec, KeyType
from mcpgen.config.schema import KEYS
from mcpgen.config.tables.selection import Selector
from mcpgen.config.toml_positions import toml_position
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.suggestions import closest_matches

TYPES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (dict, "a table"),
    (list, "a list"),
    (object, "a date or a time"),
)
"""The names of TOML's types in messages; the first matching type counts."""

SIMPLE: Mapping[KeyType, type] = {KeyType.STRING: str, KeyType.INTEGER: int, KeyType.BOOLEAN: bool}
"""The key types of scalar values, with Python's type of the value."""


RENAMED_TABLES = {"authorisation": "authorization"}
"""The present names of tables that had another name in the version before."""


class ConfigReader:
    """A walk over the tree that finds a value for every key. Holds the context of every diagnostic.
    `folder`: files may be named, since a folder of files exists."""

    folder = True

    def __init__(self, text: str, name: str, diagnostics: Diagnostics) -> None:
        self.text, self.name, self.diagnostics = text, name, diagnostics
        self.keys = {key.path: key for key in KEYS}
        self.tables = {path.rpartition(".")[0] for path in self.keys} - {""}
        self.values_by_path: dict[str, Any] = {key.path: key.default for key in KEYS}
        self.places: dict[tuple[str, ...], Location] = {}
        self._old_names: dict[str, str] = {}
        self._kinds: Mapping[KeyType, Callable[[KeySpec, Any, tuple[str, ...]], Any]] = {
            KeyType.SELECTORS: lambda key, value, path: self.selectors(key.path, value, path),
            KeyType.TEXTS: self._texts,
            KeyType.NAMES: self._names,
            KeyType.CHOICES: self._names,
            KeyType.FIELDS: self._fields,
            KeyType.VALUE: self._value,
        }

    def values(self, tree: Mapping[str, Any]) -> Mapping[str, Any]:
        """A value for every key of the table: the document's, or the default. Adds RENAMED_TABLE for
        a table with the name of the version before."""
        renamed = {
            old: new for old, new in RENAMED_TABLES.items() if old in tree and new not in tree
        }
        self._old_names = {new: old for old, new in renamed.items()}
        for old, new in renamed.items():
            self._add(codes.RENAMED_TABLE, (new,), old=old, new=new)
        self._table({renamed.get(name, name): value for name, value in tree.items()}, ())
        return self.values_by_path

    def _table(self, tree: Mapping[str, Any], path: tuple[str, ...]) -> None:
        """Reads every key of a table and of the nested tables."""
        for name, value in tree.items():
            inner = (*path, name)
            dotted = ".".join(inner)
            if dotted in self.keys:
                self.values_by_path[dotted] = self._take(self.keys[dotted], value, inner)
            elif dotted not in self.tables:
                known_keys = [*self.keys, *self.tables]
                self.unknown(dotted, known_keys, inner)
            elif isinstance(value, dict):
                self._table(value, inner)
            else:
                self.wrong_type(dotted, "a table", value, inner)

    def _take(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Any:
        """The value of a key; a wrong value is reported and replaced by the default."""
        self.places[path] = self.at(path)
        if key.read:
            return key.read(self, key, value, path)
        if key.kind in self._kinds:
            return self._kinds[key.kind](key, value, path)
        if type(value) is not SIMPLE[key.kind]:
            self.wrong_type(key.path, key.kind, value, path)
        elif not key.fits(value):
            self.illegal(key.path, key.must, value, path)
        else:
            return value
        return key.default

    def members(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """The entries of a table with the user's own keys, in order of the file; reports a value of
        another type with WRONG_TYPE."""
        if isinstance(value, dict):
            yield from value.items()
        else:
            self.wrong_type(key.path, KeyType.TABLES, value, path)

    def table(self, keys: Sequence[KeySpec], value: Any, path: tuple[str, ...]) -> dict[str, Any]:
        """The values of a nested table with known keys; reports and leaves out wrong values."""
        spoken = ".".join(path)
        if not isinstance(value, dict):
            self.wrong_type(spoken, "a table", value, path)
            return {}
        specs = {key.path: key for key in keys}
        values: dict[str, Any] = {}
        for name, member in value.items():
            inner = (*path, name)
            if name not in specs:
                self.unknown(f"{spoken}.{name}", [f"{spoken}.{option}" for option in specs], inner)
                continue
            key = replace(specs[name], path=f"{spoken}.{name}")
            taken = self._take(key, member, inner)
            if taken is not None:
                values[name] = taken
        return values

    def mark(self, path: tuple[str, ...], *names: str) -> None:
        """Records the positions of a table and of some keys, for diagnostics of later stages."""
        for key_path in (path, *((*path, name) for name in names)):
            self.places[key_path] = self.at(key_path)

    def _value(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Any:
        """Returns `value` if JSON can express the value; else reports an error and returns None."""
        strangers = [scalar for scalar in _scalars_inside(value) if not _is_json_scalar(scalar)]
        if not strangers:
            return value
        self.wrong_type(key.path, key.kind, strangers[0], path)
        return None

    def _texts(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            self.wrong_type(key.path, key.kind, value, path)
            return None if key.default is None else ()
        kept: list[str] = []
        for index, text in enumerate(value):
            inner = (*path, str(index))
            if not isinstance(text, str):
                self.wrong_type(f"{key.path}[{index}]", KeyType.STRING, text, inner)
            elif not key.fits(text):
                self.illegal(f"{key.path}[{index}]", key.must, text, inner)
            else:
                # Indexed like the list of kept texts: later stages look up positions by this index.
                self.places[*path, str(len(kept))] = self.at(inner)
                kept.append(text)
        return tuple(kept)

    def _names(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> dict[str, str]:
        if not isinstance(value, dict):
            self.wrong_type(key.path, key.kind, value, path)
            return {}
        names: dict[str, str] = {}
        for operation, chosen in value.items():
            inner = (*path, operation)
            if not isinstance(chosen, str):
                self.wrong_type(f"{key.path}.{operation}", KeyType.STRING, chosen, inner)
            elif not key.fits(chosen):
                self.illegal(f"{key.path}.{operation}", key.must, chosen, inner)
            elif key.kind is KeyType.NAMES and chosen in names.values():
                must = "a name that no other operation has"
                self.illegal(f"{key.path}.{operation}", must, chosen, inner)
            else:
                names[operation] = chosen
                self.places[inner] = self.at(inner)
        return names

    def _fields(
        self, key: KeySpec, value: Any, path: tuple[str, ...]
    ) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            self.wrong_type(key.path, key.kind, value, path)
            return {}
        fields: dict[str, tuple[str, ...]] = {}
        for operation, paths in value.items():
            inner = (*path, operation)
            name = f"{key.path}.{operation}"
            if not isinstance(paths, list):
                self.wrong_type(name, "a list of strings", paths, inner)
                continue
            wrong = [text for text in paths if not isinstance(text, str) or not key.fits(text)]
            for text in wrong:
                self.illegal(name, key.must, text, (*inner, str(paths.index(text))))
            if not paths:
                self.illegal(name, key.must, paths, inner)
            elif not wrong:
                fields[operation] = tuple(paths)
                self.places[inner] = self.at(inner)
                for index in range(len(paths)):
                    self.places[*inner, str(index)] = self.at((*inner, str(index)))
        return fields

    def selectors(self, key: str, value: Any, path: tuple[str, ...]) -> tuple[Selector, ...]:
        """The selectors of a list; reports and leaves out elements that are no selectors."""
        if not isinstance(value, list):
            self.wrong_type(key, KeyType.SELECTORS, value, path)
            return ()
        kept: list[Selector] = []
        for index, element in enumerate(value):
            selector = self._selector(key, element, (*path, str(index)))
            if selector is not None:
                # Indexed like the list of kept selectors: later stages look up positions by this
                # index.
                self.places[*path, str(len(kept))] = self.at((*path, str(index)))
                kept.append(selector)
        return tuple(kept)

    def _selector(self, key: str, value: Any, path: tuple[str, ...]) -> Selector | None:
        if isinstance(value, str):
            selector = selectors.from_text(value)
        elif isinstance(value, dict) and self._are_fields(key, value, path):
            selector = selectors.from_fields(value)
        else:
            if not isinstance(value, dict):
                self.wrong_type(f"{key}[{path[-1]}]", "a string or a table", value, path)
            return None
        if must := selectors.complaint(selector):
            self._add(codes.ILLEGAL_SELECTOR, path, must=must)
            return None
        return selector

    def _are_fields(self, key: str, fields: dict[str, Any], path: tuple[str, ...]) -> bool:
        """True if a selector's table has known keys of the right types; reports other keys and
        values."""
        unknown = [name for name in fields if name not in selectors.FIELDS]
        for name in unknown:
            self.unknown(name, list(selectors.FIELDS), (*path, name))
        kinds = {
            name: KeyType.BOOLEAN if name in selectors.CLAIMS else KeyType.STRING for name in fields
        }
        wrong = [name for name, kind in kinds.items() if type(fields[name]) is not SIMPLE[kind]]
        for name in wrong:
            self.wrong_type(f"{key}.{name}", kinds[name], fields[name], (*path, name))
        return not unknown and not wrong

    def unknown(self, key: str, known_keys: list[str], path: tuple[str, ...]) -> None:
        table, _, name = key.rpartition(".")
        split = {option: option.rpartition(".") for option in known_keys}
        leaves = {leaf: option for option, (_, _, leaf) in split.items()}
        beside = {leaf: option for option, (parent, _, leaf) in split.items() if parent == table}
        elsewhere = [option for option in known_keys if option not in beside.values()]
        close = (
            [beside[leaf] for leaf in closest_matches(name, beside, 1)]
            or closest_matches(key, elsewhere, 1)
            or [leaves[leaf] for leaf in closest_matches(name, leaves, 1, 0.75)]
        )
        nearest = f"; did you mean `{close[0]}`?" if close else ""
        self._add(codes.UNKNOWN_KEY, path, key=key, nearest=nearest)

    def wrong_type(self, key: str, expected: str, value: Any, path: tuple[str, ...]) -> None:
        type_name = next(word for kind, word in TYPES if isinstance(value, kind))
        self._add(codes.WRONG_TYPE, path, key=key, expected=str(expected), found=type_name)

    def illegal(self, key: str, must: str, value: Any, path: tuple[str, ...]) -> None:
        self._add(codes.ILLEGAL_VALUE, path, key=key, must=must, value=_quote_value(value))

    def _add(self, code: Code, path: tuple[str, ...], **facts: str) -> None:
        self.diagnostics.add(code, self.at(path), severity=None, **facts)

    def at(self, path: tuple[str, ...]) -> Location:
        written = (*(self._old_names.get(name, name) for name in path[:1]), *path[1:])
        line, column = toml_position(self.text, written)
        return Location(self.name, path, line, column)


def _is_json_scalar(value: Any) -> bool:
    """True if JSON has the scalar: JSON lacks dates and non-finite numbers."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | int)


def _scalars_inside(value: Any) -> Iterator[Any]:
    """The scalars inside a value, at any depth."""
    if isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _scalars_inside(member)
    else:
        yield value


def _quote_value(value: object) -> str:
    """The value as shown in a message: on a single line, at most 80 columns."""
    text = value if isinstance(value, str) else json.dumps(value)
    line = json.dumps(text, ensure_ascii=False)[1:-1] if not text.isprintable() else text
    return f"`{line[:77]}…`" if len(line) > 78 else f"`{line}`"
