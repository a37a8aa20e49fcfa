"""Values as YAML that any reader takes for what they are."""

from __future__ import annotations

import json
import re

from mcpgen.diagnostics.show import visible
from mcpgen.ir.source import Json

WIDTH = 100
"""Columns of a line; a list of assertions that does not fit gets a line each."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.]*(?:-[A-Za-z0-9_/.]+)*")
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_LONGEST = 200


def scalar(value: Json) -> str:
    """A text, number or flag; a text without quotes only where no YAML reads it as anything else."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=visible(value) != value)


def flow(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{scalar(key)}: {flow(member)}" for key, member in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(element) for element in value)}]"
    return scalar(value)


def comment(text: str) -> str:
    """A text as a comment on one line, which it cannot leave."""
    line = visible(" ".join(text.split()))
    return f"# {line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}"
