"""The tools of a running server are listed and compared without being judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from auth import TOKEN, Guarded
from base_server import ConformingServer, ReceivedRequest, Reply, serving
from lists import EndlessPages, Paged
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.conformance.model import PrerequisiteMissing
from mcpgen.conformance.server_info import list_tools


def _run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env=environment)


def test_tools_of_a_server_are_listed_over_all_its_pages() -> None:
    with serving(Paged()) as url:
        result = _run("tools", url, "--format", "json")

    tree = json.loads(result.stdout)
    assert tree["totals"]["tools"] == len({tool["name"] for tool in tree["tools"]}) == 3
    assert (tree["target"], tree["notes"]) == (url, [])


def test_endless_list_is_reported_up_to_the_limit() -> None:
    with serving(EndlessPages()) as url:
        result = _run("tools", url)

    assert result.exit_code == 0
    assert "note: the list ended early" in result.stdout


def test_web_page_is_refused_as_a_list_of_tools() -> None:
    class Website(ConformingServer):
        def answer(self, request: ReceivedRequest) -> Reply:
            return Reply(200, b"<html>", {"content-type": "text/html"})

    with serving(Website()) as url:
        result = _run("tools", url)

    assert result.exit_code == 2
    assert "expected that an MCP server answers there" in result.stderr


def test_server_without_the_tools_capability_is_refused() -> None:
    class Silent(ConformingServer):
        def capabilities(self) -> dict[str, Any]:
            return {}

        def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
            return self.unknown_method("tools/list")

    with (
        serving(Silent()) as url,
        pytest.raises(PrerequisiteMissing, match="the server announces tools"),
    ):
        list_tools(url)


def test_token_is_sent_to_a_server_with_authorization() -> None:
    with serving(Guarded()) as url:
        result_without_token = _run("tools", url)
        result = _run("tools", url, "--bearer-env", "HERE", HERE=TOKEN)

    assert (result_without_token.exit_code, result.exit_code) == (2, 0)
    assert TOKEN not in result_without_token.stderr + result.stdout


def test_diff_of_saved_list_and_server_shows_the_changes(tmp_path: Path) -> None:
    saved_path = tmp_path / "tools.json"
    server = ConformingServer()

    with serving(server) as url:
        _run("tools", url, "--save", str(saved_path))
        unchanged_result = _run("diff", str(saved_path), url, "--fail-on", "any")
        server.tools = server.tools[1:]
        reduced_result = _run(
            "diff", str(saved_path), url, "--fail-on", "breaking", "--format", "json"
        )

    tree = json.loads(reduced_result.stdout)
    assert (unchanged_result.exit_code, reduced_result.exit_code) == (0, 1)
    assert [(change["change"], change["tool"]) for change in tree["changes"]] == [
        ("tool-removed", "add")
    ]


def test_secret_in_the_url_is_redacted() -> None:
    class ToolWithSecretText(ConformingServer):
        def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
            return {"tools": [{**self.tools[0], "description": "Knows hunter2-secret."}]}

    with serving(ToolWithSecretText()) as url:
        output = _run("tools", f"{url}?api_key=hunter2-secret", "--format", "html")
    result = _run("tools", "http://127.0.0.1:9/mcp?api_key=hunter2-secret")

    assert (output.exit_code, result.exit_code) == (0, 2)
    assert "hunter2-secret" not in output.stdout + result.stderr
    assert "[redacted]" in output.stdout
