"""The rules of the house: who may import whom, and behind which door each library stands."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator" / "mcpgen"
RUNTIME = ROOT / "runtime" / "mcpgen_runtime"

STAGE = {"diagnostics", "ir", "config"}
ANYBODYS = {"__init__", "__version__"}
"""What every room may import."""

ROOMS: dict[str, set[str]] = {
    "sarif": set(),
    "diagnostics": {"sarif"},
    "ir": {"diagnostics", "openspec"},
    "config": {"diagnostics"},
    "sampling": set(),
    "parallel": set(),
    "cache": set(),
    "read": STAGE,
    "parse": STAGE,
    "lower": STAGE | {"sampling", "parallel", "cache", "openspec"},
    "emit": STAGE | {"parallel", "cache", "openspec"},
    "write": STAGE,
    "conformance": {"sampling", "sarif"},
    "openspec": STAGE | {"read", "parse", "lower", "emit", "conformance", "analysis", "pipeline"},
    "smoke_test": {"diagnostics", "ir", "conformance", "openspec"},
    "lint": {"diagnostics", "ir", "lower"},
    "analysis": {"conformance"},
    "pipeline": STAGE
    | {
        "read",
        "parse",
        "lower",
        "emit",
        "write",
        "conformance",
        "smoke_test",
        "sampling",
        "parallel",
        "cache",
        "analysis",
        "lint",
        "openspec",
    },
    "cli": {"diagnostics", "config", "pipeline", "conformance", "analysis", "openspec"},
    "__init__": {"pipeline", "conformance", "config", "diagnostics"},
    "__main__": {"cli"},
}

DOORS: dict[str, tuple[str, ...]] = {
    "openapi_spec_validator": ("parse/validate.py",),
    "openapi_schema_validator": ("parse/validate.py",),
    "jinja2": ("emit/render.py",),
    "datamodel_code_generator": ("emit/models.py",),
    "black": ("emit/format.py",),
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


def room_of(path: Path) -> str:
    """The room a module of mcpgen stands in: the first name below the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def trespasses(room: str, source: str) -> list[str]:
    """The imports of our own modules that the room may not make."""
    rooms = [name.split(".")[1] for name in imported_by(source) if name.startswith("mcpgen.")]
    return [
        other for other in rooms if other in ROOMS and other not in ROOMS[room] | ANYBODYS | {room}
    ]


def strangers(path: str, source: str) -> list[str]:
    """The libraries that a module imports although their door is elsewhere."""
    libraries = {name.split(".")[0] for name in imported_by(source)}
    return sorted(
        library for library in libraries & DOORS.keys() if not path.startswith(DOORS[library])
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
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    room = room_of(path)

    found = trespasses(room, path.read_text(encoding="utf-8"))

    assert room in ROOMS, f"{room} is not in the table of rooms"
    assert not found, f"{room} may not import {', '.join(found)}"


@pytest.mark.parametrize(
    "path", modules(PACKAGE), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_a_library_is_imported_only_behind_its_door(path: Path) -> None:
    name = path.relative_to(PACKAGE).as_posix()

    found = strangers(name, path.read_text(encoding="utf-8"))

    assert not found, f"{name} may not import {', '.join(found)}"


@pytest.mark.parametrize(
    "path", modules(RUNTIME), ids=lambda path: path.relative_to(RUNTIME).as_posix()
)
def test_the_runtime_stands_on_its_declared_libraries_alone(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    found = foreign_to_runtime(source)

    assert not found


def test_every_stage_of_the_line_has_its_room() -> None:
    expected = set(ROOMS)

    rooms = {room_of(path) for path in modules(PACKAGE)}

    assert rooms == expected


def test_the_tables_catch_what_they_forbid() -> None:
    source = "import mcpgen.lower\nfrom mcpgen import write\n\ndef late():\n    import black\n"

    found = (trespasses("emit", source), strangers("emit/render.py", source))

    assert found == (["lower", "write"], ["black"])
    assert foreign_to_runtime("import mcpgen, json, mcp") == ["mcpgen"]
