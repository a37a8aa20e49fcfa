"""Exceeded budgets, and the cheapest options that meet them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.tool_builders import make_tool, surface, text

from mcpgen.analysis.size_reductions import (
    SizeLimits,
    byte_limit,
    largest,
    overruns,
    size_reductions,
)
from mcpgen.analysis.sizes import FAMILIES, bytes_of_list, estimate_tokens, tool_size
from mcpgen.config.tables.project import MODELS

SMALL = make_tool("a")
LARGE = make_tool(
    "b",
    {"x": text("Long. " * 100)},
    description="A word " * 60,
    hints={"readOnlyHint": False},
)
BOTH = surface(SMALL, LARGE)


def test_a_surface_within_its_limits_has_no_overruns() -> None:
    exact = SizeLimits(2, bytes_of_list(BOTH.tools), tool_size(LARGE).bytes, {"openai": 1_000})

    assert overruns(BOTH, exact) == ()
    assert overruns(BOTH, SizeLimits()) == ()


def test_a_list_that_is_one_byte_too_large_is_reported_with_what_would_do() -> None:
    size = bytes_of_list(BOTH.tools)

    (overrun,) = overruns(BOTH, SizeLimits(tools_list_bytes=size - 1))

    assert (overrun.key, overrun.limit, overrun.found) == ("tools_list_bytes", size - 1, size)
    assert overrun.meetable
    assert {"read-only", "sentence"} == {cut.choice for cut in overrun.cuts}


def test_the_cut_that_costs_fewest_tools_stands_first() -> None:
    (overrun,) = overruns(BOTH, SizeLimits(tools_list_bytes=bytes_of_list(BOTH.tools) - 1))

    assert [cut.tools for cut in overrun.cuts] == [2, 1]


def test_a_cut_that_does_not_meet_the_limit_is_not_reported() -> None:
    (overrun,) = overruns(BOTH, SizeLimits(tools_list_bytes=bytes_of_list([SMALL])))

    assert [cut.choice for cut in overrun.cuts] == ["read-only"]


def test_what_leaves_too_many_tools_is_no_cut_of_a_budget_of_tools() -> None:
    (overrun,) = overruns(BOTH, SizeLimits(tools=1))

    assert [(cut.choice, cut.tools) for cut in overrun.cuts] == [("read-only", 1)]


def test_only_choices_that_leave_a_suitable_number_of_tools_are_weighed() -> None:
    result = size_reductions(BOTH, lambda count: count == 1)

    assert result == tuple(reduction for reduction in size_reductions(BOTH) if reduction.tools == 1)
    assert [reduction.choice for reduction in result] == ["read-only"]


def test_a_tool_that_is_too_large_is_reported_with_what_makes_it_so() -> None:
    (overrun,) = overruns(BOTH, SizeLimits(tool_bytes=tool_size(SMALL).bytes))

    assert (overrun.tool, overrun.meetable) == ("b", True)
    assert overrun.part.startswith("its arguments make ")


def test_a_limit_below_the_smallest_tool_cannot_be_met() -> None:
    result = overruns(BOTH, SizeLimits(tools_list_bytes=10, tool_bytes=10, tokens={"claude": 1}))

    assert [overrun.meetable for overrun in result] == [False] * 4


def test_tokens_are_measured_by_family() -> None:
    limit = estimate_tokens(bytes_of_list(BOTH.tools), "claude") - 1

    result = overruns(BOTH, SizeLimits(tokens={"claude": limit, "openai": limit}))

    assert [overrun.key for overrun in result] == ["tokens.claude"]


def test_the_largest_tools_stand_in_order_of_their_size() -> None:
    assert [tool.name for tool in largest(BOTH)] == ["b", "a"]


def test_the_configuration_knows_the_families_there_are() -> None:
    assert tuple(FAMILIES) == MODELS


@given(st.integers(1, 10**6), st.sampled_from([*FAMILIES]))
def test_the_bytes_of_a_budget_of_tokens_hold_it(token_limit: int, family: str) -> None:
    size = byte_limit(SizeLimits(tokens={family: token_limit}))

    assert estimate_tokens(size, family) <= token_limit < estimate_tokens(size + 1, family)
