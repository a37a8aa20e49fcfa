"""Keys about the built-in tools: discovery, documentation and scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


class DiscoveryMode(StrEnum):
    """The tools listed to clients: every tool, or a search for tools."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """The discovery mode. `pinned` are operations, by id or `GET /pets/{id}`, with tools listed
    besides the search."""

    mode: DiscoveryMode = DiscoveryMode.OFF
    pinned: tuple[str, ...] = ()


def read_discovery(values: Mapping[str, Any]) -> DiscoveryConfig:
    """The discovery configured by the keys."""
    return DiscoveryConfig(DiscoveryMode(values["discovery.mode"]), values["discovery.pinned"])


DISCOVERY_KEYS = (
    choice(
        "discovery.mode",
        "Whether a search and a few tools beside it stand for all tools in the list.",
        DiscoveryMode,
    ),
    KeySpec(
        "discovery.pinned",
        KeyType.TEXTS,
        (),
        "Operations whose tools are listed beside the search.",
        "an operationId or `GET /pets/{id}`, on one line",
        validators.is_line,
    ),
)


class DocsMode(StrEnum):
    """The presence of a documentation tool."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DocsConfig:
    """The mode and the name of the documentation tool."""

    mode: DocsMode = DocsMode.OFF
    name: str = "docs"


def documenting(values: Mapping[str, Any]) -> DocsConfig:
    """The documentation tool configured by the keys."""
    return DocsConfig(DocsMode(values["docs.mode"]), values["docs.name"])


DOCS_KEYS = (
    choice("docs.mode", "Whether there is a tool that documents the others.", DocsMode),
    KeySpec(
        "docs.name",
        KeyType.STRING,
        "docs",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    ),
)


class ScriptMode(StrEnum):
    """The presence of a script tool."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class ScriptConfig:
    """The name of the script tool, and the name of the API in scripts."""

    mode: ScriptMode = ScriptMode.OFF
    name: str = "do"
    root: str = "db"


def scripting(values: Mapping[str, Any]) -> ScriptConfig:
    """The script tool configured by the keys."""
    return ScriptConfig(
        ScriptMode(values["script.mode"]), values["script.name"], values["script.root"]
    )


SCRIPT_KEYS = (
    choice("script.mode", "Whether there is a tool that runs TypeScript.", ScriptMode),
    KeySpec(
        "script.name",
        KeyType.STRING,
        "do",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    ),
    KeySpec(
        "script.root",
        KeyType.STRING,
        "db",
        "What scripts call the API.",
        "a lower-case name that is no word of TypeScript, such as `db` or `api`",
        validators.is_script_root,
    ),
)
