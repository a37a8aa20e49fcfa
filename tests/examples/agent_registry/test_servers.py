"""A generated server in the registry, as its operator brings it there."""

from __future__ import annotations

from tests.examples.agent_registry.registry_thread import RunningRegistry
from tests.examples.project_process import serving
from typer.testing import CliRunner

from mcpgen.cli.app import app


def test_a_generated_server_is_registered_with_all_it_announces(
    counterpart: RunningRegistry,
) -> None:
    with serving("tides", "http://127.0.0.1:9") as front:
        url = f"{front.origin}{front.path}"
        result = CliRunner().invoke(app, ["register", url, "--registry", counterpart.url])
        tools = list(front.tools().values())

    (card,) = counterpart.servers("?tags=tool,mcp")
    assert result.exit_code == 0, result.output
    assert (card["endpoints"], card["tools"]) == ({"streamableHttp": url}, tools)
