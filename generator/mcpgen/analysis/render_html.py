"""Report of a listing as an HTML page, built from components of the check report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mcpgen.analysis import Announced
from mcpgen.analysis.report import HostVerdict, ListingReport, ToolRow, host_title
from mcpgen.analysis.size_reductions import SizeReduction
from mcpgen.analysis.sizes import FAMILIES
from mcpgen.conformance.model import CheckStatus
from mcpgen.conformance.report.grouping import check_summaries
from mcpgen.conformance.report.html import findings
from mcpgen.conformance.report.html import sections as report_sections
from mcpgen.conformance.report.html.document import html_document
from mcpgen.conformance.report.html.markup import Child, Markup, badge, element, fragment, prose

STATUS = {
    HostVerdict.ACCEPTS: CheckStatus.PASSED,
    HostVerdict.ADVISES: CheckStatus.PASSED,
    HostVerdict.DEGRADES: CheckStatus.WARNING,
    HostVerdict.REJECTS: CheckStatus.FAILED,
}
"""Color of each verdict."""


def listing_as_html(report_: ListingReport, rows: tuple[ToolRow, ...]) -> str:
    """Returns the page: totals, size reductions, hosts with reasons, and `rows`.

    Loads nothing from the network and works without JavaScript; announced text is escaped. Equal
    reports give equal bytes.
    """
    names = {row.name for row in rows}
    by_name: Mapping[str, Announced] = {str(tool["name"]): tool for tool in report_.listing.tools}
    report = replace(report_.acceptance.report, tools=tuple(by_name[row.name] for row in rows))
    outcomes = tuple(
        outcome for outcome in report.outcomes if not outcome.tool or outcome.tool in names
    )
    report = replace(report, outcomes=outcomes)
    sections = {
        "savings": _savings_section(report_),
        "hosts": _hosts_section(report_),
        "tools": report_sections.tools_section(report),
        "findings": findings.findings_section(report, check_summaries(report)),
    }
    footer = fragment(
        "Made by ", element("code", "mcpgen tools"), ". Tokens are estimated from bytes."
    )
    return html_document(f"{report_.listing.name}: tools", _page_header(report_), sections, footer)


def _page_header(report: ListingReport) -> Markup:
    tokens = report.tokens
    tiles = {
        "tools": len(report.rows),
        "bytes": report.bytes,
        **{f"tokens of {FAMILIES[word].title}, about": count for word, count in tokens.items()},
        "hosts take all as it is": len(report.acceptance.taking_all),
    }
    notes = [element("li", prose(note)) for note in report.listing.notes]
    return element(
        "header",
        element("p", "MCP tools", class_="eyebrow"),
        element("h1", report.listing.name),
        element("ul", [tile(word, number) for word, number in tiles.items()], class_="tiles"),
        element("ul", notes, class_="notes") if notes else None,
    )


def tile(word: str, number: int) -> Markup:
    """Returns a number with its caption."""
    return element("li", element("b", f"{number:,}"), " ", element("span", word))


def _savings_section(report: ListingReport) -> Markup | None:
    if not report.savings:
        return None
    rows = [_saving(saving, report.bytes) for saving in report.savings]
    return section("savings", "What would be saved", ("Choice", "Saved", "Left"), rows)


def _saving(saving: SizeReduction, before: int) -> Markup:
    share = f"{saving.saved:,} bytes, {100 * saving.saved / before:.0f} %"
    remaining = f"{saving.bytes:,} bytes, {saving.tools:,} tools"
    return heading_row(element("code", saving.setting), share, remaining)


def _hosts_section(report: ListingReport) -> Markup:
    rows = [
        heading_row(host_title(host), badge(STATUS[verdict]), _host_reasons(report, host))
        for host, verdict in report.acceptance.hosts.items()
    ]
    return section("hosts", "Hosts", ("Host", "Takes it", "Reasons"), rows)


def _host_reasons(report: ListingReport, host: str) -> list[Markup | str]:
    """Returns a host's distinct expectations."""
    reasons = [reason for reason in report.acceptance.reasons if reason.host == host]
    expectations = dict.fromkeys(
        (reason.expected.partition(": ")[2] or reason.expected)
        + (f"; {reason.remedy}" if reason.remedy else "")
        for reason in reasons
    )
    return [element("p", prose(text)) for text in expectations]


def section(id: str, heading: str, heads: Iterable[str], rows: list[Markup]) -> Markup:
    """Returns a section with a table."""
    table = element(
        "table",
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", rows),
        class_="words",
    )
    scrolled = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=heading)
    return element("section", element("h2", heading), scrolled, id=id)


def heading_row(first: Child, *cells: Child) -> Markup:
    """Returns a table row with a heading cell."""
    return element(
        "tr", element("th", first, scope="row"), [element("td", other) for other in cells]
    )
