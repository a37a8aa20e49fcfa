"""Reads configuration in `x-mcp` extensions of a document, by the rules of the tables of `mcpgen.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType
from mcpgen.config.reader import ConfigReader
from mcpgen.config.tables.prompts import PromptConfig, read_prompts
from mcpgen.config.tables.resources import ResourceConfig, resource_of_operation
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_matches

Locations = Mapping[tuple[str, ...], Location]
"""Locations in the document, by the path that the same table or key has in `mcpgen.toml`."""

_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a text"),
    (int, "a number"),
    (float, "a number"),
    (dict, "a mapping"),
    (list, "a list"),
    (type(None), "empty"),
    (object, "something else"),
)
"""Names of types in messages; the first matching type counts, since a `bool` of Python is an `int`."""

_MAX_KEY = 60
_MAX_KEY_PATH = 120
_MAX_VALUE = 60
"""Characters of a key, of a dotted path and of a value in a message: a document may have keys and values
of any length."""

_SIMILARITY = 0.7
"""Least similarity of a suggested key, from 0 to 1. Higher than the default, since the message lists all
keys if no key is suggested."""

_PROMPTS = KeySpec("prompts", KeyType.TABLES, {}, "")


def read_resource_extension(
    extension: Mapping[str, Any], at: Location, operation: str, name: str, diagnostics: Diagnostics
) -> tuple[str, ResourceConfig, Locations] | None:
    """Reads the resource in `x-mcp: {resource}` of an operation.

    Returns the resource's name (by default `name`), configuration and locations; None without a valid
    resource. `at` is the location of `extension`. Adds MALFORMED_EXTENSION and UNKNOWN_EXTENSION_KEY.
    """
    reader = _ExtensionReader(at, diagnostics)
    resource = resource_of_operation(reader, extension, ("resource",), operation, name)
    if resource is None:
        return None
    resource_name, config = resource
    path = ("resources", resource_name)
    locations = {path: at / "resource", (*path, "operation"): at / "resource"}
    locations |= {(*path, *inner[1:]): location for inner, location in reader.locations.items()}
    return resource_name, config, locations


def read_prompts_extension(
    extension: Mapping[str, Any], at: Location, diagnostics: Diagnostics
) -> tuple[Mapping[str, PromptConfig], Locations]:
    """Reads the prompts in `x-mcp: {prompts}` of a document.

    Returns the prompts by name, and the locations. `at` is the location of `extension`. Adds
    MALFORMED_EXTENSION and UNKNOWN_EXTENSION_KEY.
    """
    reader = _ExtensionReader(at, diagnostics)
    return read_prompts(reader, _PROMPTS, extension, ("prompts",)), reader.locations


class _ExtensionReader(ConfigReader):
    """Reads tables of `mcpgen.toml` from mappings of a document.

    Null counts as an absent key: in YAML a key without a value is null, and TOML has no null. Messages
    use the words of JSON and YAML (`mapping`) instead of TOML's (`table`).
    """

    has_folder = False

    def __init__(self, root: Location, diagnostics: Diagnostics) -> None:
        # The text of TOML is needed for locations only, which `at` takes from the document.
        super().__init__("", root.file, diagnostics)
        self._root = root

    def read_nested_table(self, keys: Any, value: Any, path: tuple[str, ...]) -> dict[str, Any]:
        return super().read_nested_table(keys, _without_null(value), path)

    def members(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        yield from super().members(key, _without_null(value), path)

    def at(self, path: tuple[str, ...]) -> Location:
        location = self._root
        for step in path:
            location = location / step
        return location

    def report_unknown(self, key: str, known_keys: list[str], path: tuple[str, ...]) -> None:
        """Adds UNKNOWN_EXTENSION_KEY with the most similar key of the same mapping, or with all."""
        name = path[-1][:_MAX_KEY]
        known_names = [known_key.rpartition(".")[2] for known_key in known_keys]
        near = closest_matches(name, known_names, 1, _SIMILARITY)
        self.diagnostics.add(
            codes.UNKNOWN_EXTENSION_KEY,
            self.at(path),
            key=name,
            parent=".".join(path[:-1])[:_MAX_KEY_PATH],
            nearest=f"did you mean `{near[0]}`?" if near else "one of: " + ", ".join(known_names),
        )

    def report_wrong_type(self, key: str, expected: str, value: Any, path: tuple[str, ...]) -> None:
        """Adds MALFORMED_EXTENSION with the type of the value."""
        actual = next(name for kind, name in _TYPE_NAMES if isinstance(value, kind))
        self._report_malformed(key, str(expected), actual, path)

    def report_illegal(self, key: str, must: str, value: Any, path: tuple[str, ...]) -> None:
        """Adds MALFORMED_EXTENSION with the value on one line."""
        # The first cut bounds the time of the split.
        line = " ".join(str(value)[: 4 * _MAX_VALUE].split())
        shown = line if len(line) <= _MAX_VALUE else line[: _MAX_VALUE - 1] + "…"
        self._report_malformed(key, must, f"`{shown}`", path)

    def _report_malformed(
        self, key: str, expected: str, actual: str, path: tuple[str, ...]
    ) -> None:
        self.diagnostics.add(
            codes.MALFORMED_EXTENSION,
            self.at(path),
            key=key[:_MAX_KEY_PATH],
            expected=expected.replace("table", "mapping"),
            actual=actual,
        )


def _without_null(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: member for name, member in value.items() if member is not None}
