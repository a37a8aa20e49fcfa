"""Where text goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import os
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


def say(text: str = "") -> None:
    """Prints to standard error: what is not the command's result."""
    typer.echo(text, err=True)


def coloured(stream: TextIO) -> bool:
    """Whether colours are wanted there; https://no-color.org."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, colour: str, stream: TextIO | None = None) -> str:
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
