"""Other content."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Other content"


@scenario(requirement=REQUIREMENT, name="Client asks for an image", steps=2, at="spec.md:25")
async def test_client_asks_for_an_image(scene: Scene) -> None:
    """Client asks for an image.

    - **WHEN** a client calls `test_image_content`
    - **THEN** the result is a PNG image
    """
    with scene.step(1, "WHEN a client calls `test_image_content`"):
        await scene.call("test_image_content")
    with scene.step(2, "THEN the result is a PNG image"):
        scene.path("content[0].type", equals="image")
        scene.path("content[0].mimeType", equals="image/png")


@scenario(requirement=REQUIREMENT, name="Client asks for a sound", steps=2, at="spec.md:29")
async def test_client_asks_for_a_sound(scene: Scene) -> None:
    """Client asks for a sound.

    - **WHEN** a client calls `test_audio_content`
    - **THEN** the result is a WAV sound
    """
    with scene.step(1, "WHEN a client calls `test_audio_content`"):
        await scene.call("test_audio_content")
    with scene.step(2, "THEN the result is a WAV sound"):
        scene.path("content[0].type", equals="audio")
        scene.path("content[0].mimeType", equals="audio/wav")


@scenario(requirement=REQUIREMENT, name="Client asks for a resource", steps=2, at="spec.md:33")
async def test_client_asks_for_a_resource(scene: Scene) -> None:
    """Client asks for a resource.

    - **WHEN** a client calls `test_embedded_resource`
    - **THEN** the result holds a resource with its text
    """
    with scene.step(1, "WHEN a client calls `test_embedded_resource`"):
        await scene.call("test_embedded_resource")
    with scene.step(2, "THEN the result holds a resource with its text"):
        scene.path("content[0].resource.uri", equals="test://embedded-resource")
        scene.path("content[0].resource.text", contains="given along")


@scenario(requirement=REQUIREMENT, name="Client asks for a mixture", steps=2, at="spec.md:37")
async def test_client_asks_for_a_mixture(scene: Scene) -> None:
    """Client asks for a mixture.

    - **WHEN** a client calls `test_multiple_content_types`
    - **THEN** a text, an image and a resource come in this order
    """
    with scene.step(1, "WHEN a client calls `test_multiple_content_types`"):
        await scene.call("test_multiple_content_types")
    with scene.step(2, "THEN a text, an image and a resource come in this order"):
        scene.path("content[*].type", order=["text", "image", "resource"])
