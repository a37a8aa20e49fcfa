"""Scenarios of a server with confirmation of calls by the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from scenario_project import (
    AT,
    call,
    claim,
    make_scenario,
    run_scenarios,
    server,
    then_step,
    when_step,
    write_project,
)

from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.openspec.model.companion import ActionKind, AssertionTarget, ScenarioAction

ASKING = ScenarioAction(
    ActionKind.REQUEST, "tools/call", {"name": "list_books", "arguments": {"limit": 2}}, AT
)

SCENARIOS = (
    make_scenario(
        "books_are_listed",
        when_step(),
        then_step(2, "two", claim(AssertionTarget.TEXT, contains=["Ants"])),
    ),
    make_scenario(
        "the_shelf_is_asked_once",
        when_step(),
        then_step(2, "once", claim(AssertionTarget.UPSTREAM, count=1, call=1)),
    ),
    make_scenario(
        "the_user_is_asked",
        when_step(),
        then_step(
            2,
            "the user is shown the call",
            claim(
                AssertionTarget.PATH, "inputRequests.confirm.params.message", contains="list_books"
            ),
            claim(AssertionTarget.UPSTREAM, count=0),
        ),
        actions=(ASKING,),
    ),
    make_scenario(
        "wrong_arguments_are_refused",
        when_step(),
        then_step(2, "nobody is asked", claim(AssertionTarget.TEXT, contains=["limit"])),
        actions=(call("list_books", {"limit": "many"}),),
    ),
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Returns matrix rows by scenario name."""
    result = replace(server(*SCENARIOS), confirmation=ConfirmationSpec(("list_books", "get_book")))
    return run_scenarios(write_project(result, tmp_path_factory.mktemp("shelf")))[1]


@pytest.mark.parametrize("name", [item.name for item in SCENARIOS])
def test_a_call_is_confirmed_and_a_plain_request_is_not(rows: Mapping[str, Any], name: str) -> None:
    assert (rows[name]["status"], rows[name].get("told", "")) == ("passed", "")
