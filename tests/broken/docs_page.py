"""Renders docs/broken-servers.md: every check with the broken servers that the check detects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from all_servers import BROKEN_CASES, CONFORMING, BrokenCase

from mcpgen.conformance import PROFILES, TABLE, Check
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.hosts.facts import CHECKS as HOST_CHECKS

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "broken-servers.md"
_HEAD = """\
# Broken servers

Every check of [`mcpgen check`](checks.md) is tested with at least one server that violates the check's
requirement and no other: the conforming server of [tests/broken/](../tests/broken/) with a few lines replaced.
The tests run every check against every broken server. The intended check must fail (or warn, if its violations
are never failures); no unrelated MUST check may fail. The tests also run every check against {correct} conforming
servers that differ where the specification leaves a choice ({names}): no check may fail.

{cases} broken servers for {checks} checks. `python -m tests.broken` rewrites this page.
"""


def document() -> str:
    """The whole page."""
    caught = {rule.check.id: rule.check for rule in RULES}
    caught |= {check.id: check for check in HOST_CHECKS.values()}
    names = ", ".join(_spoken(make.__name__) for make in CONFORMING)
    head = _HEAD.format(
        correct=len(CONFORMING), names=names, cases=len(BROKEN_CASES), checks=len(caught)
    )
    ordered = [check for id, check in TABLE.items() if id in caught]
    words = dict.fromkeys(check.profile for check in ordered)
    return "\n".join([head, *(line for word in words for line in _section(word, ordered))])


def _section(word: str, checks: list[Check]) -> Iterator[str]:
    title = PROFILES[word].title if word in PROFILES else "Single hosts"
    yield f"## {title}\n"
    yield "| check | requirement | broken servers | checks that fail with it |"
    yield "| --- | --- | --- | --- |"
    for check in (check for check in checks if check.profile == word):
        cases = [case for case in BROKEN_CASES if case.check == check.id]
        related = dict.fromkeys(id for case in cases for id in case.related)
        shown = "; ".join(map(_shown, cases))
        fallen = ", ".join(f"`{id}`" for id in related)
        yield f"| `{check.id}` ({check.level}) | {_cell(check.sentence)} | {shown} | {fallen} |"
    yield ""


def _shown(case: BrokenCase) -> str:
    """A Markdown link to the module of the server, titled with the class name in words."""
    place = f"../tests/broken/{case.make.__module__}.py"
    return f"[{_spoken(case.make.__name__)}]({place})"


def _spoken(name: str) -> str:
    """`AlwaysSorry` as `always sorry`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+", name)
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
