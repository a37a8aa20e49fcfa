"""Telling how it goes."""

from tests.scenario_engine.marks import pending, scenario
from tests.scenario_engine.scene import Scene

REQUIREMENT = "Telling how it goes"


@pending
@scenario(requirement=REQUIREMENT, name="Client asks for progress", steps=2, at="spec.md:45")
async def test_client_asks_for_progress(scene: Scene) -> None:
    """Client asks for progress.

    - **WHEN** a client calls `test_tool_with_progress` with a progress token and reads events
    - **THEN** 0, 50 and 100 of 100 are told before the result
    """
    with scene.step(1, "WHEN a client calls `test_tool_with_progress` with a progress token…"):
        scene.pending()
    with scene.step(2, "THEN 0, 50 and 100 of 100 are told before the result"):
        scene.pending()


@pending
@scenario(requirement=REQUIREMENT, name="Client wants no log", steps=2, at="spec.md:49")
async def test_client_wants_no_log(scene: Scene) -> None:
    """Client wants no log.

    - **WHEN** a client calls `test_logging_tool` and names no level
    - **THEN** nothing but the result comes
    """
    with scene.step(1, "WHEN a client calls `test_logging_tool` and names no level"):
        scene.pending()
    with scene.step(2, "THEN nothing but the result comes"):
        scene.pending()
