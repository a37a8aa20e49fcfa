"""What the modules of a built project declare, read without running them."""

from __future__ import annotations

import ast
from pathlib import Path

from mcpgen.frozen import frozen


@frozen
class Declared:
    """The settings of a project: the prefix of their variables, and the fields that are secret."""

    prefix: str = ""
    secrets: tuple[str, ...] = ()


def declared_settings(path: Path) -> Declared:
    """What `settings.py` declares; nothing when it cannot be read."""
    nodes = list(ast.walk(_module(path)))
    prefixes = (
        keyword.value.value
        for node in nodes
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "env_prefix" and isinstance(keyword.value, ast.Constant)
    )
    secrets = tuple(
        node.target.id
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "SecretStr" in ast.unparse(node.annotation)
    )
    return Declared(str(next(prefixes, "")), secrets)


def hooked_tools(path: Path) -> frozenset[str]:
    """The names that stand as keys in `Hooks(tools={...})`; none when it cannot be read."""
    return frozenset(
        key.value
        for call in ast.walk(_module(path))
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "tools" and isinstance(keyword.value, ast.Dict)
        for key in keyword.value.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    )


def _module(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])
