"""Scenarios of a text, bound by the companion and by step definitions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from scenario_project import AT, server, tool

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lint import lint_steps
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.snippets import likely_tool, names_of, snippet
from mcpgen.openspec.lower.step_definitions import most_similar_definition
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenarios,
    Coverage,
)
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements

HEAD = "# Shelf\n\n## Purpose\n\nTells what a shelf of books has to do for those who read it.\n\n"
TEXT = HEAD + """## Requirements

### Requirement: Tools SHALL be few

The server SHALL have few tools.

#### Scenario: Tools are listed

- **WHEN** a client calls `tools/list`
- **THEN** the response SHALL include exactly `list_books` and `get_book`
- **AND** they SHALL be pleasant

#### Scenario: Nobody is there

- **GIVEN** an empty shelf
- **WHEN** a client calls `list_books`
- **THEN** the call SHALL succeed

#### Scenario: Somebody is there

- **WHEN** a reader looks around
- **THEN** the call SHALL succeed
"""
COMPANION = """mcpgen: 1
fixtures:
  empty: {description: Nothing., environment: {A: b}}
glossary: {book tools: ["*_book", "*_books"]}
scenarios:
  "Tools are listed":
    of: "000000000000"
    then:
      - {step: 3, assert: {tools: {include: [book tools]}}}
  "Nobody is there": {given: empty}
  "Somebody is there": {manual: "a reader is needed"}
"""
TOOLS = (tool("list_books", "/books"), tool("get_book", "/book"))


def bind_text(folder: Path, text: str, companion: str = "") -> tuple[BoundScenarios, list[str]]:
    """Binds the scenarios of a text; returns the scenarios and diagnostic codes."""
    path = folder / "spec.md"
    path.write_text(text, "utf-8")
    if companion:
        (folder / "mcp.yaml").write_text(companion, "utf-8")
    diagnostics = Diagnostics()
    source = read_requirements(str(path), diagnostics)
    assert source
    requirements = parse_requirements(source, diagnostics)
    assert requirements
    result = parse_companion(source.companion, diagnostics) if source.companion else None
    bound = bind_requirements(requirements, result, TOOLS, diagnostics)
    lint_steps(bound, diagnostics)
    ids = [diagnostic.code.id for diagnostic in diagnostics.sorted()]
    return bound, [id for id in ids if id >= "MG785" or id == "MG708"]


def test_a_text_alone_is_bound_as_far_as_phrases_go(tmp_path: Path) -> None:
    bound, codes = bind_text(tmp_path, TEXT)

    bound_scenario, second_scenario, third_scenario = (scenario for _, scenario in bound.every)
    assert [step.binding for step in bound_scenario.steps] == [
        Binding.PREMISE,
        Binding.ASSERTED,
        Binding.PENDING,
    ]
    assert bound_scenario.coverage is Coverage.PARTIAL
    assert second_scenario.coverage is Coverage.PENDING
    assert not third_scenario.actions
    assert bound.percent == 25.0
    # The THEN steps of the last two scenarios need an action, but no WHEN matches a step
    # definition.
    assert codes == ["MG786"] * 4


def test_then_step_of_a_scenario_without_any_action_is_told_once(tmp_path: Path) -> None:
    text = HEAD + """## Requirements

### Requirement: Calls SHALL succeed

Calls SHALL succeed.

#### Scenario: Nothing is done

