"""How messages call the kinds of values."""

from __future__ import annotations

from mcpgen.ir.source import Json

KINDS: dict[type, str] = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def kind_name(value: Json) -> str:
    """The kind of a value, as a sentence names it."""
    return KINDS[type(value)]
