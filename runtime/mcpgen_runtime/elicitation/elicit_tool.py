"""The tool `elicit`: the model asks the user a question."""

from __future__ import annotations

from ..hooks import Call
from ..result import Result
from ..server.feature import Feature, ServerContext
from ..tool import Json, Tool
from ..upstream.value_text import compact_json
from .forms import Question

MAX_REASON_LENGTH = 1000
"""Maximum characters of a reason."""


class ElicitTool(Feature):
    """Offers the tool, which takes a `message`, a `schema`, and a `uiType`."""

    def __init__(self, tool: Tool) -> None:
        self.tools = (tool,)

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """Asks the user; returns the answer."""
        arguments = call.arguments
        hint = {"uiType": arguments["uiType"]} if "uiType" in arguments else {}
        try:
            question = Question.form(arguments["message"], arguments["schema"], meta=hint)
        except ValueError as fault:
            return Result.error(f"The user was not asked: {fault}.")
        (answer,) = await call.inquire(question)
        content = answer.get("content", {})
        if answer["action"] == "accept":
            return Result.text(f"User provided: {compact_json(content)}")
        if answer["action"] == "decline":
            return Result.error(f"User declined: {_decline_reason(content)}")
        return Result.error("User cancelled: the question was closed without an answer")


def _decline_reason(content: Json) -> str:
    """The user's reason for declining, if the client sends a reason."""
    reason = content.get("reason") if isinstance(content, dict) else None
    if not isinstance(reason, str) or not reason.strip():
        return "no reason was given"
    return reason.strip()[:MAX_REASON_LENGTH]
