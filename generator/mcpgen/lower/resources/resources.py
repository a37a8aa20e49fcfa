"""Resources: read-only operations and files; and which tools change them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mcpgen.config import ResourceConfig
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Place
from mcpgen.ir.resources_prompts import (
    VARIABLE,
    CompletionSource,
    ResourceInvalidation,
    ResourceSpec,
)
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.resources.completions import (
    SCALARS,
    CompletionSources,
    argument_kind,
    media_type,
    required_arguments,
)

_CONCRETE = re.compile(r"[\w.+-]+/[\w.+-]+")
"""A media type that is not a range."""


def lower_resources(sources: CompletionSources) -> tuple[ResourceSpec, ...]:
    """Returns the configured resources in order. Adds UNFIT_RESOURCE."""
    resources: list[ResourceSpec] = []
    shapes: dict[str, str] = {}
    for name, choice in sources.config.resources.items():
        resource = (
            _file_resource(sources, name, choice)
            if choice.file
            else _tool_resource(sources, name, choice)
        )
        shape = VARIABLE.sub("{}", choice.uri)
        first = shapes.setdefault(shape, name)
        if first != name:
            place = sources.place("resources", name, "uri")
            sources.diagnostics.add(codes.SAME_URI, place, name=name, other=first)
        elif resource:
            resources.append(resource)
    return tuple(resources)


def _file_resource(
    sources: CompletionSources, name: str, choice: ResourceConfig
) -> ResourceSpec | None:
    """Returns the resource of a file; None for an unreadable file, which has its own finding."""
    content = sources.config.files.get(choice.file)
    variables = VARIABLE.findall(choice.uri)
    if variables:
        reason = f"a file has no `{variables[0]}`"
        _report_unfit_resource(sources, name, choice.file, reason, "uri")
        return None
    if content is None:
        return None
    return ResourceSpec(
        uri=choice.uri,
        name=name,
        title=choice.title,
        description=choice.description,
        mime_type=choice.mime_type or media_type(choice.file, content),
        file=choice.file,
        size=len(content),
        annotations=_resource_annotations(choice),
    )


def _tool_resource(
    sources: CompletionSources, name: str, choice: ResourceConfig
) -> ResourceSpec | None:
    """Returns the resource read by a tool."""
    tool = sources.tool(choice.operation, "resources", name, "operation")
    if tool is None:
        return None
    problems = list(_resource_problems(tool, choice))
    for key, reason in problems:
        _report_unfit_resource(sources, name, choice.operation, reason, key)
    complete = _complete(sources, name, choice, tool)
    if problems:
        return None
    return ResourceSpec(
        uri=choice.uri,
        name=name,
        title=choice.title or tool.title,
        description=choice.description or tool.description,
        mime_type=choice.mime_type or _response_media_type(tool),
        tool=tool.name,
        annotations=_resource_annotations(choice),
        complete=complete,
    )


def _resource_problems(tool: ToolSpec, choice: ResourceConfig) -> Iterator[tuple[str, str]]:
    """Yields key and reason why an operation cannot be the resource of a URI."""
    if not tool.hints.read_only:
        yield "operation", "it changes something"
    variables = VARIABLE.findall(choice.uri)
    arguments = {argument.name: argument for argument in tool.announced_arguments}
    for name in variables:
        if name not in arguments:
            hint = closest_match(name, list(arguments)) or "it has " + (
                ", ".join(arguments) or "none"
            )
            yield "uri", f"`{name}` is no argument of it; {hint}"
        elif argument_kind(arguments[name]) not in SCALARS or arguments[name].text:
            yield "uri", f"its argument `{name}` takes more than one value of a text"
    unfilled = [name for name in required_arguments(tool) if name not in variables]
    if unfilled:
        listed = ", ".join(f"`{name}`" for name in unfilled)
        yield "uri", f"it requires {listed}, which the URI has no place for"


def _complete(
    sources: CompletionSources, name: str, choice: ResourceConfig, tool: ToolSpec
) -> Mapping[str, CompletionSource]:
    """Returns the completions of a URI's variables: configured, else the values of an enum."""
    variables = VARIABLE.findall(choice.uri)
    completions: dict[str, CompletionSource] = {}
    for argument in tool.announced_arguments:
        values = argument.schema.get("enum")
        if argument.name in variables and isinstance(values, list):
            texts = tuple(_encode_uri_value(value) for value in values if value is not None)
            completions[argument.name] = CompletionSource(values=texts)
    for variable, configured in choice.complete.items():
        path = ("resources", name, "complete", variable)
        if variable not in variables:
            hint = closest_match(variable, variables) or "it has " + (
                ", ".join(variables) or "none"
            )
            place, where = sources.place(*path), f"resources.{name}"
            sources.diagnostics.add(
                codes.UNFIT_COMPLETION,
                place,
                name=variable,
                where=where,
                reason="it is no variable of the URI",
                hint=hint,
            )
            continue
        siblings = [sibling for sibling in variables if sibling != variable]
        if source := sources.suggestions(configured, variable, siblings, *path):
            completions[variable] = source
    return {name: completions[name] for name in variables if name in completions}


