"""All mistakes in a companion are reported together, with positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.read.positions import Positions

Reads = Callable[[str], Any]

TOOL = "tools:\n  t:\n    description: Says.\n    input:\n      a: {}\n"
BOUND = 'scenarios:\n  "A":\n    call: {{tool: t}}\n    then:\n      - {{step: 1, assert: {}}}\n'
STEP = "/scenarios/A/then/0"

WRONG = [
    ('steps: {"*": {given: default}}', "companion-value", "/steps/*"),
    ('steps: {"a {b}{c} d": {given: default}}', "companion-value", "/steps/a {b}{c} d"),
    ("steps: {a b: {}}", "missing-companion-key", "/steps/a b"),
    ("steps: {a b: {given: c}}", "unknown-fixture", "/steps/a b/given"),
    ("steps: {a b: {assert: {is_error: true}, manual: c}}", "exclusive-keys", "/steps/a b/manual"),
    ("steps: {a b: {given: default, manual: c}}", "exclusive-keys", "/steps/a b/manual"),
    (
        'steps: {"a {b}": {call: {tool: t, arguments: {b: "${c}"}}}}',
        "unsaved-value",
        "/steps/a {b}/call",
    ),
    (
        'steps: {a b: {call: {tool: t, arguments: {b: "${c}"}, save: {c: "**.c"}}}}',
        "unsaved-value",
        "/steps/a b/call",
    ),
    (
        'steps: {"a {b}": {assert: {text: {lacks: "${b}${c}"}}}}',
        "unsaved-value",
        "/steps/a {b}/assert",
    ),
    (
        BOUND.replace("{{", "{")
        .replace("}}", "}")
        .replace("assert: {}", 'assert: {text: {lacks: "${b}"}}'),
        "unsaved-value",
        f"{STEP}/assert",
    ),
    (
        'fixtures: {default: {do: [{call: {tool: t, arguments: {a: "${b}"}}}]}}',
        "unsaved-value",
        "/fixtures/default/do/0/call",
    ),
    (
        'fixtures: {default: {arguments: {a: "${b}"}}}',
        "unsaved-value",
        "/fixtures/default/arguments",
    ),
    ("tool: {}", "unknown-companion-key", "/tool"),
    ("tools: []", "companion-type", "/tools"),
    ("title: 3", "companion-type", "/title"),
    ("spec: {sha256: abc}", "companion-value", "/spec/sha256"),
    ("budgets: {a: 0}", "companion-value", "/budgets/a"),
    ("budgets: {a b: 1}", "companion-value", "/budgets/a b"),
    ("glossary: {a: 1}", "companion-type", "/glossary/a"),
    ("tools: {a b: {description: x}}", "companion-value", "/tools/a b"),
    ("tools: {a: {}}", "missing-companion-key", "/tools/a"),
    ("tools: {a: {description: x, inputs: {}}}", "unknown-companion-key", "/tools/a/inputs"),
    (
        "tools: {a: {description: x, annotations: {readOnly: true}}}",
        "unknown-companion-key",
        "/tools/a/annotations/readOnly",
    ),
    ("tools: {a: {description: x, output: {type: array}}}", "companion-value", "/tools/a/output"),
    (
        "tools: {a: {description: x, upstream: {openapi: 'http://x/a', operation: b}}}",
        "companion-value",
        "/tools/a/upstream/openapi",
    ),
    (TOOL.format("{type: text}"), "companion-value", "/tools/t/input/a/type"),
    (TOOL.format("{description: x}"), "missing-companion-key", "/tools/t/input/a"),
    (
        TOOL.format("{type: string, pattern: '('}"),
        "companion-value",
        "/tools/t/input/a/pattern",
    ),
    (TOOL.format("{type: integer, default: x}"), "companion-type", "/tools/t/input/a/default"),
    (TOOL.format("{type: integer, default: true}"), "companion-type", "/tools/t/input/a/default"),
    (TOOL.format("{type: string, enum: [a, 1]}"), "companion-type", "/tools/t/input/a/enum/1"),
    (
        TOOL.format("{type: object, properties: {}}"),
        "nested-input",
        "/tools/t/input/a/properties",
    ),
    (TOOL.format("{$ref: x}"), "nested-input", "/tools/t/input/a/$ref"),
    (BOUND.format("{text: {contains: []}}"), "companion-value", f"{STEP}/assert/text/contains"),
    (BOUND.format("{text: {lacks: ''}}"), "companion-value", f"{STEP}/assert/text/lacks"),
    (BOUND.format("{path: a, lacks: []}"), "companion-value", f"{STEP}/assert/lacks"),
    (BOUND.format("{path: a, order: []}"), "companion-value", f"{STEP}/assert/order"),
    (BOUND.format("{tools: {exactly: []}}"), "companion-value", f"{STEP}/assert/tools/exactly"),
    (
        BOUND.format("{arguments: {of: [], exclude: [a]}}"),
        "companion-value",
        f"{STEP}/assert/arguments/of",
    ),
    (
        "fixtures: {default: {environment: {PYTHONPATH: /tmp}}}",
        "companion-value",
        "/fixtures/default/environment/PYTHONPATH",
    ),
    (
        "fixtures: {default: {environment: {ld_preload: x.so}}}",
        "companion-value",
        "/fixtures/default/environment/ld_preload",
    ),
    ("fixtures: {default: {app: __import__}}", "companion-value", "/fixtures/default/app"),
    (
        TOOL.format("{type: array, items: {type: object}}"),
        "nested-input",
        "/tools/t/input/a/items/type",
    ),
    (
        TOOL.format("{type: array, items: {type: array, items: {}}}"),
        "nested-input",
        "/tools/t/input/a/items/items",
    ),
    (TOOL.format("{type: string, from: b}"), "source-without-upstream", "/tools/t/input/a/from"),
    ("fixtures: {default: {environ: {}}}", "unknown-companion-key", "/fixtures/default/environ"),
    (
        "fixtures: {default: {environment: {A: 1}}}",
        "companion-type",
        "/fixtures/default/environment/A",
    ),
    (
        "fixtures: {default: {environment: {'A=': x}}}",
        "companion-value",
        "/fixtures/default/environment/A=",
    ),
    (
        "fixtures: {default: {headers: {'A B': x}}}",
        "companion-value",
        "/fixtures/default/headers/A B",
    ),
    (
        'fixtures: {default: {headers: {A: "x\\ny"}}}',
        "companion-value",
        "/fixtures/default/headers/A",
    ),
    (
        "fixtures: {default: {upstream: [{method: get, path: /a}]}}",
        "companion-value",
        "/fixtures/default/upstream/0/method",
    ),
    (
        "fixtures: {default: {upstream: [{method: GET, path: '/a?b'}]}}",
        "companion-value",
        "/fixtures/default/upstream/0/path",
    ),
    (
        "fixtures: {default: {upstream: [{path: /a}]}}",
        "missing-companion-key",
        "/fixtures/default/upstream/0",
    ),
    ("fixtures: {default: {app: a, upstream: []}}", "exclusive-keys", "/fixtures/default/app"),
    ("fixtures: {default: {app: os.system}}", "companion-value", "/fixtures/default/app"),
    ("fixtures: {lonely: {}}", "unused-fixture", "/fixtures/lonely"),
    ('scenarios: {"A": {given: two}}', "unknown-fixture", "/scenarios/A/given"),
    ('scenarios: {"A": {of: 123456789012}}', "companion-type", "/scenarios/A/of"),
    (
        'scenarios: {"A": {call: {tool: t}, request: {method: m}}}',
        "exclusive-keys",
        "/scenarios/A/request",
    ),
    ('scenarios: {"A": {manual: no, call: {tool: t}}}', "exclusive-keys", "/scenarios/A/call"),
    ('scenarios: {"A": {manual: " "}}', "companion-value", "/scenarios/A/manual"),
    ('scenarios: {"A": {do: {call: {tool: t}}}}', "companion-type", "/scenarios/A/do"),
    ('scenarios: {"A": {do: [{}]}}', "missing-companion-key", "/scenarios/A/do/0"),
    (
        'scenarios: {"A": {call: {tool: t, args: {}}}}',
        "unknown-companion-key",
        "/scenarios/A/call/args",
    ),
    ('scenarios: {"A": {file: ../secret}}', "companion-value", "/scenarios/A/file"),
    ('scenarios: {"A": {file: /etc/passwd}}', "companion-value", "/scenarios/A/file"),
    (
        'scenarios: {"A": {command: {module: "a; b"}}}',
        "companion-value",
        "/scenarios/A/command/module",
    ),
    (
        'scenarios: {"A": {call: {tool: t, save: {a: "b..c"}}}}',
        "companion-value",
        "/scenarios/A/call/save/a",
    ),
    (
        'scenarios: {"A": {call: {tool: t, version: newest}}}',
        "companion-value",
        "/scenarios/A/call/version",
    ),
    (
        'scenarios: {"A": {call: {tool: t, arguments: {a: [{b: "${c}"}]}}}}',
        "unsaved-value",
        "/scenarios/A/call",
    ),
    ('scenarios: {"A": {then: [{assert: {is_error: true}}]}}', "missing-companion-key", STEP),
    ('scenarios: {"A": {then: [{step: 1}]}}', "missing-companion-key", STEP),
    (
        'scenarios: {"A": {then: [{step: 1, manual: x}, {step: 1, manual: y}]}}',
        "step-bound-twice",
        "/scenarios/A/then/1",
    ),
    (BOUND.format("{}"), "assertion-subject", f"{STEP}/assert"),
    (BOUND.format("{path: a, text: {}}"), "assertion-subject", f"{STEP}/assert"),
    (BOUND.format("[3]"), "companion-type", f"{STEP}/assert/0"),
    (BOUND.format("{path: a}"), "missing-claim", f"{STEP}/assert"),
    (BOUND.format("{path: 'a[', present: true}"), "companion-value", f"{STEP}/assert/path"),
    (BOUND.format("{path: a, present: false}"), "companion-value", f"{STEP}/assert/present"),
    (BOUND.format("{path: a, matches: '['}"), "companion-value", f"{STEP}/assert/matches"),
    (BOUND.format("{path: a, equal: 1}"), "unknown-companion-key", f"{STEP}/assert/equal"),
    (BOUND.format("{header: A, order: [a]}"), "misplaced-claim", f"{STEP}/assert/order"),
    (BOUND.format("{is_error: true, equals: 1}"), "misplaced-claim", f"{STEP}/assert/equals"),
    (BOUND.format("{is_error: 1}"), "companion-type", f"{STEP}/assert/is_error"),
    (BOUND.format("{header: 'a b', present: true}"), "companion-value", f"{STEP}/assert/header"),
    (BOUND.format("{bytes: result, at_most: list}"), "unknown-budget", f"{STEP}/assert/at_most"),
    (BOUND.format("{bytes: all, at_most: 3}"), "companion-value", f"{STEP}/assert/bytes"),
    (BOUND.format("{upstream: some}"), "companion-type", f"{STEP}/assert/upstream"),
    (BOUND.format("{upstream: {method: GET}}"), "missing-claim", f"{STEP}/assert/upstream"),
    (
        BOUND.format("{arguments: {include: a}}"),
        "missing-companion-key",
        f"{STEP}/assert/arguments",
    ),
    (
        BOUND.format("{is_error: true, at_call: 2}"),
        "companion-value",
        f"{STEP}/assert/at_call",
    ),
]


@pytest.mark.parametrize(("text", "name", "pointer"), WRONG)
def test_a_mistake_is_told_at_its_place(read: Reads, text: str, name: str, pointer: str) -> None:
    result = read(text)

    assert result.told == [(name, pointer)]


def test_the_version_has_to_be_there(bare: Reads) -> None:
    assert bare("tools: {}\n").told == [("missing-companion-key", "")]


def test_another_version_is_told(bare: Reads) -> None:
    assert bare("mcpgen: 2\n").told == [("companion-value", "/mcpgen")]


def test_a_list_is_no_companion(bare: Reads) -> None:
    result = bare("- a\n")

    assert result.result is None
    assert result.told == [("companion-type", "")]


def test_all_mistakes_are_told_at_once(read: Reads) -> None:
    text = 'toolz: {}\nbudgets: {a: x}\nscenarios:\n  "A":\n    of: x\n    given: [b, c]\n'

    names = [name for name, _ in read(text).told]

    assert names == [
        "companion-type",
        "companion-value",
        "unknown-companion-key",
        "unknown-fixture",
        "unknown-fixture",
    ]


def test_a_misspelled_key_gets_the_one_that_was_meant(read: Reads) -> None:
    (result,) = read("scenario: {}\n").found

    assert result.hint == "did you mean `scenarios`?"


def test_a_budget_gets_the_name_that_was_meant(read: Reads) -> None:
    text = "budgets: {list_bytes: 9}\n" + BOUND.format("{bytes: result, at_most: list_byte}")

    (result,) = read(text).found

    assert result.hint == "did you mean `list_bytes`?"


def test_a_finding_is_printed_with_its_line(read: Reads) -> None:
    text = read(BOUND.format("{is_error: 1}"))

    positions = Positions([text.document])
    assert positions(text.found[0].at) == (6, 28)


def test_the_default_fixture_is_used_by_every_scenario(read: Reads) -> None:
    assert read("fixtures: {default: {}}\n").told == []


def test_values_of_patterns_and_fixtures_are_there_in_step_definitions(read: Reads) -> None:
    text = """
fixtures:
  default: {do: [{call: {tool: t, arguments: {a: "${unique}"}, save: {b: content}}}]}
  other: {arguments: {a: "${b}"}, do: [{call: {tool: t, arguments: {a: "${b}"}}}]}
steps:
  "looks for {words}":
    given: other
    call: {tool: t, arguments: {a: "${words}", b: "${b}"}}
"""

    assert read(text).told == []


def test_a_value_saved_by_a_later_action_is_not_there_yet(read: Reads) -> None:
    text = """
scenarios:
  "A":
    do:
      - call: {tool: t, arguments: {a: "${b}"}}
      - call: {tool: t, save: {b: content}}
"""

    assert read(text).told == [("unsaved-value", "/scenarios/A/do/0/call")]


def test_a_mapping_of_the_wrong_type_is_named_in_words(read: Reads) -> None:
    (scenario_finding,) = read('scenarios: {"A": text}\n').found
    (title_finding,) = read("title: 3\n").found

    assert scenario_finding.message == "the scenario `A` has to be a mapping, and it is a text"
    assert title_finding.message == "`title` has to be a text, and it is a number"
