"""How a scenario's test says which scenario it is, and what is known not to be shown by it."""

from __future__ import annotations

import pytest

from tests.scenario_engine.exceptions import PendingStep, StaleBinding

scenario = pytest.mark.scenario
"""Which scenario a test performs: `requirement`, `name`, how many `steps` there are, the fixtures it
is `given`, and where it stands."""

pending = pytest.mark.xfail(strict=True, raises=PendingStep, reason="pending")
"""That a step of the scenario is bound to nothing; the test must end with PendingStep."""

stale = pytest.mark.xfail(strict=True, raises=StaleBinding, reason="stale")
"""That the scenario was bound when its text was another; the test must end with StaleBinding."""


def manual(reason: str) -> pytest.MarkDecorator:
    """That no machine can show the scenario."""
    return pytest.mark.skip(reason=f"manual: {reason}")
