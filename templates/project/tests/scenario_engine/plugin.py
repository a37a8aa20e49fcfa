"""The pytest plugin: statuses of scenarios, the matrix, and the minimal share of bound steps."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.scenario_engine.exceptions import PendingStep, StaleBinding
from tests.scenario_engine.matrix import FORMS, Matrix, MatrixRow, matrix
from tests.scenario_engine.scenario import Scene
from tests.scenario_engine.steps import StepResult

LONGEST = 500
"""Characters of a reason in the matrix."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options about scenarios."""
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
        help="fail if fewer of a hundred steps of the scenarios were shown",
    )
    group.addoption(
        "--fail-on-pending",
        action="store_true",
        help="fail if a step of a scenario is bound to nothing, or was bound for another text",
    )


def _matrix_file(name: str) -> Path:
    path = Path(name)
    if path.suffix not in FORMS:
        raise pytest.UsageError(f"--matrix {name}: the name ends with none of {', '.join(FORMS)}")
    return path


def _percent(text: str) -> float:
    least = float(text)
    if not 0 <= least <= 100:
        raise pytest.UsageError(f"--min-bound {text}: it is between 0 and 100")
    return least


def pytest_configure(config: pytest.Config) -> None:
    """Makes the mark of scenarios known."""
    config.addinivalue_line("markers", "scenario(requirement, name, steps, …): performs a scenario")
    config.pluginmanager.register(ScenarioPlugin(config), "scenarios-of-the-project")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Runs the test, then checks for gaps of the scenario."""
    __tracebackhide__ = True
    result = yield
    scene = _scene(item)
    if scene:
        scene.end()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the scenario's row to the report of the test."""
    report = yield
    if item.get_closest_marker("scenario") and (report.when == "call" or not report.passed):
        row = _result_row(item, report, call.excinfo.value if call.excinfo else None)
        report.user_properties.append(("scenario", asdict(row)))
    return report


class ScenarioPlugin:
    """The rows of a run's scenarios, also from workers of pytest-xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rows: dict[str, MatrixRow] = {}

    @property
    def matrix(self) -> Matrix:
        """The scenarios so far."""
        return matrix(self.rows.values())

    @property
    def lacking(self) -> str:
        """The reason to fail the run, or `""`."""
        least, found = self.config.getoption("--min-bound"), self.matrix
        if least and found.percent < least:
            return f"{found.percent:g} % of the steps were shown, and --min-bound is {least:g}"
        if self.config.getoption("--fail-on-pending") and found.unbound:
            names = ", ".join(row.scenario for row in found.unbound)
            return f"--fail-on-pending, and not everything is bound: {names}"
        return ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collects the scenario's row from a report."""
        for name, value in report.user_properties:
            if name == "scenario" and isinstance(value, dict):
                self.rows[report.nodeid] = MatrixRow(**value)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Writes the matrix, and fails the run if `lacking` has a reason."""
        if hasattr(self.config, "workerinput"):
            return
        for path in self.config.getoption("--matrix"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(FORMS[path.suffix](self.matrix), encoding="utf-8")
        if self.lacking and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the number of scenarios by status."""
        if self.rows:
            terminalreporter.write_line(f"scenarios: {self.matrix.spoken}")
        if self.lacking:
            terminalreporter.write_line(f"error: {self.lacking}", red=True)


def _scene(item: pytest.Item) -> Scene | None:
    scene = getattr(item, "funcargs", {}).get("scene")
    return scene if isinstance(scene, Scene) else None


def _result_row(
    item: pytest.Item, report: pytest.TestReport, error: BaseException | None
) -> MatrixRow:
    """The matrix row of a test's scenario."""
    scene, mark = _scene(item), item.get_closest_marker("scenario")
    assert mark
    steps = scene.steps if scene else []
    status = _scenario_status(report, error, steps)
    told = str(error or report.longrepr or "") if status != "passed" else ""
    return MatrixRow(
        requirement=mark.kwargs["requirement"],
        scenario=mark.kwargs["name"],
        status=status,
        bound=sum(step.status == "passed" for step in steps),
        count=mark.kwargs["steps"],
        at=mark.kwargs.get("at", ""),
        test=item.nodeid,
        told=told[:LONGEST],
        steps=[asdict(step) for step in steps],
    )


def _scenario_status(
    report: pytest.TestReport, error: BaseException | None, steps: list[StepResult]
) -> str:
    """The status of a scenario."""
    if report.failed:
        return "failed"
    if report.passed:
        return "passed"
    if isinstance(error, StaleBinding):
        return "stale"
    if isinstance(error, PendingStep):
        shown = any(step.status == "passed" and step.asserts for step in steps)
        return "partial" if shown else "pending"
    return "manual"
