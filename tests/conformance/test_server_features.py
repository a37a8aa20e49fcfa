"""Resources and prompts of a running server in `mcpgen tools` and `mcpgen diff`."""

from __future__ import annotations

import json

from base_server import ConformingServer, serving
from features import PROMPTS, TEMPLATES, EndlessPrompts, Rich
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_tools_command_mentions_resources_and_prompts() -> None:
    with serving(Rich()) as url:
        result = _run("tools", url)

    assert f"note: resource template: {TEMPLATES[0]['uriTemplate']}" in result.stdout
    assert f"note: prompt: {PROMPTS[0]['name']}" in result.stdout


def test_diff_of_servers_has_resources_and_prompts() -> None:
    with serving(Rich()) as old, serving(ConformingServer()) as new:
        unchanged_result = _run("diff", old, old, "--fail-on", "any")
        changed_result = _run("diff", old, new, "--fail-on", "breaking", "--format", "json")

    assert unchanged_result.exit_code == 0, unchanged_result.stdout
    result = {
        (change["change"], change["tool"])
        for change in json.loads(changed_result.stdout)["changes"]
    }
    assert ("resource-removed", TEMPLATES[0]["uriTemplate"]) in result
    assert ("prompt-removed", PROMPTS[0]["name"]) in result
    assert changed_result.exit_code == 1


def test_endless_list_is_reported_and_not_compared() -> None:
    with serving(Rich()) as old, serving(EndlessPrompts()) as new:
        result = _run("tools", new)
        diff_result = _run("diff", old, new, "--format", "json")

    assert "note: the list of its prompts could not be read" in result.stdout
    kinds = {change["kind"] for change in json.loads(diff_result.stdout)["changes"]}
    assert "prompt" not in kinds
