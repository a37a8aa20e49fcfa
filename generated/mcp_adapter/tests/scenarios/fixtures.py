"""The fixtures of scenarios, by name: environment, headers, and answers of the upstream."""

from tests import fixtures
from tests.scenario_engine.fixtures import ScenarioFixture

GIVEN: dict[str, ScenarioFixture] = {
    "default": ScenarioFixture(
        environment={
            "MCP_ADAPTER_CALLER_INTROSPECTION_CLIENT_ID": "mcp-adapter",
            "MCP_ADAPTER_CALLER_INTROSPECTION_CLIENT_SECRET": "sample-secret",
        },
        headers={"Authorization": "Bearer grant_sample_two"},
        app=fixtures.archive,
    ),
    "one_connection": ScenarioFixture(headers={"Authorization": "Bearer grant_sample_one"}),
    "many_connections": ScenarioFixture(headers={"Authorization": "Bearer grant_sample_many"}),
}
