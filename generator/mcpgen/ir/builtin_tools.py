"""What a server offers beside the tools of its API, and how it is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.ir.server import ToolSpec


@dataclass(frozen=True, slots=True)
class ScriptSpec:
    """The tool that runs scripts, which call the API `root`. `modules` are the names of tools by
    module and method."""

    tool: ToolSpec
    root: str
    modules: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class ConfirmationSpec:
    """The names of tools that are called only once the user has said yes; `open` lets calls through
    whose client cannot ask."""

    tools: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class DocsSpec:
    """The tool that documents others; `groups` are their names by what a person asks for."""

    tool: ToolSpec
    groups: Mapping[str, tuple[str, ...]]
