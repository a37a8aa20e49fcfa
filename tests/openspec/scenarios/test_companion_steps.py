"""Step definitions of a companion, and fixtures that bring a state about."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_project import BOOK_ID, server, tool

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.emit import emit
from mcpgen.ir.source import Json
from mcpgen.openspec.against.observable import reduce_to_observable
from mcpgen.openspec.bind.bind import bind
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.companion_steps import match_premises
from mcpgen.openspec.lower.step_definitions import StepContext
from mcpgen.openspec.lower.step_definitions.call_arguments import typed_value
from mcpgen.openspec.lower.step_definitions.step_definition import arguments_of_schemas
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundScenario,
    BoundScenarios,
    Coverage,
)
from mcpgen.openspec.model.companion import ActionKind, CompanionDefinition, ScenarioAction
from mcpgen.openspec.model.requirements import Role, Scenario, Step
from mcpgen.openspec.model.step_pattern import (
    frequent_patterns,
    is_step_pattern,
    match_pattern,
)
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements

HEAD = """# Shelf

## Purpose

Tells what a shelf of books has to do for those who read it.

## Requirements

### Requirement: Books SHALL be read

The server SHALL show books.

"""
FIXTURES = """mcpgen: 1
fixtures:
  default: {arguments: {book_id: b0}}
  one_book:
    do: [{call: {tool: list_books, save: {book: "**.id"}}}]
    arguments: {book_id: "${book}"}
"""
TOOLS = (tool("list_books", "/books"), tool("get_book", "/books/{book_id}", BOOK_ID))


def bound(folder: Path, steps: str, companion: str) -> tuple[BoundScenario, BoundScenarios]:
    """Binds a scenario of these steps; returns the scenario and all scenarios."""
    (folder / "spec.md").write_text(f"{HEAD}#### Scenario: Reads\n\n{steps}", "utf-8")
    (folder / "mcp.yaml").write_text(FIXTURES + companion, "utf-8")
    diagnostics = Diagnostics()
    source = read_requirements(str(folder / "spec.md"), diagnostics)
    assert source
    assert source.companion
    requirements = parse_requirements(source, diagnostics)
    assert requirements
    result = parse_companion(source.companion, diagnostics)
    scenarios = bind_requirements(requirements, result, TOOLS, diagnostics)
    assert not [
        diagnostic for diagnostic in diagnostics if diagnostic.code.name != "unused-fixture"
    ]
    return scenarios.every[0][1], scenarios


def bindings(scenario: BoundScenario) -> list[Binding]:
    return [step.binding for step in scenario.steps]


@pytest.mark.parametrize(
    ("pattern", "text", "values"),
    [
        ("a user with role {role}", "a user with role `admin`.", {"role": "admin"}),
        ("`{tool}()` is called *", 'get_book() is called with "x"', {"tool": "get_book"}),
        ("* Books*", "two books", {}),
        ("{a} of {b} books", "one of two of three books", {"a": "one", "b": "two of three"}),
        ("says {words} twice", 'says "hi all" twice', {"words": "hi all"}),
        ("a book", "a book on the shelf", None),
        ("a {b} c", "a c", None),
        ("{a} b {c}", "b b", None),
    ],
)
def test_a_pattern_has_the_whole_words_of_a_step(
    pattern: str, text: str, values: dict[str, str] | None
) -> None:
    assert is_step_pattern(pattern)
    assert match_pattern(pattern, text) == values


def test_a_pattern_of_many_wildcards_is_matched_in_linear_time() -> None:
    assert match_pattern("*a" * 30 + "b", "a" * 1_000) is None


@pytest.mark.parametrize(
    "when_text",
    [
        "a client calls `get_book` with `book_id`",
        "a client calls `get_book` with a valid `book_id`",
        "`get_book` is called",
        "a client sends `GET /books/{book_id}`",
        "a client sends `GET /books/:book_id`",
    ],
)
def test_values_without_a_text_are_those_of_fixtures(tmp_path: Path, when_text: str) -> None:
    text = f"- **GIVEN** a book on the shelf\n- **WHEN** {when_text}\n- **THEN** the call SHALL succeed\n"

    scenario, _ = bound(tmp_path, text, 'steps: {"a book on *": {given: one_book}}\n')
    unprepared_scenario, _ = bound(tmp_path, text.partition("\n")[2], "")

    assert [action.value for action in scenario.actions] == [{"book_id": "${book}"}]
    assert [action.name for action in scenario.setup] == ["list_books"]
    assert scenario.given == ("one_book",)
    assert bindings(scenario) == [Binding.PREMISE, Binding.PREMISE, Binding.ASSERTED]
    assert [action.value for action in unprepared_scenario.actions] == [{"book_id": "b0"}]


@pytest.mark.parametrize(
    "when_text",
    [
        "a client calls `get_book` without arguments",
        "a client calls `get_book` with no arguments",
        "a client calls `get_book` with `{}`",
        "a client calls `get_book` with an empty object",
        "`get_book` is called without any parameters",
        "`get_book` is called with `{}`",
        "`get_book({})` is called",
    ],
)
@pytest.mark.parametrize("then_text", ["the call SHALL fail", "the call SHALL succeed"])
def test_a_call_without_arguments_gets_none_of_fixtures(
    tmp_path: Path, when_text: str, then_text: str
) -> None:
    scenario, _ = bound(tmp_path, f"- **WHEN** {when_text}\n- **THEN** {then_text}\n", "")

    assert not [action.value for action in scenario.actions if action.value]


@pytest.mark.parametrize(
    ("when_text", "value"),
    [
        ("a reader opens 7", {"book_id": "7"}),
        ("a reader opens a book", {"book_id": "a book"}),
        ("nobody looks", None),
    ],
)
def test_an_action_gets_the_words_of_its_step(
    tmp_path: Path, when_text: str, value: dict[str, str] | None
) -> None:
    steps = """steps:
  "a reader opens {book}": {call: {tool: get_book, arguments: {book_id: "${book}"}}}
  "{count} titles *": {assert: {path: "**.total", equals: "${count}"}}
