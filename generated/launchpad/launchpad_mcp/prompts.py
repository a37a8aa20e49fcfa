"""The prompts of the Launchpad API."""

from launchpad_mcp._runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts

PROMPTS = Prompts(
    (
        Prompt(
            "opening",
            title="Open a business",
            description=(
                "Looks for a name, opens the business and puts its first program into service."
            ),
            arguments=(
                PromptArgument("trade", description="What the business does.", required=True),
            ),
            messages=(
                PromptMessage(
                    "user",
                    text=(
                        "I want to open a business: {{trade}}.\n"
                        "\n"
                        "Look at the businesses that are there, so that the name you choose is not "
                        "taken, and ask me whether I like it. Open the business\n"
                        "when I do. Then write its first program, a page that says the name, and "
                        "tell me what has happened.\n"
                    ),
                ),
            ),
        ),
    ),
)
