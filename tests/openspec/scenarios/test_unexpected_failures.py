"""Scenarios whose claims hold by accident: an unexpected failure does not count as a pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from scenario_project import (
    TOOLS,
    call,
    claim,
    make_scenario,
    run_scenarios,
    server,
    then_step,
    when_step,
    write_project,
)

from mcpgen.openspec.model.companion import Assertion, AssertionTarget

HANDLED = replace(
    TOOLS[0], name="dream", module="dream", arguments=(), route=None, operation="dream"
)
CRASHING = """
async def get_book(call: Call) -> Result:
    raise KeyError(call.arguments["book_id"])

HOOKS = Hooks(tools={"get_book": get_book})
"""

DREAM, BOOK = call("dream", {}), call("get_book", {"book_id": "a"})
REFUSED = call("list_books", {"limit": 9})
WRONG = claim(AssertionTarget.IS_ERROR, equals=True)
DENIALS = (
    claim(AssertionTarget.PATH, "structuredContent.secret", absent=True),
    claim(AssertionTarget.TEXT, lacks=["secret"]),
    claim(AssertionTarget.BYTES, "result", at_most=9000),
    claim(AssertionTarget.UPSTREAM, at_most=3),
    claim(AssertionTarget.STATUS, equals=200),
    claim(AssertionTarget.TIME, at_most=60000),
    claim(AssertionTarget.PATH, "**.secret", count=0),
)


def make_then_scenario(name: str, *claims: Assertion, **more: object) -> Any:
    """Returns a scenario with a single THEN."""
    return make_scenario(name, when_step(), then_step(2, name, *claims), **more)


SCENARIOS = (
    make_then_scenario("nobody_answers", WRONG, actions=(DREAM,)),
    make_then_scenario("the_server_crashes", WRONG, actions=(BOOK,)),
    make_then_scenario("no_fixture_answers", WRONG, given=()),
    make_then_scenario("an_error_is_only_denied", *DENIALS, actions=(REFUSED,)),
    make_then_scenario(
        "a_preparation_fails",
        claim(AssertionTarget.TEXT, contains=["Ants"]),
        actions=(REFUSED, call("list_books", {})),
    ),
    make_then_scenario("an_error_is_asserted", WRONG, *DENIALS, actions=(REFUSED,)),
    make_then_scenario(
        "the_text_of_an_error_is_asserted",
        claim(AssertionTarget.TEXT, contains=["too many"]),
        actions=(REFUSED,),
    ),
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    result = replace(server(*SCENARIOS), tools=(*TOOLS, HANDLED))
    folder = write_project(result, tmp_path_factory.mktemp("shelf"))
    hooks = "from shelf_mcp.runtime.hooks import Call, Hooks, Result\n" + CRASHING
    (folder / "shelf_mcp" / "hooks.py").write_text(hooks, "utf-8")
    return run_scenarios(folder)[1]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Nobody answers", "the tool has no handler yet"),
        ("The server crashes", "the server failed, its log says why"),
        ("No fixture answers", "the upstream was asked GET /books?limit=2, and no fixture answers"),
        ("An error is only denied", "came back as an error, and nothing asserts that"),
        ("A preparation fails", "came back as an error, and nothing asserts that"),
    ],
)
def test_what_holds_by_accident_is_not_passed(
    rows: Mapping[str, Any], name: str, reason: str
) -> None:
    assert rows[name]["status"] == "failed"
    assert reason in rows[name]["told"]


@pytest.mark.parametrize("name", ["An error is asserted", "The text of an error is asserted"])
def test_an_error_that_is_asserted_is_passed(rows: Mapping[str, Any], name: str) -> None:
    assert rows[name]["status"] == "passed"
