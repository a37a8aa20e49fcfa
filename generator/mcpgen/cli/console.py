"""Where text goes: results to standard output, everything else to standard error."""

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
    "trial": "starting and checking the server",
    "check": "checking the server",
    "list": "listing the server's tools",
}
"""What each phase of a build is called while it runs."""


class Format(StrEnum):
    """How a result is written: for people, or for programs."""

    TEXT = "text"
    JSON = "json"


CONTROLS = re.compile(
    "(?!\\x1b\\[[0-9;]{0,8}m)[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff"
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)
"""Characters that a terminal obeys or that turn the direction of reading, but for tabs, line ends and
the sequences that set a colour."""

LINE_COMMAND = re.compile(r"^(?=[ \t]*::)", re.MULTILINE)
INLINE_COMMAND = re.compile(r"#(?=#(?:\[|vso\[))")
"""Workflow commands of GitHub Actions, `::error::`, and of Azure Pipelines, `##vso[…]`: what begins a
line, and what may stand anywhere in it."""


def say(text: str = "") -> None:
    """Prints to standard error: what is not the command's result."""
    typer.echo(inert(text), err=True)


def echo(text: str) -> None:
    """Prints a result for people to standard output."""
    typer.echo(inert(text))


def echo_report(text: str, form: str) -> None:
    """Prints a report, which ends with a line break, to standard output. `form` is its format: text and
    Markdown are made inert, in JSON and SARIF commands are escaped, which changes no value; JUnit
    and HTML escape their texts themselves."""
    shown = text.encode("utf-8", "replace").decode("utf-8")
    if form in ("text", "markdown"):
        shown = inert(shown)
    elif form in ("json", "sarif"):
        shown = INLINE_COMMAND.sub(r"\\u0023", shown)
    typer.echo(shown, nl=False)


def echo_json(tree: object, indent: int | None = 2) -> None:
    """Prints a result for programs to standard output, in ASCII. Such a document has no line that
    begins with `::`; other workflow commands are escaped, which changes no value."""
    typer.echo(INLINE_COMMAND.sub(r"\\u0023", json.dumps(tree, indent=indent)))


def inert(text: str) -> str:
    """The text in a form that neither a terminal nor the log of a CI system obeys: documents and
    servers decide some of the words that commands print. Control characters become U+FFFD, and
    a line that a CI system would take for a command begins with `| `."""
    seen = CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
    return INLINE_COMMAND.sub("# ", LINE_COMMAND.sub("| ", seen))


def coloured(stream: TextIO) -> bool:
    """Whether colours are wanted there; https://no-color.org."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """The text in a colour, if the stream (standard output, unless told) takes colours."""
    return typer.style(text, fg=colour) if coloured(stream or sys.stdout) else text


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A line on a terminal's standard error that says what is going on; elsewhere nothing.

    The body gets the function to call with the name of each phase.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting", spinner="dots") as status:
        yield lambda phase: status.update(PHASES.get(phase, phase))
