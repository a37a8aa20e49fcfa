"""`tests/test_resources.py`: the announced resources and prompts, and a read of each resource."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from mcpgen.emit.code import literal
from mcpgen.emit.views import ResourcesTestView
from mcpgen.ir.resources_prompts import VARIABLE, ResourceSpec
from mcpgen.ir.server import Server, ToolScenario, ToolSpec
from mcpgen.ir.source import Json

Read = tuple[str, str, str, str]
"""A URI, the upstream request, and the type and text of the answer."""


def resources_test_view(server: Server) -> ResourcesTestView:
    """The tests of a server with resources or prompts."""
    announced = [each.announced for each in server.resources]
    plain = [each for each in announced if "uri" in each]
    templates = [each for each in announced if "uriTemplate" in each]
    promised = [each.announced for each in server.prompts]
    read = list(_read(server))
    files = [each.uri for each in server.resources if each.file]
    return ResourcesTestView(
        resources=literal(plain, before=len("RESOURCES: list[dict[str, Any]] = ")),
        templates=literal(templates, before=len("TEMPLATES: list[dict[str, Any]] = ")),
        prompts=literal(promised, before=len("PROMPTS: list[dict[str, Any]] = ")),
        has_resources=bool(server.resources),
        has_prompts=bool(server.prompts),
        has_read=bool(read),
        read=literal(read, before=len("READ = ")),
        has_files=bool(files),
        files=literal(files, before=len("FILES = ")),
    )


def _read(server: Server) -> Iterator[Read]:
    """A read of each resource that has a tool and an example."""
    tools = {tool.name: tool for tool in server.served("")}
    tools |= {tool.name: tool for tool in server.tools if tool.withheld}
    for resource in server.resources:
        tool = tools.get(resource.tool)
        scenario = _example(tool, resource) if tool else None
        if scenario:
            uri = _filled(resource, scenario)
            answer = scenario.answer
            body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            sent = f"{scenario.sent.method} {scenario.sent.target}"
            yield uri, sent, answer.media_type, body


def _filled(resource: ResourceSpec, scenario: ToolScenario) -> str:
    """The URI with the arguments of a scenario."""
    values = {name: _uri_value(scenario.arguments[name]) for name in resource.variables}
    return VARIABLE.sub(lambda found: quote(values[found[1]], safe=""), resource.uri)


def _example(tool: ToolSpec, resource: ResourceSpec) -> ToolScenario | None:
    """The scenario of a tool with exactly the variables of a resource as arguments, or None."""
    wanted = set(resource.variables)
    for scenario in tool.scenarios:
        given = {name for name, value in scenario.arguments.items() if value is not None}
        if given == wanted and all(_is_plain(scenario.arguments[name]) for name in wanted):
            return scenario
    return None


def _is_plain(value: Json) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _uri_value(value: Json) -> str:
    """A value as written in a URI."""
    return str(value).lower() if isinstance(value, bool) else str(value)
