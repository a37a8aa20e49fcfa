"""Runs the scenarios of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen.emit.runtime import runtime_environment
from mcpgen.pipeline.result import PhaseTimer

if TYPE_CHECKING:
    from mcpgen.openspec.report.matrix import ScenarioMatrix


def run_scenarios(folder: str, clock: PhaseTimer) -> ScenarioMatrix | None:
    """Runs the project's scenario tests; returns the matrix, with the reason if the tests could not
    run. None for a project without requirements."""
    from mcpgen.openspec.report.matrix import ScenarioMatrix, matrix_of
    from mcpgen.smoke_test.run_project_tests import ENGINE, ProjectTestsFailed
    from mcpgen.smoke_test.run_project_tests import run_project_scenarios as rows_of

    if not (Path(folder) / ENGINE).is_dir():
        return None
    try:
        with clock.phase("scenarios"):
            return matrix_of(folder, rows_of(Path(folder), runtime_environment()))
    except ProjectTestsFailed as error:
        return ScenarioMatrix(
            folder, (), f"the scenarios of {folder} could not be performed: {error}"
        )
