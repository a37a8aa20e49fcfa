"""Performs the scenarios of requirements against a running server.

The scenarios are written as the tests of a generated project, into a temporary folder, and performed
by the scenario engine of projects; a live server takes the place of the server under test.
"""

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
from mcpgen.emit.runtime import testing_module
from mcpgen.openspec.against.live_server import ServerAddress, ServerFailed, connect
from mcpgen.openspec.against.observable import reduce_to_observable
from mcpgen.openspec.emit.scenario_tests import scenario_files, scenario_views
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.step_definitions import ListedTool
from mcpgen.openspec.model.bound_scenarios import BoundScenarios
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.report.run_scenarios import ProjectTestsFailed, run_project_tests

ADDRESS_VARIABLE = "MCPGEN_SCENARIOS_AGAINST"
"""The environment variable by which the tests get the fields of `ServerAddress`, as JSON.

A variable and not a file, because headers may be secret.
"""

_ROOT_CONFTEST = 'pytest_plugins = ["tests.scenario_engine.plugin"]\n'
"""`conftest.py` of the temporary folder."""

_SCENARIOS_CONFTEST = f"""
import json
import os
from pathlib import Path

import pytest

from mcpgen.openspec.against.live_server import ServerAddress, connect
from tests.scenario_engine.fixtures import merge_fixtures
from tests.scenario_engine.scenario import Scene
from tests.scenarios.fixtures import FIXTURES


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def scene(request, anyio_backend):
    mark = request.node.get_closest_marker("scenario")
    names = [*(["default"] if "default" in FIXTURES else []), *mark.kwargs.get("given", ())]
    fixture = merge_fixtures(names, FIXTURES)
    address = json.loads(os.environ["{ADDRESS_VARIABLE}"])
    address["headers"] |= fixture.headers
    address["environment"] = dict(fixture.environment)
    async with connect(ServerAddress(**address)) as server:
        yield Scene(server, Path.cwd(), mark.kwargs.get("stale", ""))
"""
"""`tests/scenarios/conftest.py` of the temporary folder: the fixture `scene`, with a session of its own
for every scenario."""


class ServerUnusable(Exception):
    """The scenarios could not be performed; the message is the reason."""


@dataclass(frozen=True, slots=True)
class AgainstOptions:
    """Options of a run against a server.

    `headers` are sent with every request, `seconds` is the time limit of an answer. `prepared` are
    the fixtures whose state the user has brought about on the server (`--given`). `line` is the line
    of the only scenario to perform, 0 for every scenario. `operations` are the operations of the API
    behind the server, such as `GET /pets`, by tool.
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    prepared: tuple[str, ...] = ()
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
        for tool in list_server_tools(address)
    ]
    if companion:
        companion = _with_reviewed_fixtures(companion, options.prepared)
    bound = bind_requirements(requirements, companion, tools, diagnostics)
    scenarios = reduce_to_observable(bound, is_http=address.is_http, prepared=options.prepared)
    scenarios = _scenario_at(scenarios, options.line) if options.line else scenarios
    with TemporaryDirectory() as path:
        folder = Path(path)
        _write_tests(folder, scenarios)
        settings = {
            "target": target,
            "headers": dict(options.headers),
            "seconds": options.seconds,
            "folder": os.getcwd(),
        }
        try:
            rows = run_project_tests(folder, {ADDRESS_VARIABLE: json.dumps(settings)})
        except ProjectTestsFailed as error:
            raise ServerUnusable(str(error)) from error
    return AgainstResult(scenarios, rows, tuple(tool.name for tool in tools))


def _with_reviewed_fixtures(companion: Companion, prepared: tuple[str, ...]) -> Companion:
    """Returns the companion with the prepared fixtures as reviewed: a guessed fixture keeps a scenario
    from being performed because nothing brings its state about, and the user has done so."""
    fixtures = tuple(
        replace(fixture, guessed=fixture.guessed and fixture.name not in prepared)
        for fixture in companion.fixtures
    )
    return replace(companion, fixtures=fixtures)


def _scenario_at(scenarios: BoundScenarios, line: int) -> BoundScenarios:
    """Returns only the scenario whose heading is on a line, with its requirement."""
    requirements = [
        replace(
            requirement,
            scenarios=tuple(
                scenario for scenario in requirement.scenarios if scenario.at.line == line
            ),
        )
        for requirement in scenarios.requirements
    ]
    return replace(
        scenarios,
        requirements=tuple(requirement for requirement in requirements if requirement.scenarios),
    )


def list_server_tools(address: ServerAddress) -> list[ListedTool]:
    """Returns the tools that a server lists. Raises ServerUnusable."""
    try:
        return anyio.run(_list_tools, address)
    except ServerFailed as error:
        raise ServerUnusable(str(error)) from None


async def _list_tools(address: ServerAddress) -> list[ListedTool]:
    """Returns the tools with an input schema; empty for a server that does not list tools."""
    async with connect(address) as server:
        result = (await server.post("tools/list")).message.get("result")
    entries = result.get("tools") if isinstance(result, dict) else None
    tools = [tool for tool in entries or [] if isinstance(tool, dict)]
    return [
        ListedTool(str(tool.get("name")), schema)
        for tool in tools
        if isinstance(schema := tool.get("inputSchema"), dict)
    ]


def _write_tests(folder: Path, scenarios: BoundScenarios) -> None:
    """Writes the tests of the scenarios and a copy of the scenario engine into a folder."""
    tests = folder / "tests"
    shutil.copytree(templates_folder() / "tests" / "scenario_engine", tests / "scenario_engine")
    (tests / "support.py").write_text(testing_module(), "utf-8")
    texts = {file.path: file.text for file in scenario_files(scenarios)}
    views = dict(scenario_views(scenarios))
    path = "tests/scenarios/fixtures.py"
    texts |= {
        path: render(path, views[path]),
        "conftest.py": _ROOT_CONFTEST,
        "tests/scenarios/conftest.py": _SCENARIOS_CONFTEST,
        "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\nanyio_mode = auto\n",
    }
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
