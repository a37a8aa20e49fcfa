"""Reads the values of the keys of `mcpgen.toml`, and reports wrong keys and values.

A reader function of a table (`KeySpec.read`) gets the `ConfigReader` and reads nested tables by it.
"""

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

_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (dict, "a table"),
    (list, "a list"),
    (object, "a date or a time"),
)
"""Names of TOML's types in messages; the first matching type counts, since a `bool` of Python is an
`int`."""

_SCALAR_TYPES: Mapping[KeyType, type] = {
    KeyType.STRING: str,
    KeyType.INTEGER: int,
    KeyType.BOOLEAN: bool,
}
"""The key types of scalar values, with Python's type of the value."""

RENAMED_TABLES = {"authorisation": "authorization"}
"""New names of renamed tables by old name. An old name is read with a warning until the next minor
version."""

_SAME_NAME_SIMILARITY = 0.75
"""Least similarity, from 0 to 1, of a key's name to a name in another table. Higher than the default,
since the names of the tables are not compared."""


class ConfigReader:
    """Reads the tables of one document.

    `locations`: locations of the keys that were read, by path. A path is the keys from the root of
    the document; an element of a list has its index in the path. `has_folder`: keys may name files,
    because the document stands in a folder.

    A wrong value is reported and replaced by the default, so that all findings come at once.
    """

    has_folder = True

    def __init__(self, text: str, name: str, diagnostics: Diagnostics) -> None:
        self.text, self.name, self.diagnostics = text, name, diagnostics
        self.locations: dict[tuple[str, ...], Location] = {}
        self._keys = {key.path: key for key in KEYS}
        self._table_paths = {path.rpartition(".")[0] for path in self._keys} - {""}
        self._values: dict[str, Any] = {key.path: key.default for key in KEYS}
        self._old_names: dict[str, str] = {}
        self._readers: Mapping[KeyType, Callable[[KeySpec, Any, tuple[str, ...]], Any]] = {
            KeyType.SELECTORS: lambda key, value, path: self.read_selectors(key.path, value, path),
            KeyType.TEXTS: self._read_texts,
            KeyType.NAMES: self._read_names,
            KeyType.CHOICES: self._read_names,
            KeyType.FIELDS: self._read_fields,
            KeyType.VALUE: self._read_json_value,
        }

    def read_values(self, tree: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns a value for every key of the table, by dotted path: the document's, or the default.
        Adds RENAMED_TABLE for a table with an old name."""
        renamed = {
            old: new for old, new in RENAMED_TABLES.items() if old in tree and new not in tree
        }
        self._old_names = {new: old for old, new in renamed.items()}
        for old, new in renamed.items():
            self._add(codes.RENAMED_TABLE, (new,), old=old, new=new)
        self._read_table({renamed.get(name, name): value for name, value in tree.items()}, ())
        return self._values

    def _read_table(self, tree: Mapping[str, Any], path: tuple[str, ...]) -> None:
        """Reads every key of a table and of the nested tables."""
        for name, value in tree.items():
            inner = (*path, name)
            dotted = ".".join(inner)
            if dotted in self._keys:
                self._values[dotted] = self._read_value(self._keys[dotted], value, inner)
            elif dotted not in self._table_paths:
                known_keys = [*self._keys, *self._table_paths]
                self.report_unknown(dotted, known_keys, inner)
            elif isinstance(value, dict):
                self._read_table(value, inner)
            else:
                self.report_wrong_type(dotted, "a table", value, inner)

    def _read_value(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Any:
        """Returns the value of a key; a wrong value is reported and replaced by the default."""
        self.locations[path] = self.at(path)
        if key.read:
            return key.read(self, key, value, path)
        if key.kind in self._readers:
            return self._readers[key.kind](key, value, path)
        if type(value) is not _SCALAR_TYPES[key.kind]:
            self.report_wrong_type(key.path, key.kind, value, path)
        elif not key.fits(value):
            self.report_illegal(key.path, key.must, value, path)
        else:
            return value
        return key.default

    def members(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yields the entries of a table with the user's own keys, in order of the file; reports a value
        of another type with WRONG_TYPE."""
        if isinstance(value, dict):
            yield from value.items()
        else:
            self.report_wrong_type(key.path, KeyType.TABLES, value, path)

    def read_nested_table(
        self, keys: Sequence[KeySpec], value: Any, path: tuple[str, ...]
    ) -> dict[str, Any]:
        """Returns the values of a nested table with known keys, by name; reports and leaves out wrong
        values. The paths of `keys` are names in the table, and their default is None."""
        dotted_table = ".".join(path)
        if not isinstance(value, dict):
            self.report_wrong_type(dotted_table, "a table", value, path)
            return {}
        specs = {key.path: key for key in keys}
        values: dict[str, Any] = {}
        for name, member in value.items():
            inner = (*path, name)
            dotted = f"{dotted_table}.{name}"
            if name not in specs:
                known_keys = [f"{dotted_table}.{known_name}" for known_name in specs]
                self.report_unknown(dotted, known_keys, inner)
                continue
            member_value = self._read_value(replace(specs[name], path=dotted), member, inner)
            if member_value is not None:
                values[name] = member_value
        return values

    def record_locations(self, path: tuple[str, ...], *names: str) -> None:
        """Records the locations of a table and of some keys, for diagnostics of later stages."""
        for key_path in (path, *((*path, name) for name in names)):
            self.locations[key_path] = self.at(key_path)

    def _read_json_value(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Any:
        """Returns `value` if JSON can express the value; else reports an error and returns None."""
        not_json = [scalar for scalar in _scalars_inside(value) if not _is_json_scalar(scalar)]
        if not not_json:
            return value
        self.report_wrong_type(key.path, key.kind, not_json[0], path)
        return None

    def _read_texts(
        self, key: KeySpec, value: Any, path: tuple[str, ...]
    ) -> tuple[str, ...] | None:
        """Returns the legal texts of a list; for another type the empty list, or None if an empty list
        would say something else than the default None."""
        if not isinstance(value, list):
            self.report_wrong_type(key.path, key.kind, value, path)
            return None if key.default is None else ()
        texts: list[str] = []
        for index, text in enumerate(value):
            inner = (*path, str(index))
            if not isinstance(text, str):
                self.report_wrong_type(f"{key.path}[{index}]", KeyType.STRING, text, inner)
            elif not key.fits(text):
                self.report_illegal(f"{key.path}[{index}]", key.must, text, inner)
            else:
                # Later stages look up locations by the index among the legal texts.
                self.locations[*path, str(len(texts))] = self.at(inner)
                texts.append(text)
        return tuple(texts)

    def _read_names(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> dict[str, str]:
        """Returns the legal texts of a table by operation. Texts of the type NAMES are names of tools:
        reports and leaves out a name that an operation before has."""
        if not isinstance(value, dict):
            self.report_wrong_type(key.path, key.kind, value, path)
            return {}
        names: dict[str, str] = {}
        for operation, name in value.items():
            inner = (*path, operation)
            dotted = f"{key.path}.{operation}"
            if not isinstance(name, str):
                self.report_wrong_type(dotted, KeyType.STRING, name, inner)
            elif not key.fits(name):
                self.report_illegal(dotted, key.must, name, inner)
            elif key.kind is KeyType.NAMES and name in names.values():
                self.report_illegal(dotted, "a name that no other operation has", name, inner)
            else:
                names[operation] = name
                self.locations[inner] = self.at(inner)
        return names

    def _read_fields(
        self, key: KeySpec, value: Any, path: tuple[str, ...]
    ) -> dict[str, tuple[str, ...]]:
        """Returns the lists of field paths of a table by operation; a list with an illegal path, and an
        empty list, are reported and left out."""
        if not isinstance(value, dict):
            self.report_wrong_type(key.path, key.kind, value, path)
            return {}
        fields: dict[str, tuple[str, ...]] = {}
        for operation, field_paths in value.items():
            inner = (*path, operation)
            dotted = f"{key.path}.{operation}"
            if not isinstance(field_paths, list):
                self.report_wrong_type(dotted, "a list of strings", field_paths, inner)
                continue
            illegal = [
                text for text in field_paths if not isinstance(text, str) or not key.fits(text)
            ]
            for text in illegal:
                index = field_paths.index(text)
                self.report_illegal(dotted, key.must, text, (*inner, str(index)))
            if not field_paths:
                self.report_illegal(dotted, key.must, field_paths, inner)
            elif not illegal:
                fields[operation] = tuple(field_paths)
                self.locations[inner] = self.at(inner)
                for index in range(len(field_paths)):
                    self.locations[*inner, str(index)] = self.at((*inner, str(index)))
        return fields

    def read_selectors(
        self, dotted: str, value: Any, path: tuple[str, ...]
    ) -> tuple[Selector, ...]:
        """Returns the selectors of a list; reports and leaves out elements that are no selectors."""
        if not isinstance(value, list):
            self.report_wrong_type(dotted, KeyType.SELECTORS, value, path)
            return ()
        list_selectors: list[Selector] = []
        for index, element in enumerate(value):
            inner = (*path, str(index))
            selector = self._read_selector(dotted, element, inner)
            if selector is not None:
                # Later stages look up locations by the index among the legal selectors.
                self.locations[*path, str(len(list_selectors))] = self.at(inner)
                list_selectors.append(selector)
        return tuple(list_selectors)

    def _read_selector(self, dotted: str, value: Any, path: tuple[str, ...]) -> Selector | None:
        if isinstance(value, str):
            selector = selectors.from_text(value)
        elif isinstance(value, dict) and self._has_valid_fields(dotted, value, path):
            selector = selectors.from_fields(value)
        else:
            if not isinstance(value, dict):
                self.report_wrong_type(f"{dotted}[{path[-1]}]", "a string or a table", value, path)
            return None
        if must := selectors.complaint(selector):
            self._add(codes.ILLEGAL_SELECTOR, path, must=must)
            return None
        return selector

    def _has_valid_fields(self, dotted: str, fields: dict[str, Any], path: tuple[str, ...]) -> bool:
        """True if a selector's table has known keys of the right types; reports other keys and
        values."""
        unknown = [name for name in fields if name not in selectors.FIELDS]
        for name in unknown:
            self.report_unknown(name, list(selectors.FIELDS), (*path, name))
        types = {
            name: KeyType.BOOLEAN if name in selectors.CLAIMS else KeyType.STRING for name in fields
        }
        wrong = [
            name for name, type_ in types.items() if type(fields[name]) is not _SCALAR_TYPES[type_]
        ]
        for name in wrong:
            self.report_wrong_type(f"{dotted}.{name}", types[name], fields[name], (*path, name))
        return not unknown and not wrong

    def report_unknown(self, key: str, known_keys: list[str], path: tuple[str, ...]) -> None:
        """Adds UNKNOWN_KEY. `key` and `known_keys` are dotted paths.

        Suggests a similar name in the same table, else a similar path, else a similar name in any
        table; for the old name of a table, the table with the new name.
        """
        if len(path) == 1 and key in RENAMED_TABLES:
            nearest = f"; move its keys to `[{RENAMED_TABLES[key]}]`, the new name of the table"
            self._add(codes.UNKNOWN_KEY, path, key=key, nearest=nearest)
            return
        table, _, name = key.rpartition(".")
        same_table: dict[str, str] = {}
        any_table: dict[str, str] = {}
        for known_key in known_keys:
            known_table, _, known_name = known_key.rpartition(".")
            any_table[known_name] = known_key
            if known_table == table:
                same_table[known_name] = known_key
        # With a table that exists, a similar path only has a similar table, and the key is wrong.
        other_keys = [
            known_key
            for known_key in known_keys
            if known_key not in same_table.values() and table not in known_keys
        ]
        close = (
            [same_table[match] for match in closest_matches(name, same_table, 1)]
            or closest_matches(key, other_keys, 1)
            or [
                any_table[match]
                for match in closest_matches(name, any_table, 1, _SAME_NAME_SIMILARITY)
            ]
        )
        nearest = f"; did you mean `{close[0]}`?" if close else ""
        self._add(codes.UNKNOWN_KEY, path, key=key, nearest=nearest)

    def report_wrong_type(self, key: str, expected: str, value: Any, path: tuple[str, ...]) -> None:
        """Adds WRONG_TYPE; `expected` is the right type in words."""
        actual = next(name for type_, name in _TYPE_NAMES if isinstance(value, type_))
        self._add(codes.WRONG_TYPE, path, key=key, expected=str(expected), found=actual)

    def report_illegal(self, key: str, must: str, value: Any, path: tuple[str, ...]) -> None:
        """Adds ILLEGAL_VALUE; `must` describes the legal values in words."""
        self._add(codes.ILLEGAL_VALUE, path, key=key, must=must, value=_quote_value(value))

    def _add(self, code: Code, path: tuple[str, ...], **facts: str) -> None:
        self.diagnostics.add(code, self.at(path), severity=None, **facts)

    def at(self, path: tuple[str, ...]) -> Location:
        """Returns the location of the key or element at a path; a table with an old name is found by
        the new name."""
        written_path = path
        if path and path[0] in self._old_names:
            written_path = (self._old_names[path[0]], *path[1:])
        line, column = toml_position(self.text, written_path)
        return Location(self.name, path, line, column)


def _is_json_scalar(value: Any) -> bool:
    """True if JSON has the scalar: JSON lacks dates and non-finite numbers."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | int)


def _scalars_inside(value: Any) -> Iterator[Any]:
    """Yields the scalars inside a value, at any depth."""
    if isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _scalars_inside(member)
    else:
        yield value


def _quote_value(value: object) -> str:
    """Returns a value for a message: on one line, at most 80 characters with the back-ticks."""
    # TOML has dates and times, which JSON lacks.
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    line = json.dumps(text, ensure_ascii=False)[1:-1] if not text.isprintable() else text
    return f"`{line[:77]}…`" if len(line) > 78 else f"`{line}`"
