"""The prompts of the Touchstone."""

from touchstone_mcp._runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts

PROMPTS = Prompts(
    (
        Prompt(
            "test_simple_prompt",
            description="A prompt of one text.",
            messages=(PromptMessage("user", text="This prompt is always the same."),),
        ),
        Prompt(
            "test_prompt_with_arguments",
            description="A prompt that holds its arguments.",
            arguments=(
                PromptArgument("arg1", description="The first argument", required=True),
                PromptArgument("arg2", description="The second argument", required=True),
            ),
            messages=(PromptMessage("user", text="One is '{{arg1}}', two is '{{arg2}}'."),),
        ),
        Prompt(
            "test_prompt_with_embedded_resource",
            description="A prompt that embeds a resource.",
            arguments=(
                PromptArgument("resourceUri", description="The URI of the resource", required=True),
            ),
            messages=(
                PromptMessage(
                    "user",
                    file="offers/static.txt",
                    mime_type="text/plain",
                    uri="{{resourceUri}}",
                ),
                PromptMessage("user", text="Please read what is embedded."),
            ),
        ),
        Prompt(
            "test_prompt_with_image",
            description="A prompt that shows a picture.",
            messages=(
                PromptMessage("user", file="offers/pixel.png", mime_type="image/png"),
                PromptMessage("user", text="Please look at the picture."),
            ),
        ),
        Prompt(
            "test_input_required_result_prompt",
            description="A prompt that asks the user for what is missing.",
            arguments=(
                PromptArgument(
                    "context",
                    description="What to think of",
                    required=True,
                    ask="What should the prompt be about?",
                ),
            ),
            messages=(PromptMessage("user", text="Think of {{context}}."),),
        ),
        Prompt(
            "test_which_colour",
            description="A prompt whose argument can be completed.",
            arguments=(
                PromptArgument("colour", description="A colour", values=("blue", "green", "red")),
            ),
            messages=(PromptMessage("user", text="I like {{colour}}."),),
        ),
    ),
)
