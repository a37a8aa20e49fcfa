"""Resources."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Resources"


@scenario(requirement=REQUIREMENT, name="Client reads a text", steps=2, at="spec.md:140")
async def test_client_reads_a_text(scene: Scene) -> None:
    """Client reads a text.

    - **WHEN** a client reads `test://static-text`
    - **THEN** the text is there
    """
    with scene.step(1, "WHEN a client reads `test://static-text`"):
        await scene.request("resources/read", {"uri": "test://static-text"})
    with scene.step(2, "THEN the text is there"):
        scene.path("contents[0].text", contains="there to be read")


@scenario(requirement=REQUIREMENT, name="Client reads a picture", steps=2, at="spec.md:144")
async def test_client_reads_a_picture(scene: Scene) -> None:
    """Client reads a picture.

    - **WHEN** a client reads `test://static-binary`
    - **THEN** its bytes are there
    """
    with scene.step(1, "WHEN a client reads `test://static-binary`"):
        await scene.request("resources/read", {"uri": "test://static-binary"})
    with scene.step(2, "THEN its bytes are there"):
        scene.path("contents[0].blob", present=True)
        scene.path("contents[0].mimeType", equals="image/png")


@scenario(
    requirement=REQUIREMENT,
    name="Client reads the document of an id",
    steps=2,
    at="spec.md:148",
)
async def test_client_reads_the_document_of_an_id(scene: Scene) -> None:
    """Client reads the document of an id.

    - **WHEN** a client reads `test://template/123/data`
    - **THEN** the document is that of 123
    """
    with scene.step(1, "WHEN a client reads `test://template/123/data`"):
        await scene.request("resources/read", {"uri": "test://template/123/data"})
    with scene.step(2, "THEN the document is that of 123"):
        scene.path("contents[0].text", contains="123")


@scenario(requirement=REQUIREMENT, name="Resource is not there", steps=2, at="spec.md:152")
async def test_resource_is_not_there(scene: Scene) -> None:
    """Resource is not there.

    - **WHEN** a client reads a resource that is not there
    - **THEN** an error says so
    """
    with scene.step(1, "WHEN a client reads a resource that is not there"):
        await scene.request("resources/read", {"uri": "test://nowhere"})
    with scene.step(2, "THEN an error says so"):
        scene.code(-32602)
