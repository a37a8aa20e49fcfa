"""The runtime as a wheel, and the projects whose copy of the runtime has known defects."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.runtime import runtime_requirements, runtime_version
from mcpgen.ir.project import File, Owner, Project
from mcpgen.pipeline.project_checks import report_missing_dependencies
from mcpgen.write import Lock

ROOT = Path(__file__).parents[2]


def mcpgen(*arguments: str) -> Result:
    """Runs a command in this process."""
    return CliRunner().invoke(app, arguments)


def contents(wheel: Path) -> dict[str, bytes]:
    """Returns the files of a wheel, by path."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_is_the_one_that_the_build_backend_makes(tmp_path: Path) -> None:
    result = mcpgen("runtime", "wheel", "-o", str(tmp_path / "ours"))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "theirs")],
        cwd=ROOT / "runtime",
        check=True,
        capture_output=True,
    )
    (wheel,) = (tmp_path / "ours").glob("*.whl")
    (expected_wheel,) = (tmp_path / "theirs").glob("*.whl")

    files, expected = contents(wheel), contents(expected_wheel)

    assert result.exit_code == 0
    assert wheel.name == expected_wheel.name
    assert files.keys() == expected.keys()
    info = f"mcpgen_runtime-{runtime_version()}.dist-info"
    for name in files.keys() - {f"{info}/METADATA", f"{info}/RECORD", f"{info}/WHEEL"}:
        assert files[name] == expected[name]
    metadata, expected_metadata = (
        message_from_bytes(item[f"{info}/METADATA"]) for item in (files, expected)
    )
    for header in ("Name", "Version", "Requires-Python", "Provides-Extra", "Classifier"):
        assert metadata.get_all(header) == expected_metadata.get_all(header)
    assert len(metadata.get_all("Requires-Dist") or ()) == len(
        expected_metadata.get_all("Requires-Dist") or ()
    )


def test_the_same_source_gives_the_same_wheel(tmp_path: Path) -> None:
    for name in ("a", "b"):
        mcpgen("runtime", "wheel", "-o", str(tmp_path / name))

    (first,), (second,) = ((tmp_path / name).glob("*.whl") for name in ("a", "b"))

    assert first.read_bytes() == second.read_bytes()


def servers(folder: Path, **versions: str) -> Path:
    """Returns a folder of projects, each with a copy of this version of the runtime."""
    for name, version in versions.items():
        (folder / name).mkdir()
        (folder / name / "mcpgen.toml").write_text("")
        (folder / name / "mcpgen.lock").write_text(Lock("0.1.0", runtime=version).text)
    return folder


ADVISORY = {
    "id": "MCPGEN-RT-2026-1",
    "affected": "<0.2",
    "fixed": "0.2.0",
    "summary": "a header is sent twice",
}


def test_servers_with_a_defective_copy_are_listed(tmp_path: Path) -> None:
    advisories = tmp_path / "advisories.json"
    advisories.write_text(json.dumps([ADVISORY]))
    folder = servers(tmp_path, billing="0.1.3", mail="0.2.0")
    package_server(folder, "notes", "mcpgen-runtime>=0.2.0,<0.3")

    result = mcpgen("outdated", str(folder), "--advisories", str(advisories))
    outdated = mcpgen("outdated", str(folder), "--advisories", str(advisories), "--format", "json")

    assert (result.exit_code, outdated.exit_code) == (1, 1)
    assert "billing: mcpgen-runtime 0.1.3 has MCPGEN-RT-2026-1, fixed in 0.2.0" in result.stdout
    assert "mail:" not in result.stdout
    assert "3 projects: 1 project with known defects" in result.stdout
    projects = json.loads(outdated.stdout)["projects"]
    assert [len(project["advisories"]) for project in projects] == [1, 0, 0]


def package_server(folder: Path, name: str, requirement: str, lock: str = "") -> None:
    """Adds a project that depends on the package, with the lines of a lock file."""
    servers(folder, **{name: ""})
    project = folder / name
    (project / "pyproject.toml").write_text(f'[project]\ndependencies = ["{requirement}"]\n')
    if lock:
        (project / "mcpgen.toml").write_text('[deploy]\nlock = "own.lock"\n')
        (project / "own.lock").write_text(lock)


