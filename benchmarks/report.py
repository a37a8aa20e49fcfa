"""The page of measurements, docs/benchmarks.md: prose by hand, figures between marks.

A figure stands between `<!-- NAME -->` and `<!-- /NAME -->`; what is between them is written anew, the
rest is left alone.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

from benchmarks import build_tables
from benchmarks.documents import ROOT, Document
from benchmarks.measure import run

_MEASURED = ("generator", "templates", "benchmarks")
"""What the figures depend on."""

PAGE = ROOT / "docs" / "benchmarks.md"
_MARKED = re.compile(r"(<!-- (?P<name>[a-z]+) -->\n).*?(<!-- /(?P=name) -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is measured: the descriptions, where their projects are built, and whether peers are beside."""

    documents: Sequence[Document]
    work: Path
    peers: bool


def _program(name: str, *options: str, peers: bool = False) -> Callable[[Asked], str]:
    """What another benchmark prints; `peers` says that it knows `--no-peers`. One that goes beyond its
    bound has failed, and its figures are shown all the same; what is no table is shown as it is."""

    def figures(asked: Asked) -> str:
        rest = [*options, *(["--no-peers"] if peers and not asked.peers else [])]
        made = run([sys.executable, "-m", f"benchmarks.{name}", *rest], ROOT)
        told = made.output.strip()
        return f"{told}\n" if "| ---" in told else f"```text\n{told}\n```\n"

    return figures


FIGURES: Mapping[str, Callable[[Asked], str]] = {
    "phases": lambda asked: build_tables.phases(asked.documents, asked.work),
    "commands": lambda asked: build_tables.commands(asked.documents, asked.work),
    "peers": lambda asked: build_tables.peers(asked.documents, asked.work) if asked.peers else "",
    "builds": _program("builds", peers=True),
    "calls": _program("calls"),
    "flattening": _program("flattening"),
    "checks": _program("checks"),
    "serving": _program("serving", peers=True),
    "capacity": _program("capacity"),
    "soak": _program("soak", "--minutes", "10"),
}
"""What can be measured, in the order of the page."""

LONG = {"soak"}
"""What is measured only where it is named."""


def measured(name: str, asked: Asked) -> str:
    """The figures of one name as Markdown, with what they were measured on."""
    return f"{_machine()}\n\n{FIGURES[name](asked)}"


def rewritten(page: str, figures: Mapping[str, str]) -> str:
    """The page with these figures in their places; a figure without a place is a `KeyError`."""
    if missing := figures.keys() - {match["name"] for match in _MARKED.finditer(page)}:
        raise KeyError(f"the page has no marks for {', '.join(sorted(missing))}")

    def replaced(match: re.Match[str]) -> str:
        found = figures.get(match["name"])
        return match[0] if found is None else f"{match[1]}\n{found}\n{match[3]}"

    return _MARKED.sub(replaced, page)


def _machine() -> str:
    """What it is measured on, what else the machine did then, and which mcpgen it is."""
    load = f"load {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else "load unknown"
    commit = _git("rev-parse", "--short", "HEAD") or "no commit"
    changed = " and changes" if _git("status", "--porcelain", *_MEASURED) else ""
    python = f"Python {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {python}"
    return f"*{system}; {load}; {commit}{changed}*"


def _git(*words: str) -> str:
    """What git says, nothing where there is none or this is no checkout."""
    try:
        return subprocess.check_output(["git", *words], cwd=ROOT, text=True, stderr=DEVNULL).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
