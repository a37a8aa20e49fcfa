"""Which modules of the runtime a project gets."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mcpgen.emit.render import templates_folder
from mcpgen.emit.runtime import reachable_modules, runtime_imports

RUNTIME = templates_folder() / "package" / "runtime"

MODULES = {
    "app": "from .edge import Edge\n",
    "edge": "def lazily():\n    from . import guard\n",
    "guard": "",
    "limits": "from .app import App\n",
}


def test_a_module_brings_what_it_imports_and_nothing_else() -> None:
    assert reachable_modules({"app"}, MODULES) == {"app", "edge", "guard"}


def test_a_module_that_is_not_there_brings_nothing() -> None:
    assert reachable_modules({"elsewhere"}, MODULES) == frozenset()


def test_generated_code_names_the_modules_it_needs() -> None:
    text = "from a_mcp.runtime.app import App\nfrom a_mcp.tools import TOOLS\n"

    assert runtime_imports(text) == {"app"}


def imports(source: str) -> set[str]:
    """The modules of its own folder that a source imports, as Python understands it."""
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.level == 1
    ]
    return {
        name
        for node in found
        for name in ([node.module] if node.module else [alias.name for alias in node.names])
    }


@pytest.mark.parametrize("path", sorted(RUNTIME.glob("*.py")), ids=lambda path: path.stem)
def test_every_import_of_the_runtime_is_found(path: Path) -> None:
    source = path.read_text("utf-8")
    everything = dict.fromkeys((each.stem for each in RUNTIME.glob("*.py")), "")

    found = reachable_modules({"root"}, {**everything, "root": source}) - {"root"}

    assert found == imports(source)


@pytest.mark.parametrize(
    "source",
    [
        "from . import a as b, c\n",
        "from . import (\n    a,\n    b as c,\n)\n",
        "if True:\n    from .a import (\n        b,\n    )\n",
        "from .. import a\nfrom ..a import b\nfrom x.a import b\nimport a\n",
        "from . import a  # not b\n",
    ],
)
def test_imports_are_found_however_they_are_written(source: str) -> None:
    found = reachable_modules({"root"}, {"root": source, "a": "", "b": "", "c": "", "not": ""}) - {
        "root"
    }

    assert found == imports(source)
