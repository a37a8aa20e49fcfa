"""Imports every module of a package as the first module of the package, and prints the modules that fail.

`python -m tests.first_imports FOLDER`, where FOLDER is the package's folder. All modules are loaded
once, then a module is imported anew together with the modules that import it and that it imports
(directly or not): only such modules can meet each other half loaded.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


def failures(folder: Path) -> dict[str, str]:
    """Returns the error of every module that cannot be imported first, by the module's name."""
    modules = {name: path for path in sorted(folder.rglob("*.py")) if (name := _name(folder, path))}
    imports = {name: set(_imports(name, path, modules)) - {name} for name, path in modules.items()}
    errors = {name: error for name in modules if (error := _error(name))}
    reachable_modules = {name: _reachable(name, imports) for name in modules}
    loaded_by: dict[str, set[str]] = {}
    for name in modules:
        cycle = {member for member in reachable_modules[name] if name in reachable_modules[member]}
        # An import starts with the package: a module that the package loads is tested with the package.
        if not cycle or name in loaded_by.get(name.rpartition(".")[0], ()):
            continue
        for member in cycle:
            sys.modules.pop(member, None)
            package, _, attribute = member.rpartition(".")
            # With the attribute, `from package import module` would take the old module.
            if package in sys.modules:
                vars(sys.modules[package]).pop(attribute, None)
        if error := _error(name):
            errors[name] = error
        loaded_by[name] = cycle & sys.modules.keys()
    return errors


def _error(name: str) -> str:
    """Imports a module, and returns the error of the import, `""` without one."""
    try:
        importlib.import_module(name)
    except (ImportError, AttributeError) as error:
        return str(error)
    return ""


def _name(folder: Path, path: Path) -> str:
    """The dotted name of a module, `""` for `__main__`, which runs when it is imported."""
    parts = (folder.name, *path.relative_to(folder).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__") * (parts[-1] != "__main__")


def _imports(name: str, path: Path, modules: dict[str, Path]) -> Iterator[str]:
    """The modules of the package that the import of a module loads: its packages, and the absolute imports outside
    functions and `if TYPE_CHECKING`."""
    names = [name]
    for statement in _statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(statement, ast.Import):
            names += [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names += [f"{statement.module}.{alias.name}" for alias in statement.names]
    for module_name in names:
        while module_name:
            if module_name in modules:
                yield module_name
            module_name = module_name.rpartition(".")[0]


def _statements(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements and handlers that an import executes, with the statements inside blocks."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from _statements(statement.orelse)
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            for block in ("body", "handlers", "orelse", "finalbody"):
                yield from _statements(getattr(statement, block, ()))


def _reachable(name: str, imports: dict[str, set[str]]) -> set[str]:
    """The modules that a module imports, directly or not; with the module itself if it is in a cycle."""
    reachable_names: set[str] = set()
    pending = [name]
    while pending:
        new = imports[pending.pop()] - reachable_names
        reachable_names |= new
        pending += new
    return reachable_names


if __name__ == "__main__":
    package_folder = Path(sys.argv[1])
    sys.path.insert(0, str(package_folder.parent))
    for module, message in failures(package_folder).items():
        print(f"{module}: {message}")
