"""The Markdown report: length, and code spans around text from servers."""

from __future__ import annotations

import re

from report_fixtures import HOSTILE, SMALL, hostile_report

from mcpgen.conformance import TABLE, CheckOutcome, CheckStatus, Report, as_markdown
from mcpgen.conformance.report.as_markdown import code

SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span (CommonMark): ends with the number of backticks of its start."""

COMMENT_MAX = 65_536


def test_the_summary_has_the_verdict_the_profiles_and_the_findings() -> None:
    text = as_markdown(SMALL)

    assert text.startswith("## ❌ MCP conformance of `http://127.0.0.1:1/mcp`\n")
    assert "| `protocol` | ❌ | 1 | 0 | 0 | 0 |" in text
    assert "<details><summary>❌ <code>ping-answers</code></summary>" in text
    assert "- 2025-03-26, 2025-11-25 expected `an answer`, saw `HTTP 500`" in text
    assert "### Warnings" in text
    assert "> `2 of 3 tools were not called`" in text


def test_text_of_the_server_has_no_effect() -> None:
    outside = SPAN.sub("", as_markdown(hostile_report()))

    assert "owned" not in outside
    assert "@everyone" not in outside
    assert "![x]" not in outside
    assert "<img" not in outside


def test_a_code_span_holds_any_text() -> None:
    for text in (*HOSTILE, "`", "``a`", "a" * 1_000):
        match = SPAN.fullmatch(code(text))

        assert match, code(text)


def test_the_summary_of_a_very_bad_server_fits_a_comment() -> None:
    outcomes = tuple(
        CheckOutcome(
            check, CheckStatus.FAILED, "x" * 5_000, "y" * 5_000 + str(number), f"tool_{number}"
        )
        for check in TABLE.values()
        for number in range(30)
    )

    assert len(as_markdown(Report("x", outcomes))) < COMMENT_MAX
