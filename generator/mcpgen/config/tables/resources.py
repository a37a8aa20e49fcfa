"""Resources that clients read by URI: read-only operations, and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, table, tables
from mcpgen.config.validators import ValueRule

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


@dataclass(frozen=True, slots=True)
class CompletionConfig:
    """The operation that lists the values of a variable or an argument, at the dotted path `value`,
    `""` for a list of the values themselves."""

    operation: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class ResourceConfig:
    """A resource from an operation or a file; the other source is `""`. Other empty fields are
    taken from the tool or the file. `tool`: the operation is a tool as well."""

    uri: str
    operation: str = ""
    file: str = ""
    title: str = ""
    description: str = ""
    mime_type: str = ""
    audience: tuple[str, ...] = ()
    priority: float | None = None
    complete: Mapping[str, CompletionConfig] = field(default_factory=dict)
    tool: bool = True


NAME_RULE = "letters, digits, `_`, `-` and `.`, at most 64"
"""The rule for the name of a resource or a prompt, as worded in messages."""

URI_RULE = (
    "an absolute URI such as `shop://pets/{petId}`, with variables as whole parts of it: between two "
    "of them stands one of `/?#&=:;,`"
)
"""The rule for the URI of a resource, as worded in messages."""


def line(
    name: str,
    meaning: str,
    must: str = "one line of text",
    fits: Callable[[str], bool] = validators.is_line,
) -> KeySpec:
    """A key of a table such as `[resources.NAME]` with a text, which may not be empty."""
    rule = fits if isinstance(fits, ValueRule) else ValueRule(also=fits)
    return KeySpec(name, KeyType.STRING, None, meaning, must, replace(rule, min_length=1))


def _priority(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        reader.report_wrong_type(key.path, "a number", value, path)
        return None
    if not 0 <= value <= 1:
        reader.report_illegal(key.path, "from 0 to 1", value, path)
        return None
    return float(value)


_COMPLETE_KEYS = (
    line("operation", "The operation that lists the values: an operationId or `GET /pets/{id}`."),
    line(
        "value",
        "Path of the value in each element of the list; the element itself without it.",
        "a path of names with dots",
        validators.is_field,
    ),
)
COMPLETE = table(_COMPLETE_KEYS, needed=("operation",))
"""The schema of a completion."""


def complete(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> CompletionConfig | None:
    """The operation that lists values, None for a table without an operation."""
    fields = reader.read_nested_table(_COMPLETE_KEYS, value, path)
    reader.record_locations(path, *fields)
    if isinstance(value, dict) and "operation" not in value:
        reader.report_illegal(key.path, "a table with `operation`", "without operation", path)
    return CompletionConfig(**fields) if "operation" in fields else None


def _completes(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> dict[str, Any]:
    """The completions of variables, by name."""
    completions = {}
    for name, member in reader.members(key, value, path):
        inner = KeySpec(f"{key.path}.{name}", KeyType.TABLE, None, "")
        completion = complete(reader, inner, member, (*path, name))
        if completion:
            completions[name] = completion
    return completions


_SOURCES = ("operation", "file")
_KEYS = (
    line("operation", "The operation that reads it: an operationId or `GET /pets/{id}`."),
    line(
        "file",
        "The file with the content.",
        "a path of a file beside mcpgen.toml",
        validators.is_path,
    ),
    line("uri", "The URI that clients read.", URI_RULE, validators.is_uri_template),
    line(
        "title",
        "The title that people see.",
        "one line of at most 80 characters",
        validators.is_title,
    ),
    line("description", "The description for models.", validators.PROSE_RULE, validators.is_prose),
    line(
        "mime_type",
        "The media type of the content.",
        "a media type such as `text/markdown`",
        validators.is_media_type,
    ),
    KeySpec(
        "audience",
        KeyType.TEXTS,
        None,
        "Who the content is for.",
        "`user` or `assistant`",
        ValueRule(enum=("user", "assistant")),
    ),
    KeySpec(
        "priority",
        KeyType.VALUE,
        None,
        "The importance, from 0 to 1.",
        read=_priority,
        form={"type": "number", "minimum": 0, "maximum": 1},
    ),
    KeySpec(
        "complete",
        KeyType.TABLES,
        None,
        "Operations that list the values of variables, by variable.",
        read=_completes,
        form=tables(COMPLETE),
    ),
    KeySpec("tool", KeyType.BOOLEAN, None, "Whether the operation is a tool as well."),
)


_OPERATION_KEYS = (
    line("name", "The name; the tool's name without it.", NAME_RULE, validators.is_feature_name),
    *(key for key in _KEYS if key.path not in _SOURCES),
)
"""The keys of `x-mcp: {resource}` in a document: no files, and no operation."""

RESOURCE_OF_OPERATION = table(_OPERATION_KEYS, needed=("uri",))
"""The schema of `x-mcp: {resource}`."""


def resource_of_operation(
    reader: ConfigReader, value: Any, path: tuple[str, ...], operation: str, name: str
) -> tuple[str, ResourceConfig] | None:
    """The resource of an operation in a document, and the resource's name, by default `name`.
    Reports a missing URI and returns None."""
    fields = reader.read_nested_table(_OPERATION_KEYS, value, path)
    if isinstance(value, dict) and value.get("uri") is None:
        reader.report_illegal(".".join(path), "a table with `uri`", "without uri", path)
    if "uri" not in fields:
        return None
    return fields.pop("name", name), ResourceConfig(**fields, operation=operation)


def _resources(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> Mapping[str, ResourceConfig]:
    """The resources by name. Reports a missing URI, and a resource without exactly one source."""
    resources: dict[str, ResourceConfig] = {}
    for name, member in reader.members(key, value, path):
        inner, dotted = (*path, name), f"{key.path}.{name}"
        if not validators.is_feature_name(name):
            reader.report_illegal(dotted, f"named with {NAME_RULE}", name, inner)
            continue
        fields = reader.read_nested_table(_KEYS, member, inner)
        reader.record_locations(inner, *fields)
        if not isinstance(member, dict):
            continue
        sources = [source for source in _SOURCES if source in member]
        if len(sources) != 1:
            shown = " and ".join(sources) or "neither"
            reader.report_illegal(dotted, "either an `operation` or a `file`", shown, inner)
        elif "uri" not in member:
            reader.report_illegal(dotted, "a table with `uri`", "without uri", inner)
        elif "uri" in fields and sources[0] in fields:
            resources[name] = ResourceConfig(**fields)
    return resources


KEYS = (
    KeySpec(
        "resources",
        KeyType.TABLES,
        {},
        "What clients can read by URI, by name: a table of `uri`, an `operation` that only reads or a "
        "`file`, and `title`, `description`, `mime_type`, `audience`, `priority`, `complete`, `tool`.",
        read=_resources,
        form=tables(table(_KEYS, needed=("uri",), one_of=_SOURCES), validators.is_feature_name),
        example='# "pet".uri = "shop://pets/{petId}"',
    ),
)
