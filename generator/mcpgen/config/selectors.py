"""Parses the selectors of operations in `mcpgen.toml`: a table, or a string."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from mcpgen.config.tables.selection import Selector

METHODS = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY")
PATTERNS = ("operation", "tag", "path", "method", "scope")
CLAIMS = ("deprecated", "read_only")
FIELDS = (*PATTERNS, *CLAIMS)
_CLAIMED = {"true": True, "false": False}

SCHEMA = {
    "description": "Operations: a text such as `tag:pets`, `GET /pets/*`, `/pets/*` or an operationId, or a "
    "table whose keys all have to match.",
    "anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "minProperties": 1,
            "properties": {
                **{name: {"type": "string"} for name in PATTERNS},
                **{name: {"type": "boolean"} for name in CLAIMS},
            },
            "additionalProperties": False,
        },
    ],
}
"""The JSON Schema of a selector."""


def from_text(text: str) -> Selector:
    """The selector of a string.

    `tag:pets` (and `operation:`, `path:`, `method:`, `scope:`) names a field, as do
    `deprecated:true` and `read_only:true`; `GET /pets/*` is a method and a path; `/pets/*` is a
    path; everything else is an operationId.
    """
    field, colon, value = text.partition(":")
    if colon and field in PATTERNS:
        return from_fields({field: value.strip()})
    if field in CLAIMS and value.strip() in _CLAIMED:
        return from_fields({field: _CLAIMED[value.strip()]})
    first, space, rest = text.partition(" ")
    if space and first.upper() in (*METHODS, "*"):
        return Selector(method=first.upper(), path=rest.strip())
    if text.startswith("/"):
        return Selector(path=text)
    return Selector(operation=text)


def from_fields(fields: Mapping[str, str | bool]) -> Selector:
    """The selector of a table with keys among `FIELDS`; patterns have string values."""
    operation, tag, path, method, scope = (str(fields.get(name, "")) for name in PATTERNS)
    deprecated, read_only = (bool(fields[name]) if name in fields else None for name in CLAIMS)
    return Selector(operation, tag, path, method.upper(), scope, deprecated, read_only)


def complaint(selector: Selector) -> str:
    """The rule that the selector breaks, or `""`."""
    if selector == Selector():
        return "name an operation, a tag, a path, a method or a scope, or say `deprecated` or `read_only`"
    claim, colon, _ = selector.operation.partition(":")
    if colon and claim in CLAIMS:
        return f"have `true` or `false` after `{claim}:`"
    if selector.method and not any(fnmatchcase(method, selector.method) for method in METHODS):
        return "have a method that HTTP knows: " + ", ".join(METHODS)
    if selector.path and not selector.path.startswith(("/", "*", "?", "[")):
        return "have a path that starts with `/`"
    return ""
