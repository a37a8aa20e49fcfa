"""Prompts that clients offer to users: messages from files, with arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import JsonSchema, KeySpec, KeyType, one_of, table, tables
from mcpgen.config.tables.resources import COMPLETE, NAME_RULE, CompletionConfig, complete, line
from mcpgen.config.validators import ValueRule

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


class ArgumentType(StrEnum):
    """The JSON type that the text of an argument must parse as."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class PromptArgumentConfig:
    """An argument of a prompt. `enum` are the permitted values, any value if empty; `ask` is the
    question to the user if the client gives no value."""

    title: str = ""
    description: str = ""
    required: bool = False
    type: str = ArgumentType.STRING
    enum: tuple[str, ...] = ()
    complete: CompletionConfig | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class PromptMessageConfig:
    """A message with exactly one of `SOURCES` set. An embedded file has a `uri`."""

    role: str = "user"
    text: str = ""
    file: str = ""
    image: str = ""
    audio: str = ""
    embed: str = ""
    resource: str = ""
    uri: str = ""


SOURCES = ("text", "file", "image", "audio", "embed", "resource")
"""The keys with the content of a message."""

FILES = ("file", "image", "audio", "embed")
"""The sources that name a file."""

_OF_FILES = (*FILES, "uri")
"""The keys left out of messages in a document, where no files exist."""


@dataclass(frozen=True, slots=True)
class PromptConfig:
    """A prompt: texts, messages in order, and arguments by name."""

    title: str = ""
    description: str = ""
    messages: tuple[PromptMessageConfig, ...] = ()
    arguments: Mapping[str, PromptArgumentConfig] = field(default_factory=dict)


_TITLE_RULE = "one line of at most 80 characters"
_FILE_RULE = "a path of a file beside mcpgen.toml"
_TEXT_RULE = "a text of at most 100000 characters"
_is_text = ValueRule(max_length=100_000)

_ARGUMENT_KEYS = (
    line("title", "The title that people see.", _TITLE_RULE, validators.is_title),
    line("description", "The description of it.", validators.PROSE_RULE, validators.is_prose),
    KeySpec("required", KeyType.BOOLEAN, None, "Whether a prompt needs a value."),
    line(
        "type", "The JSON type that the text must parse as.", *one_of(tuple(map(str, ArgumentType)))
    ),
    KeySpec(
        "enum", KeyType.TEXTS, None, "The permitted values.", "one line of text", validators.is_line
    ),
    KeySpec(
        "complete",
        KeyType.TABLE,
        None,
        "The operation that lists the values.",
        read=complete,
        form=COMPLETE,
    ),
    line(
        "ask",
        "The question to the user if the client gives no value.",
        validators.PROSE_RULE,
        validators.is_prose,
    ),
)
_MESSAGE_KEYS = (
    line(
        "role",
        "The sender of the message.",
        "`user` or `assistant`",
        ValueRule(enum=("user", "assistant")),
    ),
    line("text", "The text of the message.", _TEXT_RULE, _is_text),
    line("file", "The file with the text of the message.", _FILE_RULE, validators.is_path),
    line("image", "The file of an image.", _FILE_RULE, validators.is_path),
    line("audio", "The file of a sound.", _FILE_RULE, validators.is_path),
    line("embed", "The file embedded as a resource.", _FILE_RULE, validators.is_path),
    line("resource", "The resource embedded in the message.", "the URI of a resource"),
    line("uri", "The URI of the embedded file.", "an absolute URI, or a placeholder"),
)


