"""Prompts."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Prompts"


@scenario(
    requirement=REQUIREMENT,
    name="Client gets a prompt with arguments",
    steps=2,
    at="spec.md:160",
)
async def test_client_gets_a_prompt_with_arguments(scene: Scene) -> None:
    """Client gets a prompt with arguments.

    - **WHEN** a client gets `test_prompt_with_arguments`
    - **THEN** its message holds the arguments
    """
    with scene.step(1, "WHEN a client gets `test_prompt_with_arguments`"):
        await scene.request(
            "prompts/get",
            {"name": "test_prompt_with_arguments", "arguments": {"arg1": "sun", "arg2": "moon"}},
        )
    with scene.step(2, "THEN its message holds the arguments"):
        scene.path("messages[0].content.text", contains="sun")
        scene.path("messages[0].content.text", contains="moon")


@scenario(requirement=REQUIREMENT, name="Argument is completed", steps=2, at="spec.md:164")
async def test_argument_is_completed(scene: Scene) -> None:
    """Argument is completed.

    - **WHEN** a client completes `gr` for the colour of `test_which_colour`
    - **THEN** values that begin so are suggested
    """
    with scene.step(1, "WHEN a client completes `gr` for the colour of `test_which_colour`"):
        await scene.request(
            "completion/complete",
            {
                "ref": {"type": "ref/prompt", "name": "test_which_colour"},
                "argument": {"name": "colour", "value": "gr"},
            },
        )
    with scene.step(2, "THEN values that begin so are suggested"):
        scene.path("completion.values", equals=["green"])


@scenario(requirement=REQUIREMENT, name="Prompt shows a picture", steps=2, at="spec.md:168")
async def test_prompt_shows_a_picture(scene: Scene) -> None:
    """Prompt shows a picture.

    - **WHEN** a client gets `test_prompt_with_image`
    - **THEN** its first message is a picture
    """
    with scene.step(1, "WHEN a client gets `test_prompt_with_image`"):
        await scene.request("prompts/get", {"name": "test_prompt_with_image"})
    with scene.step(2, "THEN its first message is a picture"):
        scene.path("messages[0].content.type", equals="image")


@scenario(requirement=REQUIREMENT, name="Prompt embeds a resource", steps=2, at="spec.md:172")
async def test_prompt_embeds_a_resource(scene: Scene) -> None:
    """Prompt embeds a resource.

    - **WHEN** a client gets `test_prompt_with_embedded_resource` for a resource
    - **THEN** its first message holds that resource
    """
    with scene.step(1, "WHEN a client gets `test_prompt_with_embedded_resource` for a resource"):
        await scene.request(
            "prompts/get",
            {
                "name": "test_prompt_with_embedded_resource",
                "arguments": {"resourceUri": "test://static-text"},
            },
        )
    with scene.step(2, "THEN its first message holds that resource"):
        scene.path("messages[0].content.resource.uri", equals="test://static-text")


@scenario(requirement=REQUIREMENT, name="Prompt asks the user", steps=2, at="spec.md:176")
async def test_prompt_asks_the_user(scene: Scene) -> None:
    """Prompt asks the user.

    - **WHEN** a client gets `test_input_required_result_prompt`
    - **THEN** the user is asked for what is missing
    """
    with scene.step(1, "WHEN a client gets `test_input_required_result_prompt`"):
        await scene.request(
            "prompts/get",
            {
                "name": "test_input_required_result_prompt",
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            },
        )
    with scene.step(2, "THEN the user is asked for what is missing"):
        scene.path("inputRequests.context.method", equals="elicitation/create")
