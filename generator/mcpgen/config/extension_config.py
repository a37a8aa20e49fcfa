"""Configuration in `x-mcp` extensions of a document, read by the rules of the tables of
`mcpgen.toml`."""

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

Places = Mapping[tuple[str, ...], Location]
"""The positions of tables and keys in the document, by path in `mcpgen.toml`."""

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a text"),
    (int, "a number"),
    (float, "a number"),
    (dict, "a mapping"),
    (list, "a list"),
    (type(None), "empty"),
    (object, "something else"),
)
_PROMPTS = KeySpec("prompts", KeyType.TABLES, {}, "")


def read_resource_extension(
    extension: Mapping[str, Any], at: Location, operation: str, name: str, diagnostics: Diagnostics
) -> tuple[str, ResourceConfig, Places] | None:
    """The resource declared by `x-mcp: {resource}` of an operation: the resource's name, the
    choice, and the positions of the keys; None without a valid declaration. Adds
    MALFORMED_EXTENSION and UNKNOWN_EXTENSION_KEY."""
    reader = _ExtensionReader(at, diagnostics)
    resource = resource_of_operation(reader, extension, ("resource",), operation, name)
    if resource is None:
        return None
    named, choice = resource
    places = {("resources", named, *path[1:]): place for path, place in reader.places.items()}
    whole = ("resources", named)
    return named, choice, {whole: at / "resource", (*whole, "operation"): at / "resource", **places}


def read_prompts_extension(
    extension: Mapping[str, Any], at: Location, diagnostics: Diagnostics
) -> tuple[Mapping[str, PromptConfig], Places]:
    """The prompts declared by `x-mcp: {prompts}` of a document, and the positions of the keys. Adds
    MALFORMED_EXTENSION and UNKNOWN_EXTENSION_KEY."""
    reader = _ExtensionReader(at, diagnostics)
    return read_prompts(reader, _PROMPTS, extension, ("prompts",)), reader.places


class _ExtensionReader(ConfigReader):
    """A reader of tables in a document. Null values count as absent keys, and no folder of files
    exists."""

    folder = False

    def __init__(self, root: Location, diagnostics: Diagnostics) -> None:
        super().__init__("", root.file, diagnostics)
        self._root = root

    def table(self, keys: Any, value: Any, path: tuple[str, ...]) -> dict[str, Any]:
        return super().table(keys, _without_null(value), path)

    def members(self, key: KeySpec, value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        yield from super().members(key, _without_null(value), path)

    def at(self, path: tuple[str, ...]) -> Location:
        location = self._root
        for step in path:
            location = location / step
        return location

    def unknown(self, key: str, known_keys: list[str], path: tuple[str, ...]) -> None:
        parent, leaves = ".".join(path[:-1]), [option.rpartition(".")[2] for option in known_keys]
        near = closest_matches(path[-1][:60], leaves, 1, 0.7)
        nearest = f"did you mean `{near[0]}`?" if near else "one of: " + ", ".join(leaves)
        self.diagnostics.add(
            codes.UNKNOWN_EXTENSION_KEY,
            self.at(path),
            key=path[-1][:60],
            parent=parent[:120],
            nearest=nearest,
        )

    def wrong_type(self, key: str, expected: str, value: Any, path: tuple[str, ...]) -> None:
        actual = next(word for kind, word in _KINDS if isinstance(value, kind))
        self._malformed(key, str(expected).replace("table", "mapping"), actual, path)

    def illegal(self, key: str, must: str, value: Any, path: tuple[str, ...]) -> None:
        shown = " ".join(str(value)[:240].split())
        actual = f"`{shown if len(shown) <= 60 else shown[:59] + '…'}`"
        self._malformed(key, must.replace("table", "mapping"), actual, path)

    def _malformed(self, key: str, expected: str, actual: str, path: tuple[str, ...]) -> None:
        self.diagnostics.add(
            codes.MALFORMED_EXTENSION,
            self.at(path),
            key=key[:120],
            expected=expected,
            actual=actual,
        )


def _without_null(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: member for name, member in value.items() if member is not None}
