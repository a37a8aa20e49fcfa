"""Limits for the bytes and the time of a run."""

from __future__ import annotations

import time

import pytest
from tests.conformance.endless_list import endless_list

from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import FaultKind
from mcpgen.conformance.model import CheckStatus, PrerequisiteMissing, Report
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.paged_lists import TimedTuple, read_list
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.run import check, outcomes_of
from mcpgen.conformance.saved_listing import SavedListing
from mcpgen.conformance.selection import select_checks
from mcpgen.conformance.server_info import describe_server, list_tools

REVISION = "2025-11-25"
SMALL = CheckOptions(max_bytes=100_000, only=frozenset({"tools-list-shape", "tool-name-legal"}))


@pytest.mark.parametrize("read", [describe_server, list_tools])
def test_pages_beyond_the_byte_limit_end_the_list(read: object) -> None:
    with (
        endless_list(tools=1, characters=30_000) as (url, cursors),
        pytest.raises(PrerequisiteMissing) as error,
    ):
        read(url, SMALL)  # type: ignore[operator]

    assert error.value.finding.expected == "all pages of `tools/list` have at most 100,000 bytes"
    assert error.value.finding.saw == "more on 4 pages"
    assert cursors == ["0", "1", "2", "3"]


def test_pages_beyond_the_byte_limit_fail_dependent_checks() -> None:
    with endless_list(tools=1, characters=30_000) as (url, _):
        report = check(url, SMALL)

    saw_texts = {outcome.saw for outcome in report.outcomes if outcome.status is CheckStatus.FAILED}
    assert saw_texts == {"more on 4 pages"}


def test_byte_budget_covers_all_answers_of_a_run() -> None:
    with endless_list(tools=1, characters=30_000) as (url, cursors):
        probe = Probe(url, timeout=60, deadline=60, max_bytes=1_000_000, total_bytes=100_000)
        session = ProbeSession(probe, REVISION, CheckOptions())
        listing = read_list(session, "tools/list")
        fault = session.send("tools/list").fault
        probe.close()

    assert cursors == ["0", "1", "2", "3"]
    assert len(listing.named_entries) == 3
    assert listing.problem
    assert "the answer is larger than" in listing.problem.saw
    assert fault
    assert fault.kind is FaultKind.TOO_LARGE
    assert fault.text.startswith("not asked: the server had sent 100,000 bytes in all")


def test_tools_are_iterated_until_the_deadline_and_their_slice_behind_it() -> None:
    timed_tuple = TimedTuple.until(time.monotonic(), ["a", "b"])
    running = TimedTuple.until(time.monotonic() + 600, ["a", "b"])

    assert list(running) == ["a", "b"]
    with pytest.raises(PrerequisiteMissing, match="time allowed for all checks"):
        list(timed_tuple)
    assert [*timed_tuple[:]] == ["a", "b"]


def test_check_whose_work_on_tools_passes_the_deadline_is_blocked() -> None:
    pages = ({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]},)
    options = CheckOptions(only=SMALL.only)
    saved_target = CheckTarget(SavedListing(pages, (REVISION,)), options)
    choices = [choice for choice in select_checks(options) if choice.revision == REVISION]
    in_time = [outcome.status for outcome in outcomes_of(choices, saved_target, options)]
    late_target = CheckTarget(SavedListing(pages, (REVISION,)), options)
    late_target.in_revision(REVISION).listing.pages.ends = 0

    outcomes = list(outcomes_of(choices, late_target, options))

    assert in_time == [CheckStatus.PASSED] * len(choices)
    assert [(o.status, o.blocked_by, o.saw) for o in outcomes] == [
        (CheckStatus.BLOCKED, "deadline", "the time was over before the check was")
    ] * len(choices)
    assert Report("saved", tuple(outcomes)).failed
    assert choices
