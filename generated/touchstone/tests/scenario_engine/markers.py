"""Markers that connect a test with a scenario, and mark known gaps."""

from __future__ import annotations

import pytest

from tests.scenario_engine.exceptions import PendingStep, StaleBinding

scenario = pytest.mark.scenario
"""The scenario of a test: `requirement`, `name`, the number of `steps`, the fixtures `given`, and
the position in the document."""

pending = pytest.mark.xfail(strict=True, raises=PendingStep, reason="pending")
"""A step of the scenario has no binding; the test must end with PendingStep."""

stale = pytest.mark.xfail(strict=True, raises=StaleBinding, reason="stale")
"""The text of the scenario has changed since binding; the test must end with StaleBinding."""


def manual(reason: str) -> pytest.MarkDecorator:
    """Marks a scenario that only a person can check."""
    return pytest.mark.skip(reason=f"manual: {reason}")
