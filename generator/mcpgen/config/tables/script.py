"""Whether clients may run scripts against the tools."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mcpgen.config import rules
from mcpgen.config.key import Key, Kind, choice
from mcpgen.frozen import frozen


class ScriptMode(StrEnum):
    """Whether there is a tool that runs scripts."""

    OFF = "off"
    ON = "on"


@frozen
class Scripting:
    """What the tool that runs scripts is called, and what scripts call the API in it."""

    mode: ScriptMode = ScriptMode.OFF
    name: str = "do"
    root: str = "db"


def scripting(values: Mapping[str, Any]) -> Scripting:
    """What the keys say of scripts."""
    return Scripting(
        ScriptMode(values["script.mode"]), values["script.name"], values["script.root"]
    )


KEYS = (
    choice("script.mode", "Whether there is a tool that runs TypeScript.", ScriptMode),
    Key(
        "script.name",
        Kind.STRING,
        "do",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        rules.is_tool_name,
    ),
    Key(
        "script.root",
        Kind.STRING,
        "db",
        "What scripts call the API.",
        "a lower-case name that is no word of TypeScript, such as `db` or `api`",
        rules.is_script_root,
    ),
)