def test_servers_that_depend_on_the_package_are_listed_by_lock_file_or_requirement(
    tmp_path: Path,
) -> None:
    advisories = tmp_path / "advisories.json"
    advisories.write_text(json.dumps([ADVISORY]))
    package_server(tmp_path, "pinned", "mcpgen-runtime>=0.1,<1", "mcpgen-runtime==0.1.4 \\\n")
    package_server(tmp_path, "fixed", "mcpgen-runtime>=0.1,<1", "mcpgen-runtime==0.2.0 \\\n")
    package_server(tmp_path, "open", "mcpgen-runtime[auth]>=0.1.2,<1")
    package_server(tmp_path, "late", "mcpgen-runtime>=0.2,<0.3")

    result = mcpgen("outdated", str(tmp_path), "--advisories", str(advisories))

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{tmp_path}/open: `mcpgen-runtime[auth]>=0.1.2,<1` admits a version with MCPGEN-RT-2026-1, "
        "fixed in 0.2.0: a header is sent twice",
        f"{tmp_path}/pinned: mcpgen-runtime 0.1.4 has MCPGEN-RT-2026-1, fixed in 0.2.0: "
        "a header is sent twice",
        "4 projects: 2 projects with known defects",
        "next: pip install -U mcpgen-runtime where the package is installed",
    ]


@pytest.mark.parametrize(
    ("lock", "reason"),
    [
        ("{", "it is not JSON"),
        (Lock("0.1.0", runtime="abc").text, "`runtime` is not a version"),
        (Lock("0.1.0").text, "neither a copy nor `pyproject.toml` has the runtime"),
    ],
)
def test_a_server_whose_runtime_is_not_known_is_no_success(
    lock: str, reason: str, tmp_path: Path
) -> None:
    servers(tmp_path, billing="0.2.0")
    (tmp_path / "billing" / "mcpgen.lock").write_text(lock)

    result = mcpgen("outdated", str(tmp_path))

    assert result.exit_code == 1
    assert "billing: the runtime is not known: " in result.stdout
    assert reason in result.stdout


@pytest.mark.parametrize(
    "content", ["{", '{"a": 1}', "[{}]", "5", json.dumps([{**ADVISORY, "affected": "nonsense"}])]
)
def test_a_file_that_is_no_list_of_advisories_is_refused(content: str, tmp_path: Path) -> None:
    advisories = tmp_path / "advisories.json"
    advisories.write_text(content)

    result = mcpgen("outdated", str(tmp_path), "--advisories", str(advisories))

    assert result.exit_code == 2
    assert "is no list of advisories" in " ".join(result.stderr.split())


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert mcpgen("outdated", str(tmp_path / "nothing")).exit_code == 2


