"""`mcpgen init`: questions with proposals, options in their place, and no file before the last answer."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.cli.init import SetupQuestion, collect_config_values, find_specs, take_proposal
from mcpgen.config import Config, load
from mcpgen.diagnostics import Diagnostics

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
NOTHING = dict.fromkeys(("spec", "tools", "callers", "issuer", "hosting", "directory"), "")


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder with a description, and a file that is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "openapi.yaml").write_text(SPEC)
    (tmp_path / "a.yaml").write_text("settings: {}\n")
    return tmp_path


def read_config(folder: Path) -> dict[str, object]:
    """The tables of `mcpgen.toml`."""
    return tomllib.loads((folder / "mcpgen.toml").read_text("utf-8"))


def converse(folder: Path, *answers: str) -> tuple[str, int]:
    """The output of `mcpgen init` at a terminal, and the exit code; `answers` are typed in turn."""
    pty = pytest.importorskip("pty")
    terminal, other_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mcpgen", "init"],
        cwd=folder,
        stdin=other_end,
        stdout=other_end,
        stderr=other_end,
        start_new_session=True,
    )
    os.close(other_end)
    output, pending = b"", list(answers)
    while select.select([terminal], [], [], 60)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        output += data
        if output.endswith(b"> ") and pending:
            answer = pending.pop(0)
            if answer == "interrupt":
                process.send_signal(signal.SIGINT)
                # readline loses a signal between the prompt and its wait for a key; the end of a line
                # lets Python look for signals.
                answer = ""
            os.write(terminal, answer.encode() + b"\n")
    os.close(terminal)
    return output.decode(), process.wait(60)


def test_proposals_are_taken_where_no_person_can_be_asked(cwd: Path) -> None:
    result = CliRunner().invoke(app, ["init"])

    assert result.stdout == "wrote mcpgen.toml; next: mcpgen build\n"
    config = load((cwd / "mcpgen.toml").read_bytes(), "mcpgen.toml", Diagnostics())
    assert config == Config(spec="openapi.yaml", has_schema=True)
    assert (cwd / "mcpgen.schema.json").exists()


def test_a_file_in_the_place_of_the_folder_is_the_description(cwd: Path) -> None:
    (cwd / "openapi.yaml").rename(cwd / "other.yaml")

    result = CliRunner().invoke(app, ["init", "other.yaml"])

    assert result.stdout == "wrote mcpgen.toml; next: mcpgen build\n"
    assert read_config(cwd)["spec"] == "other.yaml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.yaml"], "there is no file `missing.yaml`."),
        (["a.yaml", "--spec", "openapi.yaml"], "two descriptions are named"),
    ],
)
def test_a_file_that_is_no_single_description_is_refused(
    arguments: list[str], message: str, cwd: Path
) -> None:
    result = CliRunner().invoke(app, ["init", *arguments])

    assert result.exit_code == 2
    assert message in result.stderr
    assert sorted(path.name for path in cwd.iterdir()) == ["a.yaml", "openapi.yaml"]


def test_an_option_answers_its_question(cwd: Path) -> None:
    options = ["--tools", "read-only", "--callers", "oauth", "--issuer", "https://id.example.com"]
    options += ["--hosting", "compose", "--directory", "chatgpt"]

    result = CliRunner().invoke(app, ["init", "server", "--spec", "openapi.yaml", *options])

    assert result.exit_code == 0, result.output
    tree = read_config(cwd / "server")
    assert tree["spec"] == "../openapi.yaml"
    assert tree["select"] == {"include": ["read_only:true"]}
    issuer = {"required": True, "issuer": "https://id.example.com"}
    assert tree["authentication"] == {"path_claims": {}, "owner_claims": {}} | issuer
    assert tree["deploy"] == {"compose": True}
    assert tree["output"] == {"schemas": "names"}
    assert tree["descriptions"] == {"detail": "rich", "destructive": "removals"}


@pytest.mark.parametrize("callers", [(), ("--callers", "anyone")])
def test_an_issuer_without_oauth_is_refused(cwd: Path, callers: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["init", "--issuer", "https://id.example.com", *callers])

    assert result.exit_code == 2
    assert "--issuer needs --callers oauth." in result.stderr
    assert not (cwd / "mcpgen.toml").exists()


def test_every_question_explains_its_proposal_in_a_sentence(cwd: Path) -> None:
    setup_questions: list[SetupQuestion] = []

    def ask(question: SetupQuestion) -> str:
        setup_questions.append(question)
        return take_proposal(question)

    values = collect_config_values(cwd, NOTHING | {"callers": "oauth"}, ask)

    assert [question.text.split()[0] for question in setup_questions] == [
        *("Which", "Which", "Which", "Where", "Which")
    ]
    assert all(question.reason.endswith(".") for question in setup_questions)
    assert "3 tools" in setup_questions[1].reason
    assert "authentication.issuer" not in values


def test_only_api_descriptions_are_proposed(cwd: Path) -> None:
    (cwd / "docs").mkdir()
    (cwd / "docs" / "swagger.json").write_text('{"swagger": "2.0"}')
    (cwd / "docs" / "folder.json").mkdir()
    (cwd / "openspec" / "specs").mkdir(parents=True)

    texts = [Path(path).relative_to(cwd).as_posix() for path in find_specs(cwd)]

    assert texts == ["openapi.yaml", "docs/swagger.json", "openspec"]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [({"spec": "absent.yaml"}, "no file"), ({"callers": "oauth", "issuer": "a b"}, "spaces")],
)
def test_an_unusable_answer_is_refused(cwd: Path, answers: dict[str, str], reason: str) -> None:
    with pytest.raises(typer.BadParameter, match=reason):
        collect_config_values(cwd, NOTHING | answers, take_proposal)


def test_an_existing_configuration_stays(cwd: Path) -> None:
    (cwd / "mcpgen.toml").write_text("title = 'Mine'\n")

    result = CliRunner().invoke(app, ["init"])

    assert result.exit_code == 2
    assert read_config(cwd) == {"title": "Mine"}


def test_a_person_is_asked_again_after_an_unknown_answer(cwd: Path) -> None:
    output, code = converse(cwd, "", "some", "search", "", "kubernetes", "")

    assert code == 0, output
    assert "answer with one of all, read-only, search." in output
    tree = read_config(cwd)
    assert (tree["discovery"], tree["deploy"]) == ({"mode": "on"}, {"kubernetes": True})


def test_an_interruption_leaves_nothing_behind(cwd: Path) -> None:
    before = sorted(path.name for path in cwd.iterdir())

    output, code = converse(cwd, "", "interrupt")

    assert "interrupted: unfinished changes are undone" in output
    assert code == 2
    assert sorted(path.name for path in cwd.iterdir() if path.name != "cache") == before
