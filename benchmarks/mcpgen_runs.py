"""mcpgen itself, measured: its phases, its commands, and the servers it makes."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.competitors import Absent, best_start, last_line, shortened
from benchmarks.documents import ROOT, Document
from benchmarks.measure import Run, best, run
from benchmarks.servers import Start

MCPGEN = [sys.executable, "-m", "mcpgen"]


@dataclass(frozen=True, slots=True)
class Line:
    """One walk down the straight line: what it says of itself, and what the process took."""

    facts: dict[str, Any]
    run: Run


def line(document: Document, work: Path) -> Line | Absent:
    """The phases of a cold build, without the check."""
    folder = empty(work / "phases" / document.name)
    made = run([sys.executable, "-m", "benchmarks.phases", document.path, folder], ROOT)
    try:
        facts = json.loads(made.output.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return Absent(last_line(made))
    return Line(facts, made) if facts["good"] else Absent(shortened(facts["worst"]))


def cold_build(document: Document, work: Path) -> Run | Absent:
    """`mcpgen build` into an empty folder, without the check and without anything remembered."""
    forget(work)
    return _built(run(build(document, empty(project(document, work)))))


def unchanged_build(document: Document, work: Path) -> Run | Absent:
    """The same build again, with nothing to do."""
    return _built(best(build(document, project(document, work))))


def checked_build(document: Document, work: Path) -> Run | Absent:
    """`mcpgen build` into an empty folder with the check it ends with."""
    forget(work)
    command = build(document, empty(work / "checked" / document.name))
    return _built(run([part for part in command if part != "--no-verify"]))


def server_start(document: Document, work: Path, times: int = 3) -> Start | Absent:
    """The server of the project that `cold_build` has made."""
    folder = project(document, work)
    packages = sorted(path.parent.name for path in folder.glob("*/__main__.py"))
    if not packages:
        return Absent("there is no project")
    command: list[str | Path] = [sys.executable, "-m", packages[0]]
    command += ["--upstream", "http://127.0.0.1:9", "--port"]
    return best_start(command, times, folder)


def show_help() -> Run:
    """`mcpgen --help`."""
    return best([Path(sys.executable).with_name("mcpgen"), "--help"], times=5)


def build(document: Document, folder: Path) -> list[str | Path]:
    """The command that builds the document into the folder, without the check."""
    return [*MCPGEN, "build", document.path, "-o", folder, "--no-verify", "--keep-going"]


def project(document: Document, work: Path) -> Path:
    """Where the document's project is built."""
    return work / "projects" / document.name


def empty(folder: Path) -> Path:
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def forget(work: Path) -> None:
    """Takes away what earlier builds have remembered, which is kept apart from the user's own."""
    shutil.rmtree(work / "cache", ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")


def _built(made: Run) -> Run | Absent:
    """The run, unless it has failed."""
    return Absent(last_line(made)) if made.failed else made
