"""The files that a project brings along for resources and prompts, from its `files.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[1] / "files.json"
"""Where they stand: by name, each with its `text`, or with its bytes as base64 in `blob`."""


@cache
def bundled_files(path: Path = PATH) -> dict[str, dict[str, str]]:
    """All files by name, read when one is first asked for."""
    files: dict[str, Any] = json.loads(path.read_bytes())
    return files
