"""How an operation is selected in `mcpgen.toml`: as a table, or as one string."""

from __future__ import annotations

from fnmatch import fnmatchcase

from mcpgen.config.tables.selection import Selector

METHODS = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY")
FIELDS = ("operation", "tag", "path", "method")


def from_text(text: str) -> Selector:
    """The selector a string stands for.

    `tag:pets` (and `operation:`, `path:`, `method:`) names its field; `GET /pets/*` is a method and
    a path; `/pets/*` is a path; everything else is an operationId.
    """
    field, colon, value = text.partition(":")
    if colon and field in FIELDS:
        return from_fields({field: value.strip()})
    first, space, rest = text.partition(" ")
    if space and first.upper() in (*METHODS, "*"):
        return Selector(method=first.upper(), path=rest.strip())
    if text.startswith("/"):
        return Selector(path=text)
    return Selector(operation=text)


def from_fields(fields: dict[str, str]) -> Selector:
    """The selector of a table; its keys are some of `FIELDS`."""
    method = fields.get("method", "").upper()
    return Selector(
        fields.get("operation", ""), fields.get("tag", ""), fields.get("path", ""), method
    )


def complaint(selector: Selector) -> str:
    """What the selector must be and is not, or `""`."""
    if selector == Selector():
        return "name an operation, a tag, a path or a method"
    if selector.method and not any(fnmatchcase(known, selector.method) for known in METHODS):
        return "have a method that HTTP knows: " + ", ".join(METHODS)
    if selector.path and not selector.path.startswith(("/", "*", "?", "[")):
        return "have a path that starts with `/`"
    return ""
