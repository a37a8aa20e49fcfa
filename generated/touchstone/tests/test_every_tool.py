"""Tests of every tool."""

from operator import attrgetter

import pytest

from tests.sample_calls import TOLD
from tests.support import Api, modelled, visible_arguments
from touchstone_mcp import models
from touchstone_mcp._runtime.tool import Tool
from touchstone_mcp.server import create
from touchstone_mcp.tools import TOOLS

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=attrgetter("name"))
told = [tool for tool in TOOLS if tool.name in TOLD]
every_told_tool = pytest.mark.parametrize("tool", told, ids=attrgetter("name"))


@every_told_tool
async def test_nothing_is_answered_until_every_required_argument_is_there(
    api: Api, tool: Tool
) -> None:
    """The error result names the missing argument."""
    least = TOLD[tool.name]

    for missing in tool.input_schema["required"]:
        given = {name: value for name, value in least.items() if name != missing}
        assert f"{missing}: required" in await api.refused(tool.name, given)


async def test_server_can_be_made_with_the_projects_own_hooks(api: Api) -> None:
    """A hook for an unknown tool would prevent the start of the server."""
    assert create(api.settings)


@every_tool
def test_announced_arguments_and_model_agree(tool: Tool) -> None:
    assert visible_arguments(tool) == modelled(models, tool)
