"""Options that several commands have, and how the command line speaks."""

from __future__ import annotations

import os
import shlex
from typing import Any

import typer

FORMAT: Any = typer.Option("--format", help="Text for people, or JSON for programs.")


def count(number: int, word: str) -> str:
    """The number with its word: `1 tool`, `2 tools`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def command(*words: str) -> str:
    """A command line as people type it."""
    return " ".join(word if os.name == "nt" else shlex.quote(word) for word in words if word)
