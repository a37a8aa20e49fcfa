"""Resources and prompts from `x-mcp`, merged below `mcpgen.toml`, and their lowering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import (
    Config,
    MessageChoice,
    PromptArgumentChoice,
    PromptChoice,
    ResourceChoice,
    read_prompts_extension,
    read_resource_extension,
)
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.resources_prompts import Notifications, ServerFeatures
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.resources.completions import CompletionSources
from mcpgen.lower.resources.prompts import lower_prompts
from mcpgen.lower.resources.resources import lower_resources, resource_writers
from mcpgen.lower.sanitize_text import sanitize, strip_invisible_lines


def add_announced_resources(
    api: ApiDescription,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    config: Config,
    diagnostics: Diagnostics,
) -> Config:
    """Returns the configuration with the document's resources and prompts appended.

    An entry of `mcpgen.toml` for the same operation or name wins. Adds MALFORMED_EXTENSION,
    UNKNOWN_EXTENSION_KEY, UNFIT_RESOURCE and SUSPICIOUS_TEXT.
    """
    names = {tool.operation: tool.name for tool in tools}
    configured = {choice.operation for choice in config.resources.values()}
    resources, places = dict(config.resources), dict(config.places)
    for operation in operations:
        announcement, name = operation.extension.resource, names.get(operation.key)
        if (
            announcement is None
            or name is None
            or configured & {operation.key, operation.id or operation.key}
        ):
            continue
        resource = read_resource_extension(
            announcement.told, announcement.at, operation.key, name, diagnostics
        )
        if resource is None or resource[0] in config.resources:
            continue
        named, choice, choices = resource
        if named in resources:
            diagnostics.add(
                codes.UNFIT_RESOURCE,
                announcement.at / "resource",
                operation=operation.key,
                name=named,
                reason="a resource of another operation has this name",
            )
            continue
        resources[named] = _sanitize_resource(choice, announcement.at / "resource", diagnostics)
        places |= choices
    prompts = dict(config.prompts)
    if api.prompts:
        offered, choices = read_prompts_extension(api.prompts.told, api.prompts.at, diagnostics)
        for named, prompt in offered.items():
            if named not in prompts:
                at = choices.get(("prompts", named), api.prompts.at)
                prompts[named] = _sanitize_prompt(prompt, at, diagnostics)
                places |= {path: item for path, item in choices.items() if path[1:2] == (named,)}
    return replace(config, resources=resources, prompts=prompts, places=places)


def _sanitize_resource(
    choice: ResourceChoice, at: Location, diagnostics: Diagnostics
) -> ResourceChoice:
    title, description = (
        sanitize(text, at, diagnostics) for text in (choice.title, choice.description)
    )
    return replace(choice, title=title, description=description)


def _sanitize_prompt(choice: PromptChoice, at: Location, diagnostics: Diagnostics) -> PromptChoice:
    """Returns the prompt without invisible characters. Messages keep their words: the user reads
    and picks a prompt."""
    return replace(
        choice,
        title=sanitize(choice.title, at, diagnostics),
        description=sanitize(choice.description, at, diagnostics),
        messages=tuple(_strip_message(argument) for argument in choice.messages),
        arguments={
            name: _sanitize_prompt_argument(argument, at, diagnostics)
            for name, argument in choice.arguments.items()
        },
    )


def _strip_message(message: MessageChoice) -> MessageChoice:
    return replace(message, text=strip_invisible_lines(message.text))


def _sanitize_prompt_argument(
    argument: PromptArgumentChoice, at: Location, diagnostics: Diagnostics
) -> PromptArgumentChoice:
    title, description, ask = (
        sanitize(text, at, diagnostics)
        for text in (argument.title, argument.description, argument.ask)
    )
    return replace(argument, title=title, description=description, ask=ask)


def lower_features(
    tools: Sequence[ToolSpec],
    operations: Sequence[Operation],
    schemas: SchemaViews,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> tuple[ServerFeatures, tuple[ToolSpec, ...]]:
    """Returns resources and prompts of the server, and the tools with resource-only tools withheld.

    Adds UNMATCHED_OFFER, UNFIT_RESOURCE, SAME_URI, UNFIT_COMPLETION, UNFIT_PROMPT and
    UNUSED_ARGUMENT.
    """
    sources = CompletionSources(tools, operations, schemas, config, diagnostics, at)
    resources = lower_resources(sources)
    prompts = lower_prompts(sources, resources)
    changes = config.notices.changes and bool(resources)
    notifications = Notifications(
        changes, config.notices.log, resource_writers(resources, tools) if changes else {}
    )
    used = {resource.file for resource in resources}
    used |= {message.file for prompt in prompts for message in prompt.messages}
    files = {name: content for name, content in config.files.items() if name in used}
    hidden = {
        tool.name
        for name, choice in config.resources.items()
        if choice.operation and not choice.tool and (tool := sources.find_tool(choice.operation))
    }
    visible = tuple(replace(tool, withheld=True) if tool.name in hidden else tool for tool in tools)
    return ServerFeatures(resources, prompts, notifications, files), visible


__all__ = ["add_announced_resources", "lower_features"]
