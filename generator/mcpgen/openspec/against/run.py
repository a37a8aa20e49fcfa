"""Performs the scenarios of requirements against a running server, with the engine of projects."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection, Mapping
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
from mcpgen.openspec.emit.scenario_tests import scenario_files, scenario_views
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.step_definitions import ListedTool
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundScenario,
    BoundScenarios,
    BoundStep,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Companion,
    Fixture,
    ScenarioAction,
)
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.report.run_scenarios import ProjectTestsFailed, run_project_tests

_NEEDS_PROJECT = {
    ActionKind.FILE: "a file of the project is read",
    ActionKind.COMMAND: "a module of the project is run",
}
"""Reason why an action needs the project's files, by kind."""


def reduce_to_observable(
    scenarios: BoundScenarios, *, is_http: bool, given: Collection[str]
) -> BoundScenarios:
    """Returns the scenarios with pending steps in place of everything invisible from outside.

    `given` are the fixtures whose state the user has prepared on the server. Over stdio the
    environment of a fixture is set for the command; status, headers and HTTP requests do not exist
    there.
    """
    unmet = {
        fixture.name: reason
        for fixture in scenarios.fixtures
        if fixture.name not in given and (reason := _unmet(fixture, is_http))
    }
    requirements = tuple(
        replace(
            requirement,
            scenarios=tuple(
                _reduce(scenario, unmet, is_http=is_http) for scenario in requirement.scenarios
            ),
        )
        for requirement in scenarios.requirements
    )
    fixtures = tuple(
        replace(fixture, exchanges=(), app="", values={}) for fixture in scenarios.fixtures
    )
    return BoundScenarios(requirements, fixtures)


def _unmet(fixture: Fixture, is_http: bool) -> str:
    """Returns the reason why a running server may lack the state of a fixture, or `""`."""
    if fixture.app or fixture.exchanges:
        return "the answers of its upstream"
    if fixture.environment and is_http:
        return "variables of the server's environment"
    return "headers of HTTP" if fixture.headers and not is_http else ""


def _reduce(scenario: BoundScenario, unmet: Mapping[str, str], *, is_http: bool) -> BoundScenario:
    """Makes all steps pending if something prevents the scenario, else drops the assertions that
    are invisible from outside."""
    reason = _obstacle(scenario, unmet, is_http)
    if reason:
        steps = tuple(_pending(step, reason) for step in scenario.steps)
        return replace(scenario, setup=(), actions=(), given=(), steps=steps)
    return replace(scenario, steps=tuple(_visible_step(step, is_http) for step in scenario.steps))


def _obstacle(scenario: BoundScenario, unmet: Mapping[str, str], is_http: bool) -> str:
    """Returns the reason why a scenario cannot be performed against a running server, or `""`."""
    for name in ("default", *scenario.given):
        if name in unmet:
            return (
                f"the fixture `{name}` has {unmet[name]}: prepare this state on the server, "
                f"then add `--given {name}`"
            )
    for action in (*scenario.setup, *scenario.actions):
        if action.kind in _NEEDS_PROJECT:
            return _NEEDS_PROJECT[action.kind]
        if reason := _transport_obstacle(action, is_http):
            return reason
    return ""


def _transport_obstacle(action: ScenarioAction, is_http: bool) -> str:
    """Returns the reason why an action cannot be sent over the transport, or `""`."""
    if action.version:
        return "the revision is negotiated with the server"
    if not is_http and (action.kind is ActionKind.HTTP or action.headers):
        return "stdio has no HTTP requests"
    return ""


def _pending(step: BoundStep, reason: str) -> BoundStep:
    if step.binding is Binding.MANUAL:
        return step
    return replace(step, binding=Binding.PENDING, assertions=(), rest=reason)


def _visible_step(step: BoundStep, is_http: bool) -> BoundStep:
    """Returns the step without invisible assertions; a step that loses assertions is partly bound."""
    visible = tuple(item for item in step.assertions if _is_visible(item, is_http))
    if len(visible) == len(step.assertions):
        return step
    reason = "requests to the upstream, and HTTP over stdio, cannot be seen"
    binding = Binding.PARTLY if visible else Binding.PENDING
    return replace(step, binding=binding, assertions=visible, rest=reason)


def _is_visible(assertion: Assertion, is_http: bool) -> bool:
    if assertion.subject is AssertionTarget.UPSTREAM:
        return False
    return is_http or assertion.subject not in (AssertionTarget.STATUS, AssertionTarget.HEADER)


VARIABLE = "MCPGEN_SCENARIOS_AGAINST"
"""The variable with the server's address for the tests.

A variable and not a file, because headers may be secret.
"""

_PLUGIN = 'pytest_plugins = ["tests.scenario_engine.plugin"]\n'
_FIXTURES = f"""
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
    address = json.loads(os.environ["{VARIABLE}"])
    address["headers"] |= fixture.headers
    address["environment"] = dict(fixture.environment)
    async with connect(ServerAddress(**address)) as server:
        yield Scene(server, Path.cwd(), mark.kwargs.get("stale", ""))
"""


class ServerUnusable(Exception):
    """The scenarios could not be performed; the message is the reason."""


@dataclass(frozen=True, slots=True)
class AgainstOptions:
    """Options of a run against a server.

    `given` are the fixtures whose state the user has prepared on the server. `seconds` is the time
    limit of an answer. `line` is the position of the only scenario to perform, 0 for every
    scenario. `operations` are the operations of the API behind the server, such as `GET /pets`, by
    tool.
    """

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
    scenarios = reduce_to_observable(bound, is_http=address.is_http, given=options.given)
    scenarios = _only(scenarios, options.line) if options.line else scenarios
    with TemporaryDirectory() as place:
        folder = Path(place)
        _write_tests(folder, scenarios)
        settings = {
            "target": target,
            "headers": dict(options.headers),
            "seconds": options.seconds,
            "folder": os.getcwd(),
        }
        try:
            rows = run_project_tests(folder, {VARIABLE: json.dumps(settings)})
        except ProjectTestsFailed as error:
            raise ServerUnusable(str(error)) from error
    return AgainstResult(scenarios, rows, tuple(tool.name for tool in tools))


def _only(scenarios: BoundScenarios, line: int) -> BoundScenarios:
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
    entries = result.get("tools") if isinstance(result, dict) else None
    tools = [tool for tool in entries or [] if isinstance(tool, dict)]
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
    (tests / "support.py").write_text(testing_module(), "utf-8")
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
