"""`mcpgen bind`: first draft, later additions, and the author's text unchanged."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.time_limits import ends_within
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.openspec.bind.client_actions import Claim, outside_reason, unseen_reason
from mcpgen.openspec.bind.guessed_assertions import (
    gives_answer,
    guess_claims,
    may_fail,
    unchecked_clauses,
)
from mcpgen.openspec.bind.guesses import (
    guess_action,
    guess_required_action,
    has_action,
    state_steps,
)
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lower.step_definitions import (
    StepContext,
    StepDefinition,
    ToolArguments,
    match_step,
)
from mcpgen.openspec.lower.step_definitions.assertions import ASSERTIONS
from mcpgen.openspec.model.companion import ActionKind, AssertionTarget, Companion
from mcpgen.openspec.model.requirements import Requirement, Role, Scenario, Step
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "openspec"
TEXTS = sorted(CORPUS.glob("*.md"))
WITHOUT_REQUIREMENTS = "ElkinDev__dbgraph__delta_2026-07-06-ux-observability_mcp-server.md"

SPEC = """# Finder

## Purpose

A server that finds records, so that a companion can be drafted from what is said of it here.

## Requirements

### Requirement: The surface SHALL be small

The read surface SHALL contain exactly `find` and `read_one`. `find` SHALL accept
`{ words: string, most?: number }`.

#### Scenario: Client lists tools
- **WHEN** a client calls `tools/list`
- **THEN** the response SHALL include exactly `find` and `read_one`
- **AND** it SHALL NOT include `old_find`

#### Scenario: Client reads
- **WHEN** a client calls `read_one` with `{"id": "a1"}`
- **THEN** the answer is pretty

### Requirement: Errors SHALL be typed

Errors SHALL be typed.

#### Scenario: Client reads
- **WHEN** a client calls `read_one` without `id`
- **THEN** it SHALL return a typed `no_id` error with `retry_with: "id"`

#### Scenario: Nobody is there
- **WHEN** the office is closed
- **THEN** a typed `closed` error is returned
- **AND** it SHALL return a typed `is_closed` error
"""
ABOUT_CALLS = [
    "error-result",
    "no-error-result",
    "error-code",
    "typed-error",
    "text-says",
    "text-lacks",
    "document-keys",
    "no-member",
    "member",
    "member-equals",
    "no-upstream",
    "upstream-requests",
]
MORE = """
#### Scenario: Client finds
- **WHEN** a client calls `find(words="ants")`
- **THEN** something is found
"""


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with a `spec.md`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.md").write_text(SPEC)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bind", *arguments])


def _companion(path: Path) -> Companion:
    """Parses a companion file; asserts no error."""
    diagnostics = Diagnostics()
    document = load_document(path.read_bytes(), "mcp.yaml", "", Findings(diagnostics))
    assert document is not None
    companion = parse_companion(document, diagnostics)
    assert companion is not None
    assert not diagnostics.failed, [diagnostic.message for diagnostic in diagnostics]
    return companion


def test_name_that_hosts_refuse_is_told_and_not_drafted(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    head = SPEC.partition("## Requirements")[0]
    spec.write_text(
        f"{head}## Requirements\n\n### Requirement: Tools\n"
        "The server SHALL offer the tool `find` and the tool `Port.embed`.\n\n"
        "#### Scenario: Find\n- **WHEN** the tool `find` is called\n- **THEN** it SHALL succeed\n"
    )

    result = CliRunner().invoke(app, ["bind", str(spec)])

    assert result.exit_code == 0
    assert "MG709" in result.stderr
    assert "\n  find:\n" in (tmp_path / "mcp.yaml").read_text()
    assert "Port.embed:" not in (tmp_path / "mcp.yaml").read_text()


def test_a_draft_declares_the_tools_with_what_is_said_of_them(work_folder: Path) -> None:
    result = _run("spec.md")

    find, read_one = _companion(work_folder / "mcp.yaml").tools
    assert (result.exit_code, result.stdout) == (0, "mcp.yaml got 2 tools and 4 scenarios\n")
    assert [
        (argument.name, argument.schema, argument.required) for argument in find.inputs or ()
    ] == [
        ("words", {"type": "string"}, True),
        ("most", {"type": "number"}, False),
    ]
    assert [argument.name for argument in read_one.inputs or ()] == ["id"]
    assert find.guessed
    assert read_one.guessed


def test_a_draft_binds_what_is_said_and_leaves_the_rest_open(work_folder: Path) -> None:
    _run("spec.md")

    lists, reads, fails, closed = _companion(work_folder / "mcp.yaml").scenarios
    assert [(step_binding.kind, step_binding.name) for step_binding in lists.actions] == [
        (ActionKind.REQUEST, "tools/list")
    ]
    assert [dict(step_binding.assertions[0].claims) for step_binding in lists.steps] == [
        {"exactly": ["find", "read_one"]},
        {"exclude": ["old_find"]},
    ]
    assert (reads.actions, reads.steps) == ((), ())
    assert (fails.requirement, fails.scenario) == ("Errors SHALL be typed", "Client reads")
    assert (fails.actions, fails.steps) == ((), ())
    assert (closed.actions, closed.steps) == ((), ())


def test_a_draft_shows_the_words_of_every_step_and_marks_what_is_guessed(work_folder: Path) -> None:
    _run("spec.md")

    text = (work_folder / "mcp.yaml").read_text()
    assert "    # 2. THEN the answer is pretty\n" in text
    assert "    request: {method: tools/list}  # guessed from lists-tools\n" in text
    assert re.search(
        r"\n      - \{step: 3, assert: .*old_find.*\}  # guessed from excluded-tools\n", text
    )
    assert re.search(r"#   - \{step: 3, assert: .*is_closed.*\}  # guessed\n", text)


def test_a_call_whose_tool_is_guessed_is_only_a_comment(work_folder: Path) -> None:
    _run("spec.md")

    text = (work_folder / "mcp.yaml").read_text()
    value = "{tool: read_one, arguments: {id: a1}}"
    assert f"    # call: {value}  # guessed from calls-with-object\n" in text
    assert re.search(r"#   - \{step: 2, assert: .*no_id.*\}  # guessed from typed-error\n", text)


DECLARED = """mcpgen: 1
tools:
  find: {description: Finds., input: {words: {type: string}, most: {type: number}}}
  read_one: {description: Reads., input: {id: {type: string}}}
