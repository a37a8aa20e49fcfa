"""The declarations in the modules of a built project, read without executing the modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """The settings of a project: the prefix of the variables, and the secret fields."""

    prefix: str = ""
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HookKey:
    """A name in `hooks.py`: a tool that is a literal key of the hooks, or a method, with line and column,
    both from 1."""

    name: str
    line: int
    column: int


def read_settings(path: Path) -> ProjectInfo:
    """The declarations in `settings.py`; empty for an unreadable file."""
    nodes = list(ast.walk(_parse_module_file(path)))
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
    return ProjectInfo(str(next(prefixes, "")), secrets)


def hook_keys(path: Path) -> tuple[HookKey, ...]:
    """The keys of `tools` in the value of `HOOKS`, in order; none for an unreadable file.

    The dictionary stands in the call (`HOOKS = Hooks(tools={...})`), or in a variable passed to the
    call. Keys computed at run time are left out.
    """
    module = _parse_module_file(path)
    assigned = dict(_assigned(module))
    return tuple(
        HookKey(key.value, key.lineno, _column(path, key))
        for call in ast.walk(assigned.get("HOOKS", ast.Tuple([])))
        if isinstance(call, ast.Call)
        for value in _tools_of(call)
        for table in [assigned.get(value.id) if isinstance(value, ast.Name) else value]
        if isinstance(table, ast.Dict)
        for key in table.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    )


ASKING = frozenset(("elicit", "elicit_visit", "inquire", "sample"))
"""The methods of a `Call` that ask the client."""


def asking_calls(path: Path) -> tuple[HookKey, ...]:
    """The calls of methods that ask the client, such as `call.elicit(…)`, by method; none for an unreadable
    file."""
    return tuple(
        HookKey(node.func.attr, node.lineno, _column(path, node))
        for node in ast.walk(_parse_module_file(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in ASKING
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "call"
    )


def _assigned(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The variables assigned in a module, with the values."""
    for node in ast.walk(module):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield from (
                (target.id, node.value) for target in targets if isinstance(target, ast.Name)
            )


def _tools_of(call: ast.Call) -> Iterator[ast.expr]:
    """The argument `tools` of a call; for `Hooks` also the first positional argument."""
    yield from (keyword.value for keyword in call.keywords if keyword.arg == "tools")
    if isinstance(call.func, ast.Name) and call.func.id == "Hooks":
        yield from call.args[:1]


def _column(path: Path, node: ast.expr) -> int:
    """The column of a node in characters, where Python counts bytes."""
    # Python ends lines at newlines alone, `splitlines` at form feeds and U+2028, too.
    line = path.read_text("utf-8").split("\n")[node.lineno - 1]
    return len(line.encode()[: node.col_offset].decode()) + 1


def _parse_module_file(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])
