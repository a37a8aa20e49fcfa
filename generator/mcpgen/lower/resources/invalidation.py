"""Which resources the calls of a tool change, by the paths of their operations.

A tool that writes changes a resource if its path is that of the resource, or below it: `PUT /pets/{id}` and
`DELETE /pets/{id}/photo` change the resource of `/pets/{id}`, and both change the one of `/pets`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpgen.ir.api import Place
from mcpgen.ir.resources_prompts import ResourceInvalidation, ResourceSpec
from mcpgen.ir.server import ToolSpec


def writers(
    resources: Sequence[ResourceSpec], tools: Sequence[ToolSpec]
) -> Mapping[str, tuple[ResourceInvalidation, ...]]:
    """The tools that change resources, by name, each with those that it changes."""
    named = {tool.name: tool for tool in tools}
    found: dict[str, tuple[ResourceInvalidation, ...]] = {}
    for tool in tools:
        touched = tuple(
            made
            for each in resources
            if each.tool and (made := _touched(each, named[each.tool], tool))
        )
        if touched and not tool.hints.read_only:
            found[tool.name] = touched
    return found


def _touched(
    resource: ResourceSpec, reader: ToolSpec, writer: ToolSpec
) -> ResourceInvalidation | None:
    """What a writer changes of the resource of a reader, None if nothing."""
    if not reader.route or not writer.route or reader.route.base_url != writer.route.base_url:
        return None
    steps, below = (route.path.split("/") for route in (reader.route, writer.route))
    if len(below) < len(steps):
        return None
    values: dict[str, str] = {}
    for one, other in zip(steps, below[: len(steps)], strict=True):
        read, written = _argument(reader, one), _argument(writer, other)
        if not (one == other or (_is_parameter(one) and _is_parameter(other))):
            return None
        if read in resource.variables and written:
            values[read] = written
    return ResourceInvalidation(resource.uri, values)


def _is_parameter(step: str) -> bool:
    return step.startswith("{") and step.endswith("}")


def _argument(tool: ToolSpec, step: str) -> str:
    """The argument that fills a step of a tool's path, `""` if none does."""
    if not _is_parameter(step):
        return ""
    name = step[1:-1]
    places = (one for one in tool.accepted if one.place is Place.PATH and one.target == (name,))
    return next((one.name for one in places), "")
