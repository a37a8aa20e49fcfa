"""A project contains the runtime as a copy or as a package; both are complete projects with the
same hooks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.black_check import BLACK
from tests.generated.run_module import run

OF_PROJECTS = pytest.mark.repeated(
    "tests/generated/test_projects.py checks the types of package mode"
)

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"

HOOKS = '''"""The harbours, in order of their names."""

from tides_mcp.runtime.hooks import Call, Hooks, Result


async def list_harbours(call: Call) -> Result:
    """The API's answer, marked."""
    result = await call.upstream()
    return result if result.failed else Result.json({"marked": True})


HOOKS = Hooks(tools={"list_harbours": list_harbours})
'''

USER_TEST = '''"""A test of the user, with a fixture and types of the runtime's pytest plugin."""

from tests.support import Api, SentRequest


async def test_harbours_are_listed_with_one_request(api: Api) -> None:
    sent: SentRequest = await api.call("list_harbours", {}, [])

    assert sent.line.startswith("GET ")
'''


def build(folder: Path, mode: str) -> None:
    """Builds tides in a folder, with the runtime mode `mode`."""
    shutil.copy(SPEC, folder)
    text = f'spec = "tides.yaml"\nruntime = "{mode}"\n'
    (folder / "mcpgen.toml").write_text(text, encoding="utf-8")
    completed = run("mcpgen", "build", "-o", ".", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.fixture(scope="module")
def package_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project without a copy of the runtime."""
    folder = tmp_path_factory.mktemp("package")
    build(folder, "package")
    return folder


def lines_of(folder: Path) -> dict[str, int]:
    """Returns the number of lines of each built file, by path."""
    return {
        path.relative_to(folder).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in folder.rglob("*")
        if path.is_file() and path.name != SPEC.name and path.suffix != ".pyc"
    }


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("pytest", "-q", "-p", "no:cacheprovider"), id="pytest"),
        pytest.param(("mypy",), id="mypy", marks=OF_PROJECTS),
        pytest.param(("ruff", "check", "."), id="ruff"),
        pytest.param(BLACK, id="black"),
    ],
)
def test_a_project_without_a_copy_is_clean_and_its_tests_pass(
    command: tuple[str, ...], package_project: Path
) -> None:
    completed = run(*command, folder=package_project)

    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_a_project_without_a_copy_is_small(tmp_path: Path, package_project: Path) -> None:
    project_copy = shutil.copytree(
        package_project,
        tmp_path / "built",
        ignore=shutil.ignore_patterns(".*_cache", "__pycache__"),
    )

    lines = lines_of(project_copy)

    assert len(lines) <= 30
    assert "mcpgen-runtime>=" in (project_copy / "pyproject.toml").read_text("utf-8")
    assert not [path for path in lines if path.endswith(".lock") and path != "mcpgen.lock"]


@pytest.mark.repeated("the other tests of package mode show the files after the switch")
def test_switching_is_a_key_and_a_build_and_keeps_hooks_and_tests(tmp_path: Path) -> None:
    build(tmp_path, "vendored")
    (tmp_path / "tides_mcp" / "hooks.py").write_text(HOOKS, encoding="utf-8")
    (tmp_path / "tests" / "test_mine.py").write_text(USER_TEST, encoding="utf-8")
    has_copy = (tmp_path / "tides_mcp" / "_runtime").is_dir()

    outcomes = []
    for mode in ("package", "vendored"):
        build(tmp_path, mode)
        test_run = run("pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)
        is_passed = "30 passed" in test_run.stdout
        mypy_run = run("mypy", folder=tmp_path)
        has_runtime_copy = (tmp_path / "tides_mcp" / "_runtime" / "hooks.py").is_file()
        outcomes.append((is_passed, mypy_run.returncode, has_runtime_copy))

    assert has_copy
    assert outcomes == [(True, 0, False), (True, 0, True)]
    assert (tmp_path / "tides_mcp" / "hooks.py").read_text("utf-8") == HOOKS
