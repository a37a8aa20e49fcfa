"""Report of a listing as an HTML page, built from components of the check report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mcpgen.analysis.report import HostVerdict, ListingReport, ToolRow, host_title
from mcpgen.analysis.size_reductions import SizeReduction
from mcpgen.analysis.sizes import FAMILIES
from mcpgen.analysis.tool_listing import Announced
from mcpgen.conformance.model import CheckStatus
from mcpgen.conformance.report.grouping import judgements
from mcpgen.conformance.report.html import findings
from mcpgen.conformance.report.html import sections as report_sections
from mcpgen.conformance.report.html.document import html_document
from mcpgen.conformance.report.html.markup import Child, Markup, badge, element, fragment, prose

STATUS = {
    HostVerdict.ACCEPTS: CheckStatus.PASSED,
    HostVerdict.DEGRADES: CheckStatus.WARNING,
    HostVerdict.REJECTS: CheckStatus.FAILED,
}
"""Colour of each verdict."""


def listing_as_html(found: ListingReport, rows: tuple[ToolRow, ...]) -> str:
    """Returns the page: totals, size reductions, hosts with reasons, and `rows`.

    Loads nothing from the network and works without JavaScript; announced text is escaped. Equal
    reports give equal bytes.
    """
    shown = {row.name for row in rows}
    by_name: Mapping[str, Announced] = {str(tool["name"]): tool for tool in found.surface.tools}
    report = replace(found.judgement.report, tools=tuple(by_name[row.name] for row in rows))
    kept = tuple(one for one in report.outcomes if not one.tool or one.tool in shown)
    report = replace(report, outcomes=kept)
    sections = {
        "savings": _savings(found),
        "hosts": _hosts(found),
        "tools": report_sections.tools_section(report),
        "findings": findings.findings_section(report, judgements(report)),
    }
    footer = fragment(
        "Made by ", element("code", "mcpgen tools"), ". Tokens are estimated from bytes."
    )
    return html_document(f"{found.surface.name}: tools", _header(found), sections, footer)


def _header(found: ListingReport) -> Markup:
    tokens = found.tokens
    tiles = {
        "tools": len(found.rows),
        "bytes": found.bytes,
        **{f"tokens of {FAMILIES[word].title}, about": count for word, count in tokens.items()},
        "hosts take all as it is": len(found.judgement.of(HostVerdict.ACCEPTS)),
    }
    notes = [element("li", prose(note)) for note in found.surface.notes]
    return element(
        "header",
        element("p", "MCP tools", class_="eyebrow"),
        element("h1", found.surface.name),
        element("ul", [tile(word, number) for word, number in tiles.items()], class_="tiles"),
        element("ul", notes, class_="notes") if notes else None,
    )


def tile(word: str, number: int) -> Markup:
    """Returns a number with its caption."""
    return element("li", element("b", f"{number:,}"), " ", element("span", word))


def _savings(found: ListingReport) -> Markup | None:
    if not found.savings:
        return None
    rows = [_saving(saving, found.bytes) for saving in found.savings]
    return section("savings", "What would be saved", ("Choice", "Saved", "Left"), rows)


def _saving(saving: SizeReduction, before: int) -> Markup:
    share = f"{saving.saved:,} bytes, {100 * saving.saved / before:.0f} %"
    left = f"{saving.bytes:,} bytes, {saving.tools:,} tools"
    return line(element("code", saving.setting), share, left)


def _hosts(found: ListingReport) -> Markup:
    rows = [
        line(host_title(host), badge(STATUS[verdict]), _reasons(found, host))
        for host, verdict in found.judgement.hosts.items()
    ]
    return section("hosts", "Hosts", ("Host", "Takes it", "Why not"), rows)


def _reasons(found: ListingReport, host: str) -> list[Markup | str]:
    """Returns a host's distinct expectations."""
    reasons = [one for one in found.judgement.reasons if one.host == host]
    told = dict.fromkeys(one.expected.partition(": ")[2] or one.expected for one in reasons)
    return [element("p", prose(text)) for text in told]


def section(id: str, heading: str, heads: Iterable[str], rows: list[Markup]) -> Markup:
    """Returns a section with a table."""
    table = element(
        "table",
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", rows),
    )
    scrolled = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=heading)
    return element("section", element("h2", heading), scrolled, id=id)


def line(first: Child, *others: Child) -> Markup:
    """Returns a table row with a heading cell."""
    return element(
        "tr", element("th", first, scope="row"), [element("td", other) for other in others]
    )
