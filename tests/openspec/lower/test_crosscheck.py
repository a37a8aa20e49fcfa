"""Crosscheck of text and companion: every diagnostic, and accepted differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.openspec.lower.crosscheck import matches_name
from mcpgen.openspec.lower.scenario_lookup import ScenarioNames, all_scenarios
from mcpgen.openspec.model.requirements import Requirements

Holds = Callable[[str, str], Any]

SPEC = """### Requirement: Surface SHALL be small

The read surface SHALL contain exactly `look_up` and `read_one`. Every tool SHALL accept `lang`.
It SHALL NOT expose `old_id` as a tool input.

#### Scenario: Client lists tools
- **WHEN** a client calls `tools/list`
- **THEN** it SHALL NOT include `old_tool` or any admin tool

#### Scenario: Client reads
- **WHEN** a client calls `read_one`
- **THEN** it answers

### Requirement: Errors SHALL be told

It SHALL tell errors.

#### Scenario: Client reads
- **WHEN** a client calls `read_one` with nothing
- **THEN** it fails
"""
LANG = "input: {lang: {type: string}}"
TOOLS = f"""glossary: {{admin tools: ["admin_*"]}}
tools:
  look_up: {{description: Finds., {LANG}}}
  read_one:
    description: Reads.
    {LANG}
    output: {{type: object, properties: {{rows: {{type: array, items: {{type: object, properties: {{id: {{type: string}}}}}}}}}}}}
