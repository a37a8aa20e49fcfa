"""The runtime of a project: the modules that the project's code imports, directly or indirectly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from mcpgen.emit.render import runtime_folder

RUNTIME = "_runtime"
"""The sub-package of a project with its copy of the runtime."""

_IMPORTED = re.compile(rf"^from \w+\.{RUNTIME}\.([\w.]+) import ", re.MULTILINE)
"""An import of the runtime in a generated module."""

# Parsing all modules takes longer than lowering a small document; a test compares with `ast`.
_RELATIVE = re.compile(
    r"^[ \t]*from (\.+)([\w.]*) import (?:\(([^)]*)\)|([^\n(#]*))", re.MULTILINE | re.ASCII
)
"""A relative import in a module of the runtime."""

_NAMES = re.compile(r"(\w+)(?: as \w+)?[\s,]*", re.ASCII)


def runtime_imports(text: str) -> frozenset[str]:
    """The modules of the runtime that a generated module imports, dotted, below the runtime."""
    return frozenset(_IMPORTED.findall(text))


@cache
def runtime_files() -> Mapping[str, str]:
    """The text of every file of the runtime, by its path below the runtime's package."""
    folder = runtime_folder() / "mcpgen_runtime"
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and not _is_in_cache(path.parts)
    }


def copied_files(roots: Iterable[str]) -> dict[str, str]:
    """The files of the runtime that modules `roots` need, by path: modules they import, the packages
    around these, and files of other kinds that are named after a needed module."""
    files = runtime_files()
    modules = {
        path.removesuffix(".py").replace("/", "."): text
        for path, text in files.items()
        if path.endswith(".py")
    }
    needed = {name.replace(".", "/") for name in reachable_modules(roots, modules)}
    needed |= {
        "__init__",
        *(f"{name.partition('/')[0]}/__init__" for name in needed if "/" in name),
    }
    return {path: text for path, text in files.items() if _stem(path) in needed}


def reachable_modules(roots: Iterable[str], modules: Mapping[str, str]) -> frozenset[str]:
    """The names among `modules` (dotted name to source) that `roots` import, directly or indirectly,
    with the roots themselves."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in modules and name not in reached:
            reached.add(name)
            waiting += _imported(name, modules[name])
    return frozenset(reached)


@cache
def _imported(name: str, source: str) -> frozenset[str]:
    """The modules of the runtime that a module imports anywhere in its source, dotted."""
    return frozenset(_absolute_names(name.split("."), source))


def _absolute_names(name: list[str], source: str) -> Iterator[str]:
    for dots, module, enclosed, plain in _RELATIVE.findall(source):
        package = name[: len(name) - len(dots)]
        base = [*package, *module.split(".")] if module else package
        yield ".".join(base)
        yield from (".".join([*base, each]) for each in _NAMES.findall(enclosed or plain))


def _stem(path: str) -> str:
    """A file's path without its suffixes: `scripts/sandbox.completion.js` is `scripts/sandbox`."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"


def _is_in_cache(parts: tuple[str, ...]) -> bool:
    return any(part.endswith("_cache") or part == "__pycache__" for part in parts)
