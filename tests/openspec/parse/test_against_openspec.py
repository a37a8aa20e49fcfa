"""Texts are parsed as by OpenSpec, except for the rows of `ON_PURPOSE`."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.openspec.parse.reading import delta, spec, view
from tests.openspec.parse.styles import ABOVE, DELTAS, MERGES, SPECS, STEPS
from tests.venvs import node, npm_with

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.model.requirements import Requirements

LISTED = Path(__file__).parent / "fission"
CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "openspec"

ERROR, WARNING = 2, 1
LEVELS = {
    "miswritten-scenario": ERROR,
    "no-requirement": ERROR,
    "missing-section": ERROR,
    "unproven-requirement": ERROR,
    "empty-requirement": ERROR,
    "duplicate-requirement": ERROR,
    "misplaced-requirement": ERROR,
    "contradicting-delta": ERROR,
    "flattened-page": ERROR,
    "no-normative-word": WARNING,
    "unwritten-purpose": WARNING,
}
"""OpenSpec's severity of shared diagnostics; all other diagnostics leave a text valid."""

LEVELS_OF_DELTA = LEVELS | {"misplaced-requirement": WARNING}

ON_PURPOSE = {
    "a glued requirement": "the section reader does not see `###Requirement:`, the block reader does",
    "a scenario of level 3": "OpenSpec takes it for a requirement; it says that it is a scenario",
    "a bold scenario": "OpenSpec sees no scenario; people do",
    "a scenario in a list": "OpenSpec sees no scenario; people do",
    "no section Requirements": "OpenSpec sees no requirement; people do",
    "a requirement after the section": "OpenSpec sees only those in the section; people see both",
    "groups": "OpenSpec takes the group for a requirement and its requirements for scenarios",
    "a title between": "to OpenSpec a heading of level 1 ends the requirements; people read on",
    "a flattened page": "OpenSpec sees no heading; people do",
    "only REMOVED": "valid to OpenSpec, but a server cannot be built from what it shall not do",
    "a deep scenario": "the block reader wants level 4; a heading `Scenario:` says what it is",
}
"""Rows parsed differently from OpenSpec, with the reason."""