"""
    text = (
        f"- **WHEN** {when_text}\n- **THEN** 2 titles are shown\n- **AND** the call SHALL succeed\n"
    )

    scenario, _ = bound(tmp_path, text, steps)

    assert [action.value for action in scenario.actions] == ([value] if value else [])
    claims = [dict(assertion.claims) for assertion in scenario.steps[1].assertions]
    assert claims == ([{"equals": 2}] if value else [])
    assert bindings(scenario)[2] is (Binding.ASSERTED if value else Binding.PENDING)


def test_an_action_uses_a_value_that_the_definition_of_another_step_saves(tmp_path: Path) -> None:
    steps = """steps:
  "a reader opens the first book": {call: {tool: get_book, arguments: {book_id: "${first}"}}}
  "a reader looks": {call: {tool: list_books, save: {first: "**.id"}}}
"""
    text = (
        "- **GIVEN** a reader looks\n- **WHEN** a reader opens the first book\n"
        "- **THEN** the result SHALL include `title`\n"
    )

    scenario, _ = bound(tmp_path, text, steps)

    result = [(action.name, action.value, dict(action.save)) for action in scenario.actions]
    assert result == [
        ("list_books", {}, {"first": "**.id"}),
        ("get_book", {"book_id": "${first}"}, {}),
    ]


@pytest.mark.parametrize(
    ("schema", "word", "value"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "15", "15"),
        ({"oneOf": [{"type": "null"}, {"type": "string"}]}, "15", "15"),
        ({"type": ["string", "null"]}, "true", "true"),
        ({"type": ["string", "null"]}, "null", None),
        ({"type": "string"}, "null", "null"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "15", 15),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "15", 15),
        ({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Id"}]}, "15", 15),
        ({"anyOf": []}, "15", 15),
    ],
)
def test_a_text_stays_a_text_for_an_argument_that_takes_texts_or_null(
    schema: dict[str, Json], word: str, value: Json
) -> None:
    arguments = arguments_of_schemas({"book_id": schema}, ())
    action = ScenarioAction(ActionKind.CALL, "get_book", {"book_id": "${w}"}, Location("mcp.yaml"))
    definition = CompanionDefinition("opens {w}", (), (action,), (), Location("mcp.yaml"))
    step = Step(1, "WHEN", Role.WHEN, f"opens {word}", Location("spec.md"))
    scenario = Scenario("Reads", (step,), "", "", Location("spec.md"))

    premises = match_premises(scenario, [definition], StepContext({"get_book": arguments}, {}, {}))

    assert [action.value for action in premises.actions] == [{"book_id": value}]
    assert typed_value(word, "book_id", arguments) == value


@pytest.mark.parametrize(
    ("word", "claim", "operand"),
    [
        ('""', {"path: a, contains": '"${w}"'}, None),
        ('""', {"path: a, matches": '"^${w}$"'}, None),
        ("null", {"path: a, lacks": '"${w}"'}, "null"),
        ("true", {"path: a, contains": '["${w}"]'}, ["true"]),
        ("[]", {"path: a, contains": '"${w}"'}, "[]"),
        ("1e5", {"path: a, lacks": '"${w}"'}, "1e5"),
        ("15", {"path: a, lacks": '"${w}"'}, 15),
        ("1.5", {"path: a, matches": '"${w}"'}, "1\\.5"),
        ("a.b", {"path: a, matches": '"^${w}$"'}, "^a\\.b$"),
        ("15", {"header: A, equals": '"${w}"'}, "15"),
        ("NaN", {"path: a, equals": '"${w}"'}, "NaN"),
        ("-Infinity", {"path: a, equals": '"${w}"'}, "-Infinity"),
        ("[1e999]", {"path: a, equals": '"${w}"'}, "[1e999]"),
        ("1e5", {"path: a, equals": '"${w}"'}, 1e5),
    ],
)
def test_an_operand_has_the_text_of_the_step(
    tmp_path: Path, word: str, claim: dict[str, str], operand: Json
) -> None:
    ((subject, operand_text),) = claim.items()
    steps = f"""steps:
  "a reader looks": {{call: {{tool: list_books}}}}
  "it says {{w}} there": {{assert: {{{subject}: {operand_text}}}}}