"""


def test_a_call_of_a_tool_that_its_author_declared_is_drafted(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text(DECLARED)

    _run("spec.md")

    _, reads, fails, _ = _companion(work_folder / "mcp.yaml").scenarios
    assert [(assertion.name, assertion.value) for assertion in reads.actions] == [
        ("read_one", {"id": "a1"})
    ]
    assert [(assertion.name, assertion.value) for assertion in fails.actions] == [("read_one", {})]
    assert [assertion.subject for assertion in fails.steps[0].assertions] == [
        AssertionTarget.PATH,
        AssertionTarget.PATH,
    ]


def test_what_a_phrase_does_not_read_to_the_end_is_only_a_comment(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text(DECLARED)
    longer = SPEC.replace('`retry_with: "id"`', '`retry_with: "id"`, and it SHALL log the attempt')
    (work_folder / "spec.md").write_text(longer)

    _run("spec.md")

    _, _, fails, _ = _companion(work_folder / "mcp.yaml").scenarios
    assert fails.steps == ()
    assert "# 2. THEN it SHALL return a typed" in (work_folder / "mcp.yaml").read_text()


def test_a_call_without_a_required_argument_is_marked_as_guessed(work_folder: Path) -> None:
    needs = DECLARED.replace("id: {type: string}", "id: {type: string, required: true}")
    (work_folder / "mcp.yaml").write_text(needs)

    _run("spec.md")

    _, _, fails, _ = _companion(work_folder / "mcp.yaml").scenarios
    assert [(action.name, action.value) for action in fails.actions] == [("read_one", {})]
    assert fails.guessed


@pytest.mark.parametrize("phrase", ASSERTIONS, ids=lambda phrase: phrase.name)
def test_what_a_phrase_claims_is_drafted_as_it_is_meant(
    work_folder: Path, phrase: StepDefinition
) -> None:
    action = "calls `read_one`" if phrase.name in ABOUT_CALLS else "calls `tools/list`"
    example = re.sub("search|fetch", "read_one", phrase.example.replace("schema", "find"))
    scenario = f"#### Scenario: Said\n- **WHEN** a client {action}\n- **THEN** {example}\n"
    (work_folder / "spec.md").write_text(SPEC[: SPEC.index("#### Scenario")] + scenario)
    glossary = 'glossary: {event-subscription management tool: ["*subscription*"]}\n'
    budgets = "budgets: {tools_list_bytes: 100, result_bytes: 100}\n"
    (work_folder / "mcp.yaml").write_text(DECLARED + glossary + budgets)

    _run("spec.md")

    (scenario_binding,) = _companion(work_folder / "mcp.yaml").scenarios
    context = StepContext(
        {"find": None, "read_one": None},
        {"event-subscription management tool": ("*subscription*",)},
        {"tools_list_bytes": 100, "result_bytes": 100},
        scenario_binding.actions[0],
        ("read_one",),
    )
    match = match_step(Step(2, "THEN", Role.THEN, example, scenario_binding.at), context)
    assert match is not None
    assert [
        (assertion.subject, assertion.name, assertion.claims)
        for assertion in scenario_binding.steps[0].assertions
    ] == [(assertion.subject, assertion.name, assertion.claims) for assertion in match.assertions]


def test_binding_twice_changes_nothing(work_folder: Path) -> None:
    _run("spec.md")
    before = (work_folder / "mcp.yaml").read_bytes()

    result = _run("spec.md")

    assert (result.exit_code, result.stdout) == (0, "mcp.yaml: nothing new\n")
    assert (work_folder / "mcp.yaml").read_bytes() == before


def test_binding_elsewhere_gives_the_same_bytes(work_folder: Path) -> None:
    _run("spec.md")
    (work_folder / "other").mkdir()
    shutil.copy("spec.md", "other/spec.md")

    _run("other/spec.md")

    assert (work_folder / "other/mcp.yaml").read_bytes() == (work_folder / "mcp.yaml").read_bytes()


AUTHORED = """# mine
mcpgen:   1
tools:
    find:   {description: "I say so.", input: {words: {type: string}, most: {type: number}}}   # kept
    read_one:
        description: >
            Reads
            one.


    # the last word on tools
fixtures: { default: {} }

scenarios:
    # mine too
    'Client lists tools':
        request: { method: tools/list }
    # and this
# at the margin
budgets: {list: 3}
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_every_byte_of_the_author_survives(
    work_folder: Path, newline: str, mark: str, end: str
) -> None:
    text = (mark + AUTHORED.rstrip("\n") + end).replace("\n", newline)
    (work_folder / "mcp.yaml").write_bytes(text.encode())

    result = _run("spec.md")

    output = (work_folder / "mcp.yaml").read_bytes().decode()
    start = output.index("    # and this" + newline) + len("    # and this" + newline)
    stop = output.index("# at the margin")
    assert result.exit_code == 0, result.output
    assert (output[:start] + output[stop:]) == text
    assert "\n" not in output.replace(newline, "")
    assert [scenario.scenario for scenario in _companion(work_folder / "mcp.yaml").scenarios] == [
        "Client lists tools",
        "Client reads",
        "Client reads",
        "Nobody is there",
    ]


def test_only_what_is_new_is_added(work_folder: Path) -> None:
    _run("spec.md")
    before = (work_folder / "mcp.yaml").read_text()
    (work_folder / "spec.md").write_text(SPEC + MORE)

    result = _run("spec.md")

    after = (work_folder / "mcp.yaml").read_text()
    assert result.stdout == "mcp.yaml got 1 scenario\n"
    assert after.startswith(before)
    assert after[len(before) :].startswith('  "Client finds":\n    of: "')


def test_a_tool_that_its_author_left_out_does_not_come_back(work_folder: Path) -> None:
    loose = SPEC.replace("The read surface SHALL contain exactly `find` and `read_one`. ", "")
    (work_folder / "spec.md").write_text(
        loose.replace("include exactly `find` and `read_one`", "be fine")
    )
    _run("spec.md")
    text = (work_folder / "mcp.yaml").read_text()
    text_without_tool = re.sub(r"  read_one:\n(?:    .*\n)+", "", text)
    (work_folder / "mcp.yaml").write_text(text_without_tool)

    result = _run("spec.md")

    assert text_without_tool != text
    assert (work_folder / "mcp.yaml").read_text() == text_without_tool
    assert result.stdout == "mcp.yaml: nothing new\n"


