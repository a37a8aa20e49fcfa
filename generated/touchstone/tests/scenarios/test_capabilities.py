"""Capabilities."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Capabilities"


@scenario(requirement=REQUIREMENT, name="Client has no model", steps=2, at="spec.md:104")
async def test_client_has_no_model(scene: Scene) -> None:
    """Client has no model.

    - **WHEN** a client without a model calls `test_missing_capability`
    - **THEN** the error names the capability that it lacks
    """
    with scene.step(1, "WHEN a client without a model calls `test_missing_capability`"):
        await scene.call("test_missing_capability")
    with scene.step(2, "THEN the error names the capability that it lacks"):
        scene.code(-32021)
        scene.path("data.requiredCapabilities", keys=["sampling"])
