"""Which modules of the runtime a project gets."""

from __future__ import annotations

import ast

import pytest

from mcpgen.emit.runtime import (
    copied_files,
    reachable_modules,
    runtime_files,
    runtime_imports,
)

MODULES = {
    "__init__": "",
    "server.__init__": "",
    "server.app": "from .edge import Edge\nfrom ..tool import Tool\n",
    "server.edge": "def lazily():\n    from ..auth import guard\n",
    "auth.guard": "",
    "limits": "from .server.app import App\n",
    "tool": "",
}


def test_a_module_brings_what_it_imports_and_nothing_else() -> None:
    found = reachable_modules({"server.app"}, MODULES)

    assert found == {"server.app", "server.edge", "auth.guard", "tool"}


def test_a_module_that_is_not_there_brings_nothing() -> None:
    assert reachable_modules({"elsewhere"}, MODULES) == frozenset()


def test_generated_code_names_the_modules_it_needs() -> None:
    text = "from a_mcp._runtime.server.app import App\nfrom a_mcp.tools import TOOLS\n"

    assert runtime_imports(text) == {"server.app"}


def test_packages_and_files_beside_a_module_are_copied_with_it() -> None:
    copied = copied_files({"scripts.sandbox"})

    assert copied.keys() >= {"__init__.py", "scripts/__init__.py", "scripts/sandbox.js"}
    assert "auth/__init__.py" not in copied


def imports(name: str, source: str) -> set[str]:
    """The modules of the runtime that a source imports, as Python understands it."""
    package = name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base += node.module.split(".") if node.module else []
            found.add(".".join(base))
            found |= {".".join([*base, alias.name]) for alias in node.names}
    return found


SOURCES = {
    path.removesuffix(".py").replace("/", "."): text
    for path, text in runtime_files().items()
    if path.endswith(".py")
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_import_of_the_runtime_is_found(name: str) -> None:
    alone = {**dict.fromkeys(SOURCES, ""), name: SOURCES[name]}

    found = reachable_modules({name}, alone) - {name}

    assert found == imports(name, SOURCES[name]) & SOURCES.keys() - {name}


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
    names = [f"{package}{name}" for package in ("", "p.") for name in ("a", "b", "c", "not")]

    found = reachable_modules({"p.root"}, {**dict.fromkeys(names, ""), "p.root": source})

    assert found - {"p.root"} == imports("p.root", source) & {*names}
