"""Performs the scenarios of requirements against a running server, with the engine of projects."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio

from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.render import render, templates_folder
from mcpgen.emit.runtime import support
from mcpgen.openspec.against.live_server import ServerAddress, ServerFailed, connect
from mcpgen.openspec.against.observable import observable
from mcpgen.openspec.emit.scenario_tests import scenario_files, scenario_views
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.step_definitions import ListedTool
from mcpgen.openspec.model.bound_scenarios import BoundScenarios
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.report.run_scenarios import ProjectTestsFailed, run_project_tests

VARIABLE = "MCPGEN_SCENARIOS_AGAINST"
"""The variable with the server's address for the tests: a header may be secret, and a variable is
not on the disk."""

_PLUGIN = 'pytest_plugins = ["tests.scenario_engine.plugin"]\n'
_FIXTURES = f"""
import json
import os
from pathlib import Path

import pytest

from mcpgen.openspec.against.live_server import ServerAddress, connect
from tests.scenario_engine.fixtures import merge_fixtures
from tests.scenario_engine.scenario import Scene
from tests.scenarios.fixtures import GIVEN


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def scene(request, anyio_backend):
    mark = request.node.get_closest_marker("scenario")
    names = [*(["default"] if "default" in GIVEN else []), *mark.kwargs.get("given", ())]
    given = merge_fixtures(names, GIVEN)
    known = json.loads(os.environ["{VARIABLE}"])
    known["headers"] |= given.headers
    known["environment"] = dict(given.environment)
    async with connect(ServerAddress(**known)) as server:
        yield Scene(server, Path.cwd(), mark.kwargs.get("stale", ""))
"""


class ServerUnusable(Exception):
    """The scenarios could not be performed; the message is the reason."""


@dataclass(frozen=True, slots=True)
class AgainstOptions:
    """`given` are the fixtures whose state the caller has brought about. `line` is the position of
    the only scenario to perform, 0 for every scenario. `operations` are the operations of the API
    behind the server, such as `GET /pets`, by tool."""

    headers: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    seconds: float = 30.0
    line: int = 0
    operations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgainstResult:
    """The bound scenarios, the rows of the matrix that the engine wrote, and the tools' names."""

    scenarios: BoundScenarios
    rows: list[dict[str, Any]]
    tools: tuple[str, ...]


def perform_against(
    target: str,
    requirements: Requirements,
    companion: Companion | None,
    options: AgainstOptions,
    diagnostics: Diagnostics,
) -> AgainstResult:
    """Performs every scenario in document order, each in a session of its own.

    `target` is a URL, or the command of a server on stdio. Raises ServerUnusable.
    """
    if find_spec("pytest") is None:
        raise ServerUnusable("performing scenarios needs pytest: pip install 'mcpgen[scenarios]'")
    address = ServerAddress(target, options.headers, seconds=options.seconds)
    tools = [
        replace(tool, operation=options.operations.get(tool.name, ""))
        for tool in list_tools(address)
    ]
    if companion:
        fixtures = [
            replace(fixture, guessed=fixture.guessed and fixture.name not in options.given)
            for fixture in companion.fixtures
        ]
        companion = replace(companion, fixtures=tuple(fixtures))
    bound = bind_requirements(requirements, companion, tools, diagnostics)
    scenarios = observable(bound, is_http=address.is_http, given=options.given)
    scenarios = _only(scenarios, options.line) if options.line else scenarios
    with TemporaryDirectory() as place:
        folder = Path(place)
        _write_tests(folder, scenarios)
        told = {
            "target": target,
            "headers": dict(options.headers),
            "seconds": options.seconds,
            "folder": os.getcwd(),
        }
        try:
            rows = run_project_tests(folder, {VARIABLE: json.dumps(told)})
        except ProjectTestsFailed as error:
            raise ServerUnusable(str(error)) from error
    return AgainstResult(scenarios, rows, tuple(tool.name for tool in tools))


def _only(scenarios: BoundScenarios, line: int) -> BoundScenarios:
    chapters = [
        replace(chapter, proofs=tuple(proof for proof in chapter.proofs if proof.at.line == line))
        for chapter in scenarios.chapters
    ]
    return replace(scenarios, chapters=tuple(chapter for chapter in chapters if chapter.proofs))


def list_tools(address: ServerAddress) -> list[ListedTool]:
    """Returns the tools that a server lists. Raises ServerUnusable."""
    try:
        return anyio.run(_list_tools, address)
    except ServerFailed as error:
        raise ServerUnusable(str(error)) from None


async def _list_tools(address: ServerAddress) -> list[ListedTool]:
    """Returns the tools of a server; empty for a server without tools."""
    async with connect(address) as server:
        result = (await server.post("tools/list")).message.get("result")
    listed = result.get("tools") if isinstance(result, dict) else None
    tools = [tool for tool in listed or [] if isinstance(tool, dict)]
    return [
        ListedTool(str(tool.get("name")), schema)
        for tool in tools
        if isinstance(schema := tool.get("inputSchema"), dict)
    ]


def _write_tests(folder: Path, scenarios: BoundScenarios) -> None:
    """Writes the tests of the scenarios beside a copy of the engine."""
    templates = templates_folder()
    tests = folder / "tests"
    shutil.copytree(templates / "tests" / "scenario_engine", tests / "scenario_engine")
    (tests / "support.py").write_text(support(), "utf-8")
    texts = {file.path: file.text for file in scenario_files(scenarios)}
    views = dict(scenario_views(scenarios))
    path = "tests/scenarios/fixtures.py"
    texts |= {
        path: render(path, views[path]),
        "conftest.py": _PLUGIN,
        "tests/scenarios/conftest.py": _FIXTURES,
        "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\nanyio_mode = auto\n",
    }
    for name, text in texts.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
