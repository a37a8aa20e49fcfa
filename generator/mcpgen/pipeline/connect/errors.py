"""The error of configuration files of clients."""

from __future__ import annotations


class ConfigUnusable(Exception):
    """A configuration file that cannot be read or changed. `offset`: the place in the text, None if
    the reason has no place; `where` is `line 3, column 7` or `""`."""

    def __init__(self, reason: str, text: str = "", offset: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.where = "" if offset is None else _describe_position(text, offset)


def _describe_position(text: str, offset: int) -> str:
    """Line and column of an offset, from 1."""
    line = text.count("\n", 0, offset) + 1
    return f"line {line}, column {offset - text.rfind(chr(10), 0, offset)}"


class TargetNotConnectable(Exception):
    """A target that clients cannot start or reach; the message states the reason."""
