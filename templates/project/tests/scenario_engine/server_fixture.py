"""The server of a scenario: started with the scenario's fixtures, in front of a recording upstream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic_settings import BaseSettings

from tests.scenario_engine.fixtures import ScenarioFixture, backdrop, merge_fixtures
from tests.scenario_engine.scenario import Scene
from tests.support import AuthSetup, serving

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder."""

DEFAULT = "default"
"""The name of the fixture applied to every scenario, if declared."""

PLAIN = AuthSetup()
"""The access of clients by default."""


@asynccontextmanager
async def performing(
    node: pytest.Item,
    fixtures: Mapping[str, ScenarioFixture],
    create: Callable[[Any], Any],
    settings: type[BaseSettings],
    entrance: AuthSetup = PLAIN,
    values: Mapping[str, Any] = {},
    sets: Mapping[str, str] = {},
    mirrors: Mapping[str, Mapping[str, str]] = {},
) -> AsyncIterator[Scene]:
    """The scene of a test marked as a scenario."""
    mark = node.get_closest_marker("scenario")
    assert mark, f"{node.name} is not marked as a scenario"
    given = merge_fixtures([*_default(fixtures), *mark.kwargs.get("given", ())], fixtures)
    entrance = AuthSetup(entrance.address, entrance.settings, {**entrance.headers, **given.headers})
    with pytest.MonkeyPatch.context() as process:
        for name, text in given.environment.items():
            process.setenv(name, text)
        async with (
            backdrop(given) as upstream,
            serving(
                create,
                settings,
                entrance,
                values,
                sets,
                mirrors,
                upstream,
                _fixture_settings(given, settings),
            ) as api,
        ):
            stale = mark.kwargs.get("stale", "")
            yield Scene(api, ROOT, stale, strays=upstream.strays)


def _default(fixtures: Mapping[str, ScenarioFixture]) -> Sequence[str]:
    return [DEFAULT] if DEFAULT in fixtures else []


def _fixture_settings(given: ScenarioFixture, settings: type[BaseSettings]) -> frozenset[str]:
    """The settings set by the fixture's environment."""
    prefix = str(settings.model_config.get("env_prefix", "")).lower()
    variables = {name.lower() for name in given.environment}
    return frozenset(name for name in settings.model_fields if prefix + name in variables)
