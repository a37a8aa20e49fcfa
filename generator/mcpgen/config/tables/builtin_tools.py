"""Keys about the built-in tools: discovery, documentation and scripts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import key, keys_of


class DiscoveryMode(StrEnum):
    """The tools listed to clients: every tool, or a search for tools."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """The discovery mode. `pinned` are operations, by id or `GET /pets/{id}`, with tools listed
    besides the search."""

    mode: DiscoveryMode = key(
        "discovery.mode",
        DiscoveryMode,
        "Whether a search and a few tools beside it stand for all tools in the list.",
    )
    pinned: tuple[str, ...] = key(
        "discovery.pinned",
        (),
        "Operations whose tools are listed beside the search.",
        "an operationId or `GET /pets/{id}`, on one line",
        validators.is_line,
    )


DISCOVERY_KEYS = keys_of(DiscoveryConfig)


class DocsMode(StrEnum):
    """The presence of a documentation tool."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DocsConfig:
    """The mode and the name of the documentation tool."""

    mode: DocsMode = key(
        "docs.mode", DocsMode, "Whether there is a tool that documents the others."
    )
    name: str = key(
        "docs.name",
        "docs",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    )


DOCS_KEYS = keys_of(DocsConfig)


class ScriptMode(StrEnum):
    """The presence of a script tool."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class ScriptConfig:
    """The name of the script tool, and the name of the API in scripts."""

    mode: ScriptMode = key(
        "script.mode", ScriptMode, "Whether there is a tool that runs TypeScript."
    )
    name: str = key(
        "script.name",
        "do",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    )
    root: str = key(
        "script.root",
        "db",
        "What scripts call the API.",
        "a lower-case name that is no word of TypeScript, such as `db` or `api`",
        validators.is_script_root,
    )


SCRIPT_KEYS = keys_of(ScriptConfig)
