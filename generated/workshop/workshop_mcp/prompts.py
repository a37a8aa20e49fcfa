"""The prompts of the Workshop API."""

from workshop_mcp._runtime.resources.completion_values import ListedValues
from workshop_mcp._runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts
from workshop_mcp.resources import RESOURCES

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
                    complete=ListedValues("list_bicycles", "bicycles.id"),
                ),
                PromptArgument(
                    "depth",
                    description="How closely to look.",
                    values=("quick", "thorough"),
                ),
            ),
            messages=(
                PromptMessage(
                    "user",
                    text=(
                        "Inspect the bicycle {{id}}. How closely: {{depth}}.\n"
                        "\n"
                        "Name what has to be done before it is ridden again, in the order in which "
                        "it should be done, and what can wait. Leave out\n"
                        "what the rules of the workshop forbid.\n"
                    ),
                ),
                PromptMessage("user", uri="workshop://rules"),
                PromptMessage("user", uri="workshop://bicycles/{{id}}"),
            ),
        ),
    ),
    RESOURCES,
)
