"""Literals: the printed text evaluates to the value, and black leaves the text unchanged."""

import ast
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.emit.literal import CallExpr, NameExpr, evaluated, format_source, printed, width

WORDS = st.lists(
    st.text("aé漢'\"\\ \n\t\u202e\u200b\u2028\x00\ud800🚀{%#}", min_size=1, max_size=30),
    max_size=12,
).map(" ".join)
TEXTS = st.text() | WORDS | st.text("abcdefgh ", min_size=60, max_size=260)
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | TEXTS
    | st.just(10**120)
)
SHORT_WORDS = st.text("abc'\"\\", max_size=20)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(TEXTS, inner, max_size=4)
    ),
    max_leaves=14,
)
CALLS = st.builds(
    lambda positional, keywords: CallExpr("Tool", positional, tuple(keywords.items())),
    st.lists(VALUES, max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["name", "description", "arguments"]), VALUES),
)


@given(VALUES | st.lists(CALLS, max_size=2).map(tuple) | CALLS)
def test_black_leaves_what_is_printed_alone(value: object) -> None:
    source = f"TOOL = {printed(value, before=7)}\n"

    assert format_source(source) == source


@given(VALUES)
def test_what_is_printed_is_the_value(value: object) -> None:
    source = printed(value, indent=8, before=12, after=1)

    assert ast.literal_eval(source) == value


@given(VALUES | CALLS)
def test_evaluated_value_is_the_value_of_the_source(value: object) -> None:
    names = {"Tool": lambda *positional, **keywords: (positional, keywords)}

    assert repr(evaluated(value, names)) == repr(eval(printed(value), names))


@given(TEXTS)
def test_nothing_invisible_stands_in_the_source(text: str) -> None:
    source = printed({"description": text})

    assert not {category(char) for char in source.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Zl",
    }
    assert not set(source) & set("\u2028\u2029\u200b\u202e\ud800\x00\ufeff\u3164\ufe0f")


@pytest.mark.repeated("draws more texts for the test of black's layout")
@given(st.dictionaries(SHORT_WORDS, st.lists(TEXTS, max_size=30).map(" ".join)))
def test_no_text_is_so_long_that_a_line_is_too_wide(value: dict[str, str]) -> None:
    lines = printed([value], indent=12).split("\n")

    assert max(width(line) for line in lines) <= 100


def test_a_long_string_is_split_between_words() -> None:
    text = "word " * 30

    source = printed({"key": text}, before=4)

    assert source.split("\n")[:3] == [
        "{",
        '    "key": (',
        f'        "{"word " * 18}"',
    ]


def test_a_string_that_fits_on_the_next_line_is_not_split() -> None:
    text = "x" * 90

    source = printed({"description": text})

    assert source == f'{{\n    "description": (\n        "{text}"\n    ),\n}}'


def test_a_string_is_split_after_each_of_its_lines() -> None:
    text = "first line\nsecond line\n" + "third " * 20

    source = printed([text])

    assert source.split("\n")[2:4] == [r'        "first line\n"', r'        "second line\n"']


def test_a_name_is_printed_as_it_stands() -> None:
    source = printed(CallExpr("f", (NameExpr("HOOKS"),), (("key", NameExpr("x.y")),)))

    assert source == "f(HOOKS, key=x.y)"


@pytest.mark.parametrize("value", [float("nan"), b"bytes", {1, 2}])
def test_a_value_without_a_literal_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no literal"):
        printed(value)
    with pytest.raises(TypeError, match="has no literal"):
        evaluated(value, {})