- **THEN** the call SHALL succeed
- **AND** the call SHALL succeed
"""

    _, codes = bind_text(tmp_path, text)

    assert codes.count("MG708") == 1
    assert "MG786" not in codes


@pytest.mark.parametrize(
    ("text", "is_premise"),
    [("THEN the call SHALL succeed", False), ("WHEN the moon rises over the quiet sea", True)],
    ids=["the step has the words already", "no phrase is like the step"],
)
def test_phrase_that_would_not_help_is_not_offered(text: str, is_premise: bool) -> None:
    assert most_similar_definition(text, is_premise=is_premise) is None


def test_a_when_behind_a_given_without_a_fixture_is_told_that_the_fixture_is_missing(
    tmp_path: Path,
) -> None:
    text = TEXT.replace(
        "a client calls `list_books`", 'the client calls `get_book` with `{"id": "b1"}`'
    )
    (tmp_path / "spec.md").write_text(text, "utf-8")
    source = read_requirements(str(tmp_path / "spec.md"), Diagnostics())
    assert source
    requirements = parse_requirements(source, Diagnostics())
    assert requirements
    diagnostics = Diagnostics()

    lint_steps(bind_requirements(requirements, None, TOOLS, Diagnostics()), diagnostics)

    (diagnostic,) = [diagnostic for diagnostic in diagnostics if "get_book" in diagnostic.message]
    assert "say it as in" not in diagnostic.hint
    assert diagnostic.hint == (
        "bind it in `mcp.yaml`, "
        "or name a fixture for step 1 under `given`: no WHEN is read without it"
    )


def test_phrase_like_the_step_is_offered() -> None:
    step_definition = most_similar_definition(
        "WHEN a client calls the tool `find` with `a`", is_premise=True
    )

    assert step_definition is not None
    assert step_definition.example.startswith("a client calls")


def test_the_author_goes_before_the_phrases(tmp_path: Path) -> None:
    bound, codes = bind_text(tmp_path, TEXT, COMPANION)

    bound_scenario, second_scenario, third_scenario = (scenario for _, scenario in bound.every)
    assert bound_scenario.is_stale
    assert bound_scenario.coverage is Coverage.STALE
    assert bound_scenario.steps[2].assertions[0].claims == {"include": ["*_book", "*_books"]}
    assert not bound_scenario.steps[2].assertions[0].phrase
    assert bound_scenario.steps[1].assertions[0].phrase == "exact-tools"
    assert second_scenario.coverage is Coverage.BOUND
    assert third_scenario.coverage is Coverage.MANUAL
    assert codes == []


@pytest.mark.parametrize(
    ("entry", "first"),
    [
        ("call: {tool: list_books}", Binding.PENDING),
        ("given: empty, call: {tool: list_books}", Binding.PREMISE),
        ("do: [{call: {tool: get_book}}, {call: {tool: list_books}}]", Binding.PREMISE),
    ],
)
def test_what_is_there_before_is_not_brought_about_by_the_one_call_that_follows(
    tmp_path: Path, entry: str, first: Binding
) -> None:
    companion = (
        "mcpgen: 1\nfixtures:\n  empty: {environment: {A: b}}\n"
        f'scenarios:\n  "Nobody is there": {{{entry}}}\n'
    )

    bound, _ = bind_text(tmp_path, TEXT, companion)

    _, (_, second_scenario), _ = bound.every
    assert [step.binding for step in second_scenario.steps[:2]] == [first, Binding.PREMISE]


def test_an_assertion_about_nothing_is_told(tmp_path: Path) -> None:
    companion = (
        'mcpgen: 1\nscenarios:\n  "Somebody is there":\n'
        "    then: [{step: 2, assert: {is_error: false}}]\n"
    )

    _, codes = bind_text(tmp_path, TEXT, companion)

    assert "MG785" in codes


def test_a_snippet_can_be_pasted_and_is_false_until_it_is_filled(tmp_path: Path) -> None:
    bound, _ = bind_text(tmp_path, TEXT)
    snippets = "".join(snippet(names_of(bound), *pair, "list_books") for pair in bound.every)

    companion = f"mcpgen: 1\nscenarios:\n{snippets}"
    bound_companion, codes = bind_text(tmp_path, TEXT, companion)

    # A snippet cannot choose the fixture for an empty shelf.
    assert codes == ["MG788"]
    assert "    # given: the fixture that brings about: GIVEN an empty shelf\n" in snippets
    bound_scenario, second_scenario, third_scenario = (
        scenario for _, scenario in bound_companion.every
    )
    assert bound_scenario.coverage is third_scenario.coverage is Coverage.BOUND
    assert [step.binding for step in second_scenario.steps if not step.is_given_or_when] == [
        Binding.ASSERTED
    ]
    assert not any(scenario.is_stale for _, scenario in bound_companion.every)
    assert snippets.count("say here what has to come back") == 3


def test_a_snippet_of_what_is_bound_is_empty(tmp_path: Path) -> None:
    bound, _ = bind_text(tmp_path, TEXT, COMPANION)

    _, second_pair, third_pair = bound.every
    assert snippet(names_of(bound), *second_pair, "list_books") == ""
    assert snippet(names_of(bound), *third_pair, "list_books") == ""


def test_a_snippet_calls_the_tool_that_the_when_names(tmp_path: Path) -> None:
    bound, _ = bind_text(tmp_path, TEXT.replace("a reader looks around", "get_book is wanted"))

    _, second_scenario, third_scenario = (scenario for _, scenario in bound.every)
    tools = ["add_book", "get_book", "list_books"]
    assert likely_tool(third_scenario, tools) == "get_book"
    assert likely_tool(second_scenario, tools) == "list_books"
    assert (likely_tool(second_scenario, ["add_book"]), likely_tool(second_scenario, [])) == (
        "add_book",
        "NAME",
    )


def test_the_same_text_makes_the_same_tests(tmp_path: Path) -> None:
    texts = []
    for _ in range(2):
        bound, _ = bind_text(tmp_path, TEXT, COMPANION)
        result = server(fixtures=bound.fixtures)
        object.__setattr__(result, "bound_scenarios", bound)
        texts.append(
            [(file.path, file.text) for file in emit(result, Config(), Diagnostics()).files]
        )

    assert texts[0] == texts[1]


HOSTILE = (
    '"""\nimport os  # ',
    "'); raise SystemExit('",
    "\\",
    "{{ 7 * 7 }} {% include 'x' %}",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp\N{ZERO WIDTH SPACE}",
    "../../etc/passwd",
    "class def lambda",
    "\N{CJK UNIFIED IDEOGRAPH-66F8}",
    "| <script>alert(1)</script> |",
    "con",
    "x" * 5_000,
    "",
)