"""
    text = f"- **WHEN** a reader looks\n- **THEN** it says {word} there\n"

    scenario, _ = bound(tmp_path, text, steps)

    result = [[*assertion.claims.values()] for assertion in scenario.steps[1].assertions]
    assert result == ([] if operand is None else [[operand]])
    assert bindings(scenario)[1] is (Binding.PENDING if operand is None else Binding.ASSERTED)


def test_a_scenario_with_an_unbound_given_is_not_performed(tmp_path: Path) -> None:
    steps = 'steps: {"a reader opens a book": {call: {tool: get_book}}}\n'
    text = "- **GIVEN** rain\n- **WHEN** a reader opens a book\n- **THEN** the call SHALL succeed\n"

    scenario, _ = bound(tmp_path, text, steps)

    assert not scenario.actions
    assert bindings(scenario) == [Binding.PENDING] * 3


@pytest.mark.parametrize(
    ("word", "expected_request"),
    [
        ("a/../b?c#d%", ("/books/a%2F..%2Fb%3Fc%23d%25", "a/../b?c#d%")),
        ("null", ("/books/null", "null")),
        ("a\u200bb", None),
        ("..", None),
        (".", None),
        ("...", ("/books/...", "...")),
    ],
)
def test_a_request_gets_the_text_in_its_encoding(
    tmp_path: Path, word: str, expected_request: tuple[str, str] | None
) -> None:
    steps = """steps:
  "a reader fetches {w} there": {http: {method: GET, path: "/books/${w}", headers: {X-Book: "${w}"}}}
"""
    text = f"- **WHEN** a reader fetches {word} there\n- **THEN** the call SHALL succeed\n"

    scenario, _ = bound(tmp_path, text, steps)

    result = [(action.path, action.headers["X-Book"]) for action in scenario.actions]
    assert result == ([expected_request] if expected_request else [])


@pytest.mark.parametrize("given_text", ["a reader opens a book", "`list_books` is called"])
def test_a_when_without_an_action_is_not_performed(tmp_path: Path, given_text: str) -> None:
    steps = """steps:
  "a reader opens a book": {call: {tool: get_book}}
  "it rains": {given: one_book}
