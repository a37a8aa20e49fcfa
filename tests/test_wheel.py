"""The wheel contains the package and the templates only."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
UNTRACKED = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def files_below(folder: Path) -> set[str]:
    """The files a checkout holds below the folder, as POSIX paths relative to it."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not UNTRACKED & set(path.parts)
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names inside a wheel that was built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_package(wheel: set[str]) -> None:
    expected = files_below(ROOT / "generator" / "mcpgen")

    found = {
        name.removeprefix("mcpgen/")
        for name in wheel
        if name.startswith("mcpgen/")
        and not name.startswith(("mcpgen/templates/", "mcpgen/runtime/"))
    }

    assert found == expected


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

    found = {
        name.removeprefix("mcpgen/templates/")
        for name in wheel
        if name.startswith("mcpgen/templates/")
    }

    assert found == expected


def test_the_wheel_holds_the_distribution_of_the_runtime(wheel: set[str]) -> None:
    found = {
        name.removeprefix("mcpgen/runtime/") for name in wheel if name.startswith("mcpgen/runtime/")
    }

    assert found == files_below(ROOT / "runtime")


def test_the_wheel_holds_nothing_else(wheel: set[str]) -> None:
    roots = {name.split("/")[0] for name in wheel}

    strange = {root for root in roots if not root.endswith(".dist-info")} - {"mcpgen"}

    assert not strange