def _encode_uri_value(value: Json) -> str:
    """Returns a value of an enum, percent-encoded for a URI."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _resource_annotations(choice: ResourceConfig) -> dict[str, Json]:
    audience: dict[str, Json] = {"audience": list(choice.audience)} if choice.audience else {}
    return audience if choice.priority is None else {**audience, "priority": choice.priority}


def _response_media_type(tool: ToolSpec) -> str:
    """Returns the media type of a tool's response, `""` if the type varies."""
    accept = tool.route.accept if tool.route else ""
    return accept if _CONCRETE.fullmatch(accept) else ""


def _report_unfit_resource(
    sources: CompletionSources, name: str, operation: str, reason: str, key: str
) -> None:
    sources.diagnostics.add(
        codes.UNFIT_RESOURCE,
        sources.place("resources", name, key),
        name=name,
        operation=operation,
        reason=reason,
    )


def resource_writers(
    resources: Sequence[ResourceSpec], tools: Sequence[ToolSpec]
) -> Mapping[str, tuple[ResourceInvalidation, ...]]:
    """Returns the tools that change resources, with the changed resources, by tool name."""
    named = {tool.name: tool for tool in tools}
    by_tool: dict[str, tuple[ResourceInvalidation, ...]] = {}
    for tool in tools:
        touched = tuple(
            invalidation
            for resource in resources
            if resource.tool
            and (invalidation := _invalidation(resource, named[resource.tool], tool))
        )
        if touched and not tool.hints.read_only:
            by_tool[tool.name] = touched
    return by_tool


def _invalidation(
    resource: ResourceSpec, reader: ToolSpec, writer: ToolSpec
) -> ResourceInvalidation | None:
    """Returns the resource change caused by a writer, None for unrelated paths."""
    if not reader.route or not writer.route or reader.route.base_url != writer.route.base_url:
        return None
    steps, below = (route.path.split("/") for route in (reader.route, writer.route))
    if len(below) < len(steps):
        return None
    values: dict[str, str] = {}
    for step, other in zip(steps, below[: len(steps)], strict=True):
        read, arguments = _step_argument(reader, step), _step_argument(writer, other)
        if not (step == other or (_is_parameter(step) and _is_parameter(other))):
            return None
        if read in resource.variables and arguments:
            values[read] = arguments
    return ResourceInvalidation(resource.uri, values)


def _is_parameter(step: str) -> bool:
    return step.startswith("{") and step.endswith("}")


def _step_argument(tool: ToolSpec, step: str) -> str:
    """Returns the argument for a path step of a tool, `""` without one."""
    if not _is_parameter(step):
        return ""
    name = step[1:-1]
    places = (
        argument
        for argument in tool.announced_arguments
        if argument.place is Place.PATH and argument.target == (name,)
    )
    return next((candidate.name for candidate in places), "")
