"""The distributions of both projects: contents, the way from the sdist to the wheel, and use in an
environment with nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from tests.test_extras import PROJECT, packages

import mcpgen

ROOT = Path(__file__).parent.parent
UNTRACKED = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
DISTRIBUTIONS = {"mcpgen": ROOT, "mcpgen_runtime": ROOT / "runtime"}
"""The folder of each distribution, by the name in file names."""


def files_below(folder: Path) -> set[str]:
    """The files a checkout holds below the folder, as POSIX paths relative to it."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not UNTRACKED & set(path.parts)
    }


def build_wheel(source: Path, folder: Path) -> Path:
    """Builds the wheel of a source folder into a folder; returns the path of the wheel."""
    return Path(next(WheelBuilder(str(source)).build(directory=str(folder))))


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel, by path."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of each distribution, built from the checkout."""
    return {
        name: build_wheel(source, tmp_path_factory.mktemp(name))
        for name, source in DISTRIBUTIONS.items()
    }


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of each distribution's unpacked sdist."""
    folders = {}
    for name, source in DISTRIBUTIONS.items():
        folder = tmp_path_factory.mktemp(name)
        sdist = Path(next(SdistBuilder(str(source)).build(directory=str(folder))))
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        folders[name] = folder / sdist.name.removesuffix(".tar.gz")
    return folders


@pytest.fixture(scope="module")
def wheel(wheels: Mapping[str, Path]) -> set[str]:
    """The names inside the wheel of mcpgen."""
    return set(contents(wheels["mcpgen"]))


def test_the_wheel_holds_the_package(wheel: set[str]) -> None:
    expected = files_below(ROOT / "generator" / "mcpgen")

    texts = {
        name.removeprefix("mcpgen/")
        for name in wheel
        if name.startswith("mcpgen/")
        and not name.startswith(("mcpgen/templates/", "mcpgen/runtime/"))
    }

    assert texts == expected


@pytest.mark.parametrize(
    "kind",
    [
        "checks/*.toml",
        "hosts/*.json",
        "report/*.schema.json",
        "report/html/*.[cj]s*",
        "official/package*.json",
    ],
)
def test_the_wheel_holds_what_the_checks_read(wheel: set[str], kind: str) -> None:
    expected = {
        path.relative_to(ROOT / "generator").as_posix()
        for path in (ROOT / "generator" / "mcpgen" / "conformance").glob(kind)
    }

    assert expected
    assert expected <= wheel


def test_the_wheel_holds_the_templates(wheel: set[str]) -> None:
    expected = files_below(ROOT / "templates")

    texts = {
        name.removeprefix("mcpgen/templates/")
        for name in wheel
        if name.startswith("mcpgen/templates/")
    }

    assert texts == expected


def test_the_wheel_holds_the_distribution_of_the_runtime(wheel: set[str]) -> None:
    texts = {
        name.removeprefix("mcpgen/runtime/") for name in wheel if name.startswith("mcpgen/runtime/")
    }

    assert texts == files_below(ROOT / "runtime")


def test_the_wheel_holds_nothing_else(wheel: set[str]) -> None:
    roots = {name.split("/")[0] for name in wheel}

    strange = {root for root in roots if not root.endswith(".dist-info")} - {"mcpgen"}

    assert not strange


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_sdist_gives_the_wheel_of_the_checkout(
    name: str, sources: Mapping[str, Path], wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    rebuilt_wheel = build_wheel(sources[name], tmp_path)

    assert rebuilt_wheel.name == wheels[name].name
    assert contents(rebuilt_wheel) == contents(wheels[name])


def test_the_sdist_holds_every_folder_that_the_tests_read(sources: Mapping[str, Path]) -> None:
    names = {path.name for path in sources["mcpgen"].iterdir()}

    assert {"tests", "generated", "specs", "docs", "benchmarks", "ci"} <= names
    assert {"Makefile", "requirements-dev.lock", "action.yml", "CHANGELOG.md"} <= names
    assert not names & {".venv", ".git", *UNTRACKED}


def test_both_distributions_have_one_version() -> None:
    runtime = tomllib.loads((ROOT / "runtime" / "pyproject.toml").read_text("utf-8"))["project"]

    assert {PROJECT["version"], runtime["version"], mcpgen.__version__} == {PROJECT["version"]}


def test_the_changelog_has_a_dated_section_of_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)

    assert sections[0] == ("Unreleased", "")
    assert sections[1][0] == PROJECT["version"]
    assert all(date for _, date in sections[1:])


@pytest.fixture(scope="module")
def empty_environment(
    wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., str]:
    """Runs modules in an environment with both wheels and the packages that mcpgen requires; returns
    the output."""
    environment = tmp_path_factory.mktemp("empty")
    venv.create(environment, symlinks=True)
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    (site,) = environment.glob("**/site-packages")
    for path in wheels.values():
        with zipfile.ZipFile(path) as archive:
            archive.extractall(site)
    # As pip would install them, but from the environment of the tests: no package index is needed.
    for name in packages(PROJECT["dependencies"]):
        distribution = metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(str(distribution.locate_file(top)))

    def run(*words: str) -> str:
        command = [str(python), "-I", "-m", *words]
        completed = subprocess.run(command, cwd=environment, capture_output=True, text=True)
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout

    return run


def test_the_command_starts_in_an_environment_with_the_required_packages_only(
    empty_environment: Callable[..., str],
) -> None:
    assert empty_environment("mcpgen", "--version") == f"mcpgen {PROJECT['version']}\n"


@pytest.mark.repeated(
    "the wheels have the files of the checkout, and tests/test_extras.py builds with the required packages"
)
def test_a_server_is_built_and_checked_in_an_environment_with_the_required_packages_only(
    empty_environment: Callable[..., str],
) -> None:
    api = (ROOT / "specs" / "openapi" / "tides.yaml").as_posix()

    content = json.loads(empty_environment("mcpgen", "build", api, "-o", "a", "--format", "json"))

    assert content["status"] == "built"
    assert content["report"]["failed"] is False
    assert content["report"]["counts"]["passed"]
