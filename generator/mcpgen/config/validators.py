"""Validators of values in `mcpgen.toml`: one predicate per kind of value."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ValueRule:
    """A predicate of values that JSON Schema can state: a value is legal if it equals `unset`, or
    fits every bound that is set. `pattern` matches whole texts, in the syntax that Python and
    ECMA-262 share; lengths count characters. `also` is a further predicate without keywords."""

    enum: tuple[str, ...] = ()
    minimum: int | float | None = None
    maximum: int | float | None = None
    pattern: str = ""
    min_length: int = 0
    max_length: int = 0
    also: Callable[[Any], bool] | None = None
    unset: str | int | None = None

    def __call__(self, value: Any) -> bool:
        """Tells whether a value of the key's type is legal."""
        return (self.unset is not None and value == self.unset) or (
            (not self.enum or value in self.enum)
            and (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
            and (not self.pattern or re.fullmatch(self.pattern, value) is not None)
            and (not self.min_length or len(value) >= self.min_length)
            and (not self.max_length or len(value) <= self.max_length)
            and (self.also is None or self.also(value))
        )

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of JSON Schema for the bounds."""
        bounds = {
            "enum": list(self.enum),
            "minimum": self.minimum,
            "maximum": self.maximum,
            "pattern": f"^(?:{self.pattern})$" if self.pattern else "",
            "minLength": self.min_length or None,
            "maxLength": self.max_length or None,
        }
        keywords = {name: bound for name, bound in bounds.items() if bound not in (None, "", [])}
        if self.unset is None or not keywords:
            return keywords
        if self.enum:
            return {"enum": [self.unset, *self.enum]}
        if self.unset == "" and self.pattern and not self.min_length:
            # Editors show the pattern of a refused value, but no branch of `anyOf`.
            return {**keywords, "pattern": f"^(?:{self.pattern})?$"}
        return {"anyOf": [{"const": self.unset}, keywords]}


SLUG = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
PACKAGE = re.compile(r"[a-z][a-z0-9_]*")
HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
MEDIA_TYPE = re.compile(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(\s*;\s*[\w.-]+=\S+)*", re.ASCII)
VARIABLE = re.compile(r"\{([A-Za-z0-9_]+)\}")
URI_START = re.compile(r"[a-z][a-z0-9+.-]*:")
URI_TEXT = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
DELIMITER = re.compile(r"[:/?#\[\]@!$&'()*+,;=]")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


TYPESCRIPT = frozenset(
    [
        "arguments",
        "async",
        "atob",
        "await",
        "break",
        "btoa",
        "case",
        "catch",
        "class",
        "console",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "escape",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "get",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "of",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "set",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "unescape",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ]
)
"""Reserved words of TypeScript, and the globals of scripts besides the API."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""The names of this machine; requests to these hosts do not cross a network."""

TAKEN = frozenset(
    {"con", "prn", "aux", "nul", "test", "tests", "mcp", "mcpgen", "runtime", "tools"}
)
"""Names that a project cannot have: devices of Windows, and the project's own files and imports."""

DEPENDENCIES = frozenset(
    {"aiohttp", "anyio", "jsonschema", "jsonschema_rs", "pydantic", "pydantic_settings"}
    | {"pytest", "starlette", "uvicorn"}
)
"""Import names of the dependencies of a generated server."""


is_line = ValueRule(max_length=200, also=lambda text: not CONTROL.search(text))
"""At most 200 characters on a single line, without control characters."""


def is_path(text: str) -> bool:
    """True if the text can be a path to a file."""
    return bool(text.strip()) and not CONTROL.search(text)


is_slug = ValueRule(pattern=SLUG, max_length=40, also=lambda text: text not in TAKEN)
"""The name of a project: `petstore`, `pet-store-2`."""


def is_package(text: str) -> bool:
    """True if the text can be the import name of a project's package.

    Example: `is_package("my-package")` gives `False`.
    """
    return (
        len(text) <= 64
        and PACKAGE.fullmatch(text) is not None
        and not keyword.iskeyword(text)
        and text not in sys.stdlib_module_names
        and text not in TAKEN | DEPENDENCIES
    )


def is_base_url(text: str) -> bool:
    """True if the text is an http(s) URL to which paths can be appended, without credentials.

    Example: `is_base_url("https://user@example.com")` gives `False`.
    """
    if CONTROL.search(text) or any(sign in text for sign in ' \\?#{}<>"'):
        return False
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
        )
    except ValueError:
        return False


