"""Questions in rounds."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Questions in rounds"


@scenario(requirement=REQUIREMENT, name="Question comes as a result", steps=2, at="spec.md:77")
async def test_question_comes_as_a_result(scene: Scene) -> None:
    """Question comes as a result.

    - **WHEN** a client calls `test_input_required_result_elicitation`
    - **THEN** the result asks `user_name` for a name
    """
    with scene.step(1, "WHEN a client calls `test_input_required_result_elicitation`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_elicitation",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            },
        )
    with scene.step(2, "THEN the result asks `user_name` for a name"):
        scene.path("resultType", equals="input_required")
        scene.path("inputRequests.user_name.params.requestedSchema.required", equals=["name"])


@scenario(requirement=REQUIREMENT, name="Answer comes with the next call", steps=2, at="spec.md:81")
async def test_answer_comes_with_the_next_call(scene: Scene) -> None:
    """Answer comes with the next call.

    - **WHEN** the call comes with the answer to `user_name`
    - **THEN** the result greets by that name
    """
    with scene.step(1, "WHEN the call comes with the answer to `user_name`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_elicitation",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
                "inputResponses": {"user_name": {"action": "accept", "content": {"name": "Ada"}}},
            },
        )
    with scene.step(2, "THEN the result greets by that name"):
        scene.text(contains=["Good day, Ada!"])


@scenario(
    requirement=REQUIREMENT,
    name="One thing is asked after the other",
    steps=2,
    at="spec.md:85",
)
async def test_one_thing_is_asked_after_the_other(scene: Scene) -> None:
    """One thing is asked after the other.

    - **WHEN** a client answers the first question of `test_input_required_result_multi_round`
    - **THEN** the next result asks the second one, with another state
    """
    with scene.step(1, "WHEN a client answers the first question of…"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_multi_round",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            },
            save={"state": "requestState"},
        )
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_multi_round",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
                "inputResponses": {"step1": {"action": "accept", "content": {"name": "Ada"}}},
                "requestState": "${state}",
            },
        )
    with scene.step(2, "THEN the next result asks the second one, with another state"):
        scene.path("inputRequests.step2.params.message", contains="favourite colour, Ada")
        scene.path("requestState", present=True)


@scenario(
    requirement=REQUIREMENT,
    name="Several things are asked at once",
    steps=2,
    at="spec.md:89",
)
async def test_several_things_are_asked_at_once(scene: Scene) -> None:
    """Several things are asked at once.

    - **WHEN** a client calls `test_input_required_result_multiple_inputs`
    - **THEN** the user, the model and the folders of the client are asked
    """
    with scene.step(1, "WHEN a client calls `test_input_required_result_multiple_inputs`"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_multiple_inputs",
                "arguments": {},
                "_meta": {
                    "io.modelcontextprotocol/clientCapabilities": {
                        "elicitation": {},
                        "sampling": {},
                        "roots": {},
                    },
                },
            },
        )
    with scene.step(2, "THEN the user, the model and the folders of the client are asked"):
        scene.path("inputRequests.user_name.method", equals="elicitation/create")
        scene.path("inputRequests.greeting.method", equals="sampling/createMessage")
        scene.path("inputRequests.client_roots.method", equals="roots/list")


@scenario(
    requirement=REQUIREMENT,
    name="Only what the client can do is asked",
    steps=2,
    at="spec.md:93",
)
async def test_only_what_the_client_can_do_is_asked(scene: Scene) -> None:
    """Only what the client can do is asked.

    - **WHEN** a client that only has a model calls `test_input_required_result_capabilities`
    - **THEN** only the model is asked
    """
    with scene.step(1, "WHEN a client that only has a model calls…"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_capabilities",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"sampling": {}}},
            },
        )
    with scene.step(2, "THEN only the model is asked"):
        scene.path("inputRequests", keys=["capital"])


@scenario(requirement=REQUIREMENT, name="State was changed", steps=2, at="spec.md:97")
async def test_state_was_changed(scene: Scene) -> None:
    """State was changed.

    - **WHEN** the state of `test_input_required_result_tampered_state` comes back changed
    - **THEN** the call is refused
    """
    with scene.step(1, "WHEN the state of `test_input_required_result_tampered_state` comes…"):
        await scene.request(
            "tools/call",
            {
                "name": "test_input_required_result_tampered_state",
                "arguments": {},
                "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
                "inputResponses": {"confirm": {"action": "accept", "content": {"ok": True}}},
                "requestState": "none of this server's",
            },
        )
    with scene.step(2, "THEN the call is refused"):
        scene.code(-32602)
