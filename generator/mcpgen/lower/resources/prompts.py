"""Prompts of the server: messages, embedded files and resources, and arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpgen.config import MessageChoice, PromptChoice
from mcpgen.config.validators import URI_START
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.resources_prompts import (
    PLACEHOLDER,
    VARIABLE,
    PromptArgumentSpec,
    PromptMessageSpec,
    PromptSpec,
    ResourceSpec,
)
from mcpgen.lower.resources.completions import CompletionSources, file_text, media_type


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
    sources: CompletionSources, resources: Sequence[ResourceSpec], name: str, choice: PromptChoice
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
    sources: CompletionSources, prompt: str, choice: PromptChoice, name: str
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
    sources: CompletionSources, resources: Sequence[ResourceSpec], message: MessageChoice
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
    resources: Sequence[ResourceSpec], message: MessageChoice
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
