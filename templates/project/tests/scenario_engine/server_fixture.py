"""The server of a scenario, started with the scenario's fixtures in front of a recording upstream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic_settings import BaseSettings

from tests.scenario_engine.fixtures import ScenarioFixture, merge_fixtures, run_upstream
from tests.scenario_engine.scenario import Scene
from tests.support import AuthSetup, serving

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder."""

DEFAULT = "default"
"""The name of the fixture applied to every scenario, if declared."""

DEFAULT_AUTH = AuthSetup()
"""The endpoint `/mcp`, without further settings and headers."""


@asynccontextmanager
async def run_scene(
    test: pytest.Item,
    fixtures: Mapping[str, ScenarioFixture],
    create: Callable[[Any], Any],
    settings: type[BaseSettings],
    auth_setup: AuthSetup = DEFAULT_AUTH,
    values: Mapping[str, Any] = {},
    sets: Mapping[str, str] = {},
    mirrors: Mapping[str, Mapping[str, str]] = {},
) -> AsyncIterator[Scene]:
    """Yields the scene of a test that is marked as a scenario, while the server runs.

    `create` makes the server of the project from `settings`, with `values` for settings that have
    no default. `sets` has the toolset of each tool that only a toolset's endpoint offers; `mirrors`
    has the headers that repeat arguments of a tool.
    """
    mark = test.get_closest_marker("scenario")
    assert mark, f"{test.name} is not marked as a scenario"
    fixture = merge_fixtures([*_default(fixtures), *mark.kwargs.get("given", ())], fixtures)
    headers = {**auth_setup.headers, **fixture.headers}
    auth_setup = AuthSetup(auth_setup.address, auth_setup.settings, headers)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, text in fixture.environment.items():
            monkeypatch.setenv(name, text)
        async with (
            run_upstream(fixture) as upstream,
            serving(
                create,
                settings,
                auth_setup,
                values,
                sets,
                mirrors,
                upstream,
                _settings_in_environment(fixture, settings),
            ) as api,
        ):
            stale_reason = mark.kwargs.get("stale", "")
            yield Scene(api, ROOT, stale_reason, unanswered=upstream.unanswered)


def _default(fixtures: Mapping[str, ScenarioFixture]) -> Sequence[str]:
    return [DEFAULT] if DEFAULT in fixtures else []


def _settings_in_environment(
    fixture: ScenarioFixture, settings: type[BaseSettings]
) -> frozenset[str]:
    """Returns the names of the settings that the fixture's environment sets."""
    prefix = str(settings.model_config.get("env_prefix", "")).lower()
    variables = {name.lower() for name in fixture.environment}
    return frozenset(name for name in settings.model_fields if prefix + name in variables)
