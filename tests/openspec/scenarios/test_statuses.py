"""Statuses of scenarios in a built project, run in a subprocess."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenario_project import (
    AT,
    SHELF,
    TOOLS,
    call,
    claim,
    make_scenario,
    run,
    run_scenarios,
    server,
    then_step,
    when_step,
    write_project,
)

from mcpgen.openspec.model.bound_scenarios import Binding, BoundScenario
from mcpgen.openspec.model.companion import ActionKind, AssertionTarget, Fixture, ScenarioAction

FINE = claim(AssertionTarget.IS_ERROR, equals=False)
WRONG = claim(AssertionTarget.IS_ERROR, equals=True)
TEST = "tests/scenarios/test_the_shelf_shall_be_read.py"

SCENARIOS = (
    make_scenario("is_shown", when_step(), then_step(2, "it works", FINE)),
    make_scenario(
        "is_shown_in_part", when_step(), then_step(2, "it works", FINE), then_step(3, "it is nice")
    ),
    make_scenario(
        "is_understood_in_part",
        when_step(),
        then_step(2, "it works, and so on", FINE, binding=Binding.PARTLY, unchecked="and so on"),
        then_step(3, "it works", FINE),
    ),
    make_scenario("is_not_shown", when_step(), then_step(2, "it is nice")),
    make_scenario("is_not_done", when_step(), then_step(2, "it is nice"), actions=()),
    make_scenario("claims_nothing", when_step(), when_step(2, "AND waits")),
    make_scenario(
        "is_seen_by_people", when_step(), then_step(2, "it is nice"), manual="it is on a screen"
    ),
    make_scenario(
        "is_partly_seen_by_people",
        when_step(),
        then_step(2, "it works", FINE),
        then_step(3, "it is nice", binding=Binding.MANUAL, manual="nice is a matter of taste"),
    ),
    make_scenario("is_of_another_text", when_step(), then_step(2, "it works", FINE), is_stale=True),
    make_scenario("is_false", when_step(), then_step(2, "it fails", WRONG)),
    make_scenario(
        "is_false_and_pending",
        when_step(),
        then_step(2, "it fails", WRONG),
        then_step(3, "it is nice"),
    ),
    make_scenario(
        "is_true_of_what_failed",
        when_step(),
        then_step(2, "no secret comes back", claim(AssertionTarget.TEXT, lacks=["secret"])),
        then_step(3, "nothing is asked for", claim(AssertionTarget.UPSTREAM, count=0)),
        actions=(call("get_book", {}),),
    ),
    make_scenario(
        "is_refused",
        when_step(),
        then_step(2, "it fails", WRONG),
        then_step(3, "nothing is asked for", claim(AssertionTarget.UPSTREAM, count=0)),
        actions=(call("get_book", {}),),
    ),
    make_scenario(
        "is_false_and_stale", when_step(), then_step(2, "it fails", WRONG), is_stale=True
    ),
)

EXPECTED = {
    "Is shown": ("passed", 2),
    "Is shown in part": ("partial", 2),
    "Is understood in part": ("partial", 2),
    "Is not shown": ("pending", 1),
    "Is not done": ("pending", 1),
    "Claims nothing": ("pending", 2),
    "Is seen by people": ("manual", 0),
    "Is partly seen by people": ("manual", 2),
    "Is of another text": ("stale", 2),
    "Is false": ("failed", 1),
    "Is false and pending": ("failed", 1),
    "Is true of what failed": ("failed", 1),
    "Is refused": ("passed", 3),
    "Is false and stale": ("failed", 1),
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(server(*SCENARIOS), tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def scenario_results(shelf: Path) -> tuple[Any, Any]:
    return run_scenarios(shelf)


def test_each_status_is_reached_by_what_deserves_it(scenario_results: tuple[Any, Any]) -> None:
    result, rows = scenario_results

    assert {name: (row["status"], row["bound"]) for name, row in rows.items()} == EXPECTED
    assert "4 failed, 2 passed, 2 skipped, 6 xfailed" in result.stdout


def test_a_failure_tells_step_claim_and_what_was_found(scenario_results: tuple[Any, Any]) -> None:
    result, _ = scenario_results

    assert "step 2: THEN it fails" in result.stdout
    assert "asserted: isError true, but found {" in result.stdout
    assert 'tools/call {"name": "list_books", "arguments": {"limit": 2}} (200)' in result.stdout


def test_nothing_is_green_that_was_not_looked_at(scenario_results: tuple[Any, Any]) -> None:
    _, rows = scenario_results

    incomplete_rows = [row for row in rows.values() if row["bound"] < row["count"]]
    assert incomplete_rows
    assert {row["status"] for row in incomplete_rows} == {"partial", "pending", "manual", "failed"}


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        # A step bound later, in a test still marked as pending.
        ((" scene.pending()\n", " scene.is_error(False)\n"), "XPASS(strict)"),
        # A pending step in a test without the mark.
        (("@pending\n", ""), "PendingStep"),
        # A step without assertions.
        ((" scene.is_error(False)\n", " pass\n"), "nothing was done or asserted"),
    ],
)
def test_a_test_that_says_more_than_it_shows_fails(
    tmp_path: Path, change: tuple[str, str], outcome: str
) -> None:
    result = make_scenario(
        "is_shown_in_part", when_step(), then_step(2, "it works", FINE), then_step(3, "it is nice")
    )
    folder = write_project(server(result), tmp_path)
    test = folder / TEST
    text = test.read_text("utf-8")
    assert change[0] in text

    test.write_text(text.replace(change[0], change[1]), "utf-8")
    done = run(folder)

    assert done.returncode == 1
    assert outcome in done.stdout


def test_a_run_that_shows_too_little_fails_where_that_is_asked_for(tmp_path: Path) -> None:
    scenarios = [
        make_scenario(
            "one", when_step(), then_step(2, "it works", FINE), then_step(3, "it is nice")
        )
    ]
    folder = write_project(server(*scenarios), tmp_path)

    assert run(folder).returncode == 0
    assert run(folder, "--min-bound=66").returncode == 0
    assert "--min-bound is 67" in run(folder, "--min-bound=67").stdout
    pending = run(folder, "--fail-on-pending")
    assert pending.returncode == 1
    assert "not everything is bound: One" in pending.stdout
    assert run(folder, "--matrix=matrix.pdf").returncode == 4


def test_the_matrix_is_the_same_in_each_form_and_the_second_time(shelf: Path) -> None:
    forms = ["matrix.md", "matrix.html", "out/matrix.json"]
    options = [f"--matrix={form}" for form in forms]

    run(shelf, *options, "-k", "shown")
    first = [(shelf / form).read_bytes() for form in forms]
    run(shelf, *options, "-k", "shown", "-p", "no:randomly")

    assert [(shelf / form).read_bytes() for form in forms] == first
    assert b"partial 2/3" in first[0]
    assert b"partial 2/3" in first[1]


def doing(name: str, *actions: ScenarioAction, **claims: Any) -> BoundScenario:
    """Returns a scenario with the given actions and claims."""
    return make_scenario(name, when_step(), then_step(2, name, *claims["of"]), actions=actions)


PATH, TEXT, STATUS = AssertionTarget.PATH, AssertionTarget.TEXT, AssertionTarget.STATUS

ACTIONS = (
    doing(
        "saves_what_later_actions_name",
        call("list_books", {}, save={"id": "content[0].text"}),
        call("get_book", {"book_id": "${id}!"}),
        of=[
            claim(AssertionTarget.UPSTREAM, method="GET", path="/books/*", count=1),
            claim(AssertionTarget.UPSTREAM, call=1, count=1),
            claim(TEXT, call=1, contains=["Bees"]),
            claim(TEXT, lacks=["Bees"]),
        ],
    ),
    doing(
        "speaks_another_revision",
        ScenarioAction(ActionKind.REQUEST, "tools/list", None, AT, version="2025-11-25"),
        of=[claim(AssertionTarget.TOOLS, exactly=["list_books", "get_book"])],
    ),
    doing(
        "asks_for_what_is_not_there",
        ScenarioAction(ActionKind.REQUEST, "tools/burn", {}, AT),
        of=[claim(AssertionTarget.CODE, equals=-32601)],
    ),
    doing(
        "sends_plain_http",
        ScenarioAction(ActionKind.HTTP, "GET", None, AT, path="/healthz"),
        ScenarioAction(
            ActionKind.HTTP, "POST", "no JSON", AT, headers={"Content-Type": "application/json"}
        ),
        of=[claim(STATUS, call=1, equals=200), claim(STATUS, equals=400)],
    ),
    doing(
        "reads_a_file",
        ScenarioAction(ActionKind.FILE, "README.md", None, AT),
        of=[claim(TEXT, contains=["shelf"])],
    ),
    doing(
        "runs_a_command",
        ScenarioAction(
            ActionKind.COMMAND, "shelf_mcp", ["--help"], AT, environment={"COLUMNS": "200"}
        ),
        of=[claim(STATUS, equals=0), claim(TEXT, contains=["--port"])],
    ),
    doing(
        "gets_what_the_fixture_answers",
        call("list_books", {"limit": 9}),
        of=[claim(AssertionTarget.IS_ERROR, equals=True), claim(TEXT, contains=["500"])],
    ),
)


def test_every_kind_of_action_is_performed(tmp_path: Path) -> None:
    result, rows = run_scenarios(write_project(server(*ACTIONS), tmp_path))

    assert {name: row["told"] for name, row in rows.items() if row["told"]} == {}, result.stdout
    assert {row["status"] for row in rows.values()} == {"passed"}


def test_a_fixture_may_be_an_application_and_set_the_environment(tmp_path: Path) -> None:
    app = Fixture(
        "default", "", {"SHELF_TIMEOUT_SECONDS": "7", "PLANET": "Mars"},
        {"Authorization": "Bearer me"}, (), "many_books", {"count": 3}, AT,
    )  # fmt: skip
    output = [claim(TEXT, contains=['"count":3', '"planet":"Mars"'])]
    folder = write_project(
        server(doing("one", call("list_books", {}), of=output), fixtures=(SHELF, app)), tmp_path
    )
    fixtures = folder / "tests" / "fixtures.py"
    text = fixtures.read_text("utf-8")
    answer = "JSONResponse({**values, 'planet': os.environ['PLANET']})"
    route = f"Route('/books', lambda _: {answer})"
    assert "return Starlette(routes=[])" in text

    fixtures.write_text(
        "import os\nfrom starlette.responses import JSONResponse\nfrom starlette.routing import Route\n"
        + text.replace("routes=[]", f"routes=[{route}]"),
        "utf-8",
    )
    test = folder / TEST
    test.write_text(test.read_text("utf-8").replace('given=("shelf",), ', ""), "utf-8")
    result, rows = run_scenarios(folder)

    assert rows["One"]["status"] == "passed", result.stdout


MUTANTS = {
    "an argument that is not sent": ("tools/list_books.py", '"limit"', '"ceiling"'),
    "a path that is another": ("tools/list_books.py", '"/books"', '"/shelves"'),
    "a tool that is called otherwise": ("tools/get_book.py", 'name="get_book"', 'name="read_book"'),
    "a tool that writes": ("tools/list_books.py", "read_only=True", "read_only=False"),
}

WATCHED = (
    doing(
        "books_are_asked_for",
        call("list_books", {"limit": 2}),
        of=[
            claim(
                AssertionTarget.UPSTREAM, count=1, method="GET", path="/books", query={"limit": "2"}
            )
        ],
    ),
    doing(
        "tools_are_these",
        ScenarioAction(ActionKind.REQUEST, "tools/list", None, AT),
        of=[
            claim(AssertionTarget.TOOLS, exactly=[tool.name for tool in TOOLS]),
            claim(PATH, "tools[*].annotations.readOnlyHint", equals=True),
        ],
    ),
)


@pytest.mark.repeated("repeats the run with another server")
@pytest.mark.parametrize(("file", "code", "mutated_code"), MUTANTS.values(), ids=list(MUTANTS))
def test_a_server_that_does_something_else_fails_a_scenario(
    tmp_path: Path, file: str, code: str, mutated_code: str
) -> None:
    folder = write_project(server(*WATCHED), tmp_path)
    module = folder / "shelf_mcp" / file
    text = module.read_text("utf-8")
    assert code in text

    module.write_text(text.replace(code, mutated_code), "utf-8")

    assert run(folder).returncode == 1


def test_the_server_as_it_was_built_fails_none(tmp_path: Path) -> None:
    assert run(write_project(server(*WATCHED), tmp_path)).returncode == 0


def test_a_stale_binding_is_told_in_the_report(scenario_results: tuple[Any, Any]) -> None:
    _, rows = scenario_results

    assert rows["Is of another text"]["told"] == "its text has changed since it was bound"
