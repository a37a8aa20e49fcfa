"""Spans of values in YAML texts."""

from __future__ import annotations

import pytest

from mcpgen.read.yaml_events import YamlSpan, count_with_comments, yaml_spans


def root_of(text: str) -> YamlSpan:
    """Span of the first document."""
    yaml_span = yaml_spans(text)
    assert yaml_span is not None
    return yaml_span


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("b", 1),
        ("'b'  # said", 1),
        ('"b\n  c"', 2),
        ("b\n  c", 2),
        ("|\n  b\n  c", 3),
        ("{b: [\n1]}", 2),
        ("\n- b\n- c", 3),
        ("\n  b: 1\n  c: |\n    d", 4),
        ("&x b", 1),
    ],
)
def test_a_value_ends_with_its_last_line(value: str, lines: int) -> None:
    root = root_of(f"a: {value}\nz: 1\n")

    assert root.below["a"].lines == lines


def test_a_block_scalar_holds_the_blank_lines_behind_it() -> None:
    root = root_of("a: |+\n  b\n\n\nz: 1\n")

    assert root.below["a"].lines == 4


def test_the_span_of_a_scalar_is_two_columns() -> None:
    yaml_span = root_of('a:\n  b: "c d" # e\n').find(("a", "b"))

    assert yaml_span is not None
    assert (yaml_span.start, yaml_span.end) == ((1, 5), (1, 10))


@pytest.mark.parametrize(
    ("text", "column"), [("a:\n    b: 1\n", 4), ("a: {b: 1}\n", None), ("a: [1]\n", None)]
)
def test_only_a_block_has_a_column_for_its_keys(text: str, column: int | None) -> None:
    assert root_of(text).below["a"].key_column == column


def test_nothing_is_where_no_value_is() -> None:
    assert root_of("a: {b: 1}\n").find(("a", "c", "d")) is None


@pytest.mark.parametrize("text", ["a: [", "", "# nothing\n"])
def test_a_text_without_a_value_has_no_extent(text: str) -> None:
    assert yaml_spans(text) is None


def test_comments_indented_as_far_as_a_block_belong_to_it() -> None:
    lines = ["a:", "  b: 1", "", "  # mine", "# not mine", "c: 1"]

    assert count_with_comments(lines, 2, 2) == 4
    assert count_with_comments(lines, 2, 0) == 5
