"""Counts the warnings that each document of the corpus causes: `python -m benchmarks.findings [SPEC ...]`.

Documents are read, validated and lowered; no file is written and no server is started.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.documents import require_corpus
from benchmarks.markdown import NONE, markdown_table
from mcpgen.config import Config
from mcpgen.config.tables.project import MANY_TOOLS
from mcpgen.diagnostics import Diagnostic, Diagnostics, Severity
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.lower import lower
from mcpgen.pipeline.budgets import check_budgets
from mcpgen.pipeline.load_spec import load_spec
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

MEDIAN_GOAL, P90_GOAL = 3, 20
"""Most warnings of the median document, and of nine in ten documents."""


@dataclass(frozen=True, slots=True)
class WarningCount:
    """Warnings of one document by code, and how many warnings repeat an earlier warning."""

    name: str
    by_code: Counter[str]
    repeated: int


def count_warnings(path: Path, name: str) -> WarningCount:
    """The warnings of one document, whose faulty operations are left out."""
    diagnostics, config = Diagnostics(), Config(keep_going=True)
    options = BuildOptions(keep_going=True)
    api = load_spec(str(path), options, None, PhaseTimer(None), diagnostics).api
    diagnostics.soften(parse_codes.PER_OPERATION)
    if api is not None:
        server = lower(api, config, diagnostics, scenarios=False)
        if len(server.listed) > MANY_TOOLS:
            check_budgets(api, server, config, diagnostics)
    warnings = [finding for finding in diagnostics if finding.severity is Severity.WARNING]
    by_code = Counter(warning.code.id for warning in warnings)
    return WarningCount(name, by_code, len(warnings) - len(set(map(_warning_identity, warnings))))


def _warning_identity(warning: Diagnostic) -> tuple[object, ...]:
    return warning.code.id, warning.at.file, warning.at.path, warning.message


def percentile(counts: list[int], share: float) -> int:
    """The smallest count that `share` of the documents do not exceed.

    >>> percentile([1, 2, 3, 40], 0.5)
    2
    """
    return sorted(counts)[max(0, -(-len(counts) * round(share * 100) // 100) - 1)]


def make_table(counts: list[WarningCount]) -> str:
    """The counts as Markdown, most warnings first."""
    rows = []
    for count in sorted(counts, key=lambda count: -count.by_code.total()):
        codes = ", ".join(f"{code} {number}" for code, number in count.by_code.most_common())
        rows.append((count.name, str(count.by_code.total()), codes or NONE))
    totals = [count.by_code.total() for count in counts]
    median, high = percentile(totals, 0.5), percentile(totals, 0.9)
    return (
        f"{markdown_table(('document', 'warnings', 'by code'), rows)}\n"
        f"{len(counts)} documents: median {median} (goal {MEDIAN_GOAL}), p90 {high} (goal {P90_GOAL}), "
        f"repeated {sum(count.repeated for count in counts)}."
    )


def main() -> None:
    """Prints the table."""
    paths = {Path(argument).stem: Path(argument) for argument in sys.argv[1:]} or require_corpus()
    print(make_table([count_warnings(path, name) for name, path in paths.items()]))


if __name__ == "__main__":
    main()
