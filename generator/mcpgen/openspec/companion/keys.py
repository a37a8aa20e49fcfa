"""Types of companion keys: the rows of the key tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from keyword import iskeyword
from re import Pattern

from mcpgen.ir.result_path import path_steps
from mcpgen.ir.source import Json


class CompanionType(StrEnum):
    """Type of a value, as named in messages."""

    TEXT = "a text"
    NUMBER = "a whole number"
    FLAG = "true or false"
    MAPPING = "a mapping"
    LIST = "a list"
    TEXTS = "a text or a list of texts"
    ANY = "a value"


@dataclass(frozen=True, slots=True)
class CompanionKey:
    """A key: type, `needed`, and a rule for the value beyond its type.

    `fits` checks a text, a number, or every text of a list; `must` is the rule in words.
    """

    kind: CompanionType
    needed: bool = False
    fits: Callable[[Json], bool] | None = None
    must: str = ""


Keys = Mapping[str, CompanionKey]
"""Keys of a mapping, in the order of the documentation."""


def _like(pattern: str) -> Callable[[Json], bool]:
    compiled: Pattern[str] = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def is_regex(text: str) -> bool:
    """Returns whether a text is a Python regular expression."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


NAME = (_like(r"[A-Za-z_][A-Za-z0-9_-]{0,63}"), "a name of letters, digits, `_` and `-`")
TOOL_NAME = (
    _like(r"[A-Za-z][A-Za-z0-9_.-]{0,63}"),
    "a letter, then up to 63 letters, digits, `_`, `-` and `.`",
)
ARGUMENT_NAME = (
    _like(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}"),
    "a letter or `_`, then letters and digits",
)
FUNCTION = (
    lambda name: re.fullmatch(r"[a-z][a-z0-9_]*", name) is not None and not iskeyword(name),
    "the name of a function in `tests/fixtures.py`",
)
MODULE = (_like(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"), "the dotted name of a module")
_STEERING = re.compile(r"(?:PYTHON|LD_|DYLD_|GLIBC_).*|PATH|BROWSER|PERL5OPT|PAGER|EDITOR", re.I)
_VARIABLE = _like(r"[A-Za-z_][A-Za-z0-9_]*")
VARIABLE = (
    lambda name: _VARIABLE(name) and not _STEERING.fullmatch(name),
    "the name of an environment variable, and none that says which programs run",
)
HEADER_NAME = (_like(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"), "the name of a header")
HEADER_VALUE = (
    _like(r"(?:[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?)?"),
    "a value that a header can carry",
)
VARIABLE_VALUE = (lambda text: "\0" not in text, "a text without a NUL character")
QUERY_NAME = (lambda text: text != "", "the name of a query parameter")
METHOD = (_like(r"[A-Z]{1,20}"), "an HTTP method in capital letters")
ROUTE = (_like(r"/[^\s?#]*"), "a path that begins with `/`, without a query")
TARGET = (_like(r"/[^\s#]*"), "a path that begins with `/`")
FILE = (
    _like(r"(?!/)(?![A-Za-z]:)(?!.*(?:^|/)\.\.(?:/|$))[^\\\x00-\x1f\x7f]+"),
    "the path of a file inside the project",
)
DOCUMENT = (
    _like(r"(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)[^\\\x00-\x1f\x7f]+"),
    "the path of an OpenAPI document, from the folder of this file",
)
MEDIA_TYPE = (
    _like(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(?:\s*;\s*[\w.-]+=[^\s;]+)*"),
    "a media type such as `text/plain`",
)
URI = (_like(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+"), "an absolute URI")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LEVEL = (lambda name: name in LEVELS, "one of " + ", ".join(f"`{name}`" for name in LEVELS))
LONGEST_WAIT = (lambda number: 0 < number <= 60_000, "from 1 to 60000, in milliseconds")
OPERATION = (lambda text: text.strip() != "", "an `operationId` or `GET /path`")
REVISION = (_like(r"\d{4}-\d{2}-\d{2}"), 'a revision of MCP such as "2025-11-25"')
SHA256 = (_like(r"[0-9a-f]{64}"), "64 hexadecimal digits")
DIGEST = (_like(r"[0-9a-f]{12}"), "12 hexadecimal digits")
HTTP_STATUS = (lambda number: 100 <= number <= 599, "an HTTP status")
POSITIVE = (lambda number: number > 0, "more than 0")
COUNTED = (lambda number: number >= 0, "0 or more")
REASON = (lambda text: text.strip() != "", "a reason in words")
PATH = (lambda text: path_steps(text) is not None, 'a path such as `content[0].text` or `a["b c"]`')
PATTERN = (is_regex, "a regular expression of Python")
PLACEHOLDER = (_like(r"[A-Za-z_][A-Za-z0-9_]*"), "a name of letters, digits and `_`")


def text_key(
    rule: tuple[Callable[[Json], bool], str] | None = None, *, needed: bool = False
) -> CompanionKey:
    """Returns a key for a text."""
    return CompanionKey(CompanionType.TEXT, needed, *(rule or ()))


def texts_key(
    rule: tuple[Callable[[Json], bool], str] | None = None, *, needed: bool = False
) -> CompanionKey:
    """Returns a key for a text or a list of texts."""
    return CompanionKey(CompanionType.TEXTS, needed, *(rule or ()))


def number_key(
    rule: tuple[Callable[[Json], bool], str] | None = None, *, needed: bool = False
) -> CompanionKey:
    """Returns a key for a whole number."""
    return CompanionKey(CompanionType.NUMBER, needed, *(rule or ()))


MAPPING = CompanionKey(CompanionType.MAPPING)
LIST = CompanionKey(CompanionType.LIST)
FLAG = CompanionKey(CompanionType.FLAG)
ANY = CompanionKey(CompanionType.ANY)
