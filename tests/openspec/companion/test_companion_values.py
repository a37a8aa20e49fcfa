"""Values of a valid companion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.openspec.model.companion import ActionKind, AssertionTarget

Reads = Callable[[str], Any]


def test_a_companion_of_nothing_but_its_version_is_empty(bare: Reads) -> None:
    companion = bare("mcpgen: 1\n").companion

    assert (companion.tools, companion.fixtures, companion.scenarios) == ((), (), ())
    assert companion.sha256 == ""


def test_a_tool_keeps_what_is_said_of_it(read: Reads) -> None:
    text = """
tools:
  find:
    title: Find
    description: Finds records.
    annotations: {readOnlyHint: true}
    input:
      words: {type: array, items: {type: string}, required: true}
      after: {type: string, from: cursor}
    output: {type: object}
    upstream: {openapi: api.yaml, operation: GET /records}
    guessed: true
"""

    (tool,) = read(text).companion.tools

    assert (tool.name, tool.title, tool.annotations) == ("find", "Find", {"readOnlyHint": True})
    assert [argument.name for argument in tool.inputs] == ["words", "after"]
    assert (tool.inputs[0].required, tool.inputs[1].source) == (True, "cursor")
    assert tool.inputs[0].schema == {"type": "array", "items": {"type": "string"}}
    assert (tool.upstream.document, tool.upstream.operation) == ("api.yaml", "GET /records")
    assert tool.guessed


def test_without_input_a_tool_has_the_arguments_of_its_operation_or_none(read: Reads) -> None:
    text = """
tools:
  one: {description: One., upstream: {openapi: api.yaml, operation: one}}
  two: {description: Two.}
"""

    first_tool, second_tool = read(text).companion.tools

    assert (first_tool.inputs, second_tool.inputs) == (None, ())


def test_a_fixture_answers_for_the_upstream(read: Reads) -> None:
    text = """
fixtures:
  default:
    environment: {MODE: two}
    headers: {Authorization: Bearer x}
    upstream:
      - {method: GET, path: /streams, query: {limit: "2"}, body: [1]}
"""

    (fixture,) = read(text).companion.fixtures

    assert fixture.environment == {"MODE": "two"}
    assert fixture.headers == {"Authorization": "Bearer x"}
    assert [
        (exchange.method, exchange.status, exchange.body) for exchange in fixture.exchanges
    ] == [("GET", 200, [1])]


@pytest.mark.parametrize(
    ("entry", "doing", "name", "value"),
    [
        ("call: {tool: find, arguments: {a: 1}}", ActionKind.CALL, "find", {"a": 1}),
        ("request: {method: tools/list}", ActionKind.REQUEST, "tools/list", None),
        ("http: {method: POST, path: /mcp, body: {a: 1}}", ActionKind.HTTP, "POST", {"a": 1}),
        ("file: docs/README.md", ActionKind.FILE, "docs/README.md", None),
        (
            "command: {module: mine.app, arguments: [--help]}",
            ActionKind.COMMAND,
            "mine.app",
            ["--help"],
        ),
    ],
)
def test_a_scenario_does_one_thing(
    read: Reads, entry: str, doing: ActionKind, name: str, value: Any
) -> None:
    (binding,) = read(f'scenarios:\n  "A":\n    {entry}\n').companion.scenarios

    (action,) = binding.actions
    assert (action.kind, action.name, action.value) == (doing, name, value)


def test_a_scenario_does_several_things_and_hands_values_on(read: Reads) -> None:
    text = """
scenarios:
  "R / A":
    of: "0123456789ab"
    do:
      - call: {tool: find, save: {next: structuredContent.next}}
      - call: {tool: find, arguments: {after: "${next}"}}
    then:
      - {step: 2, assert: {path: content, count: 1, at_call: 1}}
      - {step: 3, manual: nobody can see it}
"""

    (binding,) = read(text).companion.scenarios

    assert (binding.requirement, binding.scenario) == ("R", "A")
    assert binding.digest == "0123456789ab"
    assert [dict(action.save) for action in binding.actions] == [
        {"next": "structuredContent.next"},
        {},
    ]
    assert [(step.step, step.manual) for step in binding.steps] == [
        (2, ""),
        (3, "nobody can see it"),
    ]
    assert binding.steps[0].assertions[0].call == 1


ASSERTED = [
    ("{path: a.b, equals: null}", AssertionTarget.PATH, "a.b", {"equals": None}),
    ("{path: a, type: array}", AssertionTarget.PATH, "a", {"type": ["array"]}),
    ('{path: a, type: [string, "null"]}', AssertionTarget.PATH, "a", {"type": ["string", "null"]}),
    ("{text: {contains: x}}", AssertionTarget.TEXT, "", {"contains": ["x"]}),
    ("{is_error: true}", AssertionTarget.IS_ERROR, "", {"equals": True}),
    ("{code: -32602}", AssertionTarget.CODE, "", {"equals": -32602}),
    ("{status: 401}", AssertionTarget.STATUS, "", {"equals": 401}),
    ("{header: Link, matches: a}", AssertionTarget.HEADER, "Link", {"matches": "a"}),
    ("{bytes: tools/list, at_most: list}", AssertionTarget.BYTES, "tools/list", {"at_most": 24576}),
    ("{bytes: result, at_most: 9}", AssertionTarget.BYTES, "result", {"at_most": 9}),
    ("{tools: {exactly: [a, b]}}", AssertionTarget.TOOLS, "", {"exactly": ["a", "b"]}),
    (
        "{arguments: {of: every, exclude: x}}",
        AssertionTarget.ARGUMENTS,
        "",
        {"of": "every", "exclude": ["x"]},
    ),
    ("{upstream: none}", AssertionTarget.UPSTREAM, "", {"count": 0}),
    (
        "{upstream: {at_least: 1, method: GET}}",
        AssertionTarget.UPSTREAM,
        "",
        {"at_least": 1, "method": "GET"},
    ),
    ("{within_ms: 500}", AssertionTarget.TIME, "", {"at_most": 500}),
]


@pytest.mark.parametrize(("assertion_text", "subject", "name", "claims"), ASSERTED)
def test_an_assertion_has_one_subject_and_its_claims(
    read: Reads, assertion_text: str, subject: AssertionTarget, name: str, claims: Any
) -> None:
    text = (
        "budgets: {list: 24576}\n"
        f'scenarios:\n  "A":\n    then:\n      - {{step: 2, assert: {assertion_text}}}\n'
    )

    (binding,) = read(text).companion.scenarios

    (assertion,) = binding.steps[0].assertions
    assert (assertion.subject, assertion.name, dict(assertion.claims)) == (subject, name, claims)