def shape(text: str) -> list[str]:
    """Returns the syntax node types of a module, independent of string values."""
    return [type(node).__name__ for node in ast.walk(ast.parse(text))]


def hostile(text: str) -> dict[str, str]:
    """Returns the test files of a scenario with `text` in every name and value."""
    from scenario_project import claim, make_scenario, then_step, when_step

    from mcpgen.openspec.model.companion import AssertionTarget

    result = make_scenario(
        "a_test",
        when_step(text=text),
        then_step(2, text, claim(AssertionTarget.PATH, text, equals=text)),
        then_step(3, text, binding=Binding.MANUAL, manual=text),
        name=text,
        text=f"- {text}\n  {text}",
    )
    server_ = server()
    object.__setattr__(
        server_,
        "bound_scenarios",
        BoundScenarios((BoundRequirement(text, "a_requirement", (result, result), AT),)),
    )
    files = emit(server_, Config(), Diagnostics()).files
    return {file.path: file.text for file in files if "scenario" in file.path.lower()}


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_code(text: str) -> None:
    path = "tests/scenarios/test_a_requirement.py"
    plain = shape(hostile("plain")[path])

    files = hostile(text)

    assert shape(files[path]) == plain
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in "".join(files.values())
    assert "<script>" not in files["SCENARIOS.md"].replace(r"\<script\>", "")


@pytest.mark.parametrize("text", HOSTILE)
def test_every_name_becomes_a_legal_one_of_its_own(tmp_path: Path, text: str) -> None:
    name = " ".join(text.split())[:300] or "x"
    scenario = f"#### Scenario: {name}\n\n- **WHEN** a\n- **THEN** b\n\n"
    blocks = [
        f"### Requirement: {name}{more}\n\nIt SHALL be.\n\n{scenario}{scenario}"
        for more in ("", "!")
    ]

    bound, _ = bind_text(tmp_path, HEAD + "## Requirements\n\n" + "".join(blocks))

    modules = [requirement.module for requirement in bound.requirements]
    assert len(set(modules)) == len(bound.requirements)
    for requirement in bound.requirements:
        tests = [scenario.test for scenario in requirement.scenarios]
        assert len(set(tests)) == len(tests)
        assert all(
            f"test_{identifier}".isidentifier() and len(identifier) <= 70
            for identifier in [*tests, *modules]
        )


GUESSED = """mcpgen: 1
fixtures:
  empty: {description: Nothing., guessed: true}
scenarios:
  "Tools are listed":
    guessed: true
    call: {tool: get_book, arguments: {}}
  "Nobody is there":
    given: empty
    call: {tool: list_books, arguments: {}}
    then: [{step: 3, assert: {refused: false}}]
  "Somebody is there": {guessed: true, manual: "a reader is needed"}
"""


def test_a_guessed_entry_binds_nothing_and_hides_no_step_definition(tmp_path: Path) -> None:
    bound, _ = bind_text(tmp_path, TEXT, GUESSED)

    lists, second_scenario, third_scenario = (scenario for _, scenario in bound.every)
    assert [action.name for action in lists.actions] == ["tools/list"]
    assert (lists.bound_steps, lists.guessed_steps) == (2, 0)
    assert (
        second_scenario.actions,
        second_scenario.bound_steps,
        second_scenario.guessed_steps,
    ) == ((), 0, 3)
    assert (third_scenario.coverage, third_scenario.bound_steps, third_scenario.guessed_steps) == (
        Coverage.PENDING,
        0,
        2,
    )
