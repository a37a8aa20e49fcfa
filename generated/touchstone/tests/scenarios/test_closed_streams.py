"""Closed streams."""

from tests.scenario_engine.marks import pending, scenario
from tests.scenario_engine.scene import Scene

REQUIREMENT = "Closed streams"


@pending
@scenario(requirement=REQUIREMENT, name="Stream is closed", steps=2, at="spec.md:133")
async def test_stream_is_closed(scene: Scene) -> None:
    """Stream is closed.

    - **WHEN** a client takes up the stream that was closed
    - **THEN** the result is there
    """
    with scene.step(1, "WHEN a client takes up the stream that was closed"):
        scene.pending()
    with scene.step(2, "THEN the result is there"):
        scene.pending()
