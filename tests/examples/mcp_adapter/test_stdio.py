"""The adapter on the operator's own machine: over stdio, with the grant in the environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ROOT = Path(__file__).parents[3]
READING = ["schema", "query_records", "aggregate", "search", "fetch"]


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as the current generator builds it."""
    root = tmp_path_factory.mktemp("local")
    shutil.copytree(
        ROOT / "specs" / "openspec" / "mcp-adapter", root / "specs/openspec/mcp-adapter"
    )
    shutil.copytree(ROOT / "generated" / "mcp_adapter", root / "generated" / "mcp_adapter")
    folder = root / "generated" / "mcp_adapter"
    command = [sys.executable, "-m", "mcpgen", "build", "--no-verify"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def parameters(folder: Path, token: str) -> StdioServerParameters:
    """The command of the local adapter with a bearer."""
    variables = {
        "CALLER_INTROSPECTION_CLIENT_ID": "mcp-adapter",
        "CALLER_INTROSPECTION_CLIENT_SECRET": "sample-secret",
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "STDIO_TOKEN": token,
    }
    env = {f"MCP_ADAPTER_{name}": value for name, value in variables.items()}
    command = ["-m", "mcp_adapter", "--stdio"]
    return StdioServerParameters(
        command=sys.executable, args=command, env={**os.environ, **env}, cwd=folder
    )


@pytest.mark.repeated("tests/runtime/test_stdio.py holds the transport")
@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_local_adapter_serves_the_five_reading_tools(adapter: Path, mode: str) -> None:
    async with Client(stdio_client(parameters(adapter, "grant_sample_one")), mode=mode) as client:
        tools = (await client.list_tools()).tools
        tool_result = await client.call_tool("schema", {})

    assert [tool.name for tool in tools] == READING
    assert not tool_result.is_error
    assert "paperplane" in tool_result.content[0].text  # type: ignore[union-attr]
