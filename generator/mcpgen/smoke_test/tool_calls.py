"""The calls of a smoke test: every scenario of the tools, as made by a client of the server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from mcpgen.ir.server import DiscoverySpec, Server, ToolScenario, ToolSpec
from mcpgen.ir.source import Json

Calls = dict[str, tuple[Mapping[str, Json], ...]]
"""The arguments of each call, by the called name."""


def good(tool: ToolSpec) -> list[ToolScenario]:
    """The scenarios in which the API answers with success."""
    return [scenario for scenario in tool.scenarios if scenario.answer.status < 400]


def direct_calls(tools: Iterable[ToolSpec]) -> Calls:
    """The calls of tools by their own names."""
    return {tool.name: tuple(each.arguments for each in good(tool)) for tool in tools}


def calls_of(server: Server, tools: Iterable[ToolSpec]) -> Calls:
    """The calls that cause the requests of these tools' scenarios, by names listed at the main
    endpoint."""
    found = server.discovery
    if found is None:
        return direct_calls(tools) | _beside(server)
    calls = _looking(found, server.served("")) | _beside(server)
    for tool in tools:
        called = found.calling(tool)
        given = tuple(scenario.arguments for scenario in good(tool))
        if tool.name in found.pinned:
            calls[tool.name] = given
        elif called:
            meant = tuple({"name": tool.name, "arguments": json.dumps(each)} for each in given)
            calls[called.name] = calls.get(called.name, ()) + meant
    return calls


def _beside(server: Server) -> Calls:
    """Calls of the tools that run scripts and return documentation."""
    calls: Calls = {}
    if server.script:
        scripts = (f"{server.script.root}.md", "1 + 1")
        calls[server.script.tool.name] = tuple({"script": each} for each in scripts)
    if server.docs:
        calls[server.docs.tool.name] = ({},)
    return calls


def _looking(found: DiscoverySpec, tools: tuple[ToolSpec, ...]) -> Calls:
    """A call of each tool that finds or describes other tools."""
    if not tools:
        return {}
    asked = tools[0].title or tools[0].name
    return {found.search.name: ({"query": asked},), found.describe.name: ({"name": tools[0].name},)}
