"""`mcpgen connect`: entries of every kind of target in files of a home folder."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.clients import CLIENTS, Client, ConfigFormat, ServerEntry, find_client
from mcpgen.pipeline.connect import plan_entry
from mcpgen.pipeline.connect.errors import ConfigUnusable

ROOT = Path(__file__).parents[2]
TIDES = ROOT / "specs" / "openapi" / "tides.yaml"
URL = "http://127.0.0.1:8000/mcp"
SECRET = "s3cr3t-v4lue"


@pytest.fixture(name="home", autouse=True)
def home_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, which is the current folder, too."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TIDES_API_KEY", SECRET)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def connect(*arguments: str) -> Result:
    """Runs `mcpgen connect`."""
    return CliRunner().invoke(app, ["connect", *arguments])


def entries(client: Client, path: Path) -> dict[str, dict[str, object]]:
    """The entries of a client's file."""
    text = path.read_text(encoding="utf-8")
    if client.format is ConfigFormat.TOML:
        return dict(tomllib.loads(text)[client.key])
    return dict(
        (yaml.safe_load if client.format is ConfigFormat.YAML else json.loads)(text)[client.key]
    )


FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "codex": ".codex/config.toml",
    "gemini-cli": ".gemini/settings.json",
    "goose": ".config/goose/config.yaml",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
    "lm-studio": ".lmstudio/mcp.json",
}
HTTP = {
    "claude-code": {"type": "http", "url": URL, "headers": {"Authorization": "Bearer ${T}"}},
    "claude-desktop": {
        "command": "npx",
        "args": ["-y", "mcp-remote", URL, "--header", "Authorization: Bearer ${T}"],
    },
    "cursor": {"url": URL, "headers": {"Authorization": "Bearer ${env:T}"}},
    "vscode": {"type": "http", "url": URL, "headers": {"Authorization": "Bearer ${env:T}"}},
    "codex": {"url": URL, "bearer_token_env_var": "T"},
    "gemini-cli": {"httpUrl": URL, "headers": {"Authorization": "Bearer ${T}"}},
    "goose": {
        "enabled": True,
        "name": "x",
        "description": "",
        "timeout": 300,
        "type": "streamable_http",
        "uri": URL,
        "headers": {"Authorization": "Bearer ${T}"},
        "envs": {},
        "env_keys": ["T"],
    },
    "windsurf": {"serverUrl": URL, "headers": {"Authorization": "Bearer ${env:T}"}},
    "zed": {"url": URL},
    "lm-studio": {"url": URL},
}
COMMAND = {"command": "python", "args": ["-m", "x"]}
STDIO = {
    "claude-code": {**COMMAND, "env": {"K": "${K:-}"}},
    "claude-desktop": COMMAND,
    "cursor": {**COMMAND, "env": {"K": "${env:K}"}},
    "vscode": {"type": "stdio", **COMMAND, "env": {"K": "${env:K}"}},
    "codex": {**COMMAND, "env_vars": ["K"]},
    "gemini-cli": {**COMMAND, "env": {"K": "${K}"}},
    "goose": {
        "enabled": True,
        "name": "x",
        "description": "",
        "timeout": 300,
        "type": "stdio",
        "cmd": "python",
        "args": ["-m", "x"],
        "envs": {},
        "env_keys": ["K"],
    },
    "windsurf": {**COMMAND, "env": {"K": "${env:K}"}},
    "zed": COMMAND,
    "lm-studio": COMMAND,
}


@pytest.mark.parametrize("id", FILES)
def test_each_client_gets_its_form_of_an_entry(id: str, home: Path) -> None:
    client = find_client(id)
    assert client is not None
    command = "stdio:python -m x"

    over_http = connect(id, URL, "--name", "x", "--bearer-env", "T", "--yes")
    found_http = entries(client, home / FILES[id])
    over_stdio = connect(id, command, "--name", "x", "--env", "K", "--yes")
    found_stdio = entries(client, home / FILES[id])

    assert over_http.exit_code == over_stdio.exit_code == 0, over_http.output + over_stdio.output
    assert found_http == {"x": HTTP[id]}
    assert found_stdio == {"x": STDIO[id]}
    for missing, result in (("T", over_http), ("K", over_stdio)):
        assert (f"{missing}: {client.advice}" in result.stderr) == bool(client.advice)


