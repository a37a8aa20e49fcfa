"""The survey of a surface: a row for each tool, the totals, the hosts, the savings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from mcpgen.analysis.host_verdicts import HostReport, HostVerdict, Reason, host_report
from mcpgen.analysis.size_reductions import SizeReduction, savings
from mcpgen.analysis.sizes import ToolSize, list_of, tool_size
from mcpgen.analysis.token_estimates import FAMILIES, estimate_tokens
from mcpgen.analysis.tool_listing import ToolListing


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool: what it weighs, its operation (`""` where it is not known), and which hosts would
    not take it as it is, with the reasons in order of the hosts."""

    weight: ToolSize
    operation: str
    reasons: tuple[Reason, ...]

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.weight.name

    def hosts(self, verdict: HostVerdict) -> tuple[str, ...]:
        """The words of the hosts that would do this to the tool."""
        return tuple(dict.fromkeys(one.host for one in self.reasons if one.verdict is verdict))


@dataclass(frozen=True)
class ListingReport:
    """All that is known of a surface; `rows` are in the order of its tools."""

    surface: ToolListing
    rows: tuple[ToolRow, ...]
    judgement: HostReport
    savings: tuple[SizeReduction, ...]

    @cached_property
    def bytes(self) -> int:
        """The bytes of the list of tools as compact JSON."""
        return list_of(row.weight.bytes for row in self.rows)

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
"""What a table of tools can be sorted by: the most of it first, names from a to z, `order` as they
are announced."""


def survey(surface: ToolListing) -> ListingReport:
    """The survey of a surface."""
    judgement = host_report(surface)
    rows = tuple(
        ToolRow(
            tool_size(tool),
            surface.operations.get(str(tool["name"]), ""),
            judgement.by_tool.get(str(tool["name"]), ()),
        )
        for tool in surface.tools
    )
    return ListingReport(surface, rows, judgement, savings(surface))
