"""Choices about the tool of an operation: name, texts, arguments and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import JsonSchema, KeySpec, KeyType, table, tables, within
from mcpgen.config.tables.selection import NAME_RULE
from mcpgen.config.tables.tool_schemas import FIELDS_RULE, MAX_BYTES, MAX_ITEMS, MIN_BYTES

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


@dataclass(frozen=True, slots=True)
class ArgumentConfig:
    """Choices about an argument; None leaves the default.

    `fixed` is sent with every call, `default` with calls without a value; `setting` names the
    server's setting with the value to send. `hidden` leaves the argument out of the tool. `header`
    is the name of the header that repeats the value.
    """

    description: str | None = None
    fixed: Any = None
    default: Any = None
    setting: str | None = None
    hidden: bool = False
    header: str | None = None


@dataclass(frozen=True, slots=True)
class ToolConfig:
    """Choices about a tool; None leaves the default.

    `fields` are the dotted paths kept of results, `arguments` choices by announced name. The limits
    apply to a page of a result.
    """

    name: str | None = None
    fields: tuple[str, ...] | None = None
    title: str | None = None
    description: str | None = None
    arguments: Mapping[str, ArgumentConfig] = field(default_factory=dict)
    limit_bytes: int | None = None
    limit_items: int | None = None


_VALUED = ("fixed", "default", "setting")


_ARGUMENT_KEYS = (
    KeySpec(
        "description",
        KeyType.STRING,
        None,
        "Text for models; the constraints of the schema are added.",
        validators.PROSE_RULE,
        validators.is_prose,
    ),
    KeySpec(
        "fixed",
        KeyType.VALUE,
        None,
        "A value in every request; the argument is neither announced nor accepted.",
    ),
    KeySpec(
        "default",
        KeyType.VALUE,
        None,
        "A value for calls without the argument, which is announced as optional.",
    ),
    KeySpec(
        "setting",
        KeyType.STRING,
        None,
        "The server's setting with the value; `account_id` is read from <NAME>_ACCOUNT_ID.",
        "a lower-case Python name such as `account_id`",
        validators.is_setting,
    ),
    KeySpec("hidden", KeyType.BOOLEAN, None, "Whether the argument is left out of the tool."),
    KeySpec(
        "header",
        KeyType.STRING,
        None,
        "The header that repeats the value, for routing by a gateway; never for secrets.",
        "the name of a header such as `Region`",
        validators.is_header,
    ),
)


def _read_argument_configs(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> dict[str, Any]:
    """The choices about each argument of a tool."""
    configs: dict[str, ArgumentConfig] = {}
    for name, member in reader.members(key, value, path):
        inner = (*path, name)
        values = reader.read_nested_table(_ARGUMENT_KEYS, member, inner)
        valued = [option for option in _VALUED if option in values]
        if len(valued) > 1:
            must = "only one of " + ", ".join(f"`{option}`" for option in _VALUED)
            reader.report_illegal(".".join(inner), must, " and ".join(valued), inner)
        elif values:
            configs[name] = ArgumentConfig(**values)
            reader.record_locations(inner, *values)
    return configs


_TOOL_KEYS = (
    KeySpec("name", KeyType.STRING, None, "The tool's name.", NAME_RULE, validators.is_tool_name),
    KeySpec(
        "title",
        KeyType.STRING,
        None,
        "The title that people see.",
        "one line of at most 80 characters",
        validators.is_title,
    ),
    KeySpec(
        "description",
        KeyType.STRING,
        None,
        "The description for models.",
        validators.PROSE_RULE,
        validators.is_prose,
    ),
    KeySpec(
        "fields",
        KeyType.TEXTS,
        None,
        "Fields of results that are shown.",
        FIELDS_RULE,
        validators.is_field,
    ),
    KeySpec(
        "arguments",
        KeyType.TABLES,
        None,
        "Changes of arguments, by announced name.",
        read=_read_argument_configs,
        form=tables(table(_ARGUMENT_KEYS, at_most_one_of=_VALUED)),
    ),
    KeySpec(
        "limit_bytes",
        KeyType.INTEGER,
        None,
        "Bytes of a result that one call shows.",
        f"from {MIN_BYTES} to {MAX_BYTES}",
        within(MIN_BYTES, MAX_BYTES),
    ),
    KeySpec(
        "limit_items",
        KeyType.INTEGER,
        None,
        "Items of a result that one call shows.",
        f"from 1 to {MAX_ITEMS}",
        within(1, MAX_ITEMS),
    ),
)


EVERY = "*"
"""The key in `tools` for all operations. Choices about an argument apply to the operations with the
argument."""

_EVERY_KEYS = tuple(key for key in _TOOL_KEYS if key.path == "arguments")


def _tool_choice_schema() -> JsonSchema:
    """The schema of the choices by operation; a list of fields has elements."""
    tool = table(_TOOL_KEYS)
    tool["properties"]["fields"]["minItems"] = 1
    return {**tables(tool), "properties": {EVERY: table(_EVERY_KEYS)}}


def _read_tool_configs(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> dict[str, Any]:
    """The choices about the tool of each operation."""
    configs: dict[str, ToolConfig] = {}
    for operation, member in reader.members(key, value, path):
        inner = (*path, operation)
        values = reader.read_nested_table(
            _EVERY_KEYS if operation == EVERY else _TOOL_KEYS, member, inner
        )
        if values.get("fields") == ():
            reader.report_illegal(".".join((*inner, "fields")), FIELDS_RULE, [], (*inner, "fields"))
            del values["fields"]
        reader.record_locations(inner, *values)
        configs[operation] = ToolConfig(**values)
    return configs


def tool_names(reader: ConfigReader, values: Mapping[str, Any]) -> dict[str, str]:
    """The names of `[names]` and of `[tools]`, by operation."""
    names: dict[str, str] = dict(values["names"])
    for operation, choice in values["tools"].items():
        if choice.name is None:
            continue
        path = ("tools", operation, "name")
        if operation in names:
            reader.report_illegal(
                ".".join(path), "said once, here or in `names`", choice.name, path
            )
        elif choice.name in names.values():
            must = "a name that no other operation has"
            reader.report_illegal(".".join(path), must, choice.name, path)
        else:
            names[operation] = choice.name
            reader.locations["names", operation] = reader.at(path)
    return names


def field_selections(reader: ConfigReader, values: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The fields of `[fields]` and of `[tools]`, by operation."""
    fields: dict[str, tuple[str, ...]] = dict(values["fields"])
    for operation, choice in values["tools"].items():
        if choice.fields is None:
            continue
        path = ("tools", operation, "fields")
        if operation in fields:
            must = "said once, here or in `fields`"
            reader.report_illegal(".".join(path), must, list(choice.fields), path)
            continue
        fields[operation] = choice.fields
        reader.locations["fields", operation] = reader.at(path)
        for index in range(len(choice.fields)):
            reader.locations["fields", operation, str(index)] = reader.at((*path, str(index)))
    return fields


KEYS = (
    KeySpec(
        "tools",
        KeyType.TABLES,
        {},
        "What you want of single tools, by operation: a table of `name`, `title`, `description`, "
        "`fields`, `arguments`, `limit_bytes` and `limit_items`.",
        read=_read_tool_configs,
        form=_tool_choice_schema(),
        example='# "GET /pets".name = "list_pets"',
    ),
)
