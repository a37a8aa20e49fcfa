"""`mcpgen build --all` and `mcpgen check --all`: many projects in one repository."""

from __future__ import annotations

import json
import re
import socket
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from mcpgen.cli.all_projects import ONE_PROJECT
from mcpgen.cli.app import app
from mcpgen.pipeline.all_projects import find_projects, run_project_commands

PAGE = Path(__file__).parents[2] / "docs" / "many-servers.md"
SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")


@pytest.fixture(scope="module", name="repository")
def repository_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the projects `servers/mail` and `servers/notes`, each with its document."""
    root = tmp_path_factory.mktemp("repository")
    for name in ("mail", "notes"):
        folder = root / "servers" / name
        folder.mkdir(parents=True)
        (folder / "openapi.yaml").write_text(SPEC)
        words = ["build", str(folder / "openapi.yaml"), "-o", str(folder), "--no-verify"]
        assert CliRunner().invoke(app, words).exit_code == 0
    return root


@pytest.fixture(autouse=True)
def cwd(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Repository as the current folder, with both documents reset to their built state."""
    monkeypatch.chdir(repository)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    for name in ("mail", "notes"):
        (repository / "servers" / name / "openapi.yaml").write_text(SPEC)
    return repository


def run(*arguments: str) -> Result:
    """Runs a command in the current process; every project runs in a separate process."""
    return CliRunner().invoke(app, list(arguments))


def test_every_project_below_a_folder_is_found(tmp_path: Path) -> None:
    for folder in ("a", "b/c", "node_modules/x", ".hidden", "venv/lib/y", "b/unbuilt"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "mcpgen.toml").touch()
        if folder != "b/unbuilt":
            (tmp_path / folder / "mcpgen.lock").touch()
    (tmp_path / "venv/pyvenv.cfg").touch()

    projects = find_projects(str(tmp_path))

    assert projects == [(tmp_path / folder).as_posix() for folder in ("a", "b/c")]


def test_all_projects_are_compared_in_one_table() -> None:
    result = run("build", "--all", "--check")

    rows = [line.split() for line in result.stdout.splitlines()]
    assert result.exit_code == 0, result.stderr
    assert rows[0] == ["project", "result", "tools", "findings", "seconds"]
    assert rows[1][:5] == ["servers/mail", "up", "to", "date", "3"]
    assert rows[2][:5] == ["servers/notes", "up", "to", "date", "3"]
    assert result.stdout.endswith("2 projects: all good\n")


@pytest.mark.repeated(
    "repeats the table of test_all_projects_are_compared_in_one_table with another option"
)
def test_one_project_that_differs_decides_the_exit_code(cwd: Path) -> None:
    (cwd / "servers/mail/openapi.yaml").write_text(SPEC.replace("List notes", "List mails"))

    result = run("build", "--all", "servers", "--check")

    assert result.exit_code == 1
    assert "servers/mail   differs" in result.stdout
    assert "servers/notes  up to date" in result.stdout
    assert result.stdout.endswith("2 projects: 1 not good\n  next: mcpgen build --all servers\n")


@pytest.mark.repeated("the table of all projects holds the rows")
def test_project_with_errors_is_told_and_the_others_are_built(cwd: Path) -> None:
    (cwd / "servers/mail/openapi.yaml").write_text("openapi: 3.1.0\npaths: {}\n")

    result = run("build", "--all", "--no-verify", "--format", "json")

    tree = json.loads(result.stdout)
    mail, notes = tree["projects"]
    assert (result.exit_code, tree["exit_code"], tree["all"]) == (1, 1, True)
    assert (mail["folder"], mail["exit_code"], mail["result"]["status"]) == (
        "servers/mail",
        1,
        "failed",
    )
    assert (notes["exit_code"], notes["result"]["status"]) == (0, "unchanged")


def test_the_next_command_passes_over_projects_that_every_build_refuses(cwd: Path) -> None:
    lock = cwd / "servers/mail/mcpgen.lock"
    text = lock.read_text()
    lock.write_text(json.dumps({**json.loads(text), "runtime": "99.0.0"}))
    try:
        refused_result = run("build", "--all", "--no-verify")
        (cwd / "servers/notes/openapi.yaml").write_text("openapi: 3.1.0\npaths: {}\n")
        also_broken = run("build", "--all", "--no-verify")
    finally:
        lock.write_text(text)

    assert refused_result.stdout.endswith("2 projects: 1 not good\n  next: mcpgen explain MG519\n")
    assert also_broken.stdout.endswith("next: mcpgen build -o servers/notes\n")


