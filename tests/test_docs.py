"""What the documentation says is there, is there."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from benchmarks.report import FIGURES, PAGE, rewrite

from mcpgen.diagnostics.codes import TABLE

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WRITTEN_BY_HAND = (".ci", "benchmarks", "docs", "generator", "specs", "templates", "tests")
LINK = re.compile(r"\[[^\]]+\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
MAKE = re.compile(r"^\s*make ([a-z]+)|`make ([a-z]+)", re.MULTILINE)
MCPGEN = re.compile(
    r"\bmcpgen (build|check|new|explain|diff|eject|[a-z]+) ?[A-Z<./-]", re.MULTILINE
)
MARK = re.compile(r"^<!-- [a-z]+ -->$", re.MULTILINE)
FOREIGN = {
    "a home folder": re.compile(r"/root[/]"),
    "a checkout's own path": re.compile(r"/work/(?:main|shared)\b"),
    "a package registry": re.compile(r"pypi\.(?:org)|pythonhosted\.(?:org)|registry\.npm(?:js)\b"),
}

of_every_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix()
)


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def files_written_by_hand() -> list[Path]:
    """Every text file of the repository that is not generated."""
    below = (path for folder in WRITTEN_BY_HAND for path in (ROOT / folder).rglob("*"))
    at_the_top = (path for path in ROOT.iterdir() if path.name not in {".git", ".ready"})
    return sorted(
        path
        for path in (*below, *at_the_top)
        if path.is_file()
        and path.suffix != ".pyc"
        and not {"__pycache__", ".work"} & set(path.relative_to(ROOT).parts)
    )


@cache
def commands() -> str:
    """What `mcpgen --help` shows."""
    shown = subprocess.run(
        [sys.executable, "-m", "mcpgen", "--help"], capture_output=True, text=True, check=True
    )
    return shown.stdout


@of_every_page
def test_every_link_leads_to_a_file(page: Path) -> None:
    targets = LINK.findall(text_of(page))

    lost = [target for target in targets if not (page.parent / target).exists()]

    assert not lost


@of_every_page
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))

    named = {first or second for first, second in MAKE.findall(text_of(page))}

    assert named <= targets


@of_every_page
def test_every_command_exists(page: Path) -> None:
    named = set(MCPGEN.findall(text_of(page)))

    assert {name for name in named if not re.search(rf"\b{name}\b", commands())} == set()


@of_every_page
def test_every_finding_has_the_name_it_is_called_by(page: Path) -> None:
    named = re.findall(r"\b(MG\d{3}) ([a-z]+(?:-[a-z0-9]+)+)", text_of(page))

    assert all(TABLE[id].name == name for id, name in named)


def test_the_recipes_name_files_that_exist() -> None:
    recipes = text_of(ROOT / "ARCHITECTURE.md").split("## Recipes", 1)[1]

    named = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", recipes) if "<" not in path]

    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_layers_of_the_architecture_are_those_the_test_holds() -> None:
    layers = text_of(ROOT / "ARCHITECTURE.md").split("## Layers", 1)[1].split("\n## ", 1)[0]

    named = set(re.findall(r"^\| ((?:`\w+`[ ,]*)+)\|", layers, re.MULTILINE))
    rooms = {room for row in named for room in re.findall(r"\w+", row)}

    folders = {path.name.removesuffix(".py") for path in (ROOT / "generator/mcpgen").iterdir()}
    assert rooms == {name for name in folders if name.isidentifier() and "__" not in name}


def test_nothing_tells_of_the_machine_it_was_written_on() -> None:
    files = files_written_by_hand()

    found = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in files
        for what, pattern in FOREIGN.items()
        if pattern.search(path.read_text(encoding="utf-8", errors="replace"))
    ]

    assert not found


def test_the_demonstration_shows_a_call_and_its_result() -> None:
    command = [sys.executable, str(ROOT / "docs" / "examples" / "demo.py")]

    finished = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "GET /v1/harbours/gullhaven/tides?date=2026-03-21" in finished.stdout
    assert '"hours_before":12' in finished.stdout


def test_every_figure_has_its_place_in_the_page_of_benchmarks() -> None:
    page = text_of(PAGE)
    figures = {name: f"the figures of {name}" for name in FIGURES}

    written = rewrite(page, figures)

    assert all(text in written for text in figures.values())
    assert rewrite(page, {}) == page
    assert len(MARK.findall(page)) == len(figures)


def test_a_figure_without_a_place_in_the_page_is_told() -> None:
    with pytest.raises(KeyError, match="soak"):
        rewrite("# Benchmarks\n", {"soak": "figures"})


@of_every_page
def test_the_actions_of_every_workflow_stand_at_a_commit(page: Path) -> None:
    used = re.findall(r"uses: (\S+@\S+)", text_of(page))

    assert [action for action in used if not re.search(r"@[0-9a-f]{40}$", action)] == []
