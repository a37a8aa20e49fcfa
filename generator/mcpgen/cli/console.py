"""Prints results to standard output and all other text to standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TextIO

import typer

PHASES = {
    "compare": "looking for changes",
    "fetch": "fetching the document",
    "read": "reading the specification",
    "validate": "validating the specification",
    "parse": "understanding the operations",
    "lower": "flattening arguments",
    "emit": "writing code",
    "plan": "comparing with the folder",
    "write": "writing files",
    "official": "getting the official suite",
    "scenarios": "performing scenarios",
    "smoke_test": "starting and checking the server",
    "check": "checking the server",
    "list": "listing the server's tools",
}
"""The progress text of every phase."""


class Format(StrEnum):
    """Output for people, or for programs."""

    TEXT = "text"
    JSON = "json"


CONTROLS = re.compile(
    "(?!\\x1b\\[(?:0|1|3[1-6])m)[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff"
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)
"""Control characters, carriage return included, lone surrogates, and characters that change the
direction of text. Excepted are tabs, line feeds, and the sequences that mcpgen prints itself: reset,
bold, and colors 31 to 36. Other sequences of this form can hide text (`ESC[8m`)."""

LINE_COMMAND = re.compile(r"^(?=[^\S\n]*::)", re.MULTILINE)
"""`::error::` of GitHub Actions at the start of a line, behind any white space of Unicode: the runner
calls `TrimStart` (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)."""

INLINE_COMMAND = re.compile(r"#(?=#(?:\[|vso\[))")
"""`##[error]` of GitHub Actions and `##vso[…]` of Azure Pipelines, anywhere in a line."""


def say(text: str = "") -> None:
    """Prints to standard error."""
    typer.echo(inert(text), err=True)


def echo(text: str) -> None:
    """Prints a result for people to standard output."""
    typer.echo(inert(text))


def echo_report(text: str, form: str) -> None:
    """Prints a report to standard output. `text` must end with a line break: none is added. `form` is a
    value of `ReportFormat`. Text and Markdown are made inert. In JSON and SARIF, workflow commands are
    escaped without a change of values. JUnit and HTML are escaped by the writer."""
    printable = text.encode("utf-8", "replace").decode("utf-8")
    if form in ("text", "markdown"):
        printable = inert(printable)
    elif form in ("json", "sarif"):
        printable = INLINE_COMMAND.sub(r"\\u0023", printable)
    typer.echo(printable, nl=False)


def echo_json(tree: object, indent: int | None = 2) -> None:
    """Prints a result for programs to standard output, in ASCII. No line of JSON begins with `::`;
    other workflow commands are escaped without a change of values."""
    typer.echo(INLINE_COMMAND.sub(r"\\u0023", json.dumps(tree, indent=indent)))


def inert(text: str) -> str:
    """Makes a text harmless for terminals and CI logs: texts of documents and servers are printed.
    Characters of `CONTROLS` become U+FFFD, `| ` precedes a LINE_COMMAND, and an INLINE_COMMAND gets a
    space between the `#`."""
    printable = CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
    return INLINE_COMMAND.sub("# ", LINE_COMMAND.sub("| ", printable))


def shows_color(stream: TextIO) -> bool:
    """True if the stream takes colors; https://no-color.org."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, color: str, stream: TextIO | None = None) -> str:
    """Colors a text with ANSI codes, if the stream (default: standard output) takes colors."""
    return typer.style(text, fg=color) if shows_color(stream or sys.stdout) else text


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows the current phase on a line of standard error, on terminals only.

    Yields a function that shows a phase (a key of `PHASES`) or any other text.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting", spinner="dots") as status:
        yield lambda phase: status.update(PHASES.get(phase, phase))
