"""Runtime modules in a project, and the runtime as a package requirement."""

from __future__ import annotations

import ast

import pytest

from mcpgen.emit.runtime import (
    copied_files,
    import_installed,
    runtime_files,
    runtime_imports,
    runtime_requirements,
    runtime_version,
)
from mcpgen.emit.runtime_features import CORE, FEATURES, feature_modules_of

SOURCES = {
    path.removesuffix(".py").replace("/", "."): text
    for path, text in runtime_files().items()
    if path.endswith(".py")
}
ROOTS = {"hooks", "server.app", "server.cli", "settings", "tool", "upstream.secret_store"}
"""Modules imported by every project."""


def imported_modules(name: str) -> set[str]:
    """Returns the runtime modules directly imported by a module, at any depth of the source."""
    package = name.split(".")[:-1]
    texts = set()
    for node in ast.walk(ast.parse(SOURCES[name])):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base += node.module.split(".") if node.module else []
            texts |= {".".join(base), *(".".join([*base, alias.name]) for alias in node.names)}
    return texts & SOURCES.keys()


def reachable_modules(*roots: str) -> set[str]:
    """Returns the modules imported by `roots`, directly or indirectly."""
    texts: set[str] = set()
    pending = [*roots]
    while pending:
        name = pending.pop()
        if name not in texts:
            texts.add(name)
            pending += imported_modules(name)
    return texts


def test_the_core_is_what_every_server_imports() -> None:
    assert reachable_modules(*ROOTS) == CORE


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_a_feature_brings_the_modules_it_imports_and_no_other(name: str) -> None:
    assert feature_modules_of([name]) == CORE | reachable_modules(name)


def test_every_module_of_the_runtime_is_in_the_table() -> None:
    modules = {name for name in SOURCES if not name.endswith("__init__")}

    assert modules == CORE | FEATURES.keys()


def test_a_module_outside_the_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        feature_modules_of(["elsewhere"])


@pytest.mark.parametrize(
    "name",
    [
        "elicitation.rounds",
        "server.middleware",
        "upstream.forms",
        "upstream.general_operation",
        "upstream.oauth_client",
        "upstream.stream_response",
        "upstream.xml",
        "validation.cost",
        "validation.engine",
        "validation.output",
    ],
)
def test_an_api_of_json_with_one_key_needs_only_the_core(name: str) -> None:
    assert name not in CORE


def test_several_workers_are_in_every_project() -> None:
    assert "server.workers" in CORE


def test_generated_code_names_the_modules_it_needs() -> None:
    text = "from a_mcp._runtime.server.app import App\nfrom a_mcp.tools import TOOLS\n"

    assert runtime_imports(text) == {"server.app"}


def test_files_beside_a_module_are_copied_with_it_and_empty_packages_are_not() -> None:
    copied = copied_files({"scripts.sandbox"})

    assert copied.keys() >= {"scripts/sandbox.py", "scripts/sandbox.js"}
    assert not [path for path in copied if path.endswith("__init__.py")]


def test_imports_of_the_copy_become_imports_of_the_package_in_order() -> None:
    source = (
        '"""Doc."""\n\nimport json\n\nfrom pydantic import Field\n\n'
        "from a_mcp._runtime.tool import Tool\nfrom a_mcp.tools import TOOLS\n\nX = 1\n"
    )

    assert import_installed(source, "a_mcp") == (
        '"""Doc."""\n\nimport json\n\nfrom mcpgen_runtime.tool import Tool\nfrom pydantic import Field\n\n'
        "from a_mcp.tools import TOOLS\n\nX = 1\n"
    )


def test_imports_in_a_function_and_statements_between_imports_stay_in_place() -> None:
    source = (
        "import gc\n\ngc.disable()\n\nfrom a_mcp._runtime.tool import Tool\n\n\n"
        "def run() -> int:\n    gc.disable()\n    from a_mcp._runtime.server.cli import main\n"
        "    from a_mcp.server import create\n\n    return main(create)\n"
    )

    assert import_installed(source, "a_mcp") == (
        "import gc\n\ngc.disable()\n\nfrom mcpgen_runtime.tool import Tool\n\n\n"
        "def run() -> int:\n    gc.disable()\n    from mcpgen_runtime.server.cli import main\n\n"
        "    from a_mcp.server import create\n\n    return main(create)\n"
    )


def test_a_module_without_the_runtime_stays_as_it_is() -> None:
    source = "from a_mcp.tools import TOOLS\nimport json\n"

    assert import_installed(source, "a_mcp") == source


def test_requirements_that_an_extra_has_become_the_extra() -> None:
    texts = runtime_requirements(["redis>=6,<9", "pyjwt[crypto]>=2.10,<3", "other>=1"])

    major, minor, _ = runtime_version().split(".")
    versions = f">={runtime_version()},<{major}.{int(minor) + 1}"
    assert texts == [f"mcpgen-runtime[auth,redis]{versions}", "other>=1"]


def test_imports_in_a_function_are_imports_of_the_runtime() -> None:
    source = "def run() -> int:\n    from a_mcp._runtime.server.cli import main\n"

    assert runtime_imports(source) == {"server.cli"}
