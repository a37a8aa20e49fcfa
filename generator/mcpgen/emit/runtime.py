"""The runtime of a project: the modules that its own code reaches, as they stand, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

_IMPORTED = re.compile(r"^from \w+\.runtime\.(\w+) import ", re.MULTILINE)
"""How a generated module names what it takes from the runtime."""

# To parse all modules takes longer than to lower a small description; a test compares.
_SIBLINGS = re.compile(
    r"^[ \t]*from \.(\w*) import (?:\(([^)]*)\)|([^\n(#]*))", re.MULTILINE | re.ASCII
)
"""How a module of the runtime names what it takes from another, or the others themselves."""

_NAMES = re.compile(r"(\w+)(?: as \w+)?[\s,]*", re.ASCII)


def runtime_imports(text: str) -> frozenset[str]:
    """The modules of the runtime that a generated module imports."""
    return frozenset(_IMPORTED.findall(text))


def reachable_modules(roots: Iterable[str], modules: Mapping[str, str]) -> frozenset[str]:
    """The names among `modules` (name to source) that `roots` lead to by import, themselves too."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in modules and name not in found:
            found.add(name)
            waiting += _siblings(modules[name])
    return frozenset(found)


@cache
def _siblings(source: str) -> frozenset[str]:
    """The modules of its own folder that a module of the runtime imports, wherever in it."""
    return frozenset(
        name
        for module, enclosed, plain in _SIBLINGS.findall(source)
        for name in ([module] if module else _NAMES.findall(enclosed or plain))
    )
