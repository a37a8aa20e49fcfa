"""The files of a tool: the tool's module, the module of the tests, the entry in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mcpgen.emit import package_files
from mcpgen.emit.code import docstring, identifier
from mcpgen.emit.literal import evaluated
from mcpgen.emit.project_tests import ListingEntry, entry, scenario_view
from mcpgen.emit.render import render
from mcpgen.emit.views import ToolTestView
from mcpgen.ir.project import File, Owner
from mcpgen.ir.server import RouteSpec, ToolSpec
from mcpgen.parallel import WorkerPool


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """The files of a tool, and the entry in the list."""

    files: tuple[File, ...]
    entry: ListingEntry


@contextmanager
def start_tool_files(
    tools: Sequence[ToolSpec], package: str, pool: WorkerPool
) -> Iterator[Callable[[], list[ToolFiles]]]:
    """Starts to render the files of all tools in the pool. Yields a function that waits for the
    files."""
    with pool.submit(tool_file_writer, package, tools) as finish:
        yield finish


def tool_file_writer(package: str) -> Callable[[Sequence[ToolSpec]], list[ToolFiles]]:
    """Returns a function that renders the files of several tools; for `WorkerPool.submit`."""
    return lambda tools: [ToolFiles(tuple(_files_of(tool, package)), entry(tool)) for tool in tools]


def make_tool(tool: ToolSpec, find: Callable[[str, str], Any]) -> Any:
    """The `Tool` that the module of a tool declares; `find` returns a class by module of the runtime
    and name."""
    names = {
        name: find(module, name)
        for module, imported in package_files.tool_imports(tool)
        for name in imported
    }
    return evaluated(package_files.tool_call(tool), names)


def _tool_module(tool: ToolSpec, package: str) -> File:
    module = identifier(tool.module).text
    text = render("package/tools/tool.py", package_files.tool_view(package, tool))
    return File(f"{package}/tools/{module}.py", text, Owner.MCPGEN)


def _files_of(tool: ToolSpec, package: str) -> Iterator[File]:
    """The module of a tool and, for a tool with scenarios, the module of the tests."""
    yield _tool_module(tool, package)
    if tool.route and tool.scenarios and not tool.withheld:
        tested = render("tests/tools/test_tool.py", _test_view(tool, tool.route))
        yield File(f"tests/tools/test_{identifier(tool.module)}.py", tested, Owner.MCPGEN)


def _test_view(tool: ToolSpec, route: RouteSpec) -> ToolTestView:
    """The test module of a tool with a request."""
    summary = docstring(f"`{tool.name}` sends `{package_files.request_of(route)}`")
    if not summary.text.endswith("`."):
        # The path is too long for the line, and was cut behind its back-tick.
        summary = docstring(f"The request of `{tool.name}`")
    scenarios = tuple(scenario_view(tool, scenario) for scenario in tool.scenarios)
    return ToolTestView(summary, scenarios)
