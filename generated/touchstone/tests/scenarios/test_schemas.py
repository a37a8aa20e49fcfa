"""Schemas."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Schemas"


@scenario(requirement=REQUIREMENT, name="Client reads the schema", steps=2, at="spec.md:111")
async def test_client_reads_the_schema(scene: Scene) -> None:
    """Client reads the schema.

    - **WHEN** a client lists the tools
    - **THEN** definitions, conditions and anchors are there
    """
    with scene.step(1, "WHEN a client lists the tools"):
        await scene.request("tools/list")
    with scene.step(2, "THEN definitions, conditions and anchors are there"):
        scene.path("tools[*].inputSchema.$defs.address.$anchor", contains="addressDef")
        scene.path("tools[*].inputSchema.then", count=1)
        scene.path("tools[*].inputSchema.allOf[*].anyOf", count=1)


@scenario(requirement=REQUIREMENT, name="Condition is not met", steps=2, at="spec.md:115")
async def test_condition_is_not_met(scene: Scene) -> None:
    """Condition is not met.

    - **WHEN** a client calls `json_schema_2020_12_tool` for a contact by phone, without a phone
    - **THEN** the call is refused
    """
    with scene.step(1, "WHEN a client calls `json_schema_2020_12_tool` for a contact by…"):
        await scene.call(
            "json_schema_2020_12_tool",
            {"contactMethod": "phone", "email": "ada@example.com"},
        )
    with scene.step(2, "THEN the call is refused"):
        scene.is_error(True)
        scene.text(contains=["phone"])
