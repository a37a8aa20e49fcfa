"""A headless browser for tests of pages."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.programs import CHROMIUM, find_program

FLAGS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000"),
)
"""Headless, without requests by the browser itself."""


@dataclass(frozen=True)
class RenderedPage:
    """The page in the browser: its elements after the script ran, and its console."""

    dom: str
    console: list[str]


def seen(page: str, folder: Path, *flags: str) -> RenderedPage:
    """Opens the page in the browser."""
    file = folder / "page.html"
    file.write_bytes(page.encode())
    # As root, in a container, Chromium has no sandbox to lock itself into.
    sandbox = ("--no-sandbox",) if hasattr(os, "getuid") and os.getuid() == 0 else ()
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [
        find_program(CHROMIUM),
        *FLAGS,
        *sandbox,
        profile,
        *flags,
        "--dump-dom",
        file.as_uri(),
    ]
    ended = subprocess.run(command, capture_output=True, timeout=120)
    told = ended.stderr.decode("utf-8", "replace").splitlines()
    assert ended.returncode == 0, told
    return RenderedPage(ended.stdout.decode(), [line for line in told if "CONSOLE" in line])
