"""The runtime of a project: the files of a copy, or the requirement of the package."""

from __future__ import annotations

import ast
import os
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from typing import Any

from mcpgen.config.tables.project import RuntimeMode
from mcpgen.emit.code import imports
from mcpgen.emit.render import runtime_folder
from mcpgen.emit.runtime_features import feature_modules_of
from mcpgen.ir.project import Project

RUNTIME = "_runtime"
"""The sub-package of a project with the copied runtime."""

INSTALLED = "mcpgen_runtime"
"""The package of the installed runtime."""

_IMPORTED = re.compile(rf"^ *from \w+\.{RUNTIME}\.([\w.]+) import ", re.MULTILINE)
"""An import of the runtime in a generated module, at the top or in a function."""


def runtime_imports(text: str) -> frozenset[str]:
    """The runtime modules that a generated module imports, dotted, below the runtime."""
    return frozenset(_IMPORTED.findall(text))


@cache
def runtime_files() -> Mapping[str, str]:
    """The text of every file of the runtime, by path below the runtime's package."""
    folder = runtime_folder() / "mcpgen_runtime"
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and not _is_in_cache(path.parts)
    }


def copied_files(named: Iterable[str]) -> dict[str, str]:
    """The files of the runtime for a project with generated code that imports the modules `named`,
    by path: the modules of the feature table, and files of other types named after a module.

    Without `__init__.py`: the files have no code, and Python imports the folders as namespace
    packages, so that each copied file is necessary.
    """
    needed = {name.replace(".", "/") for name in feature_modules_of(named)}
    return {path: text for path, text in runtime_files().items() if _stem(path) in needed}


def testing_module() -> str:
    """The text of the pytest plugin for the tests of a project."""
    return runtime_files()["testing.py"]


def _stem(path: str) -> str:
    """A file's path without suffixes: `scripts/sandbox.completion.js` becomes `scripts/sandbox`."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"


def _is_in_cache(parts: tuple[str, ...]) -> bool:
    return any(part.endswith("_cache") or part == "__pycache__" for part in parts)


def runtime_package(package: str, mode: RuntimeMode) -> str:
    """The name by which the server of a package imports the runtime."""
    return INSTALLED if mode is RuntimeMode.PACKAGE else f"{package}.{RUNTIME}"


def has_copy(project: Project, package: str) -> bool:
    """True if the project with this package has a copy of the runtime."""
    return any(file.path.startswith(f"{package}/{RUNTIME}/") for file in project.files)


@cache
def runtime_version() -> str:
    """The version of the runtime in this mcpgen, such as `0.3.0`."""
    version: str = _distribution()["version"]
    return version


def runtime_environment() -> dict[str, str]:
    """The environment variables for starting a server in package mode, by name: `PYTHONPATH` with
    the runtime of this mcpgen, unless the runtime is installed."""
    if find_spec(INSTALLED):
        return {}
    paths = [str(runtime_folder()), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def runtime_requirements(requires: Iterable[str]) -> list[str]:
    """The requirements of a project that depends on the runtime, sorted.

    `requires`: requirements besides those of every server. A requirement listed in an extra of the
    runtime becomes the extra: `mcpgen-runtime[auth,redis]>=0.3.0,<0.4`.
    """
    extras = {
        requirement: extra
        for extra, requirements in _distribution()["optional-dependencies"].items()
        for requirement in requirements
    }
    chosen = sorted({extras[requirement] for requirement in requires if requirement in extras})
    names = f"[{','.join(chosen)}]" if chosen else ""
    major, minor, _ = runtime_version().split(".")
    runtime = f"mcpgen-runtime{names}>={runtime_version()},<{major}.{int(minor) + 1}"
    return sorted(
        [runtime, *(requirement for requirement in requires if requirement not in extras)]
    )


@cache
def _distribution() -> dict[str, Any]:
    """The table `project` of the runtime's `pyproject.toml`."""
    text = (runtime_folder() / "pyproject.toml").read_text("utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def import_installed(source: str, package: str) -> str:
    """The source of a generated module with its imports from the copied runtime replaced by imports
    from `mcpgen_runtime`, in isort's order."""
    copied = f"{package}.{RUNTIME}"
    if f"{copied}." not in source:
        return source
    lines = source.splitlines(keepends=True)
    # From the end, so that the numbers of the lines before stay.
    for block in sorted(_import_blocks(source), key=lambda block: -block[0].lineno):
        sections: tuple[list[tuple[bool, str, str]], ...] = ([], [], [], [])
        for node in block:
            name, line = _installed_import(node, copied)
            sections[_section(name, package)].append((isinstance(node, ast.ImportFrom), name, line))
        rows = ["\n".join(line for *_, line in sorted(section)) for section in sections if section]
        text = textwrap.indent("\n\n".join(rows), " " * block[0].col_offset)
        lines[block[0].lineno - 1 : block[-1].end_lineno] = [f"{text}\n"]
    return "".join(lines)


def _import_blocks(source: str) -> Iterator[list[ast.Import | ast.ImportFrom]]:
    """Yields the imports that follow each other, at the top of a module or in a function."""
    tree = ast.parse(source)
    functions = [node.body for node in tree.body if isinstance(node, ast.FunctionDef)]
    for body in (tree.body, *functions):
        for is_import, nodes in groupby(
            body, lambda node: isinstance(node, ast.Import | ast.ImportFrom)
        ):
            if is_import:
                yield [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _installed_import(node: ast.Import | ast.ImportFrom, copied: str) -> tuple[str, str]:
    """The module and the text of an import, from `mcpgen_runtime` in place of the copy."""
    if isinstance(node, ast.Import):
        return node.names[0].name, ast.unparse(node)
    name = str(node.module)
    if name == copied or name.startswith(f"{copied}."):
        name = f"{INSTALLED}{name.removeprefix(copied)}"
    if any(alias.asname or alias.name == "*" for alias in node.names):
        return name, ast.unparse(ast.ImportFrom(name, node.names, 0))
    return name, imports(name, tuple(alias.name for alias in node.names)).text


def _section(module: str, package: str) -> int:
    """The section of an import in isort's order: future, standard library, third party, first party."""
    root = module.partition(".")[0]
    if root == "__future__":
        return 0
    if root in sys.stdlib_module_names:
        return 1
    return 3 if root in (package, "tests") else 2
