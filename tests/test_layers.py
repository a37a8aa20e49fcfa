"""Holds the tables of ARCHITECTURE.md: the layers that a layer may import, and the module that may import a library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator" / "mcpgen"
RUNTIME = ROOT / "runtime" / "mcpgen_runtime"

STAGE = {"diagnostics", "ir", "config"}
EVERY_LAYER = {"__init__", "__version__"}
"""Modules that every layer may import."""

LAYERS: dict[str, set[str]] = {
    "sarif": set(),
    "clients": set(),
    "diagnostics": {"sarif"},
    "ir": {"diagnostics", "config"},
    "config": {"diagnostics"},
    "sampling": set(),
    "parallel": set(),
    "cache": set(),
    "read": STAGE,
    "parse": STAGE,
    "lower": STAGE | {"sampling", "parallel", "cache"},
    "emit": STAGE | {"parallel", "cache", "clients"},
    "write": STAGE,
    "conformance": {"sampling", "sarif"},
    "smoke_test": {"diagnostics", "ir", "conformance"},
    "lint": {"diagnostics", "ir", "lower"},
    "analysis": {"conformance"},
    "openspec/__init__": set(),
    "openspec/model": {"diagnostics", "ir/source"},
    "openspec/read": STAGE | {"read", "openspec/model"},
    "openspec/parse": STAGE | {"openspec/model"},
    "openspec/companion": STAGE | {"parse/node", "openspec/model"},
    "openspec/lower": STAGE | {"lower", "openspec/model"},
    "openspec/emit": STAGE | {"emit", "openspec/model"},
    "openspec/lint": {"diagnostics", "openspec/model", "openspec/lower"},
    "openspec/load": STAGE
    | {"read", "parse", "openspec/model", "openspec/read", "openspec/parse"}
    | {"openspec/companion", "openspec/lower"},
    "openspec/bind": STAGE
    | {"read", "parse", "lower/selectors", "openspec/model", "openspec/read", "openspec/parse"}
    | {"openspec/companion", "openspec/lower"},
    "openspec/report": {"analysis", "conformance"},
    "openspec/against": {"diagnostics", "emit/render", "emit/runtime"}
    | {"openspec/model", "openspec/lower", "openspec/emit", "openspec/report"},
    "openspec/scenarios": {"diagnostics", "ir", "pipeline", "emit/runtime", "read", "conformance"}
    | {"openspec/model", "openspec/read", "openspec/parse", "openspec/companion", "openspec/load"}
    | {"openspec/lower", "openspec/report", "openspec/against"},
    "pipeline": STAGE
    | {"read", "parse", "lower", "emit", "write"}
    | {"conformance", "smoke_test", "sampling", "parallel", "cache", "analysis", "lint", "clients"}
    | {"openspec/load", "openspec/lint", "openspec/bind"}
    | {"openspec/model/companion"}
    | {"openspec/report/matrix", "openspec/report/run_scenarios"},
    "cli": {"diagnostics", "config", "pipeline", "conformance", "analysis", "clients"}
    | {"openspec/bind", "openspec/report", "openspec/scenarios", "openspec/against"},
    "__init__": {"pipeline", "conformance", "config", "diagnostics"},
    "__main__": {"cli"},
}
"""The layers that each layer may import. A layer is a folder or module of the package, below `openspec` a
folder or module of `openspec`; `a/b` allows the module or folder `b` of `a` only."""

ENTRY_POINTS: dict[str, set[str]] = {
    "ir/api.py": {"openspec/model/companion"},
    "ir/server.py": {"openspec/model/bound_scenarios", "openspec/model/declared_answer"},
    "lower/tool.py": {"openspec/lower/declared_inputs"},
    "emit/package_files.py": {"openspec/emit/declared_answers"},
    "emit/project.py": {"openspec/emit/declared_answers", "openspec/emit/scenario_tests"},
    "smoke_test/runner.py": {"openspec/model/declared_answer"},
}
"""The modules below the pipeline that import OpenSpec, and what they import; ARCHITECTURE.md lists the reasons."""

LIBRARY_MODULES: dict[str, tuple[str, ...]] = {
    "openapi_spec_validator": ("parse/validate.py",),
    "openapi_schema_validator": ("parse/validate.py",),
    "jinja2": ("emit/render.py",),
    "datamodel_code_generator": ("emit/models.py",),
    "black": ("emit/literal.py",),
    "typer": ("cli/",),
    "click": ("cli/",),
    "rich": ("cli/",),
    "yaml": ("read/",),
    "jsonpath": ("read/overlay/jsonpath.py",),
}

RUNTIME_STANDS_ON = {
    "aiohttp",
    "anyio",
    "jsonschema_rs",
    "jwt",
    "limits",
    "mcp",
    "mcp_types",
    "opentelemetry",
    "prometheus_client",
    "pydantic",
    "pydantic_core",
    "pydantic_settings",
    "redis",
    "sse_starlette",
    "starlette",
    "uvicorn",
    "yarl",
}
"""What a generated project declares, and what these packages are made of (pydantic_core, yarl …)."""


def imported_by(source: str) -> Iterator[str]:
    """Every absolute module that the source imports, at any depth; `from a import b` as `a.b`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_of(parts: tuple[str, ...]) -> str:
    """The layer of a module of mcpgen, whose path or dotted name below the package is split into `parts`."""
    return "/".join(parts[:2]) if parts[0] == "openspec" and len(parts) > 1 else parts[0]


