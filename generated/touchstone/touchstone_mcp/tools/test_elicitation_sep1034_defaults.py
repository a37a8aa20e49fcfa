"""Asks the user with a form whose fields have defaults: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_elicitation_sep1034_defaults",
    title="",
    description="Asks the user with a form whose fields have defaults.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "profile": FormQuestion(
                        "Is this still right?",
                        {
                            "type": "object",
                            "properties": {
                                "name": {
                                    "type": "string",
                                    "description": "Name",
                                    "default": "John Doe",
                                },
                                "age": {"type": "integer", "description": "Age", "default": 30},
                                "score": {
                                    "type": "number",
                                    "description": "Score",
                                    "default": 95.5,
                                },
                                "status": {
                                    "type": "string",
                                    "description": "Status",
                                    "enum": ["active", "inactive", "pending"],
                                    "default": "active",
                                },
                                "verified": {
                                    "type": "boolean",
                                    "description": "Verified",
                                    "default": True,
                                },
                            },
                        },
                        optional=True,
                    ),
                },
            ),
            Text("The user chose `${profile.action}`: ${profile.content}"),
        ),
    ),
)
