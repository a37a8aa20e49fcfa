"""`python -m docs.site.pictures`: records the pictures of the README and of the tutorial.

`demo.svg` shows `make demo` and `build.svg` the build of the tutorial, both as recorded in a terminal;
`report.png` shows the report of the tutorial in Chromium, if Chromium is installed.
"""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from docs.site.pages import PICTURES, ROOT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

WIDTH = 100
"""Columns of the terminal. A README shows about 900 pixels, in which 100 columns stay legible."""

HASTE = 0.5
"""The picture plays a recording in half of its time, and shows no pause above a second."""

_THEME = TerminalTheme(
    (24, 27, 33),
    (222, 226, 232),
    [
        (92, 99, 112),
        (240, 113, 120),
        (126, 201, 130),
        (229, 192, 123),
        (97, 175, 239),
        (198, 140, 228),
        (86, 182, 194),
        (222, 226, 232),
    ],
)
# Rich's own frame loads a font from another host.
_FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: system-ui, sans-serif; }}
{styles}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""
_PLAYED = (
    "@media (prefers-reduced-motion: no-preference) {{ "
    "text[clip-path] {{ animation: show 1ms both }} @keyframes show {{ from {{ opacity: 0 }} }} {rules} }}"
)
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-HJ-Zac-ln-z]")
_PROGRESS = re.compile(r"(?:\x1b\[[0-9;]*m)*[\u2800-\u28ff]")


def record(command: list[str], folder: Path) -> Iterator[tuple[float, str]]:
    """Runs a command in a terminal of `WIDTH` columns. Yields seconds since the start and each line,
    with colors, as it appears. Raises CalledProcessError if the command fails."""
    leader, follower = pty.openpty()
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": programs, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    started = time.monotonic()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    rest = b""
    while True:
        try:
            data = os.read(leader, 65536)
        except OSError:  # Linux reports the end of the process as an error.
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in map(_shown, lines):
            if not _PROGRESS.match(line):
                yield time.monotonic() - started, line
    os.close(leader)
    if code := process.wait():
        raise subprocess.CalledProcessError(code, command)


def draw(lines: list[tuple[float, str]], title: str) -> str:
    """The recorded lines as SVG, each shown at its moment; without motion, all lines at once."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    moments: list[float] = []
    clock = last = 0.0
    for moment, line in lines:
        clock += min(moment - last, 2.0) * HASTE
        last = moment
        wrapped = Text.from_ansi(line).wrap(console, WIDTH)
        moments += [clock] * max(len(wrapped), 1)
        console.print(wrapped or Text(""))
    picture = console.export_svg(
        title=title, theme=_THEME, code_format=_FRAME, unique_id=title.replace(" ", "-")
    )
    rules = "".join(
        f'text[clip-path$="-line-{number})"] {{animation-delay:{moment:.2f}s}}'
        for number, moment in enumerate(moments)
    )
    return picture.replace("</style>", _PLAYED.format(rules=rules) + "</style>", 1)


def tutorial_files(folder: Path) -> None:
    """Saves the files of the tutorial in a folder."""
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    for name, text in re.findall(r"^```\w+ (\w+\.\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text, "utf-8")


def main() -> int:
    """Records every picture; returns the exit code."""
    PICTURES.mkdir(exist_ok=True)
    demo = [sys.executable, "docs/examples/demo.py"]
    _save("demo.svg", draw([(0.0, "\x1b[1m$ make demo\x1b[0m"), *record(demo, ROOT)], "make demo"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        tutorial_files(folder)
        command = "mcpgen build openapi.yaml -o notes"
        lines = record(shlex.split(command), folder)
        _save("build.svg", draw([(0.0, f"\x1b[1m$ {command}\x1b[0m"), *lines], "mcpgen build"))
        _report(folder)
    return 0


def _report(folder: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
    if not browser:
        print("report.png: needs Chromium", file=sys.stderr)
        return
    check = ["mcpgen", "check", "notes", "--report", "html=report.html"]
    for _ in record(check, folder):
        pass
    picture = PICTURES / "report.png"
    command = [browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=900,640"]
    subprocess.run(
        [*command, f"--screenshot={picture}", (folder / "report.html").as_uri()],
        check=True,
        capture_output=True,
    )
    print(f"report.png: {picture.stat().st_size:,} bytes")


def _save(name: str, text: str) -> None:
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    (PICTURES / name).write_text(text, "utf-8")
    print(f"{name}: {len(text.encode()):,} bytes")


def _shown(line: bytes) -> str:
    # A progress line is overwritten after `\r`.
    text = line.decode("utf-8", "replace").rstrip("\r").rpartition("\r")[2]
    return _CONTROL.sub("", text)


if __name__ == "__main__":
    raise SystemExit(main())
