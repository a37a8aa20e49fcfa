"""The prompts of the Workshop API."""

from workshop_mcp.resources import RESOURCES
from workshop_mcp.runtime.prompt import Message, Prompt, PromptArgument
from workshop_mcp.runtime.prompts import Prompts
from workshop_mcp.runtime.suggestions import Asked

PROMPTS = Prompts(
    (
        Prompt(
            "inspect",
            title="Inspect a bicycle",
            description="Goes over one bicycle, by the rules of the workshop.",
            arguments=(
                PromptArgument(
                    "id",
                    description="Which bicycle.",
                    required=True,
                    type="integer",
                    complete=Asked("list_bicycles", "bicycles.id"),
                ),
                PromptArgument(
                    "depth",
                    description="How closely to look.",
                    values=("quick", "thorough"),
                ),
            ),
            messages=(
                Message(
                    "user",
                    text=(
                        "Inspect the bicycle {{id}}. How closely: {{depth}}.\n"
                        "\n"
                        "Name what has to be done before it is ridden again, in the order in which "
                        "it should be done, and what can wait. Leave out\n"
                        "what the rules of the workshop forbid.\n"
                    ),
                ),
                Message("user", uri="workshop://rules"),
                Message("user", uri="workshop://bicycles/{{id}}"),
            ),
        ),
    ),
    RESOURCES,
)