def _read_prompt_arguments(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> dict[str, Any]:
    """The arguments of a prompt, by name."""
    arguments: dict[str, PromptArgumentConfig] = {}
    for name, member in reader.members(key, value, path):
        inner = (*path, name)
        if not validators.is_placeholder(name):
            must = "named with letters, digits, `_` and `-`, starting with a letter or `_`"
            reader.report_illegal(f"{key.path}.{name}", must, name, inner)
            continue
        fields = reader.read_nested_table(_ARGUMENT_KEYS, member, inner)
        reader.record_locations(inner, *fields)
        arguments[name] = PromptArgumentConfig(**fields)
    return arguments


def _read_prompt_messages(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> tuple[PromptMessageConfig, ...] | None:
    """The messages of a prompt, in order."""
    if not isinstance(value, list):
        reader.report_wrong_type(key.path, "a list of tables", value, path)
        return None
    messages: list[PromptMessageConfig] = []
    keys, options = _message_keys(reader.has_folder)
    for index, message in enumerate(value):
        inner, dotted = (*path, str(index)), f"{key.path}[{index}]"
        fields = reader.read_nested_table(keys, message, inner)
        reader.record_locations((*path, str(len(messages))), *fields)
        sources = [option for option in options if isinstance(message, dict) and option in message]
        if isinstance(message, dict) and len(sources) != 1:
            must = "one of " + ", ".join(f"`{option}`" for option in options)
            reader.report_illegal(dotted, must, " and ".join(sources) or "none", inner)
        elif "uri" in fields and sources != ["embed"]:
            reader.report_illegal(f"{dotted}.uri", "beside `embed`", fields["uri"], (*inner, "uri"))
        elif sources and sources[0] in fields:
            messages.append(PromptMessageConfig(**fields))
    return tuple(messages)


def _message_keys(has_folder: bool) -> tuple[list[KeySpec], list[str]]:
    """The keys of a message, and the keys with the content; without files where no folder is."""
    keys = [key for key in _MESSAGE_KEYS if has_folder or key.path not in _OF_FILES]
    return keys, [name for name in SOURCES if has_folder or name not in FILES]


def _prompt_keys(has_folder: bool) -> tuple[list[KeySpec], list[str]]:
    """The keys of a prompt, and the keys with the content; without files where no folder is."""
    message_keys, sources = _message_keys(has_folder)
    message = table(message_keys, one_of=sources)
    if has_folder:
        message["dependentRequired"] = {"uri": ["embed"]}
    keys = [
        line("title", "The title that people see.", _TITLE_RULE, validators.is_title),
        line("description", "The description of it.", validators.PROSE_RULE, validators.is_prose),
        line("text", "The text of a single message of the user.", _TEXT_RULE, _is_text),
        KeySpec(
            "messages",
            KeyType.VALUE,
            None,
            "The messages in order.",
            read=_read_prompt_messages,
            form={"type": "array", "items": message},
        ),
        KeySpec(
            "arguments",
            KeyType.TABLES,
            None,
            "The arguments by name, whose values take the places of `{{name}}`.",
            read=_read_prompt_arguments,
            form=tables(table(_ARGUMENT_KEYS), validators.is_placeholder),
        ),
    ]
    if has_folder:
        keys.append(line("file", "The file with the text.", _FILE_RULE, validators.is_path))
    return keys, [name for name in ("file", "text", "messages") if has_folder or name != "file"]


def prompts_schema(has_folder: bool) -> JsonSchema:
    """The schema of prompts by name, in `mcpgen.toml` (with a folder of files) or `x-mcp`."""
    keys, sources = _prompt_keys(has_folder)
    return tables(table(keys, one_of=sources), validators.is_feature_name)


def read_prompts(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> Mapping[str, PromptConfig]:
    """The prompts by name. A `file` or a `text` becomes a single user message."""
    keys, options = _prompt_keys(reader.has_folder)
    prompts: dict[str, PromptConfig] = {}
    for name, member in reader.members(key, value, path):
        inner, dotted = (*path, name), f"{key.path}.{name}"
        if not validators.is_feature_name(name):
            reader.report_illegal(dotted, f"named with {NAME_RULE}", name, inner)
            continue
        fields = reader.read_nested_table(keys, member, inner)
        reader.record_locations(inner, *fields)
        sources = [option for option in options if isinstance(member, dict) and option in member]
        if isinstance(member, dict) and len(sources) != 1:
            must = "a table with one of " + ", ".join(f"`{option}`" for option in options)
            reader.report_illegal(dotted, must, " and ".join(sources) or "none", inner)
            continue
        for source in ("file", "text"):
            if content := fields.pop(source, ""):
                fields["messages"] = (PromptMessageConfig(**{source: content}),)
                reader.locations[*inner, "messages", "0", ""] = reader.at((*inner, source))
                reader.locations[*inner, "messages", "0", source] = reader.at((*inner, source))
        if fields.get("messages"):
            prompts[name] = PromptConfig(**fields)
    return prompts


KEYS = (
    KeySpec(
        "prompts",
        KeyType.TABLES,
        {},
        "Prompts by name: a table of `title`, `description`, a `text`, a `file` with it or `messages`, "
        "and `arguments`, whose values take the places of `{{name}}`.",
        read=read_prompts,
        form=prompts_schema(has_folder=True),
        example='# "review".file = "prompts/review.md"',
    ),
)
