"""The operations of an API as modules of methods, which scripts call and documentation is ordered by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.name_words import meaning, name_words, unique

LONGEST = 40
"""The most characters of a module's or a method's name."""

_TAKEN = frozenset({"constructor", "d", "md", "prototype", "then", "tojson", "tostring", "valueof"})
"""Names that mean something already: to the language, or in a request for documentation."""

_NO_MODULES = frozenset({"api", "apis", "rest", "v"})
"""First segments of paths that say nothing of what stands behind them."""


def group_operations(
    operations: Sequence[Operation], tools: Sequence[ToolSpec]
) -> dict[str, Mapping[str, str]]:
    """The names of tools by module and method, in the order of the document.

    A module is the first tag of its operations, else the first segment of their path that says
    something; a method is the name of its tool without the words of the module, or the whole name
    where that would be the name of two. All are legal names of TypeScript that differ in more than
    their case.
    """
    known = {operation.key: operation for operation in operations}
    grouped: dict[str, list[str]] = {}
    for tool in tools:
        grouped.setdefault(_module(known[tool.operation]), []).append(tool.name)
    return {module: _methods(module, names) for module, names in grouped.items()}


def _module(operation: Operation) -> str:
    """The module of an operation."""
    segments = (part for part in operation.path.split("/") if part and "{" not in part)
    for text in (*operation.tags[:1], *segments):
        parts = name_words(text)
        if parts and not (parts[0].rstrip("0123456789") in _NO_MODULES and len(parts) == 1):
            return _identifier(parts)
    return "api"


def _methods(module: str, names: Sequence[str]) -> dict[str, str]:
    """The names of tools by method."""
    about = meaning(module)
    short = {name: _identifier(_rest(name_words(name), about)) for name in names}
    counted = Counter(method.lower() for method in short.values())
    found: dict[str, str] = {}
    folded: set[str] = set()
    for name in names:
        method = short[name]
        if counted[method.lower()] > 1:
            method = _identifier(name_words(name))
        method = unique(method, LONGEST, lambda given: given.lower() in folded)
        folded.add(method.lower())
        found[method] = name
    return found


def _rest(parts: list[str], about: frozenset[str]) -> list[str]:
    """The words of a name that its module does not say; all of them where it says all."""
    left = [word for word in parts if not meaning(word) or not meaning(word) <= about]
    return left or parts


def _identifier(parts: list[str]) -> str:
    """Words as a name of TypeScript: `listOpenOrders`."""
    name = "".join([*parts[:1], *(part.capitalize() for part in parts[1:])])[:LONGEST] or "call"
    if not name[0].isalpha():
        name = f"_{name}"[:LONGEST]
    return f"{name[: LONGEST - 1]}_" if name.lower() in _TAKEN else name
