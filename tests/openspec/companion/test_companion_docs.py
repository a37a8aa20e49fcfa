"""docs/openspec.md and docs/declared-answers.md describe every key, and the examples parse without a diagnostic."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.openspec.companion import (
    answers,
    assertions,
    document,
    scenarios,
    tools,
)
from mcpgen.openspec.model.companion import AssertionTarget
from mcpgen.openspec.model.declared_answer import AnswerActKind

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "openspec.md").read_text(encoding="utf-8")
ANSWERS = (DOCS / "declared-answers.md").read_text(encoding="utf-8")
COMPANION = PAGE.partition("## The companion\n")[2].partition("\n## ")[0] + ANSWERS

KEYS = {
    *document.KEYS,
    *document.SPEC,
    *tools.KEYS,
    *tools.ANNOTATIONS,
    *tools.UPSTREAM,
    *tools.ARGUMENT,
    *tools.KEYWORDS,
    *(kind.value for kind in AnswerActKind),
    *(key for act in answers.ACTS.values() if isinstance(act, dict) for key in act),
    *answers.QUESTION,
    *document.FIXTURE_KEYS,
    *document.EXCHANGE,
    *scenarios.KEYS,
    *scenarios.STEP,
    *scenarios.DEFINITION,
    *(key for keys in scenarios.ACTION_KEYS.values() for key in keys),
    *(claim for claims in assertions.CLAIMS.values() for claim in claims),
    *(subject.value for subject in AssertionTarget),
    assertions.CALL,
}


def test_the_example_is_a_companion_without_a_finding(bare: Callable[[str], Any]) -> None:
    example, steps, answer = re.findall(r"```yaml\n(.*?)```", COMPANION, re.DOTALL)

    companion = bare(example).companion
    (tool,) = bare(answer).companion.tools

    assert len(companion.scenarios) == 2
    assert len(bare(steps).companion.definitions) == 4
    deeds = ["ask", "progress", "wait", "text", "structured"]
    assert [act.kind.value for act in tool.answer] == deeds


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_is_described(key: str) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", COMPANION))

    assert re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", code), f"{key} is not described"
