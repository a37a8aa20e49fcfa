"""Bad input: a clear message with a location, exit code 1 or 2, and an untouched folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")


@pytest.fixture(scope="module")
def built_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a specification and a project built from the specification."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "openapi.yaml").write_text(SPEC)
    result = _run("build", str(folder / "openapi.yaml"), "-o", str(folder / "out"), "--no-verify")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(autouse=True)
def cwd(built_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder, a copy of the built folder."""
    shutil.copytree(built_folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def _tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "cache" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


def _write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


def _edit(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text((folder / name).read_text() + "# edit\n")


def _change_nothing(folder: Path) -> None:
    """Changes nothing."""


DANGLING = SPEC.replace("{type: integer, minimum: 1,", '{$ref: "#/components/schemas/Gone",')
LINE_OF_GONE = next(n for n, line in enumerate(DANGLING.splitlines(), 1) if "Gone" in line)


@pytest.mark.parametrize(
    ("prepare", "spec", "place"),
    [
        pytest.param(_change_nothing, "none.yaml", r"none\.yaml: error", id="a missing file"),
        pytest.param(
            lambda folder: (folder / "folder").mkdir(), "folder", r"folder: error", id="a directory"
        ),
        pytest.param(_write("x.yaml", ""), "x.yaml", r"x\.yaml(:1:1)?: error", id="an empty file"),
        pytest.param(
            _write("x.json", '{"a": 1,\n'), "x.json", r"x\.json:\d+:\d+", id="broken JSON"
        ),
        pytest.param(
            _write("x.yaml", "a: [1\nb: }\n"), "x.yaml", r"x\.yaml:2:\d+", id="broken YAML"
        ),
        pytest.param(
            _write("x.yaml", SPEC[: SPEC.index("paths:")]),
            "x.yaml",
            r"x\.yaml:\d+:\d+",
            id="no paths",
        ),
        pytest.param(
            _write("x.yaml", DANGLING),
            "x.yaml",
            rf"x\.yaml:{LINE_OF_GONE}:\d+: error",
            id="a reference that leads nowhere",
        ),
        pytest.param(
            _write("out/mcpgen.toml", 'spec = "x"\n\nnam = "y"\n'),
            "openapi.yaml",
            r"out/mcpgen\.toml:3:1: error MG603",
            id="an unknown key in mcpgen.toml",
        ),
        pytest.param(
            _write("out/mcpgen.toml", "spec = \n"),
            "openapi.yaml",
            r"out/mcpgen\.toml:1:8: error MG602",
            id="broken TOML",
        ),
        pytest.param(
            _write("out/mcpgen.lock", '{\n"format": 1,\n<<<<<<< ours\n'),
            "openapi.yaml",
            r"out/mcpgen\.lock:3:1: error MG501",
            id="a corrupt lock",
        ),
        pytest.param(
            _edit("out/notes_mcp/server.py"),
            "openapi.yaml",
            r"out/notes_mcp/server\.py: error MG504",
            id="a hand-edited file",
        ),
    ],
)
def test_it_is_told_with_its_place_and_nothing_changes(
    cwd: Path, prepare: Callable[[Path], object], spec: str, place: str
) -> None:
    prepare(cwd)
    before = _tree(cwd)

    result = _run("build", spec, "-o", "out")

    assert result.exit_code == 1
    assert re.search(rf"^{place}", result.stderr, re.MULTILINE), result.stderr
    assert "nothing was written" in result.stdout
    assert "Traceback" not in result.output
    assert _tree(cwd) == before


def test_an_unwritable_folder_is_told_in_one_line(cwd: Path) -> None:
    (cwd / "file").write_text("")
    before = _tree(cwd)

    result = _run("build", "openapi.yaml", "-o", "file/out")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: file: is a file, not a folder\n"
    assert _tree(cwd) == before


def test_an_interrupted_build_is_told_in_one_line_and_changes_nothing(cwd: Path) -> None:
    os.mkfifo(cwd / "slow.yaml")
    before = _tree(cwd / "out")
    command = [sys.executable, "-m", "mcpgen", "build", "slow.yaml", "-o", "out"]
    # A background job of a shell ignores SIGINT, and child processes inherit the disposition.
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )

    # Opening the FIFO for writing blocks until the build has opened the FIFO for reading.
    with process, (cwd / "slow.yaml").open("w"):
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=120)

    assert process.returncode == 2
    assert stderr.decode() == "interrupted: unfinished changes are undone\n"
    assert _tree(cwd / "out") == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "--no-such-option"],
        ["build", "a", "b"],
        ["build", "openapi.yaml", "--format", "xml"],
        ["nothing"],
        ["check"],
        ["check", "nowhere"],
        ["check", "out", "--call", "all"],
        ["check", "http://127.0.0.1:1/mcp", "--header", "novalue"],
        ["new", "Bad Name"],
        ["explain", "MG999"],
        ["eject", "openapi.yaml"],
    ],
)
def test_wrong_usage_ends_with_exit_code_2(arguments: list[str]) -> None:
    result = _run(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error" in result.stderr


def test_a_new_project_where_something_is_already_is_told_in_one_line(cwd: Path) -> None:
    result = _run("new", "out")

    assert result.exit_code == 2
    assert result.stderr == "error: out: exists already and is not empty\n"
