"""Questions before the result."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Questions before the result"


@scenario(requirement=REQUIREMENT, name="User fills in a form", steps=2, at="spec.md:57")
async def test_user_fills_in_a_form(scene: Scene) -> None:
    """User fills in a form.

    - **WHEN** the user answers the form of `test_elicitation`
    - **THEN** the result repeats the answer
    """
    with scene.step(1, "WHEN the user answers the form of `test_elicitation`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_elicitation",
                "arguments": {"message": "Who are you?"},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
                "inputResponses": {
                    "who": {
                        "action": "accept",
                        "content": {"username": "ada", "email": "ada@example.com"},
                    },
                },
            },
        )
    with scene.step(2, "THEN the result repeats the answer"):
        scene.text(contains=["ada@example.com"])


@scenario(requirement=REQUIREMENT, name="Form has defaults", steps=2, at="spec.md:61")
async def test_form_has_defaults(scene: Scene) -> None:
    """Form has defaults.

    - **WHEN** a client calls `test_elicitation_sep1034_defaults`
    - **THEN** each field of the form has a default
    """
    with scene.step(1, "WHEN a client calls `test_elicitation_sep1034_defaults`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_elicitation_sep1034_defaults",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            },
        )
    with scene.step(2, "THEN each field of the form has a default"):
        scene.path(
            "inputRequests.profile.params.requestedSchema.properties.name.default",
            equals="John Doe",
        )
        scene.path("inputRequests.profile.params.requestedSchema.properties.age.default", equals=30)
        scene.path(
            "inputRequests.profile.params.requestedSchema.properties.score.default",
            equals=95.5,
        )
        scene.path(
            "inputRequests.profile.params.requestedSchema.properties.status.default",
            equals="active",
        )
        scene.path(
            "inputRequests.profile.params.requestedSchema.properties.verified.default",
            equals=True,
        )


@scenario(requirement=REQUIREMENT, name="Form has choices", steps=2, at="spec.md:65")
async def test_form_has_choices(scene: Scene) -> None:
    """Form has choices.

    - **WHEN** a client calls `test_elicitation_sep1330_enums`
    - **THEN** the form has choices with titles and without, of one and of several
    """
    with scene.step(1, "WHEN a client calls `test_elicitation_sep1330_enums`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_elicitation_sep1330_enums",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            },
        )
    with scene.step(2, "THEN the form has choices with titles and without, of one and of…"):
        scene.path(
            "inputRequests.choices.params.requestedSchema.properties.untitledSingle.enum",
            count=3,
        )
        scene.path(
            "inputRequests.choices.params.requestedSchema.properties.titledSingle.oneOf",
            count=3,
        )
        scene.path(
            "inputRequests.choices.params.requestedSchema.properties.untitledMulti.items.enum",
            count=3,
        )
        scene.path(
            "inputRequests.choices.params.requestedSchema.properties.titledMulti.items.anyOf",
            count=3,
        )


@scenario(requirement=REQUIREMENT, name="Model writes", steps=2, at="spec.md:69")
async def test_model_writes(scene: Scene) -> None:
    """Model writes.

    - **WHEN** the client's model answers the prompt of `test_sampling`
    - **THEN** the result repeats what it wrote
    """
    with scene.step(1, "WHEN the client's model answers the prompt of `test_sampling`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_sampling",
                "arguments": {"prompt": "Say something."},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"sampling": {}}},
                "inputResponses": {
                    "reply": {
                        "role": "assistant",
                        "content": {"type": "text", "text": "Something."},
                        "model": "stand-in",
                    },
                },
            },
        )
    with scene.step(2, "THEN the result repeats what it wrote"):
        scene.text(contains=["The model wrote: Something."])
