"""The matrix of the zoo as a page: every check, and the broken servers that it catches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from all_servers import ANIMALS, CORRECT, Animal

from mcpgen.conformance import PROFILES, TABLE, Check
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.hosts.facts import CHECKS as HOST_CHECKS

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "zoo.md"
_HEAD = """\
# The zoo

A check that cannot fail proves nothing. For every check there is at least one server that is broken in
this one way: the small correct server of [tests/broken/](../tests/broken/), with a few lines replaced. The
tests run every check on each of them: the one that is meant must fail (or warn, where it never does more), and
no unrelated MUST check may. They also run every check on {correct} servers that are correct and differ
in what the specification leaves open ({names}): none may fail.

{animals} broken servers for {checks} checks. `python -m tests.broken` writes this page anew.
"""


def document() -> str:
    """The whole page."""
    caught = {rule.check.id: rule.check for rule in RULES}
    caught |= {check.id: check for check in HOST_CHECKS.values()}
    names = ", ".join(_spoken(make.__name__) for make in CORRECT)
    head = _HEAD.format(correct=len(CORRECT), names=names, animals=len(ANIMALS), checks=len(caught))
    ordered = [check for id, check in TABLE.items() if id in caught]
    words = dict.fromkeys(check.profile for check in ordered)
    return "\n".join([head, *(line for word in words for line in _section(word, ordered))])


def _section(word: str, checks: list[Check]) -> Iterator[str]:
    title = PROFILES[word].title if word in PROFILES else "Single hosts"
    yield f"## {title}\n"
    yield "| check | what it demands | the server that breaks it | falls with it |"
    yield "| --- | --- | --- | --- |"
    for check in (check for check in checks if check.profile == word):
        animals = [animal for animal in ANIMALS if animal.check == check.id]
        related = dict.fromkeys(id for animal in animals for id in animal.related)
        shown = "; ".join(map(_shown, animals))
        fallen = ", ".join(f"`{id}`" for id in related)
        yield f"| `{check.id}` ({check.level}) | {_cell(check.sentence)} | {shown} | {fallen} |"
    yield ""


def _shown(animal: Animal) -> str:
    """The animal's name in words, and the file it lives in."""
    place = f"../tests/broken/{animal.make.__module__}.py"
    return f"[{_spoken(animal.make.__name__)}]({place})"


def _spoken(name: str) -> str:
    """`AlwaysSorry` as `always sorry`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+", name)
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
