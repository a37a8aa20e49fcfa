"""Modules run as a user runs them: `python -m MODULE` in a project's folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(module: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The finished module; nothing of the tests leaks into it, and it leaves no bytecode."""
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        (sys.executable, "-m", module, *arguments),
        cwd=folder,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
