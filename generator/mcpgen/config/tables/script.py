"""The tool that runs scripts against the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


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


KEYS = (
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
