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
    performed,
    server,
    then,
    when,
    written,
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


def asking(name: str, *claims: Assertion, **more: object) -> Any:
    """Returns a scenario with a single THEN."""
    return make_scenario(name, when(), then(2, name, *claims), **more)


SCENARIOS = (
    asking("nobody_answers", WRONG, actions=(DREAM,)),
    asking("the_server_crashes", WRONG, actions=(BOOK,)),
    asking("no_fixture_answers", WRONG, given=()),
    asking("an_error_is_only_denied", *DENIALS, actions=(REFUSED,)),
    asking(
        "a_preparation_fails",
        claim(AssertionTarget.TEXT, contains=["Ants"]),
        actions=(REFUSED, call("list_books", {})),
    ),
    asking("an_error_is_asserted", WRONG, *DENIALS, actions=(REFUSED,)),
    asking(
        "the_text_of_an_error_is_asserted",
        claim(AssertionTarget.TEXT, contains=["too many"]),
        actions=(REFUSED,),
    ),
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    result = replace(server(*SCENARIOS), tools=(*TOOLS, HANDLED))
    folder = written(result, tmp_path_factory.mktemp("shelf"))
    hooks = "from shelf_mcp.runtime.hooks import Call, Hooks, Result\n" + CRASHING
    (folder / "shelf_mcp" / "hooks.py").write_text(hooks, "utf-8")
    return performed(folder)[1]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Nobody answers", "the tool has no handler yet"),
        ("The server crashes", "the server failed, its log says why"),
        ("No fixture answers", "the upstream was asked GET /books?limit=2, and no fixture answers"),
        ("An error is only denied", "came back as an error, and nothing asserts that"),
        ("A preparation fails", "came back as an error, and nothing asserts that"),
    ],
)
def test_what_holds_by_accident_is_not_passed(
    rows: Mapping[str, Any], name: str, told: str
) -> None:
    assert rows[name]["status"] == "failed"
    assert told in rows[name]["told"]


@pytest.mark.parametrize("name", ["An error is asserted", "The text of an error is asserted"])
def test_an_error_that_is_asserted_is_passed(rows: Mapping[str, Any], name: str) -> None:
    assert rows[name]["status"] == "passed"
