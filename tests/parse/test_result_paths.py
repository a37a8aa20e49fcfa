"""Paths into results, and texts without a valid path."""

from __future__ import annotations

import pytest

from mcpgen.ir.result_path import is_deep, is_each, path_steps


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("content", ("content",)),
        ("content[0].text", ("content", 0, "text")),
        ("content[*].text", ("content", "*", "text")),
        ('data["odd name"].a', ("data", "odd name", "a")),
        ("[2].a-b", (2, "a-b")),
        (r'a["q\"\\"]', ("a", 'q"\\')),
        ("_meta.x/y", ("_meta", "x/y")),
        ("**.retry_with", ("**", "retry_with")),
        ("**", ("**",)),
    ],
)
def test_a_path_is_its_steps(path: str, steps: tuple[str | int, ...]) -> None:
    assert path_steps(path) == steps


@pytest.mark.parametrize(
    "path", ["", ".a", "a.", "a..b", "a b", "a[", "a[-1]", "a[x]", "a[0]b", "a.*", "***", 'a["b]']
)
def test_another_text_is_no_path(path: str) -> None:
    assert path_steps(path) is None


def test_a_member_called_by_an_asterisk_is_not_every_element() -> None:
    quoted_steps, every_steps = path_steps('a["*"]'), path_steps("a[*]")
    deep_steps, literal_steps = path_steps("**"), path_steps('["**"]')

    assert quoted_steps is not None
    assert every_steps is not None
    assert deep_steps is not None
    assert literal_steps is not None
    assert (is_deep(deep_steps[0]), is_deep(literal_steps[0])) == (True, False)
    assert [is_each(step) for step in quoted_steps] == [False, False]
    assert [is_each(step) for step in every_steps] == [False, True]