"""
    text = f"- **GIVEN** {given_text}\n- **WHEN** it rains\n- **THEN** the call SHALL succeed\n"

    scenario, _ = bound(tmp_path, text, steps)

    assert not scenario.actions
    assert bindings(scenario) == [Binding.PENDING] * 3


def test_an_entry_goes_before_step_definitions(tmp_path: Path) -> None:
    companion = """steps:
  "a reader *": {call: {tool: get_book}}
  "* is pleasant": {manual: a person looks}
scenarios:
  "Reads":
    call: {tool: list_books}
    then: [{step: 2, assert: {is_error: false}}]
"""
    text = "- **WHEN** a reader looks\n- **THEN** it is pleasant\n- **AND** the shelf is pleasant\n"

    scenario, _ = bound(tmp_path, text, companion)

    assert [action.name for action in scenario.actions] == ["list_books"]
    assert bindings(scenario) == [Binding.PREMISE, Binding.ASSERTED, Binding.MANUAL]


def test_a_reason_for_a_when_is_the_reason_of_the_scenario(tmp_path: Path) -> None:
    text = "- **WHEN** the build runs\n- **THEN** the call SHALL succeed\n"

    scenario, _ = bound(tmp_path, text, 'steps: {"the build *": {manual: no client builds}}\n')

    assert scenario.manual == "no client builds"


def test_set_up_is_part_of_the_test_and_seen_by_a_running_server(tmp_path: Path) -> None:
    steps = 'steps: {"a book on the shelf": {given: one_book}}\n'
    text = "- **GIVEN** a book on the shelf\n- **WHEN** `get_book` is called\n- **THEN** the call SHALL succeed\n"

    scenario, scenarios = bound(tmp_path, text, steps)
    bound_scenarios = reduce_to_observable(scenarios, is_http=False, prepared=())
    project = emit(server(scenario, fixtures=scenarios.fixtures), Config(), Diagnostics())

    (test,) = [file.text for file in project.files if "tests/scenarios/test_the" in file.path]
    lines = [line.strip() for line in test.splitlines()]
    begin = lines.index('await scene.call("list_books", save={"book": "**.id"})')
    assert lines[begin + 1 : begin + 4] == [
        "scene.end_setup()",
        "# Read from the phrase is-called.",
        'await scene.call("get_book", {"book_id": "${book}"})',
    ]
    assert bound_scenarios.every[0][1].setup == scenario.setup


def test_bind_reports_unused_definitions_and_drafts_no_defined_scenario(tmp_path: Path) -> None:
    companion = """steps:
  "a reader looks around": {call: {tool: list_books}}
  "a moon": {given: default}
  "the call SHALL be green": {assert: {is_error: false}}
tools:
  list_books: {description: Lists.}
"""
    text = "- **WHEN** a reader looks around\n- **THEN** the call SHALL be green\n"
    bound(tmp_path, text, companion)

    result = bind(str(tmp_path / "spec.md"), check=True)

    assert not result.scenarios
    names = [
        diagnostic.message
        for diagnostic in result.diagnostics
        if diagnostic.code.name == "unused-definition"
    ]
    assert names == ["the step definition `a moon` matches no step"]


def test_words_of_several_steps_make_a_pattern() -> None:
    texts = ['`a` returns "x"', "`b` returns 5.", "`*` returns {id}", "once", "`a`", "`b`"]

    patterns = frequent_patterns(texts)

    assert patterns == [("* returns *", 3)]
    assert all(match_pattern("* returns *", text) == {} for text in texts[:3])


def test_a_step_of_every_server_needs_no_declared_fixture(tmp_path: Path) -> None:
    text = (
        "- **GIVEN** rain\n- **WHEN** `list_books` is called\n- **THEN** the call SHALL succeed\n"
    )
    (tmp_path / "spec.md").write_text(f"{HEAD}#### Scenario: Reads\n\n{text}", "utf-8")
    (tmp_path / "mcp.yaml").write_text("mcpgen: 1\nsteps: {rain: {given: default}}\n", "utf-8")
    source = read_requirements(str(tmp_path / "spec.md"), Diagnostics())
    assert source
    assert source.companion
    requirements = parse_requirements(source, Diagnostics())
    assert requirements
    companion = parse_companion(source.companion, Diagnostics())

    ((_, scenario),) = bind_requirements(requirements, companion, TOOLS, Diagnostics()).every

    assert scenario.given == ()
    assert scenario.coverage is Coverage.BOUND