def test_every_client_has_a_file_on_every_system_a_case_above_and_its_name_in_the_help() -> None:
    output = " ".join(connect("--help").stdout.split())

    assert [client.id for client in CLIENTS] == list(FILES)
    assert f"{', '.join(list(FILES)[:-1])} or lm-studio." in output
    assert all({*client.files} == {"linux", "darwin", "win32"} for client in CLIENTS)


def test_a_description_is_served_and_the_value_of_its_key_is_not_written(home: Path) -> None:
    result = connect("cursor", str(TIDES), "--yes")

    path = home / ".cursor" / "mcp.json"
    entry = json.loads(path.read_text())["mcpServers"]["tides"]
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-m", "mcpgen", "serve", str(TIDES), "--stdio"]
    assert entry["env"] == {"TIDES_API_KEY": "${env:TIDES_API_KEY}"}
    assert SECRET not in path.read_text() + result.output


def test_a_project_is_started_from_its_environment_or_reached_by_its_url(home: Path) -> None:
    folder = home / "tides"
    folder.mkdir()
    (folder / "mcpgen.toml").write_text('spec = "openapi.yaml"\n')
    shutil.copy(TIDES, folder / "openapi.yaml")
    script = folder / ".venv" / "bin" / "tides-mcp"
    script.parent.mkdir(parents=True)
    script.touch()

    start_result = connect("claude-code", "tides", "--yes")
    stdio = json.loads((home / ".claude.json").read_text())["mcpServers"]["tides"]
    connect("claude-code", "tides", "--http", "--yes")
    http = json.loads((home / ".claude.json").read_text())["mcpServers"]["tides"]

    assert start_result.exit_code == 0, start_result.output
    env = {"TIDES_API_KEY": "${TIDES_API_KEY:-}"}
    assert stdio == {"command": str(script), "args": ["--stdio"], "env": env}
    assert http == {"type": "http", "url": URL}


def test_a_project_without_environment_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "mcpgen.toml").write_text(f'spec = "{os.path.relpath(TIDES, home)}"\nroot = "/"\n')
    monkeypatch.setattr(shutil, "which", lambda _: None)

    result = connect("cursor", "--yes")

    assert result.exit_code == 2
    assert "is not installed in an environment" in " ".join(result.stderr.split())


def test_a_file_keeps_its_mode_and_other_bytes_and_a_second_run_changes_nothing(home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(b'model = "o" # mine\r\n')
    path.chmod(0o640)

    first = connect("codex", URL, "--name", "x", "--yes")
    content = path.read_bytes()
    second = connect("codex", URL, "--name", "x", "--yes")
    remove_result = connect("codex", "--remove", "x", "--yes")

    assert [first.exit_code, second.exit_code, remove_result.exit_code] == [0, 0, 0]
    assert content == b'model = "o" # mine\r\n\r\n[mcp_servers.x]\r\nurl = "%s"\r\n' % URL.encode()
    assert "has the entry already" in second.stderr
    assert path.read_bytes() == b'model = "o" # mine\r\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ({"env": {"OTHER_KEY": SECRET}}, '"OTHER_KEY": "…"'),
        ({"args": [f"Authorization: Bearer {SECRET}"]}, '"Authorization: Bearer …"'),
    ],
)
def test_the_difference_hides_the_secrets_of_other_servers(
    home: Path, server: dict[str, object], expected: str
) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": {"other": server}}, indent=2))

    result = connect("cursor", URL, "--name", "x", "--bearer-env", "T", "--yes")

    assert '+        "Authorization": "Bearer ${env:T}"' in result.stdout
    assert expected in result.stdout
    assert SECRET not in result.output


def test_nothing_is_written_without_consent(home: Path) -> None:
    result = connect("cursor", URL)

    assert result.exit_code == 2
    assert "add --yes" in result.stderr
    assert not (home / ".cursor").exists()


@pytest.mark.parametrize(("answer", "exit_code"), [("y", 0), ("n", 1)])
def test_the_user_is_asked_on_a_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, exit_code: int
) -> None:
    monkeypatch.setattr("mcpgen.cli.connect.has_terminal", lambda: True)

    result = CliRunner().invoke(app, ["connect", "cursor", URL], input=f"{answer}\n")

    assert result.exit_code == exit_code, result.output
    assert (home / ".cursor" / "mcp.json").exists() == (answer == "y")


def test_print_shows_the_entry_and_writes_nothing(home: Path) -> None:
    result = connect("codex", URL, "--name", "x", "--print")

    assert result.stdout == f'[mcp_servers.x]\nurl = "{URL}"\n'
    assert list(home.iterdir()) == []


