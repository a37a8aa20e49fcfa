"""Runs of mcpgen: the phases of a build, the commands, and the start of a generated server."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.competitors import Absent, best_start, last_line, shorten_error, succeeded
from benchmarks.documents import ROOT, MeasuredDocument
from benchmarks.measure import Run, best, run_process
from benchmarks.servers import ServerStart

MCPGEN = [sys.executable, "-m", "mcpgen"]


@dataclass(frozen=True, slots=True)
class PhaseRun:
    """A build with the JSON object that `benchmarks.phases` printed, and the figures of the process."""

    facts: dict[str, Any]
    run: Run


def phase_run(document: MeasuredDocument, work: Path) -> PhaseRun | Absent:
    """A build without `verify`, with the seconds of every phase."""
    folder = make_empty(work / "phases" / document.name)
    build = run_process([sys.executable, "-m", "benchmarks.phases", document.path, folder], ROOT)
    try:
        facts = json.loads(build.output.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return Absent(last_line(build))
    return PhaseRun(facts, build) if facts["good"] else Absent(shorten_error(facts["worst"]))


def cold_build(document: MeasuredDocument, work: Path) -> Run | Absent:
    """`mcpgen build --no-verify` into an empty folder with an empty build cache."""
    clear_build_cache(work)
    return succeeded(
        run_process(build_command(document, make_empty(project_folder(document, work))))
    )


def repeated_build(document: MeasuredDocument, work: Path) -> Run | Absent:
    """The best of three builds into the folder of `cold_build` with its cache."""
    return succeeded(best(build_command(document, project_folder(document, work))))


def verified_build(document: MeasuredDocument, work: Path) -> Run | Absent:
    """`mcpgen build` with verification into an empty folder with an empty build cache."""
    clear_build_cache(work)
    command = build_command(document, make_empty(work / "checked" / document.name))
    return succeeded(run_process([part for part in command if part != "--no-verify"]))


def server_start(document: MeasuredDocument, work: Path) -> ServerStart | Absent:
    """The start of the project in the folder of `cold_build`."""
    folder = project_folder(document, work)
    packages = sorted(path.parent.name for path in folder.glob("*/__main__.py"))
    if not packages:
        return Absent("there is no project")
    command: list[str | Path] = [sys.executable, "-m", packages[0]]
    command += ["--upstream", "http://127.0.0.1:9", "--port"]
    return best_start(command, folder=folder)


def show_help() -> Run:
    """The best of five runs of `mcpgen --help`."""
    return best([Path(sys.executable).with_name("mcpgen"), "--help"], times=5)


def build_command(document: MeasuredDocument, folder: Path) -> list[str | Path]:
    """`mcpgen build` of a document into a folder, without verification."""
    return [*MCPGEN, "build", document.path, "-o", folder, "--no-verify", "--keep-going"]


def project_folder(document: MeasuredDocument, work: Path) -> Path:
    """The folder that `cold_build` writes the document's project to."""
    return work / "projects" / document.name


def make_empty(folder: Path) -> Path:
    """Removes a folder with its content and makes its parents; returns the folder, which is absent."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def clear_build_cache(work: Path) -> None:
    """Empties a build cache below `work`, and makes later builds use it instead of the user's cache."""
    shutil.rmtree(work / "cache", ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")
