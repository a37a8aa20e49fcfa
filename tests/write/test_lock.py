"""The lock: written locks can be read, and any other text is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mcpgen.diagnostics import Code, Diagnostics
from mcpgen.diagnostics.codes import write as codes
from mcpgen.write import Lock, read_lock

LOCK = Lock(
    "0.1.0",
    "d1",
    True,
    "petstore",
    "petstore_mcp",
    {"../petstore.yaml": "h1", "mcpgen.toml": "h2"},
    {"b.py": "h4", "a.py": "h3"},
    {"GET /pets": "list_pets"},
    ("Dockerfile",),
)


def _read(folder: Path, text: str) -> tuple[Lock | None, list[Code], list[tuple[int, int]]]:
    diagnostics = Diagnostics()
    (folder / "mcpgen.lock").write_text(text, encoding="utf-8")
    lock = read_lock(folder, "mcpgen.lock", diagnostics)
    return lock, [d.code for d in diagnostics], [(d.at.line, d.at.column) for d in diagnostics]


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    lock, result, _ = _read(tmp_path, LOCK.text)

    assert lock == LOCK
    assert result == []


def test_every_fact_stands_on_its_own_line_in_order() -> None:
    lines = LOCK.text.splitlines()

    assert '    "a.py": "h3",' in lines
    assert lines.index('    "a.py": "h3",') + 1 == lines.index('    "b.py": "h4"')
    assert '    "GET /pets": "list_pets"' in lines


def test_a_folder_without_a_lock_has_none(tmp_path: Path) -> None:
    diagnostics = Diagnostics()

    lock = read_lock(tmp_path, "mcpgen.lock", diagnostics)

    assert lock is None
    assert not list(diagnostics)


def test_a_merge_conflict_is_found_at_its_line(tmp_path: Path) -> None:
    lock, result, places = _read(
        tmp_path, LOCK.text.replace('  "files"', '<<<<<<< HEAD\n  "files"')
    )

    assert lock is None
    assert result == [codes.BROKEN_LOCK]
    assert places == [(13, 1)]


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("format", 0),
        ("format", "1"),
        ("verified", "yes"),
        ("package", None),
        ("package", "../other"),
        ("package", "a.b"),
        ("files", []),
        ("files", {"a.py": 3}),
        ("files", {"../../home/x": "h"}),
        ("files", {"/etc/passwd": "h"}),
        ("files", {".git/config": "h"}),
        ("files", {"a/.venv/bin/python": "h"}),
        ("ejected", [".git/config"]),
        ("mcpgen", "latest"),
        ("mcpgen", "9.0\n\n"),
        ("mcpgen", "9" * 5000),
        ("mcpgen", None),
        ("ejected", ["../x"]),
        ("ejected", {}),
        ("tools", {"GET /pets": None}),
        ("inputs", ["a"]),
    ],
)
def test_an_unsound_fact_makes_the_lock_unusable(tmp_path: Path, fact: str, value: object) -> None:
    tree = {**json.loads(LOCK.text), fact: value}

    lock, result, _ = _read(tmp_path, json.dumps(tree))

    assert lock is None
    assert result == [codes.BROKEN_LOCK]


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '"x"', "[" * 100_000])
def test_other_texts_are_no_lock(tmp_path: Path, text: str) -> None:
    lock, result, _ = _read(tmp_path, text)

    assert lock is None
    assert result == [codes.BROKEN_LOCK]


def test_a_lock_of_a_later_format_is_named_as_such(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    (tmp_path / "mcpgen.lock").write_text('{"format": 2, "mcpgen": "3.0.0"}', encoding="utf-8")

    lock = read_lock(tmp_path, "mcpgen.lock", diagnostics)

    assert lock is None
    assert [(d.code, d.hint) for d in diagnostics] == [
        (codes.NEWER_LOCK, "install mcpgen 3.0.0 or later")
    ]


def test_nothing_invisible_stands_in_the_text() -> None:
    lock = replace(LOCK, tools={"GET /a\u202e\u200bb": "get_a"})

    assert lock.text.isascii()
    assert json.loads(lock.text)["tools"] == lock.tools


@pytest.mark.parametrize(
    ("built_version", "version", "newer"),
    [
        ("0.2.0", "0.1.0", True),
        ("0.10.0", "0.9.0", True),
        ("1.0.0", "1.0.0rc1", True),
        ("1.0", "1.0.0", False),
        ("0.2.0.dev3", "0.2.0", False),
        ("0.1.0", "0.1.0", False),
    ],
)
def test_versions_are_compared_as_pep_440_orders_them(
    built_version: str, version: str, newer: bool
) -> None:
    assert replace(LOCK, mcpgen=built_version).is_newer(version) is newer


def test_two_locks_promise_the_same_when_only_what_built_them_differs() -> None:
    other_lock = replace(LOCK, mcpgen="0.2.0", digest="d2", verified=False, inputs={})

    assert LOCK.promises(other_lock)
    assert not LOCK.promises(replace(LOCK, tools={}))
