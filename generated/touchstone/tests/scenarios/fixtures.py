"""The fixtures of scenarios, by name: environment, headers, and answers of the upstream."""

from tests.scenario_engine.fixtures import ScenarioFixture

GIVEN: dict[str, ScenarioFixture] = {}
