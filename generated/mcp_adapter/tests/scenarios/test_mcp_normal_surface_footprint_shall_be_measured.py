"""MCP normal surface footprint SHALL be measured."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP normal surface footprint SHALL be measured"


@scenario(
    requirement=REQUIREMENT,
    name="Normal tool list is generated in tests",
    steps=3,
    at="spec.md:69",
)
async def test_normal_tool_list_is_generated_in_tests(scene: Scene) -> None:
    """Normal tool list is generated in tests.

    - **WHEN** the tests ask the server for its ordinary `tools/list`
    - **THEN** the answer SHALL take no more bytes than the budget that is configured
    - **AND** the test SHALL fail if there is an event-subscription management tool or a developer-only tool among them
    """
    with scene.step(1, "WHEN the tests ask the server for its ordinary `tools/list`"):
        await scene.request("tools/list")
    with scene.step(2, "THEN the answer SHALL take no more bytes than the budget that is…"):
        scene.bytes("tools/list", at_most=24576)
    with scene.step(3, "AND the test SHALL fail if there is an event-subscription management…"):
        scene.tools(
            exclude=[
                "*subscri*",
                "*webhook*",
                "*event*",
                "*debug*",
                "*admin*",
                "*raw*",
                "*developer*",
                "list_*",
                "*_blob",
            ],
        )
