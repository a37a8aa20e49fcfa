"""Examples in docstrings are true: `Example: CALL gives VALUE.`"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import mcpgen

PACKAGE = Path(mcpgen.__file__).parent
EXAMPLE = re.compile(r"Example: `(?P<call>[a-z_]+\([^`]*\))` gives `(?P<value>[^`]+)`\.")


def docstring_examples() -> Iterator[tuple[str, str, str]]:
    """Yields the module, the call and the value of every example."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        for node in ast.parse(path.read_text("utf-8")).body:
            text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            for match in EXAMPLE.finditer(text or ""):
                yield ".".join(parts).removesuffix(".__init__"), match["call"], match["value"]


def test_examples_in_docstrings_are_true() -> None:
    examples = list(docstring_examples())
    assert len(examples) > 50

    false_examples = [
        (module, call, value)
        for module, call, value in examples
        if eval(call, vars(import_module(module)).copy()) != ast.literal_eval(value)
    ]

    assert false_examples == []
