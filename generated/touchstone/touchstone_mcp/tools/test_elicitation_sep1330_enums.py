"""Asks the user with a form of choices: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_elicitation_sep1330_enums",
    title="",
    description="Asks the user with a form of choices.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "choices": FormQuestion(
                        "What do you choose?",
                        {
                            "type": "object",
                            "properties": {
                                "untitledSingle": {
                                    "type": "string",
                                    "description": "One",
                                    "enum": ["option1", "option2", "option3"],
                                },
                                "titledSingle": {
                                    "type": "string",
                                    "description": "One with a title",
                                    "oneOf": [
                                        {"const": "value1", "title": "First"},
                                        {"const": "value2", "title": "Second"},
                                        {"const": "value3", "title": "Third"},
                                    ],
                                },
                                "legacyEnum": {
                                    "type": "string",
                                    "description": "One with a title, as it was written before",
                                    "enum": ["opt1", "opt2", "opt3"],
                                    "enumNames": ["First", "Second", "Third"],
                                },
                                "untitledMulti": {
                                    "type": "array",
                                    "description": "Several",
                                    "minItems": 1,
                                    "maxItems": 3,
                                    "items": {
                                        "type": "string",
                                        "enum": ["option1", "option2", "option3"],
                                    },
                                },
                                "titledMulti": {
                                    "type": "array",
                                    "description": "Several with titles",
                                    "minItems": 1,
                                    "maxItems": 3,
                                    "items": {
                                        "anyOf": [
                                            {"const": "value1", "title": "First"},
                                            {"const": "value2", "title": "Second"},
                                            {"const": "value3", "title": "Third"},
                                        ],
                                    },
                                },
                            },
                        },
                        optional=True,
                    ),
                },
            ),
            Text("The user chose `${choices.action}`: ${choices.content}"),
        ),
    ),
)
