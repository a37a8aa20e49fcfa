"""Rules for names: a class name stands for one class, and private words name nothing."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("generator", "runtime", "templates", "benchmarks")
TESTS = ("tests",)

SHARED_FUNCTION_NAMES = 0.09
"""The largest share of functions on module level whose name stands for several functions. Lower the
number with every renaming."""

# One process parses the modules once.
pytestmark = pytest.mark.xdist_group("names")

UNUSED_WORDS = frozenset(
    [
        "beside",
        "begun",
        "crew",
        "deed",
        "door",
        "jury",
        "keeper",
        "mould",
        "moulds",
        "nursery",
        "offer",
        "offers",
        "paper",
        "papers",
        "proof",
        "proofs",
        "said",
        "surface",
        "survey",
        "told",
        "trial",
        "vault",
        "workshop",
        "zoo",
    ]
)
"""Words that once named parts of mcpgen and that no reader can look up."""


@cache
def definitions(path: Path) -> tuple[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    """Every class and function of a module, at any depth."""
    return tuple(
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )


def modules(folders: tuple[str, ...] = FOLDERS) -> list[Path]:
    """The Python files of folders, by default of those whose names are held to every rule."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in paths if not any(part.startswith(".") for part in path.parts))


def words_of(name: str) -> set[str]:
    """The words of a name in lower case: `OneName` and `one_name` give `one` and `name`."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


@pytest.mark.parametrize("folders", [FOLDERS, TESTS], ids=["sources", "tests"])
def test_a_class_name_stands_for_one_class(folders: tuple[str, ...]) -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules(folders):
        for node in definitions(path):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")

    repeated_names = {name: texts for name, texts in places.items() if len(texts) > 1}

    assert repeated_names == {}


def test_few_functions_share_their_name_with_another_function() -> None:
    names = Counter(
        node.name
        for path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )

    shared = sum(count for count in names.values() if count > 1)

    assert shared / names.total() <= SHARED_FUNCTION_NAMES


def test_no_module_class_or_public_function_has_a_word_that_is_not_used() -> None:
    names = [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node.name)
        for path in modules()
        for node in definitions(path)
        if isinstance(node, ast.ClassDef) or not node.name.startswith("_")
    ]
    names += [(str(path.relative_to(ROOT)), path.stem) for path in modules()]

    wrong = [f"{place} {name}" for place, name in names if words_of(name) & UNUSED_WORDS]

    assert wrong == []


def test_words_of_a_name() -> None:
    assert words_of("HTTPServer_oneName") == {"httpserver", "one", "name"}
