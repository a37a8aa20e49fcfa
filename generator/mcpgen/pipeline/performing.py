"""The scenarios of a project, performed by its own tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen.pipeline.clock import Clock

if TYPE_CHECKING:
    from mcpgen.survey.scenarios import Matrix


def performed(folder: str, clock: Clock) -> Matrix | None:
    """What became of the scenarios of a project, or why they could not be performed; None where it
    is not made of requirements."""
    from mcpgen.survey.scenarios import Matrix, matrix_of
    from mcpgen.trial.scenarios import ENGINE, Unperformed
    from mcpgen.trial.scenarios import performed as rows_of

    if not (Path(folder) / ENGINE).is_dir():
        return None
    try:
        with clock.phase("scenarios"):
            return matrix_of(folder, rows_of(Path(folder)))
    except Unperformed as error:
        return Matrix(folder, (), f"the scenarios of {folder} could not be performed: {error}")
