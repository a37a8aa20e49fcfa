"""The tools `search` and `fetch` that connectors of ChatGPT expect, backed by two operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import JsonSchema, KeySpec, KeyType, table

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The search operation. `argument` takes the query, `""` for the only required argument;
    `results` is the path of the list, `""` for the whole answer. The other fields are paths in each
    item, `""` for absent values."""

    operation: str
    id: str
    title: str
    argument: str = ""
    results: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class FetchConfig:
    """The operation that reads a document by `argument`. The other fields are paths in the answer;
    with `text` `""`, the whole answer is the text."""

    operation: str
    title: str
    argument: str = ""
    text: str = ""
    url: str = ""
    metadata: tuple[str, ...] = ()


_PATH_RULE = "a path of names with dots between them"


def _field_path_key(name: str, meaning: str) -> KeySpec:
    return KeySpec(name, KeyType.STRING, None, meaning, _PATH_RULE, validators.is_field)


def _text_key(name: str, meaning: str) -> KeySpec:
    return KeySpec(name, KeyType.STRING, None, meaning, "one line of text", validators.is_path)


_OPERATION = _text_key("operation", "The operation: an operationId or `GET /pets/{id}`.")
_SEARCH = (
    _OPERATION,
    _text_key("argument", "The argument that takes the query; the only required one without it."),
    _field_path_key("results", "Path of the list; the whole answer without it."),
    _field_path_key("id", "Path of the id in each result."),
    _field_path_key("title", "Path of the title in each result."),
    _field_path_key("url", "Path of the URL in each result."),
)
_FETCH = (
    _OPERATION,
    _text_key("argument", "The argument that takes the id; the only required one without it."),
    _field_path_key("title", "Path of the title in the answer."),
    _field_path_key("text", "Path of the text; the whole answer without it."),
    _field_path_key("url", "Path of the URL in the answer."),
    KeySpec(
        "metadata",
        KeyType.TEXTS,
        None,
        "Paths of further values in the answer.",
        _PATH_RULE,
        validators.is_field,
    ),
)
_SEARCH_NEEDS = ("operation", "id", "title")
_FETCH_NEEDS = ("operation", "title")


def _shape_schema(keys: Sequence[KeySpec], needed: Sequence[str]) -> JsonSchema:
    """The schema of a table that is empty or has all of `needed`."""
    schema = table(keys)
    schema["dependentRequired"] = {key.path: list(needed) for key in keys}
    return schema


def _read_search(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> SearchConfig | None:
    values = _read_table(reader, _SEARCH, _SEARCH_NEEDS, value, path)
    return SearchConfig(**values) if values else None


def _read_fetch(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> FetchConfig | None:
    values = _read_table(reader, _FETCH, _FETCH_NEEDS, value, path)
    return FetchConfig(**values) if values else None


def _read_table(
    reader: ConfigReader,
    keys: Sequence[KeySpec],
    needed: Sequence[str],
    value: Any,
    path: tuple[str, ...],
) -> dict[str, Any]:
    """The values of a table, `{}` if a required key is missing; reports missing keys."""
    values = reader.read_nested_table(keys, value, path)
    reader.record_locations(path, *values)
    missing = [name for name in needed if isinstance(value, dict) and name not in value]
    if missing and value:
        must = "a table with " + ", ".join(f"`{name}`" for name in needed)
        reader.report_illegal(".".join(path), must, f"without {', '.join(missing)}", path)
    return values if all(name in values for name in needed) else {}


KEYS = (
    KeySpec(
        "connector.search",
        KeyType.TABLE,
        {},
        "The operation behind the tool `search`: `operation`, its `argument` for the query, the path "
        "of its `results`, and in each of them those of `id`, `title` and `url`.",
        read=_read_search,
        form=_shape_schema(_SEARCH, _SEARCH_NEEDS),
        example='# "operation" = "GET /search"',
    ),
    KeySpec(
        "connector.fetch",
        KeyType.TABLE,
        {},
        "The operation behind the tool `fetch`: `operation`, its `argument` for the id, and the paths "
        "of `title`, `text`, `url` and `metadata` in its answer.",
        read=_read_fetch,
        form=_shape_schema(_FETCH, _FETCH_NEEDS),
        example='# "operation" = "GET /documents/{id}"',
    ),
)
