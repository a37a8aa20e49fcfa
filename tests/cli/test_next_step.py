"""The end of a build's output: the next command, and the settings needed before."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

SPEC = """openapi: 3.1.0
info: {title: Desk, version: "1"}
servers: [{url: /v1}]
paths:
  /accounts/{account}/tickets:
    get:
      operationId: list_tickets
      summary: List the tickets of an account.
      parameters:
        - {name: account, in: path, required: true, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: string}}
      responses: {"200": {description: The tickets.}}
"""

EVERYTHING = """name = "laden-desk"
spec = "../desk.yaml"

[tools."GET /accounts/{account}/tickets".arguments]
account = { setting = "account" }

[authentication]
required = true

[limits]
all = "10/minute"
store = "redis"

[registry]
url = "https://registry.example"
"""


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder with a description whose server URL is relative."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "desk.yaml").write_text(SPEC)
    return tmp_path


def build(*arguments: str) -> Result:
    """Builds the description into the folder `out`."""
    return CliRunner().invoke(app, ["build", "desk.yaml", "-o", "out", "--no-verify", *arguments])


def test_next_line_names_the_variable_without_which_the_server_does_not_start() -> None:
    result = build()

    step = "set DESK_UPSTREAM (base URL of the API), then: cd out && python -m desk_mcp"
    assert result.stdout.endswith(f"  next: {step}\n")


def test_note_that_stops_the_next_step_is_shown_in_full() -> None:
    result = build()

    assert "note MG350 no-upstream" in result.stderr
    assert "the variable `…_UPSTREAM`" in result.stderr
    assert "and 2 more findings (-v shows them all): " in result.stderr


def test_verbose_shows_every_note() -> None:
    result = build("-v")

    assert "note MG311 adjusted-argument-name" in result.stderr
    assert "more finding" not in result.stderr


def test_verbose_shows_every_note_of_an_unchanged_project() -> None:
    build()

    quiet_result, verbose_result = build(), build("-v")

    assert "out: unchanged" in quiet_result.stdout
    assert "out: unchanged" in verbose_result.stdout
    assert "note MG350 no-upstream" in verbose_result.stderr
    assert "note MG311 adjusted-argument-name" in verbose_result.stderr


def test_server_starts_with_the_variables_that_the_build_names_and_not_without_one(
    cwd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cwd / "out").mkdir()
    (cwd / "out" / "mcpgen.toml").write_text(EVERYTHING)
    result = build("--format", "json")
    monkeypatch.syspath_prepend(cwd / "out")
    for name in [name for name in os.environ if name.startswith("LADEN_DESK_")]:
        monkeypatch.delenv(name)
    values = {
        "LADEN_DESK_UPSTREAM": "https://api.example",
        "LADEN_DESK_ACCOUNT": "a1",
        "LADEN_DESK_CALLER_KEYS": json.dumps(
            [{"key": f"sha256:{'0' * 64}", "subject": "ann", "scopes": None}]
        ),
        "LADEN_DESK_PUBLIC_URL": "https://desk.example",
        "LADEN_DESK_LIMIT_STORE": "memory://",
    }

    serve: Any = import_module("laden_desk_mcp._runtime.server.cli")
    create = import_module("laden_desk_mcp.server").create
    settings = import_module("laden_desk_mcp.settings").Settings

    required = [item["variable"] for item in json.loads(result.stdout)["required"]]
    assert sorted(required) == sorted(values)
    for missing in required:
        with monkeypatch.context() as environment:
            for name in set(values) - {missing}:
                environment.setenv(name, values[name])
            with pytest.raises(serve.StartupError, match=missing):
                serve.load_app(settings, create, {})
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    assert serve.load_app(settings, create, {}).settings.upstream == "https://api.example"