def ask(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns OpenSpec's answers."""
    folder = npm_with(LISTED)
    completed = subprocess.run(
        [node(), "judge.mjs"],
        input=json.dumps(questions),
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(completed.stdout)
    return answers


def verdict(diagnostics: Diagnostics, levels: dict[str, int]) -> tuple[bool, bool]:
    """Predicts from our diagnostics whether OpenSpec accepts a text, without and with `--strict`."""
    worst = max((levels.get(diagnostic.code.name, 0) for diagnostic in diagnostics), default=0)
    return worst < ERROR, worst < WARNING


def scenarios_of(requirements: Requirements | None) -> list[list[str]]:
    """Returns the scenario texts of each requirement, without empty texts, as OpenSpec does."""
    requirement_list = requirements.requirements if requirements else ()
    return [
        [scenario.text.strip() for scenario in requirement.scenarios if scenario.text.strip()]
        for requirement in requirement_list
    ]


def corpus(kind: str) -> dict[str, str]:
    """Returns the corpus texts of a kind, by name; empty without a corpus."""
    manifest = CORPUS / "manifest.json"
    rows = json.loads(manifest.read_text(encoding="utf-8"))["docs"] if manifest.exists() else []
    files = [row["file"] for row in rows if row["kind"] == kind]
    return {name: (CORPUS / name).read_text(encoding="utf-8") for name in files}


def mix_lines(texts: list[str], seed: int) -> str:
    """Returns randomly mixed lines of some texts."""
    chance = random.Random(seed)
    lines = [line for text in texts for line in text.split("\n")]
    start = chance.choice(texts).split("\n") if chance.random() < 0.7 else []
    for _ in range(chance.randint(1, 8)):
        place = chance.randint(0, len(start))
        start[place : place + chance.randint(0, 3)] = chance.choices(lines, k=chance.randint(0, 3))
    return "\n".join(start)


def same_spec(text: str, answer: dict[str, Any]) -> None:
    """Asserts that a spec is parsed as by OpenSpec."""
    requirements, diagnostics = spec(text)
    theirs = [
        [scenario["rawText"] for scenario in requirement["scenarios"]]
        for requirement in answer["requirements"]
    ]
    assert verdict(diagnostics, LEVELS) == (answer["valid"], answer["strict"])
    assert scenarios_of(requirements) == theirs


def same_delta(text: str, answer: dict[str, Any]) -> None:
    """Asserts that a delta is parsed as by OpenSpec."""
    requirements, diagnostics = delta(text)
    parsed_blocks = [
        (
            requirement.change,
            requirement.name,
            [scenario.name for scenario in requirement.scenarios],
        )
        for requirement in (requirements.requirements if requirements else ())
        if requirement.change != "renamed"
    ]
    openspec_blocks = [
        (change, block["name"], block["scenarios"])
        for change in ("added", "modified")
        for block in answer[change]
    ]
    assert verdict(diagnostics, LEVELS_OF_DELTA) == (answer["valid"], answer["strict"])
    assert sorted(parsed_blocks) == sorted(openspec_blocks)


def same_view(main: str | None, text: str, answer: dict[str, Any], capability: str = "x") -> None:
    """Asserts that a merge equals the result of `openspec archive`."""
    result, diagnostics = view(main, text, capability)
    assert (result.text if result else None) == answer.get("text"), answer.get("refused")
    assert diagnostics.failed is ("refused" in answer)


def spec_rows() -> dict[str, str]:
    """Returns all specs of the tables."""
    with_steps = {f"steps: {name}": ABOVE + body for name, body, _ in STEPS}
    return with_steps | {name: text for name, text, _, _ in SPECS}


@pytest.fixture(scope="module")
def openspec_answer() -> Callable[[str, str], dict[str, Any]]:
    """Returns OpenSpec's answers for the rows of the tables and the corpus, by kind and name."""
    rows: list[tuple[str, str, dict[str, Any]]] = []
    for name, text in (spec_rows() | corpus("spec")).items():
        rows.append(("spec", name, {"text": text}))
    for name, text in ({row[0]: row[1] for row in DELTAS} | corpus("delta")).items():
        rows.append(("delta", name, {"text": text}))
    for name, main, text, _ in MERGES:
        facts = {"main": main, "text": text, "capability": "x", "change": "c"}
        rows.append(("merge", name, facts))
    answers = ask([{"kind": kind} | facts for kind, _, facts in rows])
    answers_by_row = {
        (kind, name): answer for (kind, name, _), answer in zip(rows, answers, strict=True)
    }
    return lambda kind, name: answers_by_row[kind, name]


@pytest.mark.parametrize("name", [*spec_rows(), *corpus("spec")])
def test_a_spec_is_read_as_openspec_reads_it(name: str, openspec_answer: Any) -> None:
    text = (spec_rows() | corpus("spec"))[name]

    answer = openspec_answer("spec", name)

    if name in ON_PURPOSE:
        with pytest.raises(AssertionError):
            same_spec(text, answer)
    else:
        same_spec(text, answer)


@pytest.mark.parametrize("name", [*(row[0] for row in DELTAS), *corpus("delta")])
def test_a_delta_is_read_as_openspec_reads_it(name: str, openspec_answer: Any) -> None:
    text = ({row[0]: row[1] for row in DELTAS} | corpus("delta"))[name]

    answer = openspec_answer("delta", name)

    if name in ON_PURPOSE:
        with pytest.raises(AssertionError):
            same_delta(text, answer)
    else:
        same_delta(text, answer)


@pytest.mark.parametrize("name", [row[0] for row in MERGES])
def test_a_change_makes_of_a_spec_what_archive_does(name: str, openspec_answer: Any) -> None:
    _, main, text, _ = next(row for row in MERGES if row[0] == name)

    same_view(main, text, openspec_answer("merge", name))


def test_every_difference_on_purpose_is_a_row_of_the_tables() -> None:
    rows = {row[0] for table in (SPECS, DELTAS, MERGES) for row in table}

    assert ON_PURPOSE.keys() <= rows


def test_the_deltas_of_the_corpus_make_of_its_specs_what_archive_does() -> None:
    pairs = [
        (main, text)
        for main in (*corpus("spec").values(), None)
        for text in corpus("delta").values()
    ]
    if not corpus("spec"):
        pytest.skip("there is no corpus")

    questions = [
        {"kind": "merge", "main": main, "text": text, "capability": "area/x", "change": "c"}
        for main, text in pairs
    ]

    for (main, text), answer in zip(pairs, ask(questions), strict=True):
        same_view(main, text, answer, "area/x")


@pytest.mark.repeated("repeats with random deltas what the written deltas hold")
def test_scrambled_deltas_make_of_specs_what_archive_does() -> None:
    texts = [row[2] for row in MERGES]
    pairs = [
        (choices[1], mix_lines(texts, seed))
        for seed in range(400)
        if (choices := random.Random(seed).choice(MERGES))
    ]

    questions = [
        {"kind": "merge", "main": main, "text": text, "capability": "x", "change": "c"}
        for main, text in pairs
    ]

    for (main, text), answer in zip(pairs, ask(questions), strict=True):
        same_view(main, text, answer)


def test_archive_itself_writes_the_view(tmp_path: Path) -> None:
    _, main, text, _ = next(row for row in MERGES if row[0] == "everything at once")
    spec_path = tmp_path / "openspec" / "specs" / "x" / "spec.md"
    change = tmp_path / "openspec" / "changes" / "c"
    for path, content in (
        (spec_path, main or ""),
        (change / "specs" / "x" / "spec.md", text),
        (change / "proposal.md", "## Why\nBecause.\n\n## What Changes\n- **x:** more\n"),
        (change / "tasks.md", "- [x] 1.1 Done\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    program = npm_with(LISTED) / "node_modules" / "@fission-ai" / "openspec" / "bin" / "openspec.js"

    completed_process = subprocess.run(
        [node(), program, "archive", "c", "--yes"],
        cwd=tmp_path,
        env={"OPENSPEC_TELEMETRY": "0", "DO_NOT_TRACK": "1", "HOME": str(tmp_path), "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )

    result, _ = view(main, text)
    assert completed_process.returncode == 0, completed_process.stdout + completed_process.stderr
    assert result is not None
    assert spec_path.read_text(encoding="utf-8") == result.text
