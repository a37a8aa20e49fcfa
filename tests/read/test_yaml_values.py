"""Values of YAML texts: the core schema of YAML 1.2, merges, and keys as written."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mcpgen.ir.source import Json

VALUES: dict[str, Json] = {
    "NO": "NO",
    "yes": "yes",
    "on": "on",
    "12:30": "12:30",
    "1:2:3": "1:2:3",
    "2020-01-01": "2020-01-01",
    "2020-01-01T10:00:00Z": "2020-01-01T10:00:00Z",
    "0o17": 15,
    "017": 17,
    "08": 8,
    "0x1F": 31,
    "1_000": "1_000",
    "0b11": "0b11",
    "2024_01": "2024_01",
    "~": None,
    "": None,
    "Null": None,
    "nULL": "nULL",
    "TRUE": True,
    "tRUE": "tRUE",
    "False": False,
    "1e3": 1000.0,
    "1E-5": 1e-05,
    ".5": 0.5,
    "1.": 1.0,
    "+1": 1,
    "-0": 0,
    "+.5": 0.5,
    ".": ".",
    "..": "..",
    "1.2.3": "1.2.3",
    "123456789012345678901234567890": 123456789012345678901234567890,
    "-9223372036854776000": -9223372036854776000,
    "=": "=",
    "'12'": "12",
    '"true"': "true",
    "'it''s'": "it's",
    '"\\x41\\u263a\\U0001F600\\/"': "A☺😀/",
    "x#y": "x#y",
    "x # y": "x",
    "http://x:8": "http://x:8",
    "!!str 5": "5",
    "!!str": "",
    "! 5": "5",
    "!!int '5'": 5,
    "!!float 5": 5.0,
    "!!bool 'true'": True,
    "!!null ''": None,
    "!!binary aGVsbG8=": "aGVsbG8=",
    "!!timestamp 2020-01-01": "2020-01-01",
    "!!map {a: 1}": {"a": 1},
    "!!seq [1]": [1],
    "[a, b,]": ["a", "b"],
    "{a, b: 1}": {"a": None, "b": 1},
    "[a: 1]": [{"a": 1}],
    '{"a":1}': {"a": 1},
}
NOT_IN_THE_CORE_SCHEMA = {"1_000", "0b11", "2024_01", "=", "! 5"}
"""Texts for which ruamel.yaml deviates from YAML 1.2; the specification decides."""

TEXTS: dict[str, Json] = {
    "a: |\n  x\n  y\n": {"a": "x\ny\n"},
    "a: >\n  x\n  y\n\n  z\n": {"a": "x y\nz\n"},
    "a: |-\n  x\n": {"a": "x"},
    "a: |+\n  x\n\n": {"a": "x\n\n"},
    "a: 'x\n  y'": {"a": "x y"},
    'a: "x\\\n  y"': {"a": "xy"},
    "a: >-\n   x\n    y\n   z": {"a": "x\n y\nz"},
    "- a\n-\n- - b\n  - c\n": ["a", None, ["b", "c"]],
    "? a\n? b\n": {"a": None, "b": None},
    "a: &x {b: 1}\nc: *x\n": {"a": {"b": 1}, "c": {"b": 1}},
    "a: &x 1\nb: [*x, *x]\n": {"a": 1, "b": [1, 1]},
    "&k a: 1\nb: *k\n": {"a": 1, "b": "a"},
    "a: &k x\n*k : 1\n": {"a": "x", "x": 1},
    "a: &x\nb: *x\n": {"a": None, "b": None},
    "%YAML 1.2\n---\na: NO\n": {"a": "NO"},
    "---\na: 1\n...\n": {"a": 1},
    "a: 1\nb: 2\n": {"a": 1, "b": 2},
    "b: &x {a: 1}\nc:\n  <<: *x\n  d: 2\n": {"b": {"a": 1}, "c": {"a": 1, "d": 2}},
    "b: &x {a: 1}\nc:\n  a: 2\n  <<: *x\n": {"b": {"a": 1}, "c": {"a": 2}},
    "b: &x {a: 1}\nc: {<<: [*x, {a: 2, e: 3}], f: 4}\n": {
        "b": {"a": 1},
        "c": {"a": 1, "e": 3, "f": 4},
    },
    "a: &x {<<: {z: 1}}\nb: {<<: *x}\n": {"a": {"z": 1}, "b": {"z": 1}},
}

KEYS = {
    "200": "200",
    "NO": "NO",
    "on": "on",
    "true": "true",
    "TRUE": "TRUE",
    "017": "017",
    "0x10": "0x10",
    "1.10": "1.10",
    "1e3": "1e3",
    "~": "~",
    "null": "null",
    "'200'": "200",
    "2020-01-01": "2020-01-01",
    "12:30": "12:30",
    "'<<'": "<<",
    "!!str 5": "5",
}


@pytest.mark.parametrize("text", VALUES)
def test_a_scalar_means_what_yaml_1_2_says(text: str, loads: Any) -> None:
    tree, diagnostics = loads(f"a: {text}\n")

    assert tree == {"a": VALUES[text]}
    assert type(tree["a"]) is type(VALUES[text])
    assert not list(diagnostics)


@pytest.mark.parametrize("scalar", sorted(VALUES.keys() - NOT_IN_THE_CORE_SCHEMA))
def test_a_scalar_means_what_ruamel_reads(scalar: str, loads: Any, by_ruamel: Any) -> None:
    text = f"a: {scalar}\n"

    tree, _ = loads(text)

    assert tree == by_ruamel(text)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_means_what_is_expected_and_what_ruamel_reads(
    text: str, loads: Any, by_ruamel: Any
) -> None:
    tree, diagnostics = loads(text)

    assert tree == TEXTS[text]
    assert tree == by_ruamel(text)
    assert not list(diagnostics)


@pytest.mark.parametrize("text", KEYS)
def test_a_key_is_the_text_that_was_written(text: str, loads: Any) -> None:
    tree, diagnostics = loads(f"a: {{}}\n{text}: x\n")

    assert tree == {"a": {}, KEYS[text]: "x"}
    assert not list(diagnostics)


def test_an_empty_key_is_the_empty_text(loads: Any) -> None:
    tree, _ = loads("? \n: x\n")

    assert tree == {"": "x"}


def test_merged_entries_come_before_explicit_entries(loads: Any) -> None:
    tree, _ = loads("base: &base {id: 1}\nall:\n  <<: *base\n  name: 2\n")

    assert list(tree["all"]) == ["id", "name"]


@pytest.mark.parametrize("mark", ["\u0085", "\u2028", "\u2029"])
@pytest.mark.parametrize(
    "shape", ["a: x{0}y\n", "a: 'x{0}y'\n", 'a: "x{0}y"\n', "a: |-\n  x{0}y\n"]
)
def test_unicode_line_separators_are_ordinary_characters(mark: str, shape: str, loads: Any) -> None:
    tree, diagnostics = loads(shape.format(mark))

    assert tree == {"a": f"x{mark}y"}
    assert not list(diagnostics)


def test_private_characters_survive_beside_masked_ones(loads: Any) -> None:
    text = "\ue000\ue001\u2028\ue002"

    tree, _ = loads(f"a: '{text}'\n")

    assert tree == {"a": text}


def test_a_character_escaped_in_halves_is_whole(loads: Any) -> None:
    tree, diagnostics = loads(
        'a: "\\ud83d\\ude00!"\nb: \'\\ud83d\\ude00\'\nc: "\\\\ud83d\\\\ude00"\n'
    )

    assert tree == {"a": "😀!", "b": "\\ud83d\\ude00", "c": "\\ud83d\\ude00"}
    assert not list(diagnostics)


TABBED = {
    "a: 1\n\t\t# c\nb: 2\n": {"a": 1, "b": 2},
    "\t# c\na: 1\n \t# c\n\t\nb: 2\n": {"a": 1, "b": 2},
    "a: x\n\t# c\nb:\n  - 1\n\t# c\n  - 2\n": {"a": "x", "b": [1, 2]},
    "a: |\n  one\n  \t# two\n  three\n\t# c\nb: 2\n": {"a": "one\n\t# two\nthree\n", "b": 2},
    "a: >-\n  one\n\n  \t# two\n\t# c\nb: 'x\n\t# y'\n": {"a": "one\n\n\t# two", "b": "x # y"},
}
"""Texts with tabs before comments, with their values (YAML 1.2.2, §6.6)."""


@pytest.mark.parametrize("text", TABBED)
def test_tabs_before_a_comment_are_white_space(text: str, loads: Any) -> None:
    tree, diagnostics = loads(text)

    assert not list(diagnostics)
    assert tree == TABBED[text]


def test_numbers_stay_numbers_of_their_kind(loads: Any) -> None:
    tree, _ = loads("a: 1.0\nb: 1\nc: -0.0\n")

    assert [type(value) for value in tree.values()] == [float, int, float]
    assert math.copysign(1, tree["c"]) == -1


def test_json_in_a_yaml_file_is_read_unchanged(loads: Any) -> None:
    tree, diagnostics = loads('{\n\t"a": [1, 2.5e3, true, null],\n\t"b": "x\\/y\\n"\n}\n')

    assert tree == {"a": [1, 2500.0, True, None], "b": "x/y\n"}
    assert not list(diagnostics)
