"""A credential's setting never takes the name of another setting."""

from __future__ import annotations

import ast
from pathlib import Path

from mcpgen.emit.credentials import SERVER

RUNTIME = Path(__file__).parents[2] / "runtime" / "mcpgen_runtime"


def fields_of_settings(source: str) -> set[str]:
    """Returns the fields of every class of settings in a module."""
    return {
        statement.target.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Settings")
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def test_every_setting_of_the_runtime_is_taken() -> None:
    fields = {
        name for path in RUNTIME.rglob("*.py") for name in fields_of_settings(path.read_text())
    }

    assert "upstream" in fields
    assert fields <= SERVER
