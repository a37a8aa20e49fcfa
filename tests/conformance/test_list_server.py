"""The tools of a running server are listed and compared without being judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from auth import TOKEN, Guarded
from base_server import Asked, ConformingServer, Reply, serving
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


def test_a_list_that_does_not_end_is_told_as_far_as_it_went() -> None:
    with serving(EndlessPages()) as url:
        result = _run("tools", url)

    assert result.exit_code == 0
    assert "note: the list ended early" in result.stdout


def test_a_website_is_no_list_of_tools() -> None:
    class Website(ConformingServer):
        def answer(self, asked: Asked) -> Reply:
            return Reply(200, b"<html>", {"content-type": "text/html"})

    with serving(Website()) as url:
        result = _run("tools", url)

    assert result.exit_code == 2
    assert "expected that an MCP server answers there" in result.stderr


def test_a_server_that_declares_no_tools_has_none_to_list() -> None:
    class Silent(ConformingServer):
        def capabilities(self) -> dict[str, Any]:
            return {}

    with (
        serving(Silent()) as url,
        pytest.raises(PrerequisiteMissing, match="the server announces tools"),
    ):
        list_tools(url)


def test_a_server_that_asks_for_a_token_is_given_it() -> None:
    with serving(Guarded()) as url:
        without = _run("tools", url)
        given = _run("tools", url, "--bearer-env", "HERE", HERE=TOKEN)

    assert (without.exit_code, given.exit_code) == (2, 0)
    assert TOKEN not in without.stderr + given.stdout


def test_a_saved_list_differs_from_its_server_by_what_has_changed(tmp_path: Path) -> None:
    saved = tmp_path / "tools.json"
    server = ConformingServer()

    with serving(server) as url:
        _run("tools", url, "--save", str(saved))
        same = _run("diff", str(saved), url, "--fail-on", "any")
        server.tools = server.tools[1:]
        less = _run("diff", str(saved), url, "--fail-on", "breaking", "--format", "json")

    tree = json.loads(less.stdout)
    assert (same.exit_code, less.exit_code) == (0, 1)
    assert [(one["change"], one["tool"]) for one in tree["changes"]] == [("tool-removed", "add")]


def test_a_secret_of_the_address_is_shown_nowhere() -> None:
    class Telling(ConformingServer):
        def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
            return {"tools": [{**self.tools[0], "description": "Knows hunter2-secret."}]}

    with serving(Telling()) as url:
        shown = _run("tools", f"{url}?api_key=hunter2-secret", "--format", "html")
    gone = _run("tools", "http://127.0.0.1:9/mcp?api_key=hunter2-secret")

    assert (shown.exit_code, gone.exit_code) == (0, 2)
    assert "hunter2-secret" not in shown.stdout + gone.stderr
    assert "[redacted]" in shown.stdout
