"""Values as YAML that any reader takes for what they are."""

from __future__ import annotations

import json
import re

from mcpgen.diagnostics.render import escape_invisible
from mcpgen.ir.source import Json

WIDTH = 100
"""Columns of a line; a list of assertions that does not fit gets a line each."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.]*(?:-[A-Za-z0-9_/.]+)*")
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_LONGEST = 200


def yaml_scalar(value: Json) -> str:
    """A text, number or flag; a text without quotes only where no YAML reads it as anything else."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=escape_invisible(value) != value)


def flow(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{yaml_scalar(key)}: {flow(member)}" for key, member in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(element) for element in value)}]"
    return yaml_scalar(value)


def yaml_comment(text: str) -> str:
    """A text as a comment on one line, which it cannot leave."""
    line = escape_invisible(" ".join(text.split()))
    return f"# {line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}"
