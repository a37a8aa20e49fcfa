"""Options and texts shared by several commands."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import typer

from mcpgen.diagnostics.suggestions import closest_matches

ALL_PROJECTS: Any = typer.Option(
    "--all", help="Take every project below the named folder (default: the current folder)."
)
JOBS: Any = typer.Option(
    "--jobs",
    metavar="N",
    min=0,
    help="With --all: projects to run at the same time; 0 is one per processor.",
)
VERBOSE: Any = typer.Option("--verbose", "-v", help="Show every finding as text, notes included.")
FORMAT: Any = typer.Option("--format", help="Text for people, or JSON for programs.")
ROOT: Any = typer.Option(
    metavar="DIR",
    help="Let $ref reach every file below this folder, not only below the spec's own.",
    show_default=False,
)
OVERLAY: Any = typer.Option(
    metavar="FILE",
    help="Repair the description with this overlay before it is read; may be repeated.",
    show_default=False,
)
ALLOW_REMOTE: Any = typer.Option(
    metavar="HOST",
    help="Fetch a $ref to this host (and port), and to no other; may be repeated.",
    show_default=False,
)
CAPABILITY: Any = typer.Option(
    metavar="NAMES",
    help="Use only these capabilities of an OpenSpec folder, separated by commas (a,b).",
    show_default=False,
)
OPENAPI: Any = typer.Option(
    metavar="FILE",
    help="The OpenAPI file of the API behind the requirements: operations that they name become tools.",
    show_default=False,
)
CHANGE: Any = typer.Option(
    metavar="ID",
    help="Read the specs of an OpenSpec folder as if this change were archived.",
    show_default=False,
)

BEARER_ENV: Any = typer.Option(
    metavar="VAR", help="Send the access token in this variable.", show_default=False
)
HEADER: Any = typer.Option(metavar="NAME:VALUE", help="Send this header to a server. Repeatable.")
ADDRESS: Any = typer.Option(
    metavar="URL",
    help="The URL at which others reach the server, if it is not TARGET.",
    show_default=False,
)
CONFIG: Any = typer.Option(
    metavar="FILE",
    help="Read the options for the API description from this mcpgen.toml.",
    show_default=False,
)


class ReportFormat(StrEnum):
    """Output format of a report."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MARKDOWN = "markdown"
    HTML = "html"


def count(number: int, word: str) -> str:
    """Returns a number with a noun: `1 tool`, `2 tools`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def command_line(*words: str) -> str:
    """Joins words to a command line, quoted for POSIX shells, or as Windows splits a command line."""
    if os.name == "nt":
        # Imported here, because most commands start no process.
        from subprocess import list2cmdline

        return list2cmdline([word for word in words if word])
    return " ".join(shlex.quote(word) for word in words if word)


def given_parameters(context: typer.Context) -> frozenset[str]:
    """Returns the names of the parameters whose value is no default."""
    return frozenset(
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) and source.name != "DEFAULT"
    )


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns ` Did you mean …?` with the most similar known words, or `""`.

    Example: `did_you_mean("lits", ["list", "find"])` gives `' Did you mean list?'`.
    """
    close = closest_matches(word, words, cutoff=0.5)
    return f" Did you mean {' or '.join(close)}?" if close else ""