def parts_of(path: Path) -> tuple[str, ...]:
    """The path of a module below the package, without the suffix."""
    return path.relative_to(PACKAGE).with_suffix("").parts


def forbidden_imports(module: str, source: str) -> list[str]:
    """The imports of our own modules that the layer of `module`, a path such as `ir/api.py`, does not allow."""
    layer = layer_of(parts_of(PACKAGE / module))
    allowed_layers = LAYERS[layer] | EVERY_LAYER | {layer} | ENTRY_POINTS.get(module, set())
    return [
        "/".join(parts)
        for name in imported_by(source)
        if (parts := tuple(name.split(".")[1:])) and name.startswith("mcpgen.")
        if parts[0] == "openspec" or parts[0] in LAYERS
        if not any("/".join(parts[:end]) in allowed_layers for end in range(1, len(parts) + 1))
    ]


def misplaced_libraries(path: str, source: str) -> list[str]:
    """The libraries that a module imports although another module is to import them."""
    libraries = {name.split(".")[0] for name in imported_by(source)}
    return sorted(
        library
        for library in libraries & LIBRARY_MODULES.keys()
        if not path.startswith(LIBRARY_MODULES[library])
    )


def foreign_to_runtime(source: str) -> list[str]:
    """The libraries a generated server would need beyond those it declares."""
    libraries = {name.split(".")[0] for name in imported_by(source)}
    return sorted(libraries - RUNTIME_STANDS_ON - set(sys.stdlib_module_names))


def modules(folder: Path) -> list[Path]:
    """The Python files below the folder, in a fixed order."""
    return sorted(folder.rglob("*.py"))


@pytest.mark.parametrize(
    "path", modules(PACKAGE), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_a_module_imports_only_allowed_layers(path: Path) -> None:
    layer, module = layer_of(parts_of(path)), path.relative_to(PACKAGE).as_posix()

    imports = forbidden_imports(module, path.read_text(encoding="utf-8"))

    assert layer in LAYERS, f"{layer} is not in the table of layers"
    assert not imports, f"{module} may not import {', '.join(imports)}"


@pytest.mark.parametrize(
    "path", modules(PACKAGE), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_a_library_is_imported_only_by_its_module(path: Path) -> None:
    module = path.relative_to(PACKAGE).as_posix()

    libraries = misplaced_libraries(module, path.read_text(encoding="utf-8"))

    assert not libraries, f"{module} may not import {', '.join(libraries)}"


@pytest.mark.parametrize("module", ENTRY_POINTS)
def test_every_entry_point_is_in_use(module: str) -> None:
    names = list(imported_by((PACKAGE / module).read_text(encoding="utf-8")))
    imports = {name.removeprefix("mcpgen.").replace(".", "/") for name in names}

    unused_targets = [
        target
        for target in ENTRY_POINTS[module]
        if not any(name == target or name.startswith(f"{target}/") for name in imports)
    ]

    assert not unused_targets


def test_no_layer_reaches_itself_through_others() -> None:
    lower_layers = {
        layer: {layer_of(tuple(name.split("/"))) for name in allowed_layers}
        for layer, allowed_layers in LAYERS.items()
    }

    order = list(TopologicalSorter(lower_layers).static_order())

    assert set(order) == set(LAYERS)


@pytest.mark.parametrize(
    "path", modules(RUNTIME), ids=lambda path: path.relative_to(RUNTIME).as_posix()
)
def test_the_runtime_stands_on_its_declared_libraries_alone(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    # A project's tests depend on httpx2 and pytest themselves; a server never imports `testing`.
    helpers = {"httpx2", "pytest"} if path == RUNTIME / "testing.py" else set()

    libraries = set(foreign_to_runtime(source)) - helpers

    assert not libraries


def test_every_layer_has_a_row() -> None:
    layers = {layer_of(parts_of(path)) for path in modules(PACKAGE)}

    assert layers == set(LAYERS)


def test_the_tables_catch_forbidden_imports() -> None:
    source = "import mcpgen.lower\nfrom mcpgen import write\n\ndef late():\n    import black\n"
    openspec = "from mcpgen.openspec.lower.to_api import requirements_to_api\n"

    imports = (
        forbidden_imports("emit/render.py", source),
        misplaced_libraries("emit/render.py", source),
    )

    assert imports == (["lower", "write"], ["black"])
    assert forbidden_imports("lower/tool.py", openspec)
    assert forbidden_imports("openspec/read/folder.py", openspec)
    assert not forbidden_imports("openspec/load.py", openspec)
    assert foreign_to_runtime("import mcpgen, json, mcp") == ["mcpgen"]