def test_process_without_a_result_does_not_stop_the_rest() -> None:
    rows = [("crashing", ("--version",)), ("sound", ("explain", "MG101", "--format", "json"))]

    crashing, sound = run_project_commands(rows, 2, lambda _: None)

    assert (crashing.folder, crashing.exit_code, crashing.result) == ("crashing", 3, None)
    assert crashing.error == "it printed no result"
    assert (sound.exit_code, sound.error) == (0, "")


def test_an_interrupted_run_ends_its_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process waits for a byte that is never sent."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        program = tmp_path / "mcpgen"
        port = listener.getsockname()[1]
        program.write_text(
            f"#!{sys.executable}\nimport socket, sys\n"
            f"if 'wait' in sys.argv: socket.create_connection(('127.0.0.1', {port})).recv(1)\n"
        )
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

        def interrupt(_: str) -> None:
            connection, _ = listener.accept()
            connections.append(connection)
            raise KeyboardInterrupt

        connections: list[socket.socket] = []
        with pytest.raises(KeyboardInterrupt):
            run_project_commands([("ends", ("--version",)), ("waits", ("wait",))], 2, interrupt)

        with connections[0] as connection:
            assert connection.recv(1) == b""


@pytest.mark.thorough("each command of the page has its own test above")
def test_commands_of_the_page_for_many_servers_run_as_they_stand() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    commands = [line.split()[1:] for block in blocks for line in block.splitlines()]
    own_commands = [words for words in commands if words[0] in ("build", "check")]

    results = [run(*words) for words in own_commands]

    assert len(own_commands) == 3
    assert [result.exit_code for result in results] == [0, 0, 0], results[-1].stdout


@pytest.mark.repeated(
    "repeats the table of test_all_projects_are_compared_in_one_table with another option"
)
def test_options_are_passed_on_to_every_project() -> None:
    result = run("check", "--all", "--only", "universal-tool-name", "--format", "json")

    projects = json.loads(result.stdout)["projects"]
    check_ids = [
        {outcome["id"] for outcome in row["result"]["report"]["outcomes"]} for row in projects
    ]
    assert result.exit_code == 0, result.stdout
    assert check_ids == [{"trial-starts", "universal-tool-name"}] * 2


PASSED_ON = {
    "build": (
        *("check", "strict", "no_verify", "keep_going", "allow_remote", "downgrade"),
        *("spec", "refresh", "all_projects", "jobs", "verbose", "format"),
    ),
    "check": (
        *("profile", "active", "official", "trusted_domain", "pace", "only", "skip"),
        *("timeout", "call_timeout", "deadline", "strict"),
        *("target", "all_projects", "jobs", "verbose", "format"),
    ),
}
"""By command: the parameters that are passed on to every project, then those about the run itself."""


@pytest.mark.parametrize("name", ["build", "check"])
def test_each_parameter_is_passed_on_or_refused(name: str) -> None:
    command = get_command(app).commands[name]  # type: ignore[attr-defined]

    names = [parameter.name for parameter in command.params]

    assert sorted(names) == sorted((*PASSED_ON[name], *ONE_PROJECT[name]))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("build", "--all", "-o", "out"), "--output cannot go with --all"),
        (("build", "--all", "--openapi", "api.yaml"), "--openapi cannot go with --all"),
        (("build", "--all", "servers/mail/mcpgen.toml"), "--all takes a folder"),
        (("build", "--all", "servers/mail/tests"), "no project below servers/mail/tests"),
        (("check", "--all", "--report", "html=a.html"), "--report cannot go with --all"),
        (("check", "--all", "--stdio", "server"), "--stdio cannot go with --all"),
        (("check", "--all", "--format", "sarif"), "--all prints text or json"),
    ],
)
def test_options_of_one_project_are_refused(words: tuple[str, ...], reason: str) -> None:
    result = run(*words)

    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.replace("│", " ").split())
