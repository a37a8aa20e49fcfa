"""Faults in a text are reported with name and position."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.read import limits

BROKEN = {
    "flow sequence without end": ("a: [1\n", "broken-yaml", 2, 1),
    "colon in a plain text": ("a: b: c\n", "broken-yaml", 1, 5),
    "reserved character": ("a: 1\nb: @x\n", "broken-yaml", 2, 4),
    "indentation": ("a:\n  b: 1\n c: 2\n", "broken-yaml", 3, 2),
    "tab as indentation": ("a:\n\tb: 1\n", "broken-yaml", 2, 1),
    "unknown escape": ('a: "\\q"\n', "broken-yaml", 1, 5),
    "control character": ("é: 1\na: x\x07\n", "broken-yaml", 2, 5),
    "NUL": ("a: \0\n", "broken-yaml", 1, 4),
    "half of a character": ('a: "\\ud800"\n', "broken-yaml", 1, 7),
    "quote without end": ("a: 'x\n", "broken-yaml", 2, 1),
    "python object": ("a: !!python/object/apply:os.system ['x']\n", "unknown-tag", 1, 4),
    "local tag": ("a:\n  - !foo 1\n", "unknown-tag", 2, 5),
    "local tag on a mapping": ("a: !Ref {x: 1}\n", "unknown-tag", 1, 4),
    "local tag on a key": ("!foo a: 1\n", "unknown-tag", 1, 1),
    "set": ("a: !!set {x, y}\n", "unknown-tag", 1, 4),
    "tag that does not fit": ("a: !!int foo\n", "unknown-tag", 1, 4),
    "scalar tag on a mapping": ("a: !!str {b: 1}\n", "unknown-tag", 1, 4),
    "infinity": ("a: .inf\n", "unusable-number", 1, 4),
    "negative infinity": ("a: -.INF\n", "unusable-number", 1, 4),
    "not a number": ("a: .nan\n", "unusable-number", 1, 4),
    "overflow": ("a: 1e400\n", "unusable-number", 1, 4),
    "number of 5,000 digits": ("a: " + "1" * 5000 + "\n", "unusable-number", 1, 4),
    "hexadecimal number of 4,800 digits": ("a: 0x" + "f" * 4000 + "\n", "unusable-number", 1, 4),
    "octal number of 4,500 digits": ("a: 0o" + "7" * 5000 + "\n", "unusable-number", 1, 4),
    "integer beyond floats": ("a: !!float 1" + "0" * 400 + "\n", "unusable-number", 1, 4),
    "second document": ("a: 1\n---\nb: 2\n", "several-documents", 2, 1),
    "document after the end": ("a: 1\n...\n---\nb: 2\n", "several-documents", 3, 1),
    "alias without anchor": ("a: *nope\n", "unknown-alias", 1, 4),
    "alias as key without anchor": ("*nope : 1\n", "unknown-alias", 1, 1),
    "alias of another document's anchor": ("--- &x\n--- *x\n", "unknown-alias", 2, 5),
    "sequence that holds itself": ("a: &x [*x]\n", "recursive-alias", 1, 8),
    "mapping that holds itself": ("a: &x\n  b:\n    c: *x\n", "recursive-alias", 3, 8),
    "sequence as key": ("? [a]\n: b\n", "complex-key", 1, 3),
    "template as key": ("{a: 1}: b\n", "complex-key", 1, 1),
    "alias of a mapping as key": ("a: &x {b: 1}\n*x : 2\n", "complex-key", 2, 1),
    "merge of a number": ("a:\n  <<: 5\n", "bad-merge", 2, 7),
    "merge of a list of texts": ("<<: [x]\n", "bad-merge", 1, 7),
    "nothing": ("", "empty-file", 0, 0),
    "white space": (" \n\n", "empty-file", 0, 0),
    "only comments": ("# nothing\n# here\n", "empty-file", 0, 0),
    "only a marker": ("---\n", "empty-file", 0, 0),
}

BROKEN_JSON = {
    # The json module names the comma since Python 3.13, the character after the comma before.
    "comma before the end": (
        '{"a": 1,\n}',
        "broken-json",
        *((1, 8) if sys.version_info >= (3, 13) else (2, 1)),
    ),
    "missing comma": ('{"a": 1\n "b": 2}', "broken-json", 2, 2),
    "missing end": ('{"a": [1, 2', "broken-json", 1, 12),
    "raw control character": ('{"a": "x\ny"}', "broken-json", 1, 9),
    "comment": ('{\n// no\n"a": 1}', "broken-json", 2, 1),
    "text behind": ("{} x", "broken-json", 1, 4),
    "not JSON at all": ("<html>openapi: 3.0.0</html>", "broken-json", 1, 1),
    "NaN": ('{"a": [0, NaN]}', "unusable-number", 1, 11),
    "Infinity": ('{"a":\n -Infinity}', "unusable-number", 2, 2),
    "overflow": ('{"a": 1e999}', "unusable-number", 1, 7),
    "number of 5,000 digits": ('{"a": ' + "1" * 5000 + "}", "unusable-number", 1, 7),
    "long number in broken JSON": ('{"a": ' + "1" * 5000 + " ]]", "unusable-number", 1, 7),
    "half of a character": ('{"a": "\\ud83d"}', "half-character", 1, 7),
    "second half alone": ('{"a": "x\\uDE00"}', "half-character", 1, 7),
    "half of a character in a key": ('{"\\ud83d": 1}', "half-character", 1, 2),
    "empty": ("\n", "empty-file", 0, 0),
}


def finding_places(diagnostics: Diagnostics) -> list[tuple[str, int, int]]:
    """Name and place of every finding."""
    return [
        (diagnostic.code.name, diagnostic.at.line, diagnostic.at.column)
        for diagnostic in diagnostics
    ]


@pytest.mark.parametrize("case", BROKEN)
def test_a_fault_in_yaml_is_named_and_placed(case: str, loads: Any) -> None:
    text, name, line, column = BROKEN[case]

    _, diagnostics = loads(text)

    assert (name, line, column) in finding_places(diagnostics)
    assert diagnostics.failed


@pytest.mark.parametrize("case", BROKEN_JSON)
def test_a_fault_in_json_is_named_and_placed(case: str, loads: Any) -> None:
    text, name, line, column = BROKEN_JSON[case]

    _, diagnostics = loads(text, "api.json")

    assert finding_places(diagnostics) == [(name, line, column)]
    assert diagnostics.failed


@pytest.mark.parametrize("case", [case for case in BROKEN_JSON if "half" in case])
def test_what_holds_half_a_character_goes_no_further(case: str, loads: Any) -> None:
    tree, _ = loads(BROKEN_JSON[case][0], "api.json")

    assert tree is None


def test_whole_characters_escaped_in_halves_are_no_fault_in_json(loads: Any) -> None:
    tree, diagnostics = loads('{"a": "\\ud83d\\ude00", "b": "\\\\ud83d"}', "api.json")

    assert tree == {"a": "😀", "b": "\\ud83d"}
    assert not list(diagnostics)


def test_every_fault_of_a_document_is_found_at_once(loads: Any) -> None:
    _, diagnostics = loads("a: !foo 1\nb: .inf\nc: *nope\n")

    assert [name for name, _, _ in finding_places(diagnostics)] == [
        "unknown-tag",
        "unusable-number",
        "unknown-alias",
    ]


def test_a_fault_knows_the_keys_that_lead_to_it(loads: Any) -> None:
    _, diagnostics = loads("a:\n  b:\n    - 1\n    - c: !foo x\n")

    assert [diagnostic.at.path for diagnostic in diagnostics] == [("a", "b", "1", "c")]


@pytest.mark.parametrize("file", ["api.yaml", "api.json"])
def test_a_duplicate_key_is_a_warning_and_the_last_value_wins(file: str, loads: Any) -> None:
    text = '{"x": {"a": 1,\n "a": 2},\n "y": [{"a": 1}, {"b": 1, "b": 1, "b": 3}], "x2": {"a": 3}}'

    tree, diagnostics = loads(text, file)

    assert tree["x"] == {"a": 2}
    assert tree["y"][1] == {"b": 3}
    assert [
        (diagnostic.at.path, diagnostic.at.line, diagnostic.at.column) for diagnostic in diagnostics
    ] == [
        (("x", "a"), 2, 2),
        (("y", "1", "b"), 3, 27),
        (("y", "1", "b"), 3, 35),
    ]
    assert {diagnostic.severity for diagnostic in diagnostics} == {Severity.WARNING}


def test_a_number_and_a_text_with_the_same_spelling_are_one_key(loads: Any) -> None:
    tree, diagnostics = loads("200: a\n'200': b\n")

    assert tree == {"200": "b"}
    assert [diagnostic.code.name for diagnostic in diagnostics] == ["duplicate-key"]


def test_a_key_by_an_alias_may_be_a_duplicate(loads: Any) -> None:
    tree, diagnostics = loads("x: &key b\nb: 1\n*key : 2\n")

    assert tree == {"x": "b", "b": 2}
    assert finding_places(diagnostics) == [("duplicate-key", 3, 1)]


@pytest.mark.parametrize("file", ["api.yaml", "api.json"])
def test_findings_of_one_kind_are_capped_and_the_rest_is_counted(file: str, loads: Any) -> None:
    text = "{" + ",".join(['"a": 1'] * 1001) + "}"

    _, diagnostics = loads(text, file)

    *shown_findings, omitted_finding = diagnostics
    assert len(shown_findings) == limits.LISTED
    assert omitted_finding.code.name == "omitted-findings"
    assert (
        f"was found 1000 times in this file; the first {limits.LISTED} " in omitted_finding.message
    )


def test_an_empty_second_document_is_no_second_document(loads: Any) -> None:
    tree, diagnostics = loads("a: 1\n---\n# nothing\n")

    assert tree == {"a": 1}
    assert not list(diagnostics)


def test_a_message_repeats_only_the_start_of_a_huge_text(loads: Any) -> None:
    _, diagnostics = loads("a: 1\n" + "k" * 500 + ": 1\n" + "k" * 500 + ": 2\n")

    assert [len(diagnostic.message) < 400 for diagnostic in diagnostics] == [True]


def test_a_control_character_is_named_with_the_way_to_write_it(loads: Any) -> None:
    _, diagnostics = loads("é: 1\na: x\x9f\n")

    (finding,) = diagnostics
    assert finding.message == "this is not YAML: the control character U+009F is not allowed"
    assert finding.hint == "remove the character, or write it as `\\x9F` in double quotes"
