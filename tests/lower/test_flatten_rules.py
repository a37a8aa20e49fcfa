"""The table of rules in `mcpgen.lower.flatten` names functions, and each function names its rule."""

from __future__ import annotations

import pkgutil
import re

import pytest

from mcpgen.lower import flatten

_ROW = re.compile(r"^\| (.+) \| `([\w.]+)` \|$", re.MULTILINE)
RULES = _ROW.findall(flatten.__doc__ or "")


@pytest.mark.parametrize(("rule", "path"), RULES)
def test_each_rule_is_named_by_its_function(rule: str, path: str) -> None:
    name = path if path.startswith("mcpgen.") else f"mcpgen.lower.flatten.{path}"

    assert pkgutil.resolve_name(name).__doc__.startswith(f'Rule "{rule}"')


def test_the_table_has_every_rule() -> None:
    assert len(RULES) == 21
