"""What scenarios may be given, by name: environment and headers, and how the upstream answers."""

from tests.scenario_engine.backdrop import Given

GIVEN: dict[str, Given] = {}
