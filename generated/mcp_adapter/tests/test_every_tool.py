"""Tests of every tool."""

from operator import attrgetter

import pytest

from mcp_adapter import models
from mcp_adapter._runtime.tool import Tool
from mcp_adapter.server import create
from mcp_adapter.tools import TOOLS
from tests.sample_calls import HANDLED
from tests.support import Api, modelled, visible_arguments

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=attrgetter("name"))
handled = [tool for tool in TOOLS if tool.name in HANDLED]
every_handled_tool = pytest.mark.parametrize("tool", handled, ids=attrgetter("name"))


@every_handled_tool
async def test_a_handler_is_not_asked_until_every_required_argument_is_there(
    api: Api, tool: Tool
) -> None:
    """The error result names the missing argument, and then the missing handler."""
    least = HANDLED[tool.name]

    for missing in tool.input_schema["required"]:
        given = {name: value for name, value in least.items() if name != missing}
        assert f"{missing}: required" in await api.refused(tool.name, given)

    assert "mcp_adapter/hooks.py" in await api.refused(tool.name, least)


async def test_server_can_be_made_with_the_projects_own_hooks(api: Api) -> None:
    """A hook for an unknown tool would prevent the start of the server."""
    assert create(api.settings)


@every_tool
def test_announced_arguments_and_model_agree(tool: Tool) -> None:
    assert visible_arguments(tool) == modelled(models, tool)
