"""A project whose package gets another name keeps the user's files."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from mcpgen.diagnostics.codes import write as codes
from mcpgen.pipeline import BuildOptions, BuildResult, BuildStatus, build, eject_project_files

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
QUICK = BuildOptions(verify=False)

HOOKS = """
from notes_mcp import store
from notes_mcp.runtime.hooks import Call, Hooks, Result


async def list_notes(call: Call) -> Result:
    return Result.of(store.NOTES)


HOOKS = Hooks(tools={"list_notes": list_notes})
"""

OWN_TEST = """
import notes_mcp.store


def test_store(monkeypatch):
    monkeypatch.setattr("notes_mcp.store.NOTES", [])
    assert notes_mcp.store.NOTES == []
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with hooks, a module and a test of the user's, and with `package` changed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    Path("openapi.yaml").write_text(SPEC)
    build("openapi.yaml", "out", QUICK)
    folder = tmp_path / "out"
    (folder / "notes_mcp/hooks.py").write_text(HOOKS)
    (folder / "notes_mcp/store.py").write_bytes(b"NOTES = [1]\r\n")
    (folder / "tests/test_own.py").write_text(OWN_TEST)
    choices = folder / "mcpgen.toml"
    choices.write_text('package = "memos_mcp"\n' + choices.read_text())
    return folder


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _messages(outcome: BuildResult, code: object) -> list[str]:
    return [d.message for d in outcome.diagnostics if d.code is code]


@pytest.mark.repeated("repeats on a built project what the tests of the moved files show")
def test_everything_agrees_after_the_build(project: Path) -> None:
    outcome = build("", "out")

    assert (outcome.status, outcome.package) == (BuildStatus.BUILT, "memos_mcp")
    assert outcome.report is not None
    assert not outcome.report.failed
    assert not (project / "notes_mcp").exists()
    assert (project / "memos_mcp/hooks.py").read_text() == HOOKS.replace("notes_mcp", "memos_mcp")
    assert (project / "memos_mcp/store.py").read_bytes() == b"NOTES = [1]\r\n"
    content = tomllib.loads((project / "pyproject.toml").read_text())
    assert content["project"]["scripts"] == {"notes-mcp": "memos_mcp.__main__:run"}
    assert content["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["memos_mcp"]
    assert [path for path, text in _tree(project).items() if b"notes_mcp" in text] == []
    (message,) = _messages(outcome, codes.OTHER_PACKAGE)
    assert "`notes_mcp/hooks.py`, `notes_mcp/store.py`" in message
    assert "`pyproject.toml`, `tests/test_own.py`" in message
    tests = [sys.executable, "-m", "pytest", "-q", "tests/test_own.py", "tests/test_every_tool.py"]
    assert subprocess.run(tests, cwd=project, capture_output=True).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable files by mode")
def test_files_of_the_user_keep_their_permissions(project: Path) -> None:
    script = project / "notes_mcp/run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (project / "tests/test_own.py").chmod(0o700)
    (project / "pyproject.toml").chmod(0o640)

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.BUILT
    paths = ("memos_mcp/run.sh", "tests/test_own.py", "pyproject.toml")
    modes = [(project / path).stat().st_mode & 0o777 for path in paths]
    assert modes == [0o755, 0o700, 0o640]


def test_check_tells_and_changes_nothing(project: Path) -> None:
    before = _tree(project)

    outcome = build("", "out", BuildOptions(check=True))

    assert outcome.status is BuildStatus.DRIFTED
    assert _messages(outcome, codes.OTHER_PACKAGE)
    changes = {change.path: change.action.value for change in outcome.changes}
    assert changes["notes_mcp/hooks.py"] == "delete"
    assert changes["memos_mcp/hooks.py"] == "create"
    assert _tree(project) == before


def test_the_next_build_has_nothing_to_do(project: Path) -> None:
    build("", "out", QUICK)

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.UNCHANGED
    assert _messages(outcome, codes.OTHER_PACKAGE) == []
    assert build("", "out", BuildOptions(check=True)).status is BuildStatus.CURRENT


def test_files_that_the_user_has_moved_are_taken_over(project: Path) -> None:
    eject_project_files(project, ["notes_mcp/server.py"])
    (project / "notes_mcp").rename(project / "memos_mcp")

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.BUILT
    assert '"memos_mcp/server.py"\n  ]' in (project / "mcpgen.lock").read_text()
    assert (project / "memos_mcp/hooks.py").read_text() == HOOKS.replace("notes_mcp", "memos_mcp")
    assert [path for path, text in _tree(project).items() if b"notes_mcp" in text] == []


def test_an_ejected_file_moves_and_stays_the_users(project: Path) -> None:
    server = project / "notes_mcp/server.py"
    server.write_text(server.read_text() + "# mine\n")
    eject_project_files(project, ["notes_mcp/server.py", "Dockerfile"])

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.BUILT
    server_text = (project / "memos_mcp/server.py").read_text()
    assert "notes_mcp" not in server_text
    assert server_text.endswith("# mine\n")
    assert [d.at.file for d in outcome.diagnostics if d.code is codes.EJECTED] == [
        "out/Dockerfile",
        "out/memos_mcp/server.py",
    ]
    (finding,) = [d for d in outcome.diagnostics if d.code is codes.OLD_PACKAGE_NAMED]
    assert finding.at.file == "out/Dockerfile"
    assert finding.at.line == 1 + server.parents[1].joinpath("Dockerfile").read_text().split(
        "\n"
    ).index("COPY notes_mcp notes_mcp")


def test_a_word_that_may_mean_something_else_is_left_and_told(project: Path) -> None:
    (project / "notes_mcp/store.py").write_text("NOTES = []\nnotes_mcp = NOTES\nnotes_mcp.tools\n")

    outcome = build("", "out", QUICK)

    assert "notes_mcp.tools" in (project / "memos_mcp/store.py").read_text()
    (finding,) = [d for d in outcome.diagnostics if d.code is codes.OLD_PACKAGE_NAMED]
    assert (finding.at.file, finding.at.line, finding.at.column) == ("out/memos_mcp/store.py", 2, 1)


def _take_folder(project: Path) -> None:
    (project / "memos_mcp").mkdir()
    (project / "memos_mcp/store.py").write_text("other\n")


def _binary(project: Path) -> None:
    (project / "notes_mcp/logo.png").write_bytes(b"\x89PNG\xff")


def _link(project: Path) -> None:
    (project / "notes_mcp/data").symlink_to(project.parent)


def _strange_name(project: Path) -> None:
    (project / "notes_mcp/my data.json").write_text("{}")


@pytest.mark.parametrize("put", [_take_folder, _binary, _link, _strange_name])
def test_a_file_that_cannot_be_moved_stops_the_build(project: Path, put: object) -> None:
    assert callable(put)
    put(project)
    before = _tree(project)

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.FAILED
    assert len(_messages(outcome, codes.IMMOVABLE)) == 1
    assert _tree(project) == before
