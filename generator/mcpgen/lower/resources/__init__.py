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
from mcpgen.lower.resources.resources import lower_resources, writers
from mcpgen.lower.sanitize_text import clean, legible


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
    chosen = {choice.operation for choice in config.resources.values()}
    resources, places = dict(config.resources), dict(config.places)
    for operation in operations:
        said, name = operation.extension.resource, names.get(operation.key)
        if said is None or name is None or chosen & {operation.key, operation.id or operation.key}:
            continue
        made = read_resource_extension(said.told, said.at, operation.key, name, diagnostics)
        if made is None or made[0] in config.resources:
            continue
        named, choice, found = made
        if named in resources:
            diagnostics.add(
                codes.UNFIT_RESOURCE,
                said.at / "resource",
                operation=operation.key,
                name=named,
                reason="a resource of another operation has this name",
            )
            continue
        resources[named] = _resource(choice, said.at / "resource", diagnostics)
        places |= found
    prompts = dict(config.prompts)
    if api.prompts:
        offered, found = read_prompts_extension(api.prompts.told, api.prompts.at, diagnostics)
        for named, prompt in offered.items():
            if named not in prompts:
                at = found.get(("prompts", named), api.prompts.at)
                prompts[named] = _prompt(prompt, at, diagnostics)
                places |= {path: each for path, each in found.items() if path[1:2] == (named,)}
    return replace(config, resources=resources, prompts=prompts, places=places)


def _resource(choice: ResourceChoice, at: Location, diagnostics: Diagnostics) -> ResourceChoice:
    title, description = (
        clean(each, at, diagnostics) for each in (choice.title, choice.description)
    )
    return replace(choice, title=title, description=description)


def _prompt(choice: PromptChoice, at: Location, diagnostics: Diagnostics) -> PromptChoice:
    """Returns the prompt without invisible characters. Messages keep their words: the user reads
    and picks a prompt."""
    return replace(
        choice,
        title=clean(choice.title, at, diagnostics),
        description=clean(choice.description, at, diagnostics),
        messages=tuple(_message(each) for each in choice.messages),
        arguments={
            name: _argument(each, at, diagnostics) for name, each in choice.arguments.items()
        },
    )


def _message(message: MessageChoice) -> MessageChoice:
    return replace(message, text=legible(message.text))


def _argument(
    argument: PromptArgumentChoice, at: Location, diagnostics: Diagnostics
) -> PromptArgumentChoice:
    title, description, ask = (
        clean(each, at, diagnostics)
        for each in (argument.title, argument.description, argument.ask)
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
    found = lower_resources(sources)
    asked = lower_prompts(sources, found)
    changes = config.notices.changes and bool(found)
    told = Notifications(changes, config.notices.log, writers(found, tools) if changes else {})
    used = {each.file for each in found}
    used |= {message.file for prompt in asked for message in prompt.messages}
    files = {name: content for name, content in config.files.items() if name in used}
    hidden = {
        tool.name
        for name, choice in config.resources.items()
        if choice.operation and not choice.tool and (tool := sources.known(choice.operation))
    }
    kept = tuple(replace(tool, withheld=True) if tool.name in hidden else tool for tool in tools)
    return ServerFeatures(found, asked, told, files), kept


__all__ = ["add_announced_resources", "lower_features"]
