"""docs/openspec.md describes the companion as it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.openspec.companion import (
    actions,
    answers,
    assertion_targets,
    conditions,
    document,
    fixtures,
    inputs,
    scenarios,
    tools,
)
from mcpgen.openspec.model.companion import AssertionTarget
from mcpgen.openspec.model.declared_answer import StepKind

PAGE = (Path(__file__).parents[3] / "docs" / "openspec.md").read_text(encoding="utf-8")
COMPANION = PAGE.partition("## The companion\n")[2].partition("\n## ")[0]

KEYS = {
    *document.KEYS,
    *document.SPEC,
    *tools.KEYS,
    *tools.ANNOTATIONS,
    *tools.UPSTREAM,
    *inputs.ARGUMENT,
    *conditions.KEYWORDS,
    *(deed.value for deed in StepKind),
    *(key for act in answers.ACTS.values() if isinstance(act, dict) for key in act),
    *answers.QUESTION,
    *fixtures.KEYS,
    *fixtures.EXCHANGE,
    *scenarios.KEYS,
    *scenarios.STEP,
    *(key for keys in actions.KEYS.values() for key in keys),
    *(claim for claims in assertion_targets.CLAIMS.values() for claim in claims),
    *(subject.value for subject in AssertionTarget),
    assertion_targets.CALL,
}


def test_the_example_is_a_companion_without_a_finding(bare: Callable[[str], Any]) -> None:
    example, answer = re.findall(r"```yaml\n(.*?)```", COMPANION, re.DOTALL)

    companion = bare(example).companion
    (told,) = bare(f"mcpgen: 1\n{answer}").companion.tools

    assert len(companion.scenarios) == 2
    deeds = ["ask", "progress", "wait", "text", "structured"]
    assert [act.deed.value for act in told.answer] == deeds


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_is_described(key: str) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", COMPANION))

    assert re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", code), f"{key} is not described"