def is_document_url(text: str) -> bool:
    """True if the text is an http(s) URL, maybe with a query, without credentials."""
    return is_base_url(text.replace("?", "/", 1))


def is_host(text: str) -> bool:
    """True if the text is a host with an optional port, as written in a URL.

    Example: `is_host("example.com:8080")` gives `True`.
    """
    try:
        parts = urlsplit(f"//{text}")
        _ = parts.port
    except ValueError:
        return False
    return text.isascii() and HOST.fullmatch(text) is not None and bool(parts.hostname)


is_host_pattern = ValueRule(
    pattern=r"(?:\*\.(?=[^.]+\.))?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"
    r"(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*|\[[0-9A-Fa-f:.]+\]"
)
"""A host without a port, or `*.` and a domain of at least two names."""


is_tool_name = ValueRule(pattern=r"[a-z][a-z0-9]*(_[a-z0-9]+)*", max_length=40)
"""The name of a tool that every host accepts."""


is_script_root = ValueRule(pattern=r"[a-z][a-z0-9]{0,19}", also=lambda text: text not in TYPESCRIPT)
"""The name of the API in scripts."""


is_title = ValueRule(min_length=1, max_length=80, also=lambda text: is_path(text))
"""The title of a tool."""


is_prose = ValueRule(min_length=1, max_length=4_000, also=lambda text: is_path(text))
"""The description of a tool or an argument."""


PROSE_RULE = "one line of text, at most 4000 characters"
"""The rule of `is_prose`, as worded in messages."""


is_toolset = ValueRule(pattern=SLUG, max_length=40)
"""The name of a set of tools: `billing`, `read-only`."""


def is_field(text: str) -> bool:
    """True if the text is a dotted path of names.

    Example: `is_field("owner.name")` gives `True`.
    """
    return not CONTROL.search(text) and all(text.split("."))


is_media_type = ValueRule(max_length=200, also=lambda text: MEDIA_TYPE.fullmatch(text) is not None)
"""A media type: `application/xml`."""


is_word = ValueRule(pattern=r"[\x21-\x7e]{1,200}")
"""Visible ASCII without spaces."""


is_scope = ValueRule(pattern=r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")
"""A scope; https://www.rfc-editor.org/rfc/rfc6749#section-3.3."""


is_header = ValueRule(pattern=r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""The name of a header."""


is_setting = ValueRule(
    pattern=r"[a-z][a-z0-9_]{0,39}", also=lambda text: not keyword.iskeyword(text)
)
"""The name of a setting of a generated server."""


def is_safe_url(text: str) -> bool:
    """True if the URL is safe from eavesdropping and tampering: HTTPS, or the loopback."""
    if not is_base_url(text.partition("?")[0]) or CONTROL.search(text) or "#" in text:
        return False
    parts = urlsplit(text)
    return parts.scheme == "https" or parts.hostname in LOOPBACK


is_feature_name = ValueRule(pattern=r"[A-Za-z0-9_.-]{1,64}")
"""The name of a resource or a prompt."""


is_placeholder = ValueRule(pattern=r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""The text between the braces of a placeholder."""


def is_uri_template(text: str) -> bool:
    """True if the text is an absolute URI with variables (RFC 6570, level 1) with unambiguous
    values: variable names differ, and a reserved character separates two variables.

    Example: `is_uri_template("notes://{id}")` gives `True`.
    """
    pieces = VARIABLE.split(text)
    literals, names = pieces[::2], pieces[1::2]
    return (
        len(text) <= 1000
        and URI_START.match(literals[0]) is not None
        and all(URI_TEXT.fullmatch(literal) for literal in literals)
        and all(DELIMITER.search(literal) for literal in literals[1:-1])
        and len(set(names)) == len(names)
    )
