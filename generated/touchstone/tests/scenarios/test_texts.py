"""Texts."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Texts"


@scenario(requirement=REQUIREMENT, name="Client asks for a text", steps=2, at="spec.md:13")
async def test_client_asks_for_a_text(scene: Scene) -> None:
    """Client asks for a text.

    - **WHEN** a client calls `test_simple_text`
    - **THEN** the result is one text
    """
    with scene.step(1, "WHEN a client calls `test_simple_text`"):
        await scene.call("test_simple_text")
    with scene.step(2, "THEN the result is one text"):
        scene.path("content", count=1)
        scene.text(contains=["always the same"])


@scenario(requirement=REQUIREMENT, name="Tool fails on purpose", steps=2, at="spec.md:17")
async def test_tool_fails_on_purpose(scene: Scene) -> None:
    """Tool fails on purpose.

    - **WHEN** a client calls `test_error_handling`
    - **THEN** the result is an error with a text
    """
    with scene.step(1, "WHEN a client calls `test_error_handling`"):
        await scene.call("test_error_handling")
    with scene.step(2, "THEN the result is an error with a text"):
        scene.is_error(True)
        scene.text(contains=["fails on purpose"])
