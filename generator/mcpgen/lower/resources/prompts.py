"""Prompts of the server: messages, embedded files and resources, and arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpgen.config import MessageChoice, PromptChoice
from mcpgen.config.validators import URI_START
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.resources_prompts import (
    PLACEHOLDER,
    VARIABLE,
    PromptArgumentSpec,
    PromptMessageSpec,
    PromptSpec,
    ResourceSpec,
)
from mcpgen.lower.resources.completions import CompletionSources, file_text, media_type
from mcpgen.lower.selectors import closest_match


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
        _prompt(sources, resources, name, choice) for name, choice in sources.config.prompts.items()
    )


def _prompt(
    sources: CompletionSources, resources: Sequence[ResourceSpec], name: str, choice: PromptChoice
) -> PromptSpec:
    messages: list[PromptMessageSpec] = []
    used: set[str] = set()
    for index, said in enumerate(choice.messages):
        made = _message(sources, resources, said)
        for each in _faults(made, list(choice.arguments)):
            place = sources.place("prompts", name, "messages", str(index), each.key)
            sources.diagnostics.add(
                codes.UNFIT_PROMPT, place, name=name, reason=each.reason, nearest=each.hint
            )
        if isinstance(made, PromptMessageSpec):
            messages.append(made)
            used |= {*PLACEHOLDER.findall(made.text), *PLACEHOLDER.findall(made.uri)}
    for argument in choice.arguments:
        if argument not in used and len(messages) == len(choice.messages):
            place = sources.place("prompts", name, "arguments", argument)
            sources.diagnostics.add(codes.UNUSED_ARGUMENT, place, name=name, argument=argument)
    arguments = tuple(_argument(sources, name, choice, each) for each in choice.arguments)
    return PromptSpec(name, choice.title, choice.description, arguments, tuple(messages))


def _argument(
    sources: CompletionSources, prompt: str, choice: PromptChoice, name: str
) -> PromptArgumentSpec:
    said = choice.arguments[name]
    others = [one for one in choice.arguments if one != name]
    path = ("prompts", prompt, "arguments", name, "complete")
    found = sources.suggestions(said.complete, name, others, *path) if said.complete else None
    return PromptArgumentSpec(
        name, said.title, said.description, said.required, said.type, said.enum, found, said.ask
    )


def _message(
    sources: CompletionSources, resources: Sequence[ResourceSpec], said: MessageChoice
) -> PromptMessageSpec | _MessageError | None:
    """Returns a message; None for an unreadable file, which has its own finding."""
    if said.text:
        return PromptMessageSpec(said.role, text=said.text)
    if said.resource:
        return _resource(resources, said)
    key = next(key for key in ("file", "image", "audio", "embed") if getattr(said, key))
    path = getattr(said, key)
    content = sources.config.files.get(path)
    if content is None:
        return None
    if key == "file":
        decoded = file_text(content)
        if not decoded:
            return _MessageError(
                key, f"`{path}` is no text in UTF-8" if content else f"`{path}` is empty"
            )
        return PromptMessageSpec(said.role, text=decoded)
    kind = media_type(path, content)
    if key == "embed":
        uri = said.uri or f"file:///{path}"
        if not URI_START.match(uri) and not PLACEHOLDER.fullmatch(uri):
            return _MessageError("uri", f"`{uri}` is no absolute URI")
        return PromptMessageSpec(said.role, file=path, mime_type=kind, uri=uri)
    if not kind.startswith(f"{key}/"):
        return _MessageError(key, f"`{path}` has the type {kind}, which is none of {key}")
    return PromptMessageSpec(said.role, file=path, mime_type=kind)


def _resource(
    resources: Sequence[ResourceSpec], said: MessageChoice
) -> PromptMessageSpec | _MessageError:
    """Returns the message that embeds a resource. A URI not taken from one argument must match a
    resource."""
    shape = PLACEHOLDER.sub("{}", said.resource)
    shapes = {VARIABLE.sub("{}", each.uri): each.uri for each in resources}
    if shape == "{}" or shape in shapes or any(_may_be(shape, each) for each in shapes):
        return PromptMessageSpec(said.role, uri=said.resource)
    hint = closest_match(said.resource, list(shapes.values())) or "name one of `[resources]`"
    return _MessageError("resource", f"`{said.resource}` is no resource of this server", hint)


def _may_be(uri: str, shape: str) -> bool:
    """True if a URI with `{}` for values can match a URI template."""
    parts, wanted = uri.split("/"), shape.split("/")
    return len(parts) == len(wanted) and all(
        one == other or other == "{}" for one, other in zip(parts, wanted, strict=True)
    )


def _faults(
    made: PromptMessageSpec | _MessageError | None, arguments: list[str]
) -> Iterator[_MessageError]:
    """Yields the errors of a message."""
    if isinstance(made, _MessageError):
        yield made
    if not isinstance(made, PromptMessageSpec):
        return
    places = dict.fromkeys([*PLACEHOLDER.findall(made.text), *PLACEHOLDER.findall(made.uri)])
    for name in places:
        if name not in arguments:
            hint = closest_match(name, arguments) or f"add `{name}` to its `arguments`"
            yield _MessageError("", f"`{{{{{name}}}}}` stands for no argument", hint)
