"""What scenarios may be given, by name: environment and headers, and how the upstream answers."""

from tests.scenario_engine.fixtures import ScenarioFixture

GIVEN: dict[str, ScenarioFixture] = {}
