"""The pytest plugin of scenario tests: the status of each scenario, the matrix, and the options."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.scenario_engine.exceptions import PendingStep, StaleBinding
from tests.scenario_engine.matrix import RENDERERS, Matrix, MatrixRow, make_matrix
from tests.scenario_engine.scenario import Scene
from tests.scenario_engine.steps import StepResult

MAX_REASON_CHARACTERS = 500
"""Characters of a reason in the matrix."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of scenario tests."""
    group = parser.getgroup("scenarios")
    group.addoption(
        "--matrix",
        action="append",
        default=[],
        type=_matrix_file,
        metavar="FILE",
        help="write the scenarios with their statuses to a .md, .json or .html file; repeatable",
    )
    group.addoption(
        "--min-bound",
        type=_percent,
        default=0.0,
        metavar="PERCENT",
        help="fail if a smaller percentage of the steps of all scenarios passed",
    )
    group.addoption(
        "--fail-on-pending",
        action="store_true",
        help="fail if a step is not checked, or if a scenario has changed since it was bound",
    )


def _matrix_file(name: str) -> Path:
    path = Path(name)
    if path.suffix not in RENDERERS:
        suffixes = ", ".join(RENDERERS)
        raise pytest.UsageError(f"--matrix {name}: the name ends with none of {suffixes}")
    return path


def _percent(text: str) -> float:
    percent = float(text)
    if not 0 <= percent <= 100:
        raise pytest.UsageError(f"--min-bound {text}: the percentage is between 0 and 100")
    return percent


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker `scenario`, and the plugin that collects the matrix."""
    config.addinivalue_line(
        "markers", "scenario(requirement, name, steps, …): the scenario of a test"
    )
    config.pluginmanager.register(ScenarioPlugin(config), "scenarios-of-the-project")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Runs the test, then raises an exception if the scenario has gaps."""
    __tracebackhide__ = True
    result = yield
    scene = _find_scene(item)
    if scene:
        scene.end()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the scenario's row of the matrix to the report of the test."""
    report = yield
    # A manual scenario is skipped in its setup; a setup or teardown that passes says nothing.
    if item.get_closest_marker("scenario") and (report.when == "call" or not report.passed):
        row = _result_row(item, report, call.excinfo.value if call.excinfo else None)
        report.user_properties.append(("scenario", asdict(row)))
    return report


class ScenarioPlugin:
    """Collects the rows of the scenarios from the reports of the tests.

    The worker processes of pytest-xdist send their reports to the main process, which writes the
    matrix.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rows: dict[str, MatrixRow] = {}

    @property
    def matrix(self) -> Matrix:
        """The scenarios reported so far."""
        return make_matrix(self.rows.values())

    @property
    def failure(self) -> str:
        """The reason why an option fails the run, or `""`."""
        minimum, matrix = self.config.getoption("--min-bound"), self.matrix
        if minimum and matrix.percent < minimum:
            return f"{matrix.percent:g} % of the steps passed, and --min-bound is {minimum:g}"
        if self.config.getoption("--fail-on-pending") and matrix.open_rows:
            names = ", ".join(row.scenario for row in matrix.open_rows)
            return f"--fail-on-pending, and not everything is bound: {names}"
        return ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collects the scenario's row from a report."""
        for name, value in report.user_properties:
            if name == "scenario" and isinstance(value, dict):
                self.rows[report.nodeid] = MatrixRow(**value)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Writes the matrix, and fails the run if `failure` has a reason."""
        # Only worker processes of pytest-xdist have this attribute.
        if hasattr(self.config, "workerinput"):
            return
        for path in self.config.getoption("--matrix"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(RENDERERS[path.suffix](self.matrix), encoding="utf-8")
        if self.failure and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the number of scenarios by status."""
        if self.rows:
            terminalreporter.write_line(f"scenarios: {self.matrix.summary}")
        if self.failure:
            terminalreporter.write_line(f"error: {self.failure}", red=True)


def _find_scene(item: pytest.Item) -> Scene | None:
    """Returns the scene of a test; None for another test, or if the server did not start."""
    scene = getattr(item, "funcargs", {}).get("scene")
    return scene if isinstance(scene, Scene) else None


def _result_row(
    item: pytest.Item, report: pytest.TestReport, error: BaseException | None
) -> MatrixRow:
    """Returns the row of a scenario after the test."""
    scene, mark = _find_scene(item), item.get_closest_marker("scenario")
    assert mark
    steps = scene.steps if scene else []
    status = _scenario_status(report, error, steps)
    reason = str(error or report.longrepr or "") if status != "passed" else ""
    return MatrixRow(
        requirement=mark.kwargs["requirement"],
        scenario=mark.kwargs["name"],
        status=status,
        bound=sum(step.status == "passed" for step in steps),
        count=mark.kwargs["steps"],
        at=mark.kwargs.get("at", ""),
        test=item.nodeid,
        told=reason[:MAX_REASON_CHARACTERS],
        steps=[asdict(step) for step in steps],
    )


def _scenario_status(
    report: pytest.TestReport, error: BaseException | None, steps: list[StepResult]
) -> str:
    """Returns the status of a scenario, one of `matrix.STATUSES`."""
    if report.failed:
        return "failed"
    if report.passed:
        return "passed"
    if isinstance(error, StaleBinding):
        return "stale"
    if isinstance(error, PendingStep):
        has_passed = any(step.status == "passed" and step.asserts for step in steps)
        return "partial" if has_passed else "pending"
    return "manual"