"""
LISTS = 'scenarios:\n  "Client lists tools":\n'
CALLS = LISTS + "    call: {tool: read_one}\n    then:\n      - {step: 2, assert: %s}\n"


def test_a_companion_that_does_what_the_text_says_is_let_pass(check_companion: Holds) -> None:
    scenarios = (
        LISTS
        + "    request: {method: tools/list}\n    then: [{step: 2, assert: {is_error: false}}]\n"
    )

    assert check_companion(SPEC, TOOLS + scenarios).told == []


def test_a_tool_that_the_text_demands_is_missed_in_the_text(check_companion: Holds) -> None:
    companion = TOOLS.replace("look_up:", "read_two:")

    assert check_companion(SPEC, companion).told == [
        ("tool-beyond-list", "mcp.yaml", "/tools/read_two"),
        ("undeclared-tool", "spec.md", "11"),
    ]


@pytest.mark.parametrize("name", ["old_tool", "admin_users"])
def test_a_tool_that_the_text_forbids_is_told_by_name_and_by_phrase(
    check_companion: Holds, name: str
) -> None:
    companion = TOOLS + f"  {name}: {{description: x, {LANG}}}\n"

    assert ("forbidden-tool", "mcp.yaml", f"/tools/{name}") in check_companion(SPEC, companion).told


@pytest.mark.parametrize(
    ("pattern", "name", "fit"),
    [
        ("a*z", "abcz", True),
        ("a*z", "abc", False),
        ("a?", "ab", False),
        ("[ab]", "a", False),
        ("*a" * 60 + "b", "a" * 128, False),
    ],
)
def test_only_the_asterisk_of_a_pattern_stands_for_letters(
    pattern: str, name: str, fit: bool
) -> None:
    assert matches_name(name, [pattern]) == fit


def test_a_phrase_that_nobody_explains_is_told(check_companion: Holds) -> None:
    companion = TOOLS.partition("\n")[2]

    assert check_companion(SPEC, companion).told == [("unknown-phrase", "spec.md", "16")]


def test_a_forbidden_argument_is_told(check_companion: Holds) -> None:
    companion = TOOLS.replace(LANG, "input: {lang: {type: string}, old_id: {type: string}}", 1)

    (result,) = check_companion(SPEC, companion).found

    assert result.code.name == "forbidden-argument"
    assert result.at.pointer == "/tools/look_up/input/old_id"
    assert "(spec.md:11)" in result.message


def test_an_argument_that_every_tool_has_to_take_is_missed(check_companion: Holds) -> None:
    companion = TOOLS.replace(LANG, "input: {}", 1)

    assert check_companion(SPEC, companion).told == [
        ("missing-argument", "mcp.yaml", "/tools/look_up")
    ]


def test_arguments_of_an_operation_are_not_looked_at_here(check_companion: Holds) -> None:
    companion = TOOLS.replace(LANG, "upstream: {openapi: a.yaml, operation: b}", 1)

    assert check_companion(SPEC, companion).told == []


def test_two_exact_lists_that_differ_bind_nobody(check_companion: Holds) -> None:
    spec = SPEC + "\n### Requirement: Other\n\nThe tools SHALL be exactly `look_up` and `third`.\n"

    findings = check_companion(spec, TOOLS.replace("read_one:", "fourth_one:")).told

    assert [name for name, *_ in findings] == ["contradicting-lists"]


@pytest.mark.parametrize(
    ("key", "name", "hint"),
    [
        ("Client list tools", "unknown-scenario", "did you mean `Client lists tools`?"),
        (
            "Errors SHALL be told / Client reeds",
            "unknown-scenario",
            "did you mean `Errors SHALL be told / Client reads`?",
        ),
        (
            "Client reads",
            "ambiguous-scenario",
            "write `Surface SHALL be small / Client reads` or `Errors SHALL be told / Client reads`",
        ),
    ],
)
def test_a_name_that_fits_no_scenario_or_two_is_told(
    check_companion: Holds, key: str, name: str, hint: str
) -> None:
    (result,) = check_companion(SPEC, f'{TOOLS}scenarios:\n  "{key}": {{}}\n').found

    assert (result.code.name, result.hint) == (name, hint)
    assert result.at.path == ("scenarios", key)


def test_the_full_name_tells_scenarios_apart(check_companion: Holds) -> None:
    scenarios = 'scenarios:\n  "Errors SHALL be told / Client reads": {}\n'

    assert check_companion(SPEC, TOOLS + scenarios).told == []


def test_a_scenario_bound_by_both_of_its_names_is_bound_twice(check_companion: Holds) -> None:
    scenarios = LISTS + '    {}\n  "Surface SHALL be small / Client lists tools": {}\n'

    (result,) = check_companion(SPEC, TOOLS + scenarios).found

    assert result.code.name == "scenario-bound-twice"


def test_a_step_that_is_not_there_is_told(check_companion: Holds) -> None:
    scenarios = LISTS + "    then: [{step: 3, manual: x}]\n"

    assert check_companion(SPEC, TOOLS + scenarios).told == [
        ("unknown-step", "mcp.yaml", "/scenarios/Client lists tools/then/0/step")
    ]


IMPOSSIBLE = [
    "structured.rows",
    "isError.a",
    "content.text",
    "structuredContent.row",
    "structuredContent.rows.id",
    "structuredContent.rows[*].name",
]


@pytest.mark.parametrize("path", IMPOSSIBLE)
def test_a_path_at_which_nothing_can_be_is_told(check_companion: Holds, path: str) -> None:
    (result,) = check_companion(SPEC, TOOLS + CALLS % f"{{path: '{path}', present: true}}").found

    assert (result.code.name, result.at.path[-1]) == ("impossible-path", "assert")
    assert result.hint


@pytest.mark.parametrize(
    "assertion",
    [
        "{path: 'structuredContent.rows[0].id', equals: a}",
        "{path: 'content[*].text', contains: a}",
        "{path: structuredContent.other, absent: true}",
        "{path: data.code, equals: a}",
        "{path: '**.id', equals: a}",
    ],
)
def test_a_path_that_may_be_or_must_not_is_let_pass(check_companion: Holds, assertion: str) -> None:
    assert check_companion(SPEC, TOOLS + CALLS % assertion).told == []


@pytest.mark.parametrize(
    ("call", "name", "hint"),
    [
        ("{tool: read_on}", "undeclared-call", "did you mean `read_one`?"),
        (
            "{tool: read_one, arguments: {long: a}}",
            "undeclared-call-argument",
            "did you mean `lang`?",
        ),
    ],
)
def test_a_call_that_cannot_work_is_told_unless_it_is_to_fail(
    check_companion: Holds, call: str, name: str, hint: str
) -> None:
    scenarios = LISTS + f"    call: {call}\n"
    failing_scenarios = scenarios + "    then: [{step: 2, assert: {is_error: true}}]\n"

    (result,) = check_companion(SPEC, TOOLS + scenarios).found

    assert (result.code.name, result.hint) == (name, hint)
    assert check_companion(SPEC, TOOLS + failing_scenarios).told == []


def test_a_binding_of_another_text_is_stale_and_named(check_companion: Holds) -> None:
    (result,) = check_companion(SPEC, TOOLS + LISTS + '    of: "0123456789ab"\n').found

    assert result.code.name == "stale-binding"
    assert (
        result.message
        == "the scenario `Client lists tools` (spec.md:14) has changed since it was bound"
    )
    assert result.at.pointer == "/scenarios/Client lists tools"


def test_a_binding_without_a_stamp_is_named_where_the_text_has_changed(
    check_companion: Holds,
) -> None:
    stamp = f"spec: {{path: spec.md, sha256: {'0' * 63}a}}\n"

    (result,) = check_companion(SPEC, stamp + TOOLS + LISTS + "    given: default\n").found

    assert result.code.name == "unstamped-binding"
    assert result.hint.endswith('`--accept "Client lists tools"`')


def test_an_unstamped_entry_is_called_by_its_name_in_the_companion(
    check_companion: Holds,
) -> None:
    stamp = f"spec: {{path: spec.md, sha256: {'0' * 63}a}}\n"
    name = "Surface SHALL be small / Client lists tools"

    (result,) = check_companion(
        SPEC, f'{stamp}{TOOLS}scenarios:\n  "{name}":\n    given: default\n'
    ).found

    assert f"the entry for `{name}` has no `of`" in result.message
    assert result.hint.endswith(f'`--accept "{name}"`')


def test_a_current_binding_is_not_stale(
    check_companion: Holds, requirements: Callable[[str], Requirements]
) -> None:
    (_, scenario), *_ = all_scenarios(requirements(SPEC))

    assert check_companion(SPEC, TOOLS + LISTS + f'    of: "{scenario.digest}"\n').told == []


def test_every_scenario_has_the_shortest_name_that_fits_it_alone(
    requirements: Callable[[str], Requirements],
) -> None:
    text = requirements(SPEC)

    keys = [ScenarioNames.of(text).key_of(*pair) for pair in all_scenarios(text)]

    assert keys == [
        "Client lists tools",
        "Surface SHALL be small / Client reads",
        "Errors SHALL be told / Client reads",
    ]


def test_scenarios_that_nothing_tells_apart_have_no_name(
    requirements: Callable[[str], Requirements],
) -> None:
    twice = SPEC.replace("#### Scenario: Client lists tools", "#### Scenario: Client reads")
    text = requirements(twice)

    keys = [ScenarioNames.of(text).key_of(*pair) for pair in all_scenarios(text)]

    assert keys == [None, None, "Errors SHALL be told / Client reads"]
