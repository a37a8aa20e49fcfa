"""The tools a server announces: what each costs, who would not take it as it is, and its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.report.grouping import VIOLATED, worst
from mcpgen.conformance.report.html.components import anchor, badge, chips, css
from mcpgen.conformance.report.html.markup import Markup, element
from mcpgen.conformance.report.profiles import words_of
from mcpgen.conformance.sizes import Size, size_of
from mcpgen.conformance.strict_json import Json

LONGEST = 20_000
"""Characters of a tool's JSON that the page shows."""


def tools_section(report: Report) -> Markup | None:
    """A line for each tool, to be unfolded; None for a server that announced none."""
    if not report.tools:
        return None
    found: dict[str, list[CheckOutcome]] = {}
    for outcome in report.outcomes:
        if outcome.tool and outcome.status in VIOLATED:
            found.setdefault(outcome.tool, []).append(outcome)
    sizes = [size_of(tool) for tool in report.tools]
    largest = max(size.bytes for size in sizes) or 1
    rows = [
        _tool(tool, size, largest, found.get(str(tool.get("name")), []))
        for tool, size in zip(report.tools, sizes, strict=True)
    ]
    whole = Size(sum(size.bytes for size in sizes), sum(size.tokens for size in sizes))
    told = f"{len(rows):,} tools, {_format_size(whole)} in every conversation that loads them all."
    return element(
        "section",
        element("h2", "Tools"),
        element("p", told, class_="quiet"),
        element("div", rows, class_="tools"),
        id="tools",
    )


def _tool(tool: Mapping[str, Json], size: Size, largest: int, found: list[CheckOutcome]) -> Markup:
    name = str(tool.get("name"))
    profiles = dict.fromkeys(word for outcome in found for word in words_of(outcome))
    state = worst(one.status for one in found) if found else CheckStatus.PASSED
    title = tool.get("title")
    return element(
        "details",
        element(
            "summary",
            element("code", name),
            element("span", title, class_="quiet") if isinstance(title, str) else None,
            badge(state) if found else None,
            element("span", _meter(size, largest), _format_size(size), class_="size"),
        ),
        _description(tool),
        element("p", "Not as it should be for: ", chips(profiles)) if profiles else None,
        element("ul", [_finding(one) for one in _once(found)], class_="names") if found else None,
        element("pre", _tool_row(tool)),
        data_status=css(state),
    )


def _description(tool: Mapping[str, Json]) -> Markup | None:
    text = tool.get("description")
    return element("p", text, class_="description") if isinstance(text, str) else None


def _once(found: list[CheckOutcome]) -> list[CheckOutcome]:
    """The first outcome of each check."""
    return list({outcome.check.id: outcome for outcome in reversed(found)}.values())[::-1]


def _finding(outcome: CheckOutcome) -> Markup:
    check = outcome.check
    link = element("a", element("code", check.id), href=f"#{anchor('check', check.id)}")
    return element("li", badge(outcome.status), " ", link)


def _format_size(size: Size) -> str:
    return f"{size.bytes:,} bytes, ≈ {size.tokens:,} tokens"


def _meter(size: Size, largest: int) -> Markup:
    width = f"{100 * size.bytes / largest:.1f}"
    return element(
        "svg",
        element("rect", x=0, y=0, width=width, height=1),
        class_="meter",
        viewBox="0 0 100 1",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _tool_row(tool: Mapping[str, Json]) -> str:
    try:
        text = json.dumps(tool, indent=2, ensure_ascii=False)
    except RecursionError:
        return "nested too deep to be shown"
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n… {len(text) - LONGEST:,} more characters"