def test_a_block_that_is_missing_is_made(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text("mcpgen: 1\n# the end")

    result = _run("spec.md")

    text = (work_folder / "mcp.yaml").read_text()
    assert result.exit_code == 0
    assert text.startswith("mcpgen: 1\n# the end\ntools:\n  find:\n")
    assert len(_companion(work_folder / "mcp.yaml").scenarios) == 4


@pytest.mark.parametrize("text", ["mcpgen: 1\nscenarios: {}\n", '{"mcpgen": 1}\n'])
def test_nothing_is_put_between_braces(work_folder: Path, text: str) -> None:
    (work_folder / "mcp.yaml").write_text(text)

    result = _run("spec.md")

    assert result.exit_code == 1
    assert "MG762 uneditable-entry" in result.stderr
    assert (work_folder / "mcp.yaml").read_text() == text


def test_a_companion_with_an_error_is_left_alone(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text("mcpgen: 1\nscenariso: {}\n")

    result = _run("spec.md")

    assert result.exit_code == 1
    assert "mcp.yaml:2:1: error MG730 unknown-companion-key" in result.stderr
    assert (work_folder / "mcp.yaml").read_text() == "mcpgen: 1\nscenariso: {}\n"


def test_what_is_new_is_added_also_where_the_two_disagree(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text("mcpgen: 1\ntools:\n  third: {description: No.}\n")

    result = _run("spec.md")

    assert result.exit_code == 1
    assert "mcp.yaml:3:3: error MG747 tool-beyond-list" in result.stderr
    assert result.stdout == "mcp.yaml got 2 tools and 4 scenarios\n"
    assert [tool.name for tool in _companion(work_folder / "mcp.yaml").tools] == [
        "third",
        "find",
        "read_one",
    ]


def test_check_writes_nothing_and_fails_where_something_is_new(work_folder: Path) -> None:
    first = _run("spec.md", "--check")
    is_written = (work_folder / "mcp.yaml").exists()
    _run("spec.md")

    second = _run("spec.md", "--check")

    assert (first.exit_code, is_written) == (1, False)
    assert first.stdout == "mcp.yaml would get 2 tools and 4 scenarios\n"
    assert second.exit_code == 0


def test_a_changed_scenario_is_told_and_stamped_only_when_asked(work_folder: Path) -> None:
    _run("spec.md")
    before = (work_folder / "mcp.yaml").read_text()
    (work_folder / "spec.md").write_text(SPEC.replace("is pretty", "is ugly"))

    result = _run("spec.md")
    text = (work_folder / "mcp.yaml").read_text()
    check_result = _run("spec.md", "--check")
    accept_result = _run("spec.md", "--accept", "The surface SHALL be small / Client reads")

    after = (work_folder / "mcp.yaml").read_text().splitlines()
    changed_lines = [old for old, new in zip(before.splitlines(), after, strict=True) if old != new]
    assert "MG756 stale-binding" in result.stderr
    assert text == before
    assert check_result.exit_code == 1
    assert accept_result.stdout == "mcp.yaml got new digests\n"
    assert [line.split(":")[0].strip() for line in changed_lines] == ["spec", "of"]
    assert _run("spec.md", "--check").exit_code == 0


@pytest.mark.parametrize(
    "entry", ["{manual: nobody sees it}", "{}", "\n    manual: nobody sees it"]
)
def test_a_binding_without_a_stamp_gets_one_when_asked(work_folder: Path, entry: str) -> None:
    _run("spec.md")
    text = (work_folder / "mcp.yaml").read_text()
    new_text = re.sub(r'("Nobody is there":)\n(?:    .*\n)+', rf"\1 {entry}\n", text)
    (work_folder / "mcp.yaml").write_text(new_text)

    result = _run("spec.md", "--accept", "Nobody is there")

    *_, closed = _companion(work_folder / "mcp.yaml").scenarios
    assert new_text != text
    assert result.exit_code == 0
    assert closed.digest == re.findall(r'of: "(\w+)"', text)[-1]
    assert closed.manual == ("" if entry == "{}" else "nobody sees it")


def test_a_name_that_no_binding_has_cannot_be_accepted(work_folder: Path) -> None:
    _run("spec.md")

    result = _run("spec.md", "--accept", "Client list tools")

    assert result.exit_code == 1
    assert "did you mean `Client lists tools`?" in result.stderr
    assert "mcp.yaml:20:1: error MG790 unknown-entry" in result.stderr


def test_scenario_whose_entry_has_the_full_name_is_accepted_by_that_name(
    work_folder: Path,
) -> None:
    _run("spec.md")
    text = (work_folder / "mcp.yaml").read_text()
    name = "The surface SHALL be small / Client lists tools"
    (work_folder / "mcp.yaml").write_text(text.replace('"Client lists tools"', f'"{name}"'))

    result = _run("spec.md", "--accept", "Client lists tools")

    assert result.exit_code == 1
    assert f"hint: write `{name}`" in result.stderr


def test_scenario_without_an_entry_needs_no_accept(work_folder: Path) -> None:
    (work_folder / "mcp.yaml").write_text("mcpgen: 1\n")

    result = _run("spec.md", "--accept", "Client lists tools")

    assert result.exit_code == 1
    assert "hint: leave out `--accept`" in result.stderr


def test_accepted_entry_of_a_removed_scenario_is_reported_once(work_folder: Path) -> None:
    _run("spec.md")
    text = (work_folder / "mcp.yaml").read_text()
    (work_folder / "mcp.yaml").write_text(text.replace("Client lists tools", "Bats fly by night"))

    result = _run("spec.md", "--accept", "Bats fly by night")

    assert result.exit_code == 1
    assert result.stderr.count(": error ") == 1
    assert "hint: delete the entry, or write a scenario of this name" in result.stderr


def test_scenarios_that_nothing_tells_apart_are_told_and_left_out(work_folder: Path) -> None:
    (work_folder / "spec.md").write_text(SPEC.replace("Nobody is there", "Client reads"))

    result = _run("spec.md")

    assert result.stdout == "mcp.yaml got 2 tools and 2 scenarios\n"
    assert result.stderr.count("MG761 unnameable-scenario") == 2


HOSTILE = [
    'Say "hi" # and: {more}',
    "- [x] `a`: &b *c !d %e @f",
    "back\\slash and 'quote'",
    "null",
    "123",
    "ünïcode \u202e bidi \x85 end \x07 bell",
    "{}",
    "a: b",
    "?",
    "e" * 400,
    "e" * 2_000,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_the_text_says_stays_text(work_folder: Path, name: str) -> None:
    (work_folder / "spec.md").write_text(
        SPEC.replace("Nobody is there", name).replace("pretty", f"{name} \u2028 line")
    )

    result = _run("spec.md")

    assert result.exit_code == 0, result.output
    names = {entry.scenario for entry in _companion(work_folder / "mcp.yaml").scenarios}
    assert " ".join(name.split()) in {" ".join(entry.split()) for entry in names}
    assert _run("spec.md", "--check").exit_code == 0


@pytest.mark.parametrize(
    "values", ['{"odd key": 1}', '{"id": "${home}"}', '{"id": {"deep": [{}]}}', '{"id": null}']
)
def test_a_call_with_odd_values_still_makes_a_companion(work_folder: Path, values: str) -> None:
    (work_folder / "spec.md").write_text(SPEC.replace('{"id": "a1"}', values))

    result = _run("spec.md")

    assert result.exit_code == 0, result.output
    assert len(_companion(work_folder / "mcp.yaml").scenarios) == 4


def test_of_a_folder_the_companion_stands_beside_the_spec(work_folder: Path) -> None:
    folder = work_folder / "openspec" / "specs" / "finder"
    folder.mkdir(parents=True)
    (folder / "spec.md").write_text(SPEC)

    result = _run("openspec")

    assert result.exit_code == 0
    assert (folder / "mcp.yaml").exists()


def test_programs_get_what_was_added_as_json(work_folder: Path) -> None:
    result = _run("spec.md", "--format", "json")

    tree = json.loads(result.stdout)
    assert (tree["command"], tree["exit_code"], tree["file"]) == ("bind", 0, "mcp.yaml")
    assert (tree["written"], tree["tools"], tree["stale"]) == (True, ["find", "read_one"], [])
    assert tree["scenarios"][1] == "The surface SHALL be small / Client reads"


def test_a_text_without_requirements_gets_no_companion(work_folder: Path) -> None:
    (work_folder / "spec.md").write_text("# Nothing\n")

    result = _run("spec.md")

    assert result.exit_code == 1
    assert not (work_folder / "mcp.yaml").exists()


@pytest.mark.skipif(not TEXTS, reason="the real documents are not here")
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_real_text_gets_a_companion_that_nothing_is_wrong_with(
    work_folder: Path, path: Path
) -> None:
    (work_folder / "spec.md").write_bytes(path.read_bytes())

    result = _run("spec.md", "--format", "json")

    tree = json.loads(result.stdout)
    errors = [item for item in tree["diagnostics"] if item["severity"] == Severity.ERROR]
    if path.name == WITHOUT_REQUIREMENTS:
        assert [item["name"] for item in errors] == ["no-requirement"]
        return
    assert errors == []
    assert len(_companion(work_folder / "mcp.yaml").scenarios) == len(tree["scenarios"]) > 0
    assert _run("spec.md", "--check").exit_code == 0


API = """openapi: 3.0.3
info: {title: Albums, version: "1"}
paths:
  /api/albums/{id}:
    get:
      operationId: getAlbum
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: page, in: query, schema: {type: integer}}
      responses: {"200": {description: The album.}}
"""
ALBUMS = """# Albums

## Purpose

Lets a person look at the pictures of an album, page by page, and say which album is meant.

## Requirements

### Requirement: Albums are paged

The service SHALL answer `GET /api/albums/{id}`.

#### Scenario: First page
- **GIVEN** album 5 contains 75 pictures
- **WHEN** the client calls `GET /api/albums/5?page=0`
- **THEN** the response is `200 OK` and `total` is 75
- **AND** no row is written to `album_views`

#### Scenario: No album
- **WHEN** `GET /api/albums/{id}` is called with an id that does not exist
- **THEN** the response status is 404

#### Scenario: A button
- **WHEN** the user clicks "Open album"
- **THEN** the album page opens
"""


@pytest.fixture
def albums(work_folder: Path) -> Companion:
    """The draft beside an API of a text with a state, an error, and a user interface."""
    (work_folder / "spec.md").write_text(ALBUMS)
    (work_folder / "api.yaml").write_text(API)
    result = _run("spec.md", "--openapi", "api.yaml")
    assert result.exit_code == 0, result.output
    return _companion(work_folder / "mcp.yaml")


def test_a_state_becomes_a_fixture_to_fill_and_the_entry_is_guessed(albums: Companion) -> None:
    first = albums.scenarios[0]

    (fixture,) = albums.fixtures
    assert first.guessed
    assert fixture.guessed
    assert first.given == (fixture.name,) == ("album-5-contains-75-pictures",)
    assert fixture.description == "album 5 contains 75 pictures"
    assert [(action.name, action.value) for action in first.actions] == [
        ("get_album", {"id": 5, "page": 0})
    ]
    assert [step.step for step in first.steps] == [3, 4]
    assert first.steps[1].manual == "The step is about the database, which no client sees."


def test_what_the_text_binds_is_not_guessed(albums: Companion) -> None:
    assert not albums.scenarios[1].guessed


def test_a_scenario_outside_of_the_server_gets_the_reason(albums: Companion) -> None:
    button = albums.scenarios[2]

    assert button.guessed
    assert (
        button.manual
        == "The scenario is about a user interface, which no client of the server sees."
    )


def test_drafted_steps_are_listed_and_never_bound(albums: Companion, work_folder: Path) -> None:
    result = CliRunner().invoke(app, ["scenarios", "spec.md"])

    lines = result.stdout.splitlines()
    assert any("pending 0/4" in line and "4 drafted: review" in line for line in lines)
    assert any("pending 0/2" in line and "2 drafted: review" in line for line in lines)
    assert lines[-1].endswith("% drafted")


def test_a_reviewed_entry_is_bound(albums: Companion, work_folder: Path) -> None:
    path = work_folder / "mcp.yaml"
    path.write_text(re.sub(r"\n +guessed: true.*", "", path.read_text()))

    result = CliRunner().invoke(app, ["scenarios", "spec.md"])

    assert "manual         First page: The step is about the database" in result.stdout
    assert "partial" not in result.stdout
    assert "drafted" not in result.stdout


def test_a_drafted_request_keeps_its_parameters(work_folder: Path) -> None:
    read = "a client reads the resource `records://recent`"
    scenario = f"#### Scenario: Read\n- **GIVEN** three records\n- **WHEN** {read}\n- **THEN** it SHALL succeed\n"
    (work_folder / "spec.md").write_text(SPEC[: SPEC.index("#### Scenario")] + scenario)

    _run("spec.md")

    (entry,) = _companion(work_folder / "mcp.yaml").scenarios
    assert [(action.name, action.value) for action in entry.actions] == [
        ("resources/read", {"uri": "records://recent"})
    ]


@pytest.mark.parametrize(
    ("when_text", "reason"),
    [
        ("the user selects a row", "a user interface"),
        ("a developer inspects the entity", "the text of code"),
        ("`app serve --port 1` is run", "a command line"),
        ("the test suite runs", "a run of tests"),
        ("the server starts", "the start or the end"),
        ("the background job runs", "a job of the server"),
        ("`Store.save()` is called", "a function or a class"),
        ("the process is launched with `PORT=1`", "the start or the end"),
        ("`INSERT INTO notes` is repeated", "a statement to the database"),
        ("a client sends `POST /notes` from the terminal", ""),
        ("`NOTES_PATH` is not set", "the configuration of the process"),
        ("a `NoteEvent` is consumed", "a job of the server"),
        ("the daily sweep begins", "a job of the server"),
        ("the generated client is built", "a run of tests"),
        ("`find notes` is run", "a command line"),
        ("`NoteError::Missing(1)` is returned", ""),
        ("пользователь нажимает кнопку", "a user interface"),
        ("the client inspects a note", ""),
        ("a note is deleted", ""),
        ("a client calls `tools/list` while the server starts", ""),
        ("`find` is called from the browser page", ""),
    ],
)
def test_a_reason_is_given_where_no_client_acts(when_text: str, reason: str) -> None:
    step = Step(1, "WHEN", Role.WHEN, when_text, Location("spec.md"))
    scenario = Scenario("S", (step,), "", "0" * 12, Location("spec.md"))

    assert outside_reason(scenario, StepContext({"find": None})).startswith(reason or "")
    assert bool(outside_reason(scenario, StepContext({"find": None}))) is bool(reason)


def scenario_of(*steps: str) -> Scenario:
    """A scenario with the steps, such as `WHEN a note is deleted`."""
    parts = [step.partition(" ") for step in steps]
    return Scenario(
        "S",
        tuple(
            Step(number, role, Role[role], text, Location("spec.md"))
            for number, (role, _, text) in enumerate(parts, 1)
        ),
        "",
        "0" * 12,
        Location("spec.md"),
    )


@pytest.mark.parametrize(
    ("then_text", "reason"),
    [
        ("the toast is shown at the top", "a user interface"),
        ("exactly one row is inserted into `notes`", "the database"),
        ("the failure is logged", "the log, metrics or traces"),
        ("`NoteError` is raised", "the code"),
        ("`docs/notes.md` exists", "files of the repository"),
        ("the response shows that the row is deleted", ""),
        ("the client gets the log entry", ""),
        ("an `audit_log` row exists with `kind = 1`", "the database"),
        ("the controller SHALL create a `NoteCommand`", "the code"),
        ("the handler returns the note", ""),
        ("the job is queued", "a message or a job"),
        ("открывается модалка", "a user interface"),
        ("an audit log entry is created", ""),
        ("the note is kept", ""),
    ],
)
def test_a_result_that_no_client_sees_gets_the_reason(then_text: str, reason: str) -> None:
    text = unseen_reason(then_text)

    assert text.startswith(reason)
    assert bool(text) is bool(reason)


def test_a_scenario_whose_results_no_client_sees_gets_the_reason() -> None:
    tools = StepContext({"find": None})
    when_text = "WHEN a note is deleted"
    log_text, text = "THEN the deletion is logged", "THEN the client gets the note"

    assert outside_reason(scenario_of(when_text, log_text), tools)
    assert not outside_reason(scenario_of(when_text, log_text, text), tools)


def test_a_state_alone_gives_no_reason_beside_a_result_that_a_client_sees() -> None:
    state = "GIVEN a pane whose CLI has not begun"

    assert outside_reason(scenario_of(state, "THEN no window moves"), StepContext({}))
    assert not outside_reason(scenario_of(state, "THEN `GET /panes` returns `[]`"), StepContext({}))


@pytest.mark.parametrize(
    ("when_text", "entry"),
    [
        ("a client sends `GET /notes?page=2`", {"method": "GET", "path": "/notes?page=2"}),
        ("`GET /notes/{id}` is called", {"method": "GET", "path": "/notes/TODO"}),
        (
            'an admin sends `POST /notes` with `{"text": "ants"}`',
            {"method": "POST", "path": "/notes", "body": {"text": "ants"}},
        ),
        (
            "a client sends `GET /notes` without an auth header",
            {"method": "GET", "path": "/notes", "headers": {"Authorization": ""}},
        ),
        (
            'a client sends `POST /disks` with `disks: [{"size": 1}]`',
            {"method": "POST", "path": "/disks"},
        ),
        (
            'a client sends `POST /disks` with `{"disks": [{"size": 1}]}`',
            {"method": "POST", "path": "/disks", "body": {"disks": [{"size": 1}]}},
        ),
        (
            "a client sends `POST /disks` with `{}`",
            {"method": "POST", "path": "/disks", "body": {}},
        ),
        ("account A calls `GET /notes`", {"method": "GET", "path": "/notes"}),
        ("a note is created via `POST /notes`", {"method": "POST", "path": "/notes"}),
        ("a POST request is made to `/notes`", {"method": "POST", "path": "/notes"}),
        ("GET /notes?ids=1,2,,3 is called", {"method": "GET", "path": "/notes?ids=1,2,,3"}),
        ("a client GETs `/notes`", {"method": "GET", "path": "/notes"}),
        ("a POST is sent to `/notes`", {"method": "POST", "path": "/notes"}),
        (
            "5 notes exist and a POST request is sent to `/notes`",
            {"method": "POST", "path": "/notes"},
        ),
        ("the server has 5 notes and a POST is sent to `/notes`", None),
        ("a note is POSTed to `/notes`", {"method": "POST", "path": "/notes"}),
        ("a client sends a non-POST request to `/notes`", None),
        ("the server calls `GET /notes`", None),
        ("two users call `DELETE /notes/1` concurrently", None),
        ("a member calls any `GET /notes*` endpoint", None),
        ("the page requests `GET /notes`", None),
        ("`GET /notes` fails", None),
        ("the hook wraps `GET /notes`", None),
        ("a client sends `GET /notes` and `GET /pens`", None),
    ],
)
def test_a_request_of_a_client_is_drafted(when_text: str, entry: Any) -> None:
    action = guess_action(scenario_of(f"WHEN {when_text}"), StepContext({}))

    assert action == (entry and {"http": entry})


@pytest.mark.parametrize(
    "when_text",
    [
        "an agent reads the `list_albums` tool description",
        "a client retrieves the tool's metadata via `tools/list`",
        "`list_albums` tool is registered",
    ],
)
def test_words_about_the_description_of_a_tool_are_no_call(when_text: str) -> None:
    context = replace(StepContext({"list_albums": None}), subject="list_albums")

    assert guess_action(scenario_of(f"WHEN {when_text}"), context) == {
        "request": {"method": "tools/list"}
    }


@pytest.mark.parametrize(
    ("then_text", "claims"),
    [
        ("the response's `count` is 15", [{"path": "**.count", "equals": 15}]),
        ('the response has `"status": "DOWN"`', [{"path": "**.status", "equals": "DOWN"}]),
        ("`owner` in the response is `null`", [{"path": "**.owner", "equals": None}]),
        (
            "`notes` in the result contains exactly 4 entries",
            [{"path": "**.notes", "present": True}],
        ),
        ("the result's `notes` contains exactly 4 entries", [{"path": "**.notes", "count": 4}]),
        (
            "returns `{ ok: true, note: Note[] }`",
            [{"path": "**.ok", "present": True}, {"path": "**.note", "present": True}],
        ),
        ("返回 `{ ok: true }`", [{"path": "**.ok", "equals": True}]),
        ("the response keeps `w:text` fields", []),
        ("the response is `200 OK` if the note exists", []),
        ("the call is rejected; the note is not deleted", [{"refused": True}]),
        ("the call is rejected, and the note is not deleted", [{"refused": True}]),
        ("the tool answers with an error rather than an empty list", []),
        ("the result has `id` (not `uid`) and `name`", [{"path": "**.id", "present": True}, {"path": "**.name", "present": True}]),
        ("the result has `id`, `name` and no `uid`", [{"path": "**.id", "present": True}, {"path": "**.name", "present": True}]),
        ("the result does not include `id` or `uid`", [{"path": "**.id", "absent": True}, {"path": "**.uid", "absent": True}]),
        ("the result does not include `id` of old notes", []),
        ("the result has `id` or `uid`", []),
        ("the result has the owner (e.g. `ants`)", []),
        ("the result has `id`, because `name` is unique", [{"path": "**.id", "present": True}]),
        ("each note has id, name, and text fields", []),
        ("the result has the fields (id, name)", [{"path": "**.id", "present": True}, {"path": "**.name", "present": True}]),
        ("`total` is 15", [{"path": "**.total", "equals": 15}]),
        ("`total` is kept in the store", []),
        ("the response has an empty `notes` array", [{"path": "**.notes", "count": 0}]),
        ("the result's `notes` is an empty list", [{"path": "**.notes", "count": 0}]),
        ("the response has `notes: []`", [{"path": "**.notes", "equals": []}]),
        ("the response's `notes` is an array of objects", [{"path": "**.notes", "type": "array"}]),
        ("the result has `id` (string | null)", [{"path": "**.id", "type": ["string", "null"]}]),
        ("the response has a `notes` array with 5 short notes objects", [{"path": "**.notes", "count": 5}]),
        ("the response has a `notes` array of three entries", [{"path": "**.notes", "count": 3}]),
        ("the response has a `notes` array with one entry per day", [{"path": "**.notes", "type": "array"}]),
        ("the response has a `found` boolean field set to `true`", [{"path": "**.found", "equals": True}]),
        ("the response has the `note` text", [{"path": "**.note", "present": True}]),
        ("the result has `id` (string or integer)", [{"path": "**.id", "present": True}]),
        ("the result has the `notes` list items", [{"path": "**.notes", "present": True}]),
        ("the request includes `mode` in its body", []),
        ("`add_note` is included in the results", [{"text": {"contains": ["add_note"]}}]),
        ("the response is 401 or 403", [{"refused": True}]),
        ("the response is 200 or 404", []),
        ("the tool returns the notes or a timeout error", []),
        ("the server sends `GET /notes` and keeps the answer", [{"upstream": {"method": "GET", "path": "/notes", "at_least": 1}}]),
        ("the page sends `GET /notes`", []),
        ("the error message SHALL instruct the user to run `notes_init`", [{"text": {"contains": ["notes_init"]}}]),
        ("`tools/list` includes `echo`, `read` and `skill`", [{"tools": {"include": ["echo", "read", "skill"]}}]),
        ("the wrapper issues `PATCH /notes/{id}` with body `{\"text\": \"ants\"}`", [{"upstream": {"method": "PATCH", "path": "/notes/*", "at_least": 1}}]),
        ("the MCP server issues exactly one `GET /`", [{"upstream": {"method": "GET", "path": "/", "count": 1}}]),
        ("the server issues exactly one `GET /notes` and one `GET /pages`", [{"upstream": {"method": "GET", "path": "/notes", "at_least": 1}}]),
        ("the tool calls `GET /notes/a{id}`", []),
        ("the tool calls `GET /notes#new`", []),
        ("the app posts `POST /notes` with `{\"text\": 1}`, and the result has it", []),
        ("系统返回 `id`、`name` 字段", [{"path": "**.id", "present": True}, {"path": "**.name", "present": True}]),
    ],
)  # fmt: skip
def test_words_of_a_result_become_assertions(then_text: str, claims: list[Any]) -> None:
    assert list(guess_claims(then_text)) == claims


@pytest.mark.parametrize(
    ("then_text", "claims"),
    [
        ("the response includes `Cache-Control: no-store`", [{"header": "Cache-Control", "contains": "no-store"}]),
        ("the response has a `Retry-After` header", [{"header": "Retry-After", "present": True}]),
        ("the response has `Operation-Location: /jobs/{id}`", [{"header": "Operation-Location", "present": True}]),
        ("the request includes a `Retry-After` header", []),
        ("the response status is `200 OK`, and no row is written", [{"status": 200}]),
    ],
)  # fmt: skip
def test_words_of_an_http_answer_become_assertions(then_text: str, claims: list[Any]) -> None:
    assert list(guess_claims(then_text, is_http=True)) == claims


@pytest.mark.parametrize(
    ("then_text", "is_answer"),
    [
        ("the tool returns the notes as JSON", True),
        ("only notes of the owner are returned", True),
        ("the response includes all notes", True),
        ("no notes are returned", False),
        ("the upstream returns the notes", False),
        ("`count_notes()` returns 3", False),
        ("the note is kept", False),
    ],
)
def test_words_of_an_answer_are_told_from_other_results(then_text: str, is_answer: bool) -> None:
    assert gives_answer(then_text) is is_answer


@pytest.mark.parametrize(
    ("texts", "fails"),
    [
        (["find is called", "it returns the notes"], False),
        (["find is called with an unknown id", "it returns a message"], True),
        (["the store is unreachable", "it returns a message"], True),
    ],
)
def test_a_scenario_whose_words_allow_an_error_may_fail(texts: list[str], fails: bool) -> None:
    assert may_fail(texts) is fails


@pytest.mark.parametrize(
    ("then_text", "claims", "unchecked_text"),
    [
        (
            "the call is rejected; the note is not deleted",
            [{"refused": True}],
            "the note is not deleted",
        ),
        ("it returns an error", [{"refused": True}], ""),
        ("it returns a clear error", [{"refused": True}], "it returns a clear error"),
        ("the server returns `404`", [{"refused": True}], "the server returns `404`"),
        ("the server returns `404 Not Found`", [{"status": 404}], ""),
        ("the response includes `id`", [{"path": "**.id", "present": True}], ""),
        (
            "every item includes `id`",
            [{"path": "**.id", "present": True}],
            "every item includes `id`",
        ),
        ("the result does not include `id`", [{"path": "**.id", "absent": True}], ""),
        (
            "the result includes `id` and not `key`",
            [{"path": "**.id", "present": True}],
            "the result includes `id` and not `key`",
        ),
        ("`total` is 75", [{"path": "**.total", "equals": 75}], ""),
        ("the result's `notes` is an empty list", [{"path": "**.notes", "count": 0}], ""),
        (
            "the result has `id` (uuid) and `name` (string | null)",
            [{"path": "**.id", "type": "string"}, {"path": "**.name", "type": ["string", "null"]}],
            "",
        ),
        (
            "the result has a `notes` array of three entries",
            [{"path": "**.notes", "count": 3}],
            "",
        ),
        (
            "the result has a sorted `notes` array",
            [{"path": "**.notes", "type": "array"}],
            "the result has a sorted `notes` array",
        ),
        ("it returns the notes", [{"refused": False}], "it returns the notes"),
        ("返回结果", [{"refused": False}], "返回结果"),
    ],
)
def test_clauses_that_say_more_than_the_assertions_are_named(
    then_text: str, claims: list[Claim], unchecked_text: str
) -> None:
    assert unchecked_clauses(then_text, claims) == unchecked_text


@pytest.mark.parametrize(
    ("steps", "action"),
    [
        (
            ('GIVEN a call to `find` with `text: "a"`', "WHEN the tool is invoked"),
            {"call": {"tool": "find", "arguments": {"text": "a"}}},
        ),
        (("WHEN `app find notes` is run",), None),
        (
            ('WHEN a client calls `find("ants")` at night',),
            {"call": {"tool": "find", "arguments": {"text": "ants"}}},
        ),
        (
            ('WHEN a client invokes `find { text: "ants" }` at night',),
            {"call": {"tool": "find", "arguments": {"text": "ants"}}},
        ),
        (
            ("WHEN a client invokes `find({ text })` with old words",),
            {"call": {"tool": "find", "arguments": {"text": "TODO"}}},
        ),
        (
            ("WHEN a client calls `find` with an invalid `text`",),
            {"call": {"tool": "find", "arguments": {"text": "TODO"}}},
        ),
        (("WHEN the E2E suite starts the server and calls `find`",), None),
        (
            ("WHEN a client calls `find` with `text` longer than 9 characters",),
            {"call": {"tool": "find", "arguments": {"text": "TODO"}}},
        ),
    ],
)
def test_a_call_has_the_values_of_a_client(steps: tuple[str, ...], action: Any) -> None:
    find = ToolArguments(frozenset({"text"}), frozenset(), types={"text": "string"})

    assert guess_action(scenario_of(*steps), StepContext({"find": find})) == action


def test_members_of_a_request_to_another_program_are_no_members_of_the_answer() -> None:
    claims = list(guess_claims('it posts `{ "mode": 0 }` to the lamp and returns `{ "code": 0 }`'))

    assert claims == [{"path": "**.code", "equals": 0}]


@pytest.mark.parametrize(
    ("steps", "state", "acts"),
    [
        (("WHEN no goal exists", "WHEN a client calls `GET /goals`"), ["no goal exists"], True),
        (("WHEN a client posts a goal", "WHEN the goal is old"), ["the goal is old"], True),
        (("GIVEN a goal", "WHEN the goal is old"), ["a goal", "the goal is old"], False),
        (("WHEN the client deletes an id that does not exist",), [], True),
        (("WHEN the user deletes a goal",), ["the user deletes a goal"], False),
    ],
)
def test_the_state_of_a_scenario_is_every_step_but_the_action(
    steps: tuple[str, ...], state: list[str], acts: bool
) -> None:
    scenario = scenario_of(*steps)

    assert has_action(scenario) is acts
    assert [step.text for step in state_steps(scenario, acts=acts)] == state


@pytest.mark.parametrize(
    "text",
    [
        word * (100_000 // len(word))
        for word in (
            "posts ",
            "`{",
            '{"a":1}',
            "GET /a ",
            "a client sends ",
            "reads tool ",
            "rows ",
        )
    ],
    ids=lambda text: text[:14],
)
def test_a_long_step_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    scenario = scenario_of(f"WHEN {text}", f"THEN {text}")
    requirement = Requirement("Long", text, (scenario,), Location("spec.md"))
    context = StepContext({"add_note": None})

    with ends_within(20):
        list(guess_claims(text))
        unseen_reason(text)
        guess_action(scenario, context)
        outside_reason(scenario, context)
        guess_required_action(requirement, scenario, context)


def test_a_posted_object_has_the_arguments_of_the_call() -> None:
    scenario = scenario_of(
        'WHEN the client posts `{"name": "ants", "odd": 1}`', "THEN it returns an error"
    )
    tool = ToolArguments(frozenset({"name"}), frozenset({"name"}))
    requirement = Requirement("Notes", "`add_note` keeps it.", (scenario,), Location("spec.md"))

    assert guess_required_action(requirement, scenario, StepContext({"add_note": tool})) == {
        "call": {"tool": "add_note", "arguments": {"name": "ants"}}
    }


def test_a_name_in_the_text_of_an_error_is_no_member() -> None:
    claims = list(
        guess_claims("the result has `isError: true` and a message naming the `mode` field")
    )

    assert claims == [{"text": {"contains": ["mode"]}}]


@pytest.mark.parametrize(
    ("text", "when_text", "then_text", "action"),
    [
        ("`add_note` SHALL refuse names that exist.", "the name is taken", "it returns an error", {"call": {"tool": "add_note", "arguments": {}}}),
        ("`POST /notes` SHALL refuse names that exist.", "the name is taken", "the response is 409", {"http": {"method": "POST", "path": "/notes"}}),
        ("`add_note` SHALL refuse names that exist.", "the name is taken", "nobody hears of it", None),
        ("Notes: `add_note`.", "notes are enabled", "`tools/list` includes `add_note`", {"request": {"method": "tools/list"}}),
        ("`POST /notes` and `PUT /notes/1` SHALL refuse.", "the name is taken", "the response is 409", None),
        ("`POST /notes` SHALL refuse names that exist.", "the page shows the name", "the response is 409", None),
    ],
)  # fmt: skip
def test_a_state_calls_the_only_tool_or_request_of_the_requirement(
    text: str, when_text: str, then_text: str, action: Any
) -> None:
    scenario = scenario_of(f"WHEN {when_text}", f"THEN {then_text}")
    requirement = Requirement("Names", text, (scenario,), Location("spec.md"))
    context = StepContext({"add_note": ToolArguments(frozenset(), frozenset())})

    assert guess_required_action(requirement, scenario, context) == action


@pytest.mark.parametrize(
    ("when_text", "action"),
    [
        (
            "a client calls `list_albums` without an `Authorization` header",
            {"call": {"tool": "list_albums", "arguments": {}, "headers": {"Authorization": ""}}},
        ),
        (
            "`list_albums` is called with a valid session",
            {"call": {"tool": "list_albums", "arguments": {}}},
        ),
        ("a `list_albums` submission resolves with 201", None),
        ("a 401-triggered `list_albums` call itself returns 401", None),
    ],
)
def test_a_guessed_call_has_the_credentials_of_the_text(when_text: str, action: Any) -> None:
    step = Step(1, "WHEN", Role.WHEN, when_text, Location("spec.md"))
    scenario = Scenario("A", (step,), "", "0" * 12, Location("spec.md"))
    tool = ToolArguments(frozenset(), frozenset())

    assert guess_action(scenario, StepContext({"list_albums": tool})) == action


SEVERAL = """# Notes

## Purpose

Lets a person keep notes, list the notes page by page, and delete the notes that are not needed any more.

## Requirements

### Requirement: Notes need a session

The service SHALL answer `GET /notes` and `DELETE /notes/{id}`.

#### Scenario: No session
- **WHEN** a client calls `GET /notes` or `DELETE /notes/{id}` without credentials
- **THEN** the response status is 401

#### Scenario: Two pages
- **WHEN** a client calls `GET /notes?page=1`
- **THEN** the response includes `"page": 1`
- **WHEN** a client calls `GET /notes?page=2`
- **THEN** the response includes `"page": 2`

#### Scenario: A page and a button
- **WHEN** a client calls `GET /notes`
- **THEN** the response status is 200
- **WHEN** the user clicks "Delete"
- **THEN** the note is gone

### Requirement: A note is kept

The service SHALL keep the texts of people.

#### Scenario: Kept
- **WHEN** a client sends `POST /v1/notes`
- **THEN** the response status is 201

#### Scenario: Too long
- **WHEN** the text has 5,000 letters
- **THEN** the response status is 413

#### Scenario: Deleted before
- **WHEN** the note is deleted twice
- **THEN** the response status is 410

#### Scenario: Short path
- **WHEN** a client sends `DELETE .../notes`
- **THEN** the response status is 405

#### Scenario: Short paths
- **WHEN** a client calls `GET .../pens` or `GET .../pens/1`
- **THEN** the response status is 404
"""


def test_several_actions_of_a_scenario_are_drafted(work_folder: Path) -> None:
    (work_folder / "spec.md").write_text(SEVERAL)

    result = _run("spec.md")

    assert result.exit_code == 0, result.output
    entries = {entry.scenario: entry for entry in _companion(work_folder / "mcp.yaml").scenarios}
    actions = {
        name: [(action.name, action.path) for action in entry.actions]
        for name, entry in entries.items()
    }
    assert actions == {
        "No session": [("GET", "/notes"), ("DELETE", "/notes/TODO")],
        "Two pages": [("GET", "/notes?page=1"), ("GET", "/notes?page=2")],
        "A page and a button": [("GET", "/notes")],
        "Kept": [("POST", "/v1/notes")],
        "Too long": [("POST", "/v1/notes")],
        "Deleted before": [],
        "Short path": [("DELETE", "/v1/notes")],
        "Short paths": [],
    }
    step_claims = {
        name: [
            (step.step, assertion.call, assertion.claims)
            for step in entries[name].steps
            for assertion in step.assertions
        ]
        for name in ("No session", "Two pages")
    }
    assert step_claims == {
        "No session": [(2, 1, {"equals": 401}), (2, 2, {"equals": 401})],
        "Two pages": [(2, 1, {"equals": 1}), (4, 2, {"equals": 2})],
    }