@pytest.fixture
def tides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Builds the project `tides` with a copy of the runtime; returns the path of its description."""
    monkeypatch.chdir(tmp_path)
    spec = str(ROOT / "specs" / "openapi" / "tides.yaml")
    mcpgen("build", spec, "-o", "tides", "--no-verify")
    return spec


@pytest.mark.usefixtures("tides")
def test_a_switch_of_the_runtime_changes_the_requirements_and_no_other_line() -> None:
    choices, pyproject = Path("tides/mcpgen.toml"), Path("tides/pyproject.toml")
    user_text = pyproject.read_text().replace('version = "1', 'version = "7.1')
    user_text = user_text.replace("dependencies = [\n", 'dependencies = [\n    "rich>=14",\n', 1)
    pyproject.write_text(user_text)
    vendored_choices = choices.read_text()
    choices.write_text(f'{vendored_choices}runtime = "package"\n')

    check_result = mcpgen("build", "-o", "tides", "--check")
    build_result = mcpgen("build", "-o", "tides", "--no-verify", "-v")
    packaged = pyproject.read_text()
    choices.write_text(vendored_choices)
    mcpgen("build", "-o", "tides", "--no-verify")

    assert "+++ b/pyproject.toml" in check_result.stdout
    assert "MG522" in build_result.stderr
    assert "MG511" not in build_result.stderr
    assert tomllib.loads(packaged)["project"]["dependencies"] == [
        "rich>=14",
        *runtime_requirements(()),
    ]
    assert pyproject.read_text() == user_text


@pytest.mark.usefixtures("tides")
def test_a_switch_keeps_the_line_ends_of_a_file_with_crlf() -> None:
    choices, pyproject = Path("tides/mcpgen.toml"), Path("tides/pyproject.toml")
    user_text = pyproject.read_bytes().replace(b"\n", b"\r\n")
    pyproject.write_bytes(user_text)
    vendored_choices = choices.read_text()
    choices.write_text(f'{vendored_choices}runtime = "package"\n')

    build_result = mcpgen("build", "-o", "tides", "--no-verify", "-v")
    packaged = pyproject.read_bytes()
    choices.write_text(vendored_choices)
    mcpgen("build", "-o", "tides", "--no-verify")

    assert "MG522" in build_result.stderr
    assert b"mcpgen-runtime>=" in packaged
    assert packaged.count(b"\n") == packaged.count(b"\r\n")
    assert pyproject.read_bytes() == user_text


def test_a_build_for_a_later_runtime_changes_the_range_that_a_build_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = str(ROOT / "specs" / "openapi" / "tides.yaml")
    Path("tides").mkdir()
    Path("tides/mcpgen.toml").write_text(f'spec = "{spec}"\nruntime = "package"\n')
    mcpgen("build", "-o", "tides", "--no-verify")
    pyproject = Path("tides/pyproject.toml")
    text = pyproject.read_text()
    (requirement,) = runtime_requirements(())

    pyproject.write_text(text.replace(requirement, "mcpgen-runtime[auth]>=0.1.4,<0.2"))
    update_result = mcpgen("build", "-o", "tides", "--no-verify", "--strict", "-v")
    updated_text = pyproject.read_text()
    pyproject.write_text(text.replace(requirement, "mcpgen-runtime>=0.1.4,<0.2,!=0.1.7"))
    edit_result = mcpgen("build", "-o", "tides", "--no-verify", "-v", "--strict")

    extra = requirement.replace("mcpgen-runtime", "mcpgen-runtime[auth]")
    assert "MG522" in update_result.stderr
    assert "MG521" not in update_result.stderr
    assert updated_text == text.replace(requirement, extra)
    assert "MG521" in edit_result.stderr
    assert "MG522" not in edit_result.stderr
    assert "<0.2,!=0.1.7" in pyproject.read_text()


@pytest.mark.usefixtures("tides")
def test_a_switch_leaves_requirements_that_the_user_has_edited() -> None:
    pyproject = Path("tides/pyproject.toml")
    user_text = pyproject.read_text().replace('"aiohttp>=3.12,<4"', '"aiohttp==3.13.2"')
    pyproject.write_text(user_text)
    with open("tides/mcpgen.toml", "a") as choices:
        choices.write('runtime = "package"\n')

    build_result = mcpgen("build", "-o", "tides", "--no-verify", "-v")

    assert pyproject.read_text() == user_text
    assert "MG511" in build_result.stderr
    assert "MG522" not in build_result.stderr


@pytest.mark.usefixtures("tides")
@pytest.mark.parametrize("name", ["pyproject.toml", ".gitignore", "tides_mcp/hooks.py"])
def test_a_deleted_file_of_the_user_is_written_again(name: str) -> None:
    Path("tides", name).unlink()

    check_result = mcpgen("build", "-o", "tides", "--check", "--no-verify")
    result = mcpgen("build", "-o", "tides", "--no-verify")

    assert (check_result.exit_code, result.exit_code) == (1, 0)
    assert Path("tides", name).is_file()
    assert mcpgen("build", "-o", "tides", "--check", "--no-verify").exit_code == 0


@pytest.mark.usefixtures("tides")
def test_a_downgrade_writes_the_version_of_the_runtime_also_without_other_changes() -> None:
    path = Path("tides/mcpgen.lock")
    lock = json.loads(path.read_text())
    path.write_text(json.dumps({**lock, "runtime": "99.0.0"}))

    refused_result = mcpgen("build", "-o", "tides", "--no-verify")
    downgrade_result = mcpgen("build", "-o", "tides", "--no-verify", "--downgrade")

    assert "MG519" in refused_result.stderr
    assert downgrade_result.exit_code == 0
    assert json.loads(path.read_text())["runtime"] == runtime_version()


def test_no_copy_has_a_defect_that_is_not_in_the_list(tmp_path: Path) -> None:
    result = mcpgen("outdated", str(servers(tmp_path, billing=runtime_version())))

    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("required", "codes"),
    [
        (f"mcpgen-runtime[redis]>={runtime_version()}", []),
        ("mcpgen-runtime", []),
        ("mcpgen-runtime>=99,<100", ["MG521"]),
        ("aiohttp", ["MG511"]),
    ],
)
def test_requirement_for_another_runtime_is_reported(required: str, codes: list[str]) -> None:
    content = f'[project]\ndependencies = ["{required}"]\n'
    pyproject = f'[project]\ndependencies = ["{runtime_requirements(())[0]}"]\n'
    project = Project((File("pyproject.toml", pyproject, Owner.USER),), {})
    diagnostics = Diagnostics()

    report_missing_dependencies(project, content, "pyproject.toml", diagnostics)

    assert [finding.code.id for finding in diagnostics] == codes
    assert all(runtime_requirements(())[0] in finding.hint for finding in diagnostics)


@pytest.mark.parametrize(("version", "code"), [("99.0.0", 1), (runtime_version(), 0), ("", 0)])
def test_a_newer_runtime_is_not_replaced(version: str, code: int, tides: str) -> None:
    path = Path("tides/mcpgen.lock")
    lock = json.loads(path.read_text())
    before = lock["runtime"]
    path.write_text(json.dumps({**lock, "runtime": version, "digest": ""}))

    result = mcpgen("build", tides, "-o", "tides", "--no-verify")

    assert before == runtime_version()
    assert result.exit_code == code
    assert ("MG519" in result.stdout + result.stderr) is (code == 1)
