"""Prompts that clients offer to users: messages from files, with arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType
from mcpgen.config.tables.resources import NAME_RULE, CompleteChoice, complete, line

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


class ArgumentType(StrEnum):
    """The JSON type that the text of an argument must parse as."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class PromptArgumentChoice:
    """An argument of a prompt. `enum` are the permitted values, any value if empty; `ask` is the
    question to the user if the client gives no value."""

    title: str = ""
    description: str = ""
    required: bool = False
    type: str = ArgumentType.STRING
    enum: tuple[str, ...] = ()
    complete: CompleteChoice | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class MessageChoice:
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
class PromptChoice:
    """A prompt: texts, messages in order, and arguments by name."""

    title: str = ""
    description: str = ""
    messages: tuple[MessageChoice, ...] = ()
    arguments: Mapping[str, PromptArgumentChoice] = field(default_factory=dict)


_TYPES = tuple(map(str, ArgumentType))
_ROLES = ("user", "assistant")
_TEXT_RULE = "a text of at most 100000 characters"


def _is_text(text: str) -> bool:
    return len(text) <= 100_000


_ARGUMENT_KEYS = (
    line("title", "one line of at most 80 characters", validators.is_title),
    line("description", validators.PROSE_RULE, validators.is_prose),
    KeySpec("required", KeyType.BOOLEAN, None, "", fits=lambda _: True),
    line("type", "one of " + ", ".join(f"`{each}`" for each in _TYPES), lambda one: one in _TYPES),
    KeySpec("enum", KeyType.TEXTS, None, "", "one line of text", validators.is_line),
    KeySpec("complete", KeyType.TABLE, None, "", read=complete),
    line("ask", validators.PROSE_RULE, validators.is_prose),
)
_MESSAGE_KEYS = (
    line("role", "`user` or `assistant`", lambda one: one in _ROLES),
    line("text", _TEXT_RULE, _is_text),
    *(line(name, "a path of a file beside mcpgen.toml", validators.is_path) for name in FILES),
    line("resource", "the URI of a resource", validators.is_line),
    line("uri", "an absolute URI, or a placeholder", validators.is_line),
)


def _arguments(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> dict[str, Any]:
    """The arguments of a prompt, by name."""
    found: dict[str, PromptArgumentChoice] = {}
    for name, given in reader.members(key, value, path):
        inner = (*path, name)
        if not validators.is_placeholder(name):
            must = "named with letters, digits, `_` and `-`, starting with a letter or `_`"
            reader.illegal(f"{key.path}.{name}", must, name, inner)
            continue
        said = reader.table(_ARGUMENT_KEYS, given, inner)
        reader.mark(inner, *said)
        found[name] = PromptArgumentChoice(**said)
    return found


def _messages(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> tuple[MessageChoice, ...] | None:
    """The messages of a prompt, in order."""
    if not isinstance(value, list):
        reader.wrong_type(key.path, "a list of tables", value, path)
        return None
    found: list[MessageChoice] = []
    known = [each for each in SOURCES if reader.folder or each not in FILES]
    keys = [each for each in _MESSAGE_KEYS if reader.folder or each.path not in _OF_FILES]
    for index, given in enumerate(value):
        inner, dotted = (*path, str(index)), f"{key.path}[{index}]"
        said = reader.table(keys, given, inner)
        reader.mark((*path, str(len(found))), *said)
        sources = [each for each in known if isinstance(given, dict) and each in given]
        if isinstance(given, dict) and len(sources) != 1:
            must = "one of " + ", ".join(f"`{each}`" for each in known)
            reader.illegal(dotted, must, " and ".join(sources) or "none", inner)
        elif "uri" in said and sources != ["embed"]:
            reader.illegal(f"{dotted}.uri", "said of an `embed`", said["uri"], (*inner, "uri"))
        elif sources and sources[0] in said:
            found.append(MessageChoice(**said))
    return tuple(found)


_KEYS = (
    line("title", "one line of at most 80 characters", validators.is_title),
    line("description", validators.PROSE_RULE, validators.is_prose),
    line("file", "a path of a file beside mcpgen.toml", validators.is_path),
    line("text", _TEXT_RULE, _is_text),
    KeySpec("messages", KeyType.VALUE, None, "", read=_messages),
    KeySpec("arguments", KeyType.TABLES, None, "", read=_arguments),
)


def read_prompts(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> Mapping[str, PromptChoice]:
    """The prompts by name. A `file` or a `text` becomes a single user message."""
    known = [each for each in ("file", "text", "messages") if reader.folder or each != "file"]
    keys = [each for each in _KEYS if reader.folder or each.path != "file"]
    found: dict[str, PromptChoice] = {}
    for name, given in reader.members(key, value, path):
        inner, dotted = (*path, name), f"{key.path}.{name}"
        if not validators.is_feature_name(name):
            reader.illegal(dotted, f"named with {NAME_RULE}", name, inner)
            continue
        said = reader.table(keys, given, inner)
        reader.mark(inner, *said)
        sources = [each for each in known if isinstance(given, dict) and each in given]
        if isinstance(given, dict) and len(sources) != 1:
            must = "a table with one of " + ", ".join(f"`{each}`" for each in known)
            reader.illegal(dotted, must, " and ".join(sources) or "none", inner)
            continue
        for source in ("file", "text"):
            if content := said.pop(source, ""):
                said["messages"] = (MessageChoice(**{source: content}),)
                reader.places[*inner, "messages", "0", ""] = reader.at((*inner, source))
                reader.places[*inner, "messages", "0", source] = reader.at((*inner, source))
        if said.get("messages"):
            found[name] = PromptChoice(**said)
    return found


KEYS = (
    KeySpec(
        "prompts",
        KeyType.TABLES,
        {},
        "Prompts by name: a table of `title`, `description`, a `text`, a `file` with it or `messages`, "
        "and `arguments`, whose values take the places of `{{name}}`.",
        read=read_prompts,
        example='# "review".file = "prompts/review.md"',
    ),
)
