"""Built-in tools of a server: scripts, documentation, confirmation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.ir.server import ToolSpec


@dataclass(frozen=True, slots=True)
class ScriptSpec:
    """The script tool; scripts call the API as `root`. `modules`: tool names by module and
    method."""

    tool: ToolSpec
    root: str
    modules: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class ConfirmationSpec:
    """Names of tools called only after the user's consent; `allows_unconfirmed` lets calls pass if
    the client cannot ask."""

    tools: tuple[str, ...]
    allows_unconfirmed: bool = False


@dataclass(frozen=True, slots=True)
class DocsSpec:
    """The documentation tool; `groups`: tool names by topic."""

    tool: ToolSpec
    groups: Mapping[str, tuple[str, ...]]
