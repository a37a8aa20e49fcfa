"""Positions in a TOML document, for every way TOML has to write a key."""

from __future__ import annotations

import tomllib

import pytest

from mcpgen.config import toml_position

DOCUMENT = '''\
# [not.a.table] = "comment"
plain = 1 # c = 2
"quoted key" = "a # no comment"
'literal' = 'x'
dotted . inner."deep.er" = true
long = """
fake = 1
[fake]
"""
raw = \'\'\'
fake = 2\'\'\'
list = [ # comment ]
  "one", # ,
  [2, 3],
  {a = 1, "b" = [{c = 2}]},
]
inline = {x = {y = 1}, z.w = 2}

[table]
key = 1979-05-27T07:32:00Z
[ table . sub ]
key = +1.5e3

[[array]]
name = "first"
[[array]]
name = "second"
[array.sub]
key = inf
'''


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), (1, 1)),
        (("plain",), (2, 1)),
        (("quoted key",), (3, 1)),
        (("literal",), (4, 1)),
        (("dotted",), (5, 1)),
        (("dotted", "inner"), (5, 10)),
        (("dotted", "inner", "deep.er"), (5, 16)),
        (("raw",), (10, 1)),
        (("list",), (12, 1)),
        (("list", "0"), (13, 3)),
        (("list", "1"), (14, 3)),
        (("list", "1", "1"), (14, 7)),
        (("list", "2", "a"), (15, 4)),
        (("list", "2", "b", "0", "c"), (15, 19)),
        (("inline", "x", "y"), (17, 16)),
        (("inline", "z", "w"), (17, 26)),
        (("table",), (19, 2)),
        (("table", "key"), (20, 1)),
        (("table", "sub"), (21, 11)),
        (("table", "sub", "key"), (22, 1)),
        (("array", "0", "name"), (25, 1)),
        (("array", "1", "name"), (27, 1)),
        (("array", "1", "sub", "key"), (29, 1)),
    ],
)
def test_a_key_stands_where_it_is_written(path: tuple[str, ...], expected: tuple[int, int]) -> None:
    assert toml_position(DOCUMENT, path) == expected


def test_a_path_the_document_does_not_have_stands_at_its_nearest_ancestor() -> None:
    assert toml_position(DOCUMENT, ("table", "nothing", "here")) == (19, 2)
    assert toml_position(DOCUMENT, ("nothing",)) == (1, 1)


def test_the_document_above_is_toml() -> None:
    assert "fake" not in tomllib.loads(DOCUMENT)
