"""How models that use the Launchpad API ask their user."""

from launchpad_mcp._runtime.elicitation.elicit_tool import ElicitTool
from launchpad_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="elicit",
    title="Ask the user",
    description=(
        "Asks the user with a short form, and gives what the user filled in, or that the user "
        "declined or cancelled. Never ask for passwords or other secrets."
    ),
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=False, open_world=False),
    arguments=(
        Argument(
            "message",
            "handler",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 8000,
                "description": "What the user is asked.",
            },
            required=True,
        ),
        Argument(
            "schema",
            "handler",
            {
                "type": "object",
                "description": (
                    "The form: a JSON Schema of one object whose properties are strings, numbers, "
                    "integers, booleans, or choices (`enum`, or an array of them)."
                ),
            },
            required=True,
        ),
        Argument(
            "uiType",
            "handler",
            {
                "type": "string",
                "enum": ["slack", "discord", "teams", "web"],
                "description": "Where the form is best shown.",
            },
        ),
    ),
)

ELICIT = ElicitTool(TOOL)
