"""Resources and prompts from `x-mcp`, merged below `mcpgen.toml`, and their lowering."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mcpgen.config import (
    Config,
    PromptArgumentConfig,
    PromptConfig,
    PromptMessageConfig,
    ResourceConfig,
    read_prompts_extension,
    read_resource_extension,
)
from mcpgen.config.validators import URI_START
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.resources_prompts import (
    PLACEHOLDER,
    VARIABLE,
    Notifications,
    PromptArgumentSpec,
    PromptMessageSpec,
    PromptSpec,
    ResourceSpec,
    ServerFeatures,
)
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.resources.completions import CompletionSources, file_text, media_type
from mcpgen.lower.resources.resources import lower_resources, resource_writers
from mcpgen.lower.sanitize_text import sanitize, strip_invisible_lines


@dataclass(frozen=True, slots=True)
class _MessageError:
    """Reason why a message is impossible, with the key of the message."""

    key: str
    reason: str
    hint: str = "see `[prompts]` in docs/resources.md"


def lower_prompts(
    sources: CompletionSources, resources: Sequence[ResourceSpec]
) -> tuple[PromptSpec, ...]:
    """Returns the configured prompts in order. Adds UNFIT_PROMPT."""
    return tuple(
        _lower_prompt(sources, resources, name, choice)
        for name, choice in sources.config.prompts.items()
    )


def _lower_prompt(
    sources: CompletionSources, resources: Sequence[ResourceSpec], name: str, choice: PromptConfig
) -> PromptSpec:
    messages: list[PromptMessageSpec] = []
    used: set[str] = set()
    for index, message in enumerate(choice.messages):
        lowered = _lower_message(sources, resources, message)
        for fault in _message_errors(lowered, list(choice.arguments)):
            place = sources.place("prompts", name, "messages", str(index), fault.key)
            sources.diagnostics.add(
                codes.UNFIT_PROMPT, place, name=name, reason=fault.reason, nearest=fault.hint
            )
        if isinstance(lowered, PromptMessageSpec):
            messages.append(lowered)
            used |= {*PLACEHOLDER.findall(lowered.text), *PLACEHOLDER.findall(lowered.uri)}
    for argument in choice.arguments:
        if argument not in used and len(messages) == len(choice.messages):
            place = sources.place("prompts", name, "arguments", argument)
            sources.diagnostics.add(codes.UNUSED_ARGUMENT, place, name=name, argument=argument)
    arguments = tuple(
        _lower_prompt_argument(sources, name, choice, fault) for fault in choice.arguments
    )
    return PromptSpec(name, choice.title, choice.description, arguments, tuple(messages))


def _lower_prompt_argument(
    sources: CompletionSources, prompt: str, choice: PromptConfig, name: str
) -> PromptArgumentSpec:
    options = choice.arguments[name]
    siblings = [other_name for other_name in choice.arguments if other_name != name]
    path = ("prompts", prompt, "arguments", name, "complete")
    source = (
        sources.suggestions(options.complete, name, siblings, *path) if options.complete else None
    )
    return PromptArgumentSpec(
        name,
        options.title,
        options.description,
        options.required,
        options.type,
        options.enum,
        source,
        options.ask,
    )


def _lower_message(
    sources: CompletionSources, resources: Sequence[ResourceSpec], message: PromptMessageConfig
) -> PromptMessageSpec | _MessageError | None:
    """Returns a message; None for an unreadable file, which has its own finding."""
    if message.text:
        return PromptMessageSpec(message.role, text=message.text)
    if message.resource:
        return _embedded_resource(resources, message)
    key = next(key for key in ("file", "image", "audio", "embed") if getattr(message, key))
    path = getattr(message, key)
    content = sources.config.files.get(path)
    if content is None:
        return None
    if key == "file":
        decoded = file_text(content)
        if not decoded:
            return _MessageError(
                key, f"`{path}` is no text in UTF-8" if content else f"`{path}` is empty"
            )
        return PromptMessageSpec(message.role, text=decoded)
    kind = media_type(path, content)
    if key == "embed":
        uri = message.uri or f"file:///{path}"
        if not URI_START.match(uri) and not PLACEHOLDER.fullmatch(uri):
            return _MessageError("uri", f"`{uri}` is no absolute URI")
        return PromptMessageSpec(message.role, file=path, mime_type=kind, uri=uri)
    if not kind.startswith(f"{key}/"):
        return _MessageError(key, f"`{path}` has the type {kind}, which is none of {key}")
    return PromptMessageSpec(message.role, file=path, mime_type=kind)


def _embedded_resource(
    resources: Sequence[ResourceSpec], message: PromptMessageConfig
) -> PromptMessageSpec | _MessageError:
    """Returns the message that embeds a resource. A URI not taken from one argument must match a
    resource."""
    shape = PLACEHOLDER.sub("{}", message.resource)
    shapes = {VARIABLE.sub("{}", candidate.uri): candidate.uri for candidate in resources}
    if shape == "{}" or shape in shapes or any(_may_be(shape, candidate) for candidate in shapes):
        return PromptMessageSpec(message.role, uri=message.resource)
    hint = closest_match(message.resource, list(shapes.values())) or "name one of `[resources]`"
    return _MessageError("resource", f"`{message.resource}` is no resource of this server", hint)


def _may_be(uri: str, shape: str) -> bool:
    """True if a URI with `{}` for values can match a URI template."""
    parts, expected = uri.split("/"), shape.split("/")
    return len(parts) == len(expected) and all(
        part == other or other == "{}" for part, other in zip(parts, expected, strict=True)
    )


def _message_errors(
    message: PromptMessageSpec | _MessageError | None, arguments: list[str]
) -> Iterator[_MessageError]:
    """Yields the errors of a message."""
    if isinstance(message, _MessageError):
        yield message
    if not isinstance(message, PromptMessageSpec):
        return
    places = dict.fromkeys([*PLACEHOLDER.findall(message.text), *PLACEHOLDER.findall(message.uri)])
    for name in places:
        if name not in arguments:
            hint = closest_match(name, arguments) or f"add `{name}` to its `arguments`"
            yield _MessageError("", f"`{{{{{name}}}}}` stands for no argument", hint)


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
    resources, locations = dict(config.resources), dict(config.locations)
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
        named, choice, own_locations = resource
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
        locations |= own_locations
    prompts = dict(config.prompts)
    if api.prompts:
        offered, own_locations = read_prompts_extension(
            api.prompts.told, api.prompts.at, diagnostics
        )
        for named, prompt in offered.items():
            if named not in prompts:
                at = own_locations.get(("prompts", named), api.prompts.at)
                prompts[named] = _sanitize_prompt(prompt, at, diagnostics)
                locations |= {
                    path: item for path, item in own_locations.items() if path[1:2] == (named,)
                }
    return replace(config, resources=resources, prompts=prompts, locations=locations)


def _sanitize_resource(
    choice: ResourceConfig, at: Location, diagnostics: Diagnostics
) -> ResourceConfig:
    title, description = (
        sanitize(text, at, diagnostics) for text in (choice.title, choice.description)
    )
    return replace(choice, title=title, description=description)


def _sanitize_prompt(choice: PromptConfig, at: Location, diagnostics: Diagnostics) -> PromptConfig:
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


def _strip_message(message: PromptMessageConfig) -> PromptMessageConfig:
    return replace(message, text=strip_invisible_lines(message.text))


def _sanitize_prompt_argument(
    argument: PromptArgumentConfig, at: Location, diagnostics: Diagnostics
) -> PromptArgumentConfig:
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
