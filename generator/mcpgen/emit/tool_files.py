"""What is made of each tool alone: its module, that of its tests, its entry in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from mcpgen.cache import BuildCache, hash_texts
from mcpgen.emit import package_files
from mcpgen.emit.code import docstring, identifier
from mcpgen.emit.contract import ListingEntry, entry
from mcpgen.emit.render import render
from mcpgen.emit.tool_tests import scenario_view
from mcpgen.emit.views import ToolTestView
from mcpgen.ir.project import File, Owner
from mcpgen.ir.server import RouteSpec, ToolSpec
from mcpgen.parallel import WorkerPool


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """The files of one tool, and its entry in the list."""

    files: tuple[File, ...]
    entry: ListingEntry


@contextmanager
def tool_files_begun(
    tools: Sequence[ToolSpec], package: str, crew: WorkerPool, memory: BuildCache
) -> Iterator[Callable[[], list[ToolFiles]]]:
    """Starts to write the files of all tools; the function it gives has those of a tool that is as it
    was as they are remembered, the others written. A tool that has a name in the memory need not be
    spelled out."""
    is_worth = memory.is_worth(len(tools))
    told = [memory.key_of(tool) or repr(tool) for tool in tools] if is_worth else []
    keys = [hash_texts("files", package, each) for each in told]
    known = [memory.get(key, ToolFiles) for key in keys] or [None] * len(tools)
    left = [tool for tool, found in zip(tools, known, strict=True) if found is None]
    with crew.submit(tool_file_writer, package, left) as finished:

        def of_tools() -> list[ToolFiles]:
            made = iter(finished())
            done = [found or next(made) for found in known]
            for key, found, one in zip(keys, known, done, strict=False):
                if found is None:
                    memory.put(key, one)
            return done

        yield of_tools


def tool_file_writer(package: str) -> Callable[[Sequence[ToolSpec]], list[ToolFiles]]:
    """What writes the files of each of several tools; for `WorkerPool.begun`."""
    return lambda tools: [ToolFiles(tuple(_files_of(tool, package)), entry(tool)) for tool in tools]


def _files_of(tool: ToolSpec, package: str) -> Iterator[File]:
    """The module of a tool and, if it has scenarios, that of its tests."""
    module = identifier(tool.module).text
    declared = render("package/tools/tool.py", package_files.tool_view(package, tool))
    yield File(f"{package}/tools/{module}.py", declared, Owner.MCPGEN)
    if tool.route and tool.scenarios and not tool.withheld:
        tested = render("tests/tools/test_tool.py", _test_view(tool, tool.route))
        yield File(f"tests/tools/test_{module}.py", tested, Owner.MCPGEN)


def _test_view(tool: ToolSpec, route: RouteSpec) -> ToolTestView:
    """The test module of a tool that makes a request."""
    sentence = f"`{tool.name}` sends `{package_files.request_of(route)}`"
    scenarios = tuple(scenario_view(tool, scenario) for scenario in tool.scenarios)
    return ToolTestView(docstring(sentence), scenarios)
