"""A real browser without a window, for pages that tests look at."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000"),
)
"""No window, and nothing that the browser would fetch of its own accord."""


@dataclass(frozen=True)
class Seen:
    """What a browser made of a page: its elements after the script ran, and its console."""

    dom: str
    console: list[str]


def browser() -> str:
    """The path of a browser. Skips the test without one, but not in CI, where it must be there."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium here")
    assert found is not None, "CI needs Chromium: `apt-get install chromium`"
    return found


def seen(page: str, folder: Path, *flags: str) -> Seen:
    """The page as the browser shows it."""
    file = folder / "page.html"
    file.write_bytes(page.encode())
    # As root, in a container, Chromium has no sandbox to lock itself into.
    sandbox = ("--no-sandbox",) if hasattr(os, "getuid") and os.getuid() == 0 else ()
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [browser(), *FLAGS, *sandbox, profile, *flags, "--dump-dom", file.as_uri()]
    ended = subprocess.run(command, capture_output=True, timeout=120)
    told = ended.stderr.decode("utf-8", "replace").splitlines()
    assert ended.returncode == 0, told
    return Seen(ended.stdout.decode(), [line for line in told if "CONSOLE" in line])