def test_the_file_of_a_project_is_in_the_current_folder(home: Path) -> None:
    assert connect("vscode", URL, "--project", "--yes").exit_code == 0
    assert connect("goose", URL, "--project", "--yes").exit_code == 2

    tree = json.loads((home / ".vscode" / "mcp.json").read_text())
    assert tree == {"servers": {"127-0-0-1": {"type": "http", "url": URL}}}


def test_a_broken_file_is_named_with_line_and_column_and_left_alone(home: Path) -> None:
    path = home / ".claude.json"
    path.write_text('{\n  "a": 1,,\n}')

    result = connect("claude-code", URL, "--yes")

    assert result.exit_code == 2
    assert f"{path}, line 2, column 10: " in result.stderr
    assert path.read_text() == '{\n  "a": 1,,\n}'


def test_a_file_that_is_not_utf_8_is_refused_with_its_place(home: Path) -> None:
    (home / ".claude.json").write_bytes(b'{\n "\xff": 1}')

    result = connect("claude-code", URL, "--yes")

    assert "line 2, column 3: the file is not UTF-8" in result.stderr


def test_a_link_inside_the_home_folder_stays_and_a_link_out_of_it_is_refused(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    inside_path, outside_path = (
        home / "dotfiles.json",
        tmp_path_factory.mktemp("outside") / "mcp.json",
    )
    outside_path.write_text("{}")
    (home / ".claude.json").symlink_to(inside_path)
    (home / ".lmstudio").symlink_to(outside_path.parent)

    followed_result = connect("claude-code", URL, "--yes")
    refused_result = connect("lm-studio", URL, "--yes")
    result = connect("lm-studio", URL, "--yes", "--file", str(outside_path))

    assert [followed_result.exit_code, refused_result.exit_code, result.exit_code] == [
        0,
        2,
        0,
    ], refused_result.output
    assert (home / ".claude.json").is_symlink()
    assert "mcpServers" in inside_path.read_text()
    assert f"--file {outside_path}" in refused_result.stderr


def test_a_file_that_changes_before_the_answer_is_not_overwritten(home: Path) -> None:
    client, path = find_client("cursor"), home / "mcp.json"
    assert client is not None
    path.write_text("{}")
    change = plan_entry(client, path, ServerEntry("x", url=URL))
    path.write_text('{"a": 1}')

    with pytest.raises(ConfigUnusable, match="changed meanwhile"):
        change.write()

    assert path.read_text() == '{"a": 1}'


def test_a_failed_write_leaves_the_file_and_no_part(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    path.write_text("{}")

    def refuse(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", refuse)
    result = connect("claude-code", URL, "--yes")

    assert result.exit_code == 2
    assert path.read_text() == "{}"
    assert list(home.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["claude", URL], "Did you mean claude-code"),
        (["cursor", "stdio:python"], "add --name NAME"),
        (["cursor", "stdio:no-such-command", "--name", "x"], "there is no command"),
        (["cursor", URL, "--name", "a b"], "cannot be the name"),
        (["gemini-cli", URL, "--name", "a_b"], "takes no `_`"),
        (["cursor", URL, "--env", "K"], "--env is for"),
        (["cursor", str(TIDES), "--bearer-env", "T"], "--bearer-env is for"),
        (["cursor", str(TIDES), "--http"], "--http is for a project"),
        (["cursor", URL, "--bearer-env", "a b"], "is not the name of a variable"),
        (["cursor", URL, "--remove", "x"], "--remove takes"),
        (["cursor", "--remove", "x"], "there is no entry `x` under `mcpServers`; entries: none"),
    ],
)
def test_a_wrong_use_is_explained_in_one_sentence(arguments: list[str], message: str) -> None:
    result = connect(*arguments, "--yes")

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.id)
def test_the_page_shows_the_entries_of_each_client(client: Client) -> None:
    page = (ROOT / "docs" / "connect.md").read_text(encoding="utf-8")
    command = ("/home/me/tides/.venv/bin/tides-mcp", "--stdio")
    over_stdio = ServerEntry("tides", command=command, variables=("TIDES_API_KEY",))
    over_http = ServerEntry("tides", url="https://mcp.example.com/mcp", bearer="TIDES_TOKEN")

    blocks = "".join(f"```\n{client.snippet(entry)}```\n\n" for entry in (over_stdio, over_http))

    assert f"\n{client.title}:\n\n{blocks}" in page
    assert f"({client.source}) | `{client.id}` |" in page
