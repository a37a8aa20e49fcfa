"""A model asks the user of its host, and continues with the user's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.examples.launchpad.elicitation_client import Answer, session
from tests.examples.project_process import ServerEndpoint

ORDER = {
    "message": "Shall the order go out?",
    "schema": {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean", "description": "Whether it may."},
            "reason": {"type": "string", "description": "Why."},
        },
        "required": ["approved"],
    },
    "uiType": "slack",
}


def answer_with(action: str, **content: Any) -> Answer:
    """A user who gives the same answer every time."""
    result = {"action": action, **({"content": content} if content else {})}
    return lambda question: result


def text_of(result: Mapping[str, Any]) -> str:
    """The text of the only block of a result."""
    (block,) = result["content"]
    assert block["type"] == "text"
    return str(block["text"])


def test_the_tool_that_asks_has_a_message_a_schema_and_a_hint(admin: ServerEndpoint) -> None:
    tool = admin.tools()["elicit"]

    schema = tool["inputSchema"]
    kinds = {
        name: property_schema["type"] for name, property_schema in schema["properties"].items()
    }
    assert kinds == {"message": "string", "schema": "object", "uiType": "string"}
    assert schema["properties"]["uiType"]["enum"] == ["slack", "discord", "teams", "web"]
    assert schema["required"] == ["message", "schema"]
    assert tool["description"]


def test_the_user_is_asked_what_the_model_asks(admin: ServerEndpoint) -> None:
    questions: list[Mapping[str, Any]] = []

    def record_question(question: Mapping[str, Any]) -> Mapping[str, Any]:
        questions.append(question)
        return {"action": "cancel"}

    session(admin, elicitation={}).call("elicit", record_question, **ORDER)

    (question,) = questions
    assert question["method"] == "elicitation/create"
    assert question["params"]["message"] == ORDER["message"]
    assert question["params"]["requestedSchema"] == ORDER["schema"]


def test_what_the_user_accepts_is_told_as_json(admin: ServerEndpoint) -> None:
    yes = answer_with("accept", approved=True, reason="It looks right")

    result = session(admin, elicitation={}).call("elicit", yes, **ORDER)

    assert text_of(result) == 'User provided: {"approved":true,"reason":"It looks right"}'
    assert not result.get("isError")


def test_what_the_user_declines_is_an_error_with_the_reason(admin: ServerEndpoint) -> None:
    no = answer_with("decline", reason="It is too much")

    result = session(admin, elicitation={}).call("elicit", no, **ORDER)

    assert text_of(result) == "User declined: It is too much"
    assert result["isError"] is True


def test_a_user_who_makes_no_choice_has_cancelled(admin: ServerEndpoint) -> None:
    result = session(admin, elicitation={}).call("elicit", answer_with("cancel"), **ORDER)

    assert text_of(result).startswith("User cancelled")
    assert result["isError"] is True


def test_an_answer_that_does_not_fit_the_form_is_not_taken(admin: ServerEndpoint) -> None:
    wrong = answer_with("accept", approved="perhaps")

    result = session(admin, elicitation={}).call("elicit", wrong, **ORDER)

    assert result["isError"] is True
    assert "User provided" not in text_of(result)


def test_the_newest_revision_needs_no_session_to_ask(admin: ServerEndpoint) -> None:
    pending = newest(admin)
    (key,) = pending["inputRequests"]
    yes = {"action": "accept", "content": {"approved": True}}

    result = newest(admin, inputResponses={key: yes}, requestState=pending["requestState"])

    assert pending["resultType"] == "input_required"
    assert pending["inputRequests"][key]["params"]["message"] == ORDER["message"]
    assert text_of(result) == 'User provided: {"approved":true}'


def newest(front: ServerEndpoint, **more: Any) -> dict[str, Any]:
    """The result of the tool in 2026-07-28, for a client with elicitation."""
    revision = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }
    server_endpoint = front.showing(
        mcp_protocol_version=revision, mcp_method="tools/call", mcp_name="elicit"
    )
    result: dict[str, Any] = server_endpoint.ask(
        "tools/call", name="elicit", arguments=ORDER, _meta=meta, **more
    )
    return result


def test_a_client_that_cannot_ask_is_told_so(admin: ServerEndpoint) -> None:
    result = session(admin).call("elicit", answer_with("accept", approved=True), **ORDER)

    assert result["isError"] is True
    assert "elicitation" in text_of(result)


def test_a_client_without_a_session_is_told_that_it_cannot_be_asked(admin: ServerEndpoint) -> None:
    result = admin.call("elicit", **ORDER)

    assert result["isError"] is True
    assert "session" in text_of(result)
