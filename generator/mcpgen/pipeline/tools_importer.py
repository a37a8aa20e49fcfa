"""Imports the tools of a server that runs without a project, without writing their modules.

The declaration in a tool's module is evaluated directly: to render, write and compile the modules of
GitHub's 1,223 tools took 0.7 s of processor time, a sixth of the start; to evaluate them takes 0.1 s.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from mcpgen.emit.runtime import RUNTIME
from mcpgen.emit.tool_files import make_tool
from mcpgen.ir.server import Server

_TOOLS = "tools"
"""The sub-package of the tools."""


class ToolsImporter(MetaPathFinder, Loader):
    """Finds and loads the modules below `tools/` of the package in `folder`. A file of the user
    replaces the module of its name.

    The modules are found by folder, because `hooks.py` may import a generation of the package by
    another name.
    """

    def __init__(self, server: Server, folder: Path) -> None:
        self._server = server
        self._package = str(folder)
        self._folder = folder / _TOOLS
        self._tools = {tool.module: tool for tool in server.tools}

    def install(self) -> None:
        """Takes the place of the importer of the generation before."""
        sys.meta_path[:] = [
            self,
            *(one for one in sys.meta_path if not isinstance(one, ToolsImporter)),
        ]

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of `tools` or of the module of a tool; None for any other module."""
        module = name.rpartition(".")[2]
        if module == _TOOLS and path and self._package in path:
            if (self._folder / "__init__.py").exists():
                return None
            spec = ModuleSpec(name, self, is_package=True)
            spec.submodule_search_locations = [str(self._folder)]
            return spec
        if module not in self._tools or not path or str(self._folder) not in path:
            return None
        return None if (self._folder / f"{module}.py").exists() else ModuleSpec(name, self)

    def exec_module(self, module: ModuleType) -> None:
        """Fills `tools` with `TOOLS` and the modules of the tools, and such a module with `TOOL`."""
        if module.__name__.endswith(f".{_TOOLS}"):
            modules = [
                import_module(f"{module.__name__}.{tool.module}") for tool in self._server.tools
            ]
            module.TOOLS = tuple(each.TOOL for each in modules)  # type: ignore[attr-defined]
            return
        package, _, name = module.__name__.rpartition(f".{_TOOLS}.")
        tool = make_tool(self._tools[name], lambda *where: _runtime_class(package, *where))
        module.TOOL = tool  # type: ignore[attr-defined]


@cache
def _runtime_class(package: str, module: str, name: str) -> Any:
    """A class of the runtime of a package."""
    return getattr(import_module(f"{package}.{RUNTIME}.{module}"), name)
