"""Sizes of tools, verdicts of hosts, size reductions."""

from __future__ import annotations

import json

import pytest
from tests.analysis.tool_builders import make_tool, surface, text

from mcpgen.analysis.render_html import listing_as_html
from mcpgen.analysis.render_text import listing_as_json, listing_as_text
from mcpgen.analysis.report import JUDGED, SORTS, HostVerdict, build_listing_report
from mcpgen.analysis.size_reductions import SENTENCE
from mcpgen.analysis.sizes import FAMILIES, estimate_tokens, max_estimated_tokens

PETS = make_tool("list_pets", {"tag": text(), "limit": text()})
LONG = make_tool("add_pet", description="A word " * 60, hints={"readOnlyHint": False})
OUTPUT = make_tool("get_pet", outputSchema={"type": "object", "properties": {"id": text()}})


def _compact(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_bytes_are_those_of_the_announced_form_as_compact_json() -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT))

    assert [row.weight.bytes for row in report.rows] == [
        _compact(item) for item in (PETS, LONG, OUTPUT)
    ]
    assert report.bytes == _compact([PETS, LONG, OUTPUT])


def test_an_empty_list_weighs_its_brackets() -> None:
    report = build_listing_report(surface())

    assert (report.bytes, report.rows, report.savings) == (2, (), ())


def test_parts_of_a_tool_are_weighed_by_themselves() -> None:
    (row,) = build_listing_report(surface(OUTPUT)).rows

    assert row.weight.output == _compact(OUTPUT["outputSchema"])
    assert row.weight.schema == _compact(OUTPUT["inputSchema"])
    assert row.weight.text == _compact(OUTPUT["description"])


def test_tokens_are_estimated_for_each_family_and_rounded_up() -> None:
    estimates = {family: estimate_tokens(1_000, family) for family in FAMILIES}

    assert estimates == {"claude": 264, "gemini": 228, "openai": 228}
    assert max_estimated_tokens(1_000) == 264
    assert estimate_tokens(1, "openai") == 1


def test_each_saving_is_what_the_list_would_lose() -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT, deprecated=frozenset({"list_pets"})))

    savings = {saving.choice: saving for saving in report.savings}
    bare = {key: value for key, value in OUTPUT.items() if key != "outputSchema"}
    assert savings["output-off"].bytes == _compact([PETS, LONG, bare])
    assert savings["no-deprecated"].bytes == _compact([LONG, OUTPUT])
    assert savings["no-deprecated"].dropped == ("list_pets",)
    assert savings["read-only"].bytes == _compact([PETS, OUTPUT])
    short = {**LONG, "description": str(LONG["description"])[: SENTENCE - 5] + "…"}
    assert savings["sentence"].bytes == _compact([PETS, short, OUTPUT])
    assert all(saving.saved == report.bytes - saving.bytes for saving in report.savings)


def test_the_largest_saving_stands_first() -> None:
    report = build_listing_report(
        surface(*(make_tool(f"tool_{'x' * n}") for n in range(30)), OUTPUT)
    )

    amounts = [saving.saved for saving in report.savings]
    assert amounts == sorted(amounts, reverse=True)
    assert {"output-off", "no-largest"} <= {saving.choice for saving in report.savings}


def test_a_choice_that_leaves_nothing_or_saves_nothing_is_not_reported() -> None:
    report = build_listing_report(surface(make_tool("post_it", hints={"readOnlyHint": False})))

    assert report.savings == ()


def test_a_host_that_rejects_a_tool_is_named_with_its_reason() -> None:
    report = build_listing_report(surface(PETS, make_tool("bad", {"filter[name]": text()})))

    accepted_row, rejected_row = report.rows
    assert accepted_row.hosts(HostVerdict.REJECTS) == ()
    assert {"anthropic_api", "gemini_api"} <= {*rejected_row.hosts(HostVerdict.REJECTS)}
    reason = next(reason for reason in rejected_row.reasons if reason.host == "gemini_api")
    assert "filter[name]" in reason.saw
    assert report.acceptance.hosts["gemini_api"] is HostVerdict.REJECTS


