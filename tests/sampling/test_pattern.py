"""Sample strings match the patterns of real documents."""

from __future__ import annotations

import re

import pytest

from mcpgen.sampling import sample, valid

PATTERNS = [
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^\\d{3}-\\d{2}-\\d{4}$",
    "^(0x)?[0-9a-fA-F]{40}$",
    "^[^/]+$",
    "^[^a-zA-Z]$",
    "^\\w+@\\w+\\.com$",
    "^\\S+\\s\\S+$",
    "^\\W\\D$",
    "^.{3,5}$",
    "foo|bar",
    "^(?:cat|dog)s?$",
    "^(a|b)\\1$",
    "^(?<year>\\d{4})$",
    "^(?P<year>\\d{4})$",
    "(?=.*[A-Z])(?=.*\\d).{8,}",
    "^(?!root)[a-z]+$",
    "^\\p{L}+$",
    "^[\\p{L}\\p{N} ]{2,}$",
    "^\\p{Lu}\\p{Ll}$",
    "^[A-Za-z_][A-Za-z0-9_]*$",
    "^$",
    "",
    "^AC[0-9a-fA-F]{32}$",
    "^\\+[1-9]\\d{1,14}$",
    "^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$",
    "^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\\d{12}:.+$",
    "^\\u00e9$",
    "^[\\u4e00-\\u9fa5]+$",
    "^\\/api\\/v\\d+$",
    "^a*?b+?$",
    "^x{0}y$",
    "\\bword\\b",
    "^\\d+(\\.\\d{1,2})?$",
    "^[[a]$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_string_matches_its_pattern(pattern: str) -> None:
    schema = {"type": "string", "pattern": pattern}

    value = sample(schema)

    assert valid(value, schema), value


LENGTHS = [
    ("^[a-z]+$", 30, 40),
    ("^[a-z]*$", 0, 0),
    ("^\\d{2,10}$", 5, 5),
    ("^a|b{3,}$", 3, 10),
    ("^(ab)+$", 7, 8),
    ("^.*$", 100, 100),
]


@pytest.mark.parametrize(("pattern", "least", "most"), LENGTHS)
def test_a_string_has_the_length_asked_for_too(pattern: str, least: int, most: int) -> None:
    schema = {"type": "string", "pattern": pattern, "minLength": least, "maxLength": most}

    value = sample(schema)

    assert least <= len(value) <= most
    assert re.search(pattern, value)
