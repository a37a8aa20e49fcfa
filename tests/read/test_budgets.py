"""Bombs and other hostile texts end in a finding, within seconds and little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from tests.thorough import keep
from tests.time_limits import works_at_most

from mcpgen.read import limits

MEMORY = 200 * limits.MEBIBYTE
SECONDS = 60.0


def bomb(levels: int) -> str:
    """A list of nine texts, then `levels` lists that repeat the previous list nine times."""
    first = "a0: &a0 [" + ",".join("x" * 9) + "]\n"
    levels_above = (f"a{n}: &a{n} [" + ",".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, levels))
    return first + "\n".join(levels_above)


def chain(length: int) -> str:
    """Lists that hold the previous list: deep only with aliases expanded."""
    return "a0: &a0 x\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, length))


def merge_bomb(keys: int, times: int) -> str:
    """A mapping of many keys, merged many times."""
    wide = "a: &a\n" + "".join(f"  k{n}: 1\n" for n in range(keys))
    return wide + "".join(f"m{n}: {{<<: *a}}\n" for n in range(times))


# Texts are made where they are read: they are large, and every process of the tests loads this.
BOMBS: dict[str, tuple[str, Callable[[], str], str]] = {
    "alias bomb": ("api.yaml", lambda: bomb(12), "too-many-values"),
    "chain of aliases": ("api.yaml", lambda: chain(2000), "too-deep"),
    "merge bomb": ("api.yaml", lambda: merge_bomb(20_000, 600), "too-many-values"),
    "deep JSON": ("api.json", lambda: "[" * 2000 + "]" * 2000, "too-deep"),
    "somewhat deep JSON": ("api.json", lambda: '{"a":' * 300 + "1" + "}" * 300, "too-deep"),
    "very deep JSON": ("api.json", lambda: "[" * 5_000_000, "too-deep"),
    "deep YAML in flow style": ("api.yaml", lambda: "[" * 2000 + "]" * 2000, "too-deep"),
    "very deep YAML in flow style": ("api.yaml", lambda: "[" * 1_000_000, "too-deep"),
    "deep YAML in block style": (
        "api.yaml",
        lambda: "\n".join(" " * n + "a:" for n in range(2000)),
        "too-deep",
    ),
    "deep YAML on one line": ("api.yaml", lambda: "- " * 100_000 + "x", "too-deep"),
    "deep keys in YAML": ("api.yaml", lambda: "? " * 100_000 + "x", "too-deep"),
    "million keys in JSON": (
        "api.json",
        lambda: "{" + ",".join(f'"k{n}":1' for n in range(1_000_000)) + "}",
        "mapping-too-large",
    ),
    "million keys in YAML": (
        "api.yaml",
        lambda: "\n".join(f"k{n}: 1" for n in range(1_000_000)),
        "mapping-too-large",
    ),
    "million keys on one line of YAML": (
        "api.yaml",
        lambda: "{" + ",".join(f"k{n}: 1" for n in range(1_000_000)) + "}",
        "mapping-too-large",
    ),
    "tag directives": (
        "api.yaml",
        lambda: "".join(f"%TAG !a{n}! x:{n}\n" for n in range(300_000)) + "---\na: 1\n",
        "broken-yaml",
    ),
    "duplicate keys in JSON": (
        "api.json",
        lambda: "{" + '"a":1,' * 500_000 + '"a":1}',
        "duplicate-key",
    ),
    "duplicate keys in YAML": ("api.yaml", lambda: "{" + "a: 1," * 500_000 + "}", "duplicate-key"),
    "unknown tags": ("api.yaml", lambda: "[" + "!x y," * 300_000 + "]", "unknown-tag"),
    "backslashes": (
        "api.yaml",
        lambda: "a: '" + "\\" * 10_000_000 + "'\n# \\ud83d\nb: .nan",
        "unusable-number",
    ),
    "many values in JSON": (
        "api.json",
        lambda: "[" + "1," * (limits.NODES + 1) + "1]",
        "too-many-values",
    ),
}


SLOW = {
    "million keys in YAML",
    "million keys on one line of YAML",
    "tag directives",
    "duplicate keys in YAML",
    "many values in JSON",
}


@pytest.mark.parametrize(
    "name", keep(BOMBS, {*BOMBS}, "repeats the proof in another notation", SLOW)
)
def test_a_bomb_ends_in_a_finding_in_bounded_time(name: str, loads: Any) -> None:
    file, text, expected = BOMBS[name]

    with works_at_most(SECONDS):
        _, diagnostics = loads(text(), file)

    assert expected in [diagnostic.code.name for diagnostic in diagnostics]


@pytest.mark.parametrize("name", ["alias bomb", "chain of aliases", "merge bomb", "deep JSON"])
def test_a_bomb_is_refused_in_bounded_memory(name: str, loads: Any) -> None:
    file, result, _ = BOMBS[name]
    text = result()
    tracemalloc.start()

    loads(text, file)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("api.yaml", lambda: "a: " + "x" * 30_000_000),
        ("api.yaml", lambda: 'a: "' + "\n" * 3_000_000 + '"'),
        ("api.yaml", lambda: "# x\n" * 1_000_000 + "a: 1\n"),
        ("api.json", lambda: '{"a": "' + "x" * 30_000_000 + '"}'),
        ("api.json", lambda: '{"b": 1, "b": 1, "a": "' + '\\"' * 5_000_000 + '"}'),
    ],
    ids=["plain", "line breaks", "comments", "text in JSON", "escapes in JSON with a fault"],
)
def test_a_huge_scalar_is_read_in_bounded_time(
    file: str, text: Callable[[], str], loads: Any
) -> None:
    with works_at_most(SECONDS):
        tree, diagnostics = loads(text(), file)

    assert "a" in tree
    assert not diagnostics.failed


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("api.json", "[" * limits.DEPTH + "]" * limits.DEPTH),
        ("api.yaml", "[" * limits.DEPTH + "]" * limits.DEPTH),
        ("api.yaml", chain(limits.DEPTH)),
    ],
)
def test_what_is_just_deep_enough_is_read(file: str, text: str, loads: Any) -> None:
    tree, diagnostics = loads(text, file)

    assert tree
    assert not list(diagnostics)


@pytest.mark.parametrize("file", ["api.json", "api.yaml"])
def test_one_level_more_is_refused(file: str, loads: Any) -> None:
    depth = limits.DEPTH + 1

    tree, diagnostics = loads("[" * depth + "]" * depth, file)

    assert tree is None
    assert [diagnostic.code.name for diagnostic in diagnostics] == ["too-deep"]
