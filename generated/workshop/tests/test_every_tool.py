"""Tests of every tool."""

from operator import attrgetter

import pytest

from tests.sample_calls import LEAST
from tests.support import Api, modelled, visible_arguments
from workshop_mcp import models
from workshop_mcp._runtime.tool import Tool
from workshop_mcp.server import create
from workshop_mcp.tools import TOOLS

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=attrgetter("name"))
called = [tool for tool in TOOLS if tool.name in LEAST]
every_called_tool = pytest.mark.parametrize("tool", called, ids=attrgetter("name"))


@every_called_tool
async def test_nothing_is_sent_until_every_required_argument_is_there(api: Api, tool: Tool) -> None:
    """The error result names the missing argument."""
    least = LEAST[tool.name]

    for missing in tool.input_schema["required"]:
        given = {name: value for name, value in least.items() if name != missing}
        assert f"{missing}: required" in await api.refused(tool.name, given)

    assert await api.sends(tool.name, least)


@every_called_tool
async def test_a_failure_of_the_upstream_is_an_error_result(api: Api, tool: Tool) -> None:
    assert "500" in await api.failed(tool.name, LEAST[tool.name], status=500)


async def test_server_can_be_made_with_the_projects_own_hooks(api: Api) -> None:
    """A hook for an unknown tool would prevent the start of the server."""
    assert create(api.settings)


@every_tool
def test_announced_arguments_and_model_agree(tool: Tool) -> None:
    assert visible_arguments(tool) == modelled(models, tool)
