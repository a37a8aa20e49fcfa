"""Validators of values in `mcpgen.toml`: one predicate per kind of value."""

from __future__ import annotations

import keyword
import re
import sys
from urllib.parse import urlsplit

SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PACKAGE = re.compile(r"[a-z][a-z0-9_]*")
TOOL_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
HOST_PATTERN = re.compile(
    r"(?:\*\.(?=[^.]+\.))?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"
    r"(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*|\[[0-9A-Fa-f:.]+\]"
)
MEDIA_TYPE = re.compile(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(\s*;\s*[\w.-]+=\S+)*", re.ASCII)
HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
WORD = re.compile(r"[\x21-\x7e]{1,200}")
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")
SETTING = re.compile(r"[a-z][a-z0-9_]{0,39}")
OFFER = re.compile(r"[A-Za-z0-9_.-]{1,64}")
PLACEHOLDER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
VARIABLE = re.compile(r"\{([A-Za-z0-9_]+)\}")
URI_START = re.compile(r"[a-z][a-z0-9+.-]*:")
URI_TEXT = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
DELIMITER = re.compile(r"[:/?#\[\]@!$&'()*+,;=]")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

SCRIPT_ROOT = re.compile(r"[a-z][a-z0-9]{0,19}")

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


def is_line(text: str) -> bool:
    """True if the text is at most 200 characters on a single line, without control characters."""
    return len(text) <= 200 and not CONTROL.search(text)


def is_path(text: str) -> bool:
    """True if the text can be a path to a file."""
    return bool(text.strip()) and not CONTROL.search(text)


def is_slug(text: str) -> bool:
    """True if the text can name a project: `petstore`, `pet-store-2`."""
    return len(text) <= 40 and SLUG.fullmatch(text) is not None and text not in TAKEN


def is_package(text: str) -> bool:
    """True if the text can be the import name of a project's package."""
    return (
        len(text) <= 64
        and PACKAGE.fullmatch(text) is not None
        and not keyword.iskeyword(text)
        and text not in sys.stdlib_module_names
        and text not in TAKEN | DEPENDENCIES
    )


def is_base_url(text: str) -> bool:
    """True if the text is an http(s) URL to which paths can be appended, without credentials."""
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
    """True if the text is a host with an optional port, as written in a URL."""
    try:
        parts = urlsplit(f"//{text}")
        _ = parts.port
    except ValueError:
        return False
    return text.isascii() and HOST.fullmatch(text) is not None and bool(parts.hostname)


def is_host_pattern(text: str) -> bool:
    """True if the text is a host without a port, or `*.` and a domain of at least two names."""
    return HOST_PATTERN.fullmatch(text) is not None


def is_tool_name(text: str) -> bool:
    """True if every host accepts the text as the name of a tool."""
    return len(text) <= 40 and TOOL_NAME.fullmatch(text) is not None


def is_script_root(text: str) -> bool:
    """True if the text can be the name of the API in scripts."""
    return SCRIPT_ROOT.fullmatch(text) is not None and text not in TYPESCRIPT


def is_title(text: str) -> bool:
    """True if the text can be the title of a tool."""
    return bool(text.strip()) and len(text) <= 80 and not CONTROL.search(text)


def is_prose(text: str) -> bool:
    """True if the text can describe a tool or an argument."""
    return bool(text.strip()) and len(text) <= 4_000 and not CONTROL.search(text)


PROSE_RULE = "one line of text, at most 4000 characters"
"""The rule of `is_prose`, as worded in messages."""


def is_toolset(text: str) -> bool:
    """True if the text can name a set of tools: `billing`, `read-only`."""
    return len(text) <= 40 and SLUG.fullmatch(text) is not None


def is_field(text: str) -> bool:
    """True if the text is a dotted path of names."""
    return not CONTROL.search(text) and all(text.split("."))


def is_media_type(text: str) -> bool:
    """True if the text is a media type: `application/xml`."""
    return len(text) <= 200 and MEDIA_TYPE.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """True if the text is visible ASCII without spaces."""
    return WORD.fullmatch(text) is not None


def is_scope(text: str) -> bool:
    """True if the text can be a scope; https://www.rfc-editor.org/rfc/rfc6749#section-3.3."""
    return SCOPE.fullmatch(text) is not None


def is_header(text: str) -> bool:
    """True if the text can name a header."""
    return HEADER.fullmatch(text) is not None


def is_setting(text: str) -> bool:
    """True if the text can name a setting of a generated server."""
    return SETTING.fullmatch(text) is not None and not keyword.iskeyword(text)


def is_safe_url(text: str) -> bool:
    """True if the URL is safe from eavesdropping and tampering: HTTPS, or the loopback."""
    if not is_base_url(text.partition("?")[0]) or CONTROL.search(text) or "#" in text:
        return False
    parts = urlsplit(text)
    return parts.scheme == "https" or parts.hostname in LOOPBACK


def is_feature_name(text: str) -> bool:
    """True if the text can name a resource or a prompt."""
    return OFFER.fullmatch(text) is not None


def is_placeholder(text: str) -> bool:
    """True if the text can stand between the braces of a placeholder."""
    return PLACEHOLDER.fullmatch(text) is not None


def is_uri_template(text: str) -> bool:
    """True if the text is an absolute URI with variables (RFC 6570, level 1) with unambiguous
    values: variable names differ, and a reserved character separates two variables."""
    pieces = VARIABLE.split(text)
    literals, names = pieces[::2], pieces[1::2]
    return (
        len(text) <= 1000
        and URI_START.match(literals[0]) is not None
        and all(URI_TEXT.fullmatch(one) for one in literals)
        and all(DELIMITER.search(one) for one in literals[1:-1])
        and len(set(names)) == len(names)
    )
