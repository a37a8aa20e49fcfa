"""Mirrored arguments."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Mirrored arguments"


@scenario(requirement=REQUIREMENT, name="Header agrees", steps=2, at="spec.md:122")
async def test_header_agrees(scene: Scene) -> None:
    """Header agrees.

    - **WHEN** a client calls `test_mirrored_argument` with the region in the header too
    - **THEN** the result names the region
    """
    with scene.step(1, "WHEN a client calls `test_mirrored_argument` with the region in the…"):
        await scene.call("test_mirrored_argument", {"region": "north"})
    with scene.step(2, "THEN the result names the region"):
        scene.text(contains=["north"])


@scenario(requirement=REQUIREMENT, name="Header disagrees", steps=2, at="spec.md:126")
async def test_header_disagrees(scene: Scene) -> None:
    """Header disagrees.

    - **WHEN** the header names another region
    - **THEN** the call is refused with the code -32020
    """
    with scene.step(1, "WHEN the header names another region"):
        await scene.call(
            "test_mirrored_argument",
            {"region": "north"},
            headers={"Mcp-Param-Region": "south"},
        )
    with scene.step(2, "THEN the call is refused with the code -32020"):
        scene.code(-32020)
