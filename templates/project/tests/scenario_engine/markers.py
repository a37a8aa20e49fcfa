"""Pytest markers that connect a test with its scenario, and mark expected gaps."""

from __future__ import annotations

import pytest

from tests.scenario_engine.exceptions import PendingStep, StaleBinding

scenario = pytest.mark.scenario
"""The scenario of a test: `requirement`, `name`, the number of `steps`, the names of the fixtures
(`given`), the position in the document (`at`), and the reason why the binding is `stale`."""

pending = pytest.mark.xfail(strict=True, raises=PendingStep, reason="pending")
"""Some step is not checked: the test must end with PendingStep, and fails if it passes."""

stale = pytest.mark.xfail(strict=True, raises=StaleBinding, reason="stale")
"""The text of the scenario has changed since the scenario was bound: the test must end with
StaleBinding."""


def manual(reason: str) -> pytest.MarkDecorator:
    """Marks a scenario that only a person can check."""
    return pytest.mark.skip(reason=f"manual: {reason}")
