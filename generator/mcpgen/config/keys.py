"""The keys of `mcpgen.toml`: the one table behind validation, defaults and documentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import rules
from mcpgen.config.values import Deprecated, FlattenMode, OutputMode


class Kind(StrEnum):
    """What type of value a key takes, in the words of a message."""

    STRING = "a string"
    INTEGER = "a whole number"
    BOOLEAN = "true or false"
    SELECTORS = "a list of selectors"
    NAMES = "a table of strings"
    FIELDS = "a table of lists of strings"
    TEXTS = "a list of strings"
    CHOICES = "a table of strings, which may repeat"


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `path` is dotted from the document's root; `must` says what `fits` asks, for the
    message when it says no; `meaning` is the sentence the documentation explains further."""

    path: str
    kind: Kind
    default: Any
    meaning: str
    must: str = ""
    fits: Callable[[Any], bool] = bool


def _within(low: int, high: int) -> Callable[[int], bool]:
    """Tells whether a number is in the range, both ends included."""
    return lambda number: low <= number <= high


def _text(path: str, meaning: str, must: str, fits: Callable[[str], bool]) -> Key:
    """A key for a string that may be left empty."""
    return Key(path, Kind.STRING, "", meaning, must, lambda text: text == "" or fits(text))


def _choice(path: str, meaning: str, choices: type[StrEnum]) -> Key:
    """A key for one word out of several, the first by default."""
    words = [str(choice) for choice in choices]
    must = "one of " + ", ".join(f"`{word}`" for word in words)
    return Key(path, Kind.STRING, words[0], meaning, must, lambda text: text in words)


KEYS = (
    _text(
        "spec",
        "Path of the API description, relative to this file.",
        "the path of a file",
        rules.is_path,
    ),
    _text(
        "root",
        "Folder that `$ref` may not leave, relative to this file; the one of `spec` if empty.",
        "the path of a folder",
        rules.is_path,
    ),
    Key(
        "overlays",
        Kind.TEXTS,
        (),
        "Paths of overlays that repair the API description, relative to this file, in order.",
        "the path of a file",
        rules.is_path,
    ),
    Key(
        "allow_remote",
        Kind.TEXTS,
        (),
        "Hosts that a `$ref` may be fetched from, with a port where it is not the usual one.",
        "a host name or an address, with an optional port, and nothing else",
        rules.is_host,
    ),
    _text(
        "name",
        "Name of the project and of the MCP server; from the API's title if empty.",
        "lower-case words of letters and digits joined by `-`, at most 40 characters",
        rules.is_slug,
    ),
    _text(
        "package",
        "Import name of the Python package; the name with `_mcp` if empty.",
        "a lower-case Python name that no module of Python or of the server's dependencies has",
        rules.is_package,
    ),
    _text(
        "title",
        "The title that people see; the API's title if empty.",
        "one line of at most 200 characters",
        rules.is_line,
    ),
    _text(
        "upstream",
        "Base URL of the API; the first server of the API description if empty.",
        "an http or https URL without user, query and fragment",
        rules.is_base_url,
    ),
    Key(
        "keep_going",
        Kind.BOOLEAN,
        False,
        "Whether to build the other tools when an operation cannot be generated.",
        fits=lambda _: True,
    ),
    Key(
        "select.include",
        Kind.SELECTORS,
        (),
        "Operations that become tools; all of them if the list is empty.",
    ),
    Key(
        "select.exclude",
        Kind.SELECTORS,
        (),
        "Operations that do not become tools, also when they are included.",
    ),
    Key(
        "names",
        Kind.NAMES,
        {},
        "Tool names you choose, by operation: its operationId or `GET /pets/{id}`.",
        "1 to 40 lower-case letters and digits, with single `_` between, starting with a letter",
        rules.is_tool_name,
    ),
    Key(
        "fields",
        Kind.FIELDS,
        {},
        "Fields of results that are shown, by operation; all of them where none are chosen.",
        "a list of names, with a `.` between those of nested objects",
        rules.is_field,
    ),
    Key(
        "bodies",
        Kind.CHOICES,
        {},
        "Media types that bodies are sent in, by operation: its operationId, `POST /pets`, or `*`.",
        "a media type such as `application/xml`",
        rules.is_media_type,
    ),
    Key(
        "flatten.max_depth",
        Kind.INTEGER,
        3,
        "Levels of nested objects that become arguments; what lies deeper is JSON text.",
        "from 0 to 16",
        _within(0, 16),
    ),
    Key(
        "flatten.max_arguments",
        Kind.INTEGER,
        64,
        "Arguments a tool may have before nested objects become JSON text.",
        "from 1 to 1000",
        _within(1, 1000),
    ),
    _choice(
        "flatten.mode",
        "The shape of the arguments: flat for every host, `strict` or `nested` for hosts that can.",
        FlattenMode,
    ),
    _choice(
        "flatten.deprecated",
        "Whether optional arguments that the API calls deprecated are announced.",
        Deprecated,
    ),
    _choice(
        "output.schemas",
        "How much of a result's schema is announced to clients.",
        OutputMode,
    ),
    Key(
        "descriptions.limit",
        Kind.INTEGER,
        1024,
        "Characters of a tool's description; a longer one is cut at the end of a sentence.",
        "from 40 to 100000",
        _within(40, 100_000),
    ),
)
"""Every key, in the order of the documentation."""
