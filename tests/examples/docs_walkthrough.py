"""The walk-throughs of docs/openspec.md, executed block by block."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "openspec.md"

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code. `name` is the file that the block contains, or `fails` for commands whose last
    command fails."""

    language: str
    name: str
    text: str


def blocks(title: str = "Walk-through") -> Iterator[Block]:
    """Blocks of the section with this title, in order."""
    section = PAGE.read_text("utf-8").partition(f"\n## {title}\n")[2]
    # A heading of level 2 in a block of code does not end the section.
    section = re.split(r"^## (?!Purpose$|Requirements$|ADDED )", section, flags=re.MULTILINE)[0]
    for language, name, text in _BLOCK.findall(section):
        yield Block(language, name, text)


@dataclass
class Walk:
    """Working directory of the reader, and the output of the last command."""

    folder: Path
    said: str = ""

    def take(self, block: Block) -> None:
        """Writes the file, runs the commands, or compares the output. Raises AssertionError for a
        difference."""
        if block.language == "sh":
            commands = block.text.splitlines()
            for number, command in enumerate(commands, 1):
                self._run(command, fails=block.name == "fails" and number == len(commands))
        elif block.language == "text":
            expected = block.text.strip().rstrip("…").strip()
            assert expected in self.said, self.said
        else:
            path = self.folder / block.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")

    def _run(self, command: str, *, fails: bool) -> None:
        if command.startswith("cd "):
            self.folder /= command.removeprefix("cd ")
            return
        own = Path(sys.executable).parent
        inherited = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
        finished = subprocess.run(
            shlex.split(command, comments=True),
            cwd=self.folder,
            env=inherited | {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        self.said = finished.stdout + finished.stderr
        assert (finished.returncode != 0) is fails, f"{command}\n{self.said}"