def test_a_list_that_is_too_long_is_no_fault_of_a_tool() -> None:
    report = build_listing_report(surface(*(make_tool(f"tool_{n}") for n in range(130))))

    assert all(not row.hosts(HostVerdict.REJECTS) for row in report.rows)
    assert "openai_api" in report.acceptance.of(HostVerdict.REJECTS)
    assert "at most 128 tools" in listing_as_text(report, report.rows)


def test_every_host_has_a_verdict() -> None:
    report = build_listing_report(surface(PETS))

    assert tuple(report.acceptance.hosts) == JUDGED


@pytest.mark.parametrize(
    ("key", "first"),
    [
        ("bytes", "add_pet"),
        ("name", "add_pet"),
        ("arguments", "list_pets"),
        ("output", "get_pet"),
        ("description", "add_pet"),
        ("schema", "list_pets"),
        ("order", "list_pets"),
    ],
)
def test_rows_are_sorted_by_the_key_that_is_asked_for(key: str, first: str) -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT))

    assert report.sorted(key)[0].name == first


def test_every_key_can_sort() -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT))

    for key in SORTS:
        assert {row.name for row in report.sorted(key)} == {"add_pet", "get_pet", "list_pets"}


def test_json_has_every_tool_with_its_reasons_and_the_totals() -> None:
    report = build_listing_report(surface(PETS, make_tool("bad", {"a.b": text()})))

    tree = listing_as_json(report, report.rows)

    assert tree["totals"]["tools"] == 2
    assert tree["totals"]["tokens"].keys() == FAMILIES.keys()
    rejected_tool = tree["tools"][1]
    assert "gemini_api" in rejected_tool["rejected_by"]
    assert {reason["host"] for reason in rejected_tool["reasons"]} >= {
        *rejected_tool["rejected_by"]
    }
    assert json.loads(json.dumps(tree)) == tree


def test_a_review_that_only_warns_is_told_with_the_setting_that_follows_the_advice() -> None:
    report = build_listing_report(surface(make_tool("get_pet", {"id": text()})))

    advice = [reason for reason in report.rows[0].reasons if reason.verdict is HostVerdict.ADVISES]
    setting = '[output] schemas = "names"'
    assert [reason.check for reason in advice] == ["host-output-schema"]
    assert all(setting in reason.remedy for reason in advice)
    assert all(not reason.remedy for reason in report.rows[0].reasons if reason not in advice)
    (line,) = [
        line for line in listing_as_text(report, report.rows).splitlines() if " advises: " in line
    ]
    assert setting in line
    assert setting.replace('"', "&quot;") in listing_as_html(report, report.rows)
    assert [
        reason["remedy"] for reason in listing_as_json(report, report.rows)["tools"][0]["reasons"]
    ] == [reason.remedy for reason in report.rows[0].reasons]


def test_text_says_how_many_tools_it_leaves_out() -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT))

    output = listing_as_text(report, report.sorted("bytes")[:1])

    assert "… and 2 more" in output
    assert "list_pets" not in output


def test_what_a_tool_says_is_no_markup_on_the_page() -> None:
    hostile_tool = make_tool("evil", description="<script>alert(1)</script>")

    page = listing_as_html(
        build_listing_report(surface(hostile_tool)),
        build_listing_report(surface(hostile_tool)).rows,
    )

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_page_shows_tools_in_the_order_of_the_rows() -> None:
    report = build_listing_report(surface(PETS, LONG, OUTPUT))

    page = listing_as_html(report, report.sorted("name"))

    places = [page.index(f"<summary><code>{name}") for name in ("add_pet", "get_pet", "list_pets")]
    assert places == sorted(places)


def test_text_of_a_tool_does_not_steer_the_terminal() -> None:
    report = build_listing_report(surface(make_tool("a\x1b[31m")))

    assert "\x1b" not in listing_as_text(report, report.rows)
