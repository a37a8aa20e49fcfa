"""Closed streams."""

from tests.scenario_engine.markers import manual, scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Closed streams"


@manual("this client takes up no streams; the official suite shows it")
@scenario(requirement=REQUIREMENT, name="Stream is closed", steps=2, at="spec.md:133")
async def test_stream_is_closed(scene: Scene) -> None:
    """Stream is closed.

    - **WHEN** a client takes up the stream that was closed
    - **THEN** the result is there
    """
