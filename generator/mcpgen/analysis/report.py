"""Report of a listing: size of each tool, verdicts of hosts with reasons, totals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from mcpgen.analysis import ToolListing
from mcpgen.analysis.size_reductions import SizeReduction, size_reductions
from mcpgen.analysis.sizes import (
    FAMILIES,
    ToolSize,
    bytes_of_json_array,
    estimate_tokens,
    tool_size,
)
from mcpgen.conformance.hosts.rules import LISTING_FACT_CHECKS, is_advice
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.profiles import EVERY_HOST, PROFILES
from mcpgen.conformance.saved_listing import check_list

ALL_FINDINGS = 1_000_000
"""Every tool is judged, not only the first of a kind."""

JUDGED = (*EVERY_HOST, "experience-workspace")
"""Host profiles, in order."""


class HostVerdict(StrEnum):
    """Effect of a host on the listing, mildest first: accepts all, accepts all and advises a change
    (a warning of the review for its directory), degrades a part, or rejects an entry."""

    ACCEPTS = "accepts"
    ADVISES = "advises"
    DEGRADES = "degrades"
    REJECTS = "rejects"


VERDICTS = {
    CheckStatus.FAILED: HostVerdict.REJECTS,
    CheckStatus.BLOCKED: HostVerdict.REJECTS,
    CheckStatus.WARNING: HostVerdict.DEGRADES,
}
"""Verdict per check status; an unverified fact never rejects."""

FACTS = frozenset(f"host-{kind}" for kind in LISTING_FACT_CHECKS)
"""Checks generated from facts about hosts."""

REMEDIES = {
    "host-output-schema": '`[output] schemas = "names"` gives one to every tool of a project that answers JSON'
}
"""By check that a host only advises: the key of `mcpgen.toml` that follows the advice, and its reach."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a host would not accept a tool unchanged.

    `tool`: `""` for the listing as a whole. `expected`: the host and its behavior. `saw`: the
    announced value.
    """

    host: str
    verdict: HostVerdict
    check: str
    expected: str
    saw: str
    tool: str = ""

    @property
    def remedy(self) -> str:
        """The setting that follows an advice of a host; `""` for other reasons."""
        return REMEDIES.get(self.check, "") if self.verdict is HostVerdict.ADVISES else ""


@dataclass(frozen=True)
class HostReport:
    """All reasons in order of the hosts; `report` is the underlying check report."""

    report: Report
    reasons: tuple[Reason, ...]

    @cached_property
    def hosts(self) -> Mapping[str, HostVerdict]:
        """The worst verdict of each host, by the host's profile."""
        verdicts = dict.fromkeys(JUDGED, HostVerdict.ACCEPTS)
        for reason in self.reasons:
            verdicts[reason.host] = worse_verdict(verdicts[reason.host], reason.verdict)
        return verdicts

    @cached_property
    def by_tool(self) -> Mapping[str, tuple[Reason, ...]]:
        """Reasons by tool name; `""` for the listing as a whole."""
        reasons_by_tool: dict[str, list[Reason]] = {}
        for reason in self.reasons:
            reasons_by_tool.setdefault(reason.tool, []).append(reason)
        return {name: tuple(reasons) for name, reasons in reasons_by_tool.items()}

    def of(self, *verdicts: HostVerdict) -> tuple[str, ...]:
        """Returns the hosts with one of these verdicts. The order is that of `hosts`."""
        return tuple(host for host, worst in self.hosts.items() if worst in verdicts)

    @property
    def taking_all(self) -> tuple[str, ...]:
        """The hosts that take every tool as it is."""
        return self.of(HostVerdict.ACCEPTS, HostVerdict.ADVISES)


def host_report(listing: ToolListing) -> HostReport:
    """Returns the verdicts of every known host about the tools."""
    options = CheckOptions(profiles=JUDGED, only=_still(), shown=ALL_FINDINGS)
    text = json.dumps([*listing.tools])
    report = check_list(text, options, target=listing.name)
    return HostReport(report, tuple(_failure_reasons(report.outcomes)))


def worse_verdict(first: HostVerdict, second: HostVerdict) -> HostVerdict:
    """Returns the more severe verdict of two, by the order of `HostVerdict`."""
    order = [*HostVerdict]
    return max(first, second, key=order.index)


def host_title(host: str) -> str:
    """Returns the display name of a host."""
    return PROFILES[host].title


def _still() -> frozenset[str]:
    profiles = PROFILES["experience-workspace"].also
    return FACTS | {check for check in profiles if check.startswith("universal-")}


def _failure_reasons(outcomes: Iterable[CheckOutcome]) -> Iterable[Reason]:
    for outcome in outcomes:
        if outcome.status in VERDICTS:
            for host in outcome.profiles:
                is_mild = is_advice(host, outcome.check.id)
                yield Reason(
                    host,
                    HostVerdict.ADVISES if is_mild else VERDICTS[outcome.status],
                    outcome.check.id,
                    outcome.expected,
                    outcome.saw,
                    outcome.tool,
                )


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool: size, operation (`""` if unknown), and reasons of hosts that do not accept the
    tool unchanged."""

    weight: ToolSize
    operation: str
    reasons: tuple[Reason, ...]

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.weight.name

    def hosts(self, verdict: HostVerdict) -> tuple[str, ...]:
        """Returns the hosts with this verdict about the tool. `()` for a tool without the
        verdict."""
        return tuple(
            dict.fromkeys(reason.host for reason in self.reasons if reason.verdict is verdict)
        )


@dataclass(frozen=True)
class ListingReport:
    """All rows in order of the listing, with totals, hosts and size reductions."""

    listing: ToolListing
    rows: tuple[ToolRow, ...]
    acceptance: HostReport
    savings: tuple[SizeReduction, ...]

    @cached_property
    def bytes(self) -> int:
        """The bytes of the list of tools as compact JSON."""
        return bytes_of_json_array(row.weight.bytes for row in self.rows)

    @property
    def tokens(self) -> Mapping[str, int]:
        """About how many tokens the list is, by family."""
        return {family: estimate_tokens(self.bytes, family) for family in FAMILIES}

    def sorted(self, key: str) -> tuple[ToolRow, ...]:
        """The rows in the order of a word of `SORTS`."""
        return tuple(sorted(self.rows, key=SORTS[key]))


SORTS: Mapping[str, Callable[[ToolRow], tuple[int | str, ...]]] = {
    "bytes": lambda row: (-row.weight.bytes, row.name),
    "name": lambda row: (row.name,),
    "arguments": lambda row: (-row.weight.arguments, row.name),
    "description": lambda row: (-row.weight.text, row.name),
    "schema": lambda row: (-row.weight.schema, row.name),
    "output": lambda row: (-row.weight.output, row.name),
    "hosts": lambda row: (
        -len(row.hosts(HostVerdict.REJECTS)),
        -len(row.hosts(HostVerdict.DEGRADES)),
        row.name,
    ),
    "order": lambda row: (),
}
"""Sort keys of the table: largest first, names from a to z, `order` as announced."""


def build_listing_report(listing: ToolListing) -> ListingReport:
    """Returns the report of a listing."""
    acceptance = host_report(listing)
    rows = tuple(
        ToolRow(
            tool_size(tool),
            listing.operations.get(str(tool["name"]), ""),
            acceptance.by_tool.get(str(tool["name"]), ()),
        )
        for tool in listing.tools
    )
    return ListingReport(listing, rows, acceptance, size_reductions(listing))
