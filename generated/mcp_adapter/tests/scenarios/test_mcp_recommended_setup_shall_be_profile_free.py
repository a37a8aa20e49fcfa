"""MCP recommended setup SHALL be profile-free."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP recommended setup SHALL be profile-free"


@scenario(
    requirement=REQUIREMENT,
    name="Recommended setup is presented to an operator",
    steps=3,
    at="spec.md:16",
)
async def test_recommended_setup_is_presented_to_an_operator(scene: Scene) -> None:
    """Recommended setup is presented to an operator.

    - **WHEN** an operator reads how the adapter is set up for a client it supports
    - **THEN** the text SHALL show one recommended way before it speaks of any variant
    - **AND** that way SHALL NOT mention event-subscription management, tools for developers or a full surface, bearers of owners, control-plane bearers, names of profiles, or a way to select one
    """
    with scene.step(1, "WHEN an operator reads how the adapter is set up for a client it…"):
        scene.file("SETUP.md")
    with scene.step(2, "THEN the text SHALL show one recommended way before it speaks of any…"):
        scene.text(matches="(?s)\\A# [^#]+\\n## The recommended way\\n.+\\n## Variants\\n")
    with scene.step(3, "AND that way SHALL NOT mention event-subscription management, tools…"):
        scene.text(
            matches=(
                "(?is)\\A(?!.*(subscri|developer|\\bfull\\b|\\bcore\\b|owner|control.plane|profile|"
                "toolset))"
            ),
        )


@scenario(requirement=REQUIREMENT, name="Local setup is configured", steps=3, at="spec.md:22")
async def test_local_setup_is_configured(scene: Scene) -> None:
    """Local setup is configured.

    - **WHEN** the adapter is started on the operator's own machine, from a command line or from variables of the environment
    - **THEN** what it says of its flags and variables SHALL NOT offer one that selects a profile
    - **AND** the adapter SHALL serve the same five reading tools that it serves as a hosted server
    """
    with scene.step(1, "WHEN the adapter is started on the operator's own machine, from a…"):
        await scene.command("mcp_adapter", ["--help"])
        scene.file("mcp_adapter/settings.py")
        await scene.request("tools/list")
    with scene.step(2, "THEN what it says of its flags and variables SHALL NOT offer one…"):
        scene.status(0, at_call=1)
        scene.text(
            contains=["--port"],
            matches="(?is)\\A(?!.*(profile|toolset|surface))",
            at_call=1,
        )
        scene.text(matches="(?is)\\A(?!.*(profile|toolset|surface))", at_call=2)
    with scene.step(3, "AND the adapter SHALL serve the same five reading tools that it…"):
        scene.tools(exactly=["schema", "query_records", "aggregate", "search", "fetch"], at_call=3)
