"""Rendering of diagnostics; hostile text is escaped before it reaches the terminal."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from mcpgen.diagnostics import Code, Diagnostic, Diagnostics, Location, Severity
from mcpgen.diagnostics.render import diagnostic_as_json, escape_invisible, line_excerpt, show

RENAMED = Code(
    "MG301",
    "renamed-argument",
    Severity.WARNING,
    "argument `{name}` is taken; it is announced as `{other}`",
    hint="set x-mcp-name on the property to choose the name",
)
PLAIN = Code("MG999", "plain", Severity.ERROR, "something with {text} is wrong", hint="")

AT = Location("specs/pets.yaml", ("paths", "/pets", "id"))


class At(NamedTuple):
    """A position with line and column."""

    line: int
    column: int


def make_finding(code: Code, location: Location = AT, **facts: str) -> list[Diagnostic]:
    """One finding."""
    diagnostics = Diagnostics()
    diagnostics.add(code, location, severity=None, **facts)
    return list(diagnostics)


def no_position(location: Location) -> None:
    """A `Locate` function without positions."""


def no_line(file: str, line: int) -> None:
    """A `LineOf` function without lines."""


def test_a_finding_has_its_place_its_excerpt_and_its_hint() -> None:
    findings = make_finding(RENAMED, name="id", other="body_id")

    text = show(
        findings, lambda location: At(41, 15), lambda file, line: "              id: {type: string}"
    )

    assert text == (
        "specs/pets.yaml:41:15: warning MG301 renamed-argument\n"
        "  argument `id` is taken; it is announced as `body_id`\n"
        "   41 |               id: {type: string}\n"
        "  hint: set x-mcp-name on the property to choose the name"
    )


def test_a_finding_without_a_line_shows_its_pointer() -> None:
    text = show(make_finding(PLAIN, text="x"), no_position, no_line)

    assert text == (
        "specs/pets.yaml#/paths/~1pets/id: error MG999 plain\n  something with x is wrong"
    )


def test_a_finding_about_no_file_has_no_place() -> None:
    text = show(make_finding(PLAIN, Location(""), text="x"), no_position, no_line)

    assert text == "error MG999 plain\n  something with x is wrong"


def test_a_known_line_is_not_looked_up() -> None:
    findings = make_finding(PLAIN, Location("a.json", line=3, column=9), text="x")

    text = show(findings, no_position, lambda file, line: f"line {line} of {file}")

    assert text.startswith("a.json:3:9: error")
    assert "    3 | line 3 of a.json" in text


def test_findings_stand_in_the_order_of_their_places() -> None:
    diagnostics = Diagnostics()
    for file, path in [("b", "1"), ("a", "10"), ("a", "9"), ("a", "2")]:
        diagnostics.add(PLAIN, Location(file, (path,)), text="x")

    text = show(diagnostics, lambda location: At(int(location.path[0]), 1), no_line)

    heads = [line.split(" ")[0] for line in text.splitlines() if "MG999" in line]
    assert heads == ["a:2:1:", "a:9:1:", "a:10:1:", "b:1:1:"]


def test_no_findings_are_no_text() -> None:
    assert show([], no_position, no_line) == ""


def test_colors_surround_the_place_and_the_severity_only() -> None:
    findings = make_finding(PLAIN, text="x")

    text = show(findings, lambda location: At(1, 2), no_line, color=True)

    head, message = text.split("\n")
    assert head == "\x1b[1mspecs/pets.yaml:1:2\x1b[0m: \x1b[31merror\x1b[0m MG999 plain"
    assert "\x1b" not in message


HOSTILE = {
    "escape sequence": "\x1b[31mred",
    "carriage return": "a\rb",
    "line break": "a\nb",
    "NUL": "a\0",
    "bidi override": "a\u202eb",
    "bidi isolate": "a\u2066b",
    "zero width space": "a\u200bb",
    "soft hyphen": "a\u00adb",
    "byte order mark": "a\ufeffb",
    "tag character": "a\U000e0041b",
    "line separator": "a\u2028b",
    "C1 control": "a\x9bb",
    "lone surrogate": "a\ud800b",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_unseen_characters_are_shown_wherever_they_stand(name: str) -> None:
    text = HOSTILE[name]
    location = Location(f"f{text}", (text,))

    output = show(
        make_finding(PLAIN, location, text=text), lambda location: At(1, 1), lambda file, line: text
    )
    output_without_position = show(make_finding(PLAIN, location, text=text), no_position, no_line)

    assert all(
        line.isprintable() for line in [*output.splitlines(), *output_without_position.splitlines()]
    )
    assert len(output.splitlines()) == 3
    assert len(output_without_position.splitlines()) == 2


def test_seen_characters_stay_as_they_are() -> None:
    text = "Ünïcödé 日本語 😀 “q” — `x`"

    assert escape_invisible(text) == text


def test_escapes_name_the_character() -> None:
    assert escape_invisible("a\tb\x1b\u202e\U000e0041") == "a\\tb\\x1b\\u202e\\U000e0041"


@pytest.mark.parametrize("column", [1, 60, 500_000, 999_990, 1_000_000, 2_000_000])
def test_an_excerpt_of_a_huge_line_is_short(column: int) -> None:
    line = "".join(f"{number:09d}," for number in range(100_000))

    part = line_excerpt(line, column)

    assert len(part) <= 102
    assert column > len(line) or line[column - 1 : column + 9].rstrip()[:5] in part


def test_a_short_line_is_shown_whole() -> None:
    assert line_excerpt("\tkey: value  ", 2) == " key: value"


def test_a_finding_as_json_has_every_fact() -> None:
    (finding,) = make_finding(RENAMED, name="id", other="body_id")

    value = diagnostic_as_json(finding, lambda location: At(41, 15))

    assert json.loads(json.dumps(value)) == {
        "id": "MG301",
        "name": "renamed-argument",
        "severity": "warning",
        "message": "argument `id` is taken; it is announced as `body_id`",
        "hint": "set x-mcp-name on the property to choose the name",
        "file": "specs/pets.yaml",
        "line": 41,
        "column": 15,
        "pointer": "/paths/~1pets/id",
    }


def test_json_says_zero_for_an_unknown_line() -> None:
    (finding,) = make_finding(PLAIN, text="x")

    value = diagnostic_as_json(finding, no_position)

    assert (value["line"], value["column"]) == (0, 0)
