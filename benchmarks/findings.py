"""Counts the findings of builds: how many warnings each document of the corpus causes, by code.

`python -m benchmarks.findings [DOCUMENT …]` prints the table; without arguments it takes every document of
the corpus. Each document is read, validated and lowered; no file is written and no server is started.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.documents import CORPUS
from mcpgen.config import Config
from mcpgen.config.tables.budgets import MANY_TOOLS
from mcpgen.diagnostics import Diagnostic, Diagnostics, Severity
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.lower import lower
from mcpgen.pipeline.budgets import check_budgets
from mcpgen.pipeline.load_spec import load_spec
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

MOST_MEDIAN, MOST_P90 = 3, 20
"""Warnings of a document that a reader can look through: in the middle, and of nine in ten."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The warnings of one document by code, how many of them are told `twice`, and the errors."""

    name: str
    warnings: Counter[str]
    twice: int
    errors: int


def counted(path: Path, name: str) -> Counted:
    """The findings of one document, whose operations are built as far as they can be."""
    diagnostics, config = Diagnostics(), Config(keep_going=True)
    api = load_spec(
        str(path), BuildOptions(keep_going=True), None, PhaseTimer(None), diagnostics
    ).api
    diagnostics.soften(parse_codes.PER_OPERATION)
    if api is not None:
        server = lower(api, config, diagnostics, scenarios=False)
        if len(server.listed) > MANY_TOOLS:
            check_budgets(api, server, config, diagnostics)
    warnings = [found for found in diagnostics if found.severity is Severity.WARNING]
    errors = sum(found.severity is Severity.ERROR for found in diagnostics)
    codes = Counter(found.code.id for found in warnings)
    return Counted(name, codes, len(warnings) - len({_said(each) for each in warnings}), errors)


def _said(found: Diagnostic) -> tuple[object, ...]:
    return found.code.id, found.at.file, found.at.path, found.message


def percentile(counts: list[int], share: float) -> int:
    """The smallest count that this share of the documents does not exceed."""
    return sorted(counts)[max(0, -(-len(counts) * round(share * 100) // 100) - 1)]


def table(found: list[Counted]) -> str:
    """The counts as Markdown, the noisiest document first."""
    lines = ["| document | warnings | by code |", "| --- | --: | --- |"]
    for each in sorted(found, key=lambda one: -one.warnings.total()):
        codes = ", ".join(f"{code} {count}" for code, count in each.warnings.most_common())
        lines.append(f"| {each.name} | {each.warnings.total()} | {codes or '–'} |")
    counts = [each.warnings.total() for each in found]
    median, high = percentile(counts, 0.5), percentile(counts, 0.9)
    twice = sum(each.twice for each in found)
    lines += [
        "",
        f"{len(found)} documents: median {median} (goal {MOST_MEDIAN}), p90 {high} (goal {MOST_P90}), "
        f"told twice {twice}.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Prints the table."""
    paths = {Path(argument).stem: Path(argument) for argument in sys.argv[1:]}
    if not paths:
        manifest = json.loads((CORPUS / "manifest.json").read_text(encoding="utf-8"))
        paths = {entry["name"]: CORPUS / entry["file"] for entry in manifest}
    print(table([counted(path, name) for name, path in paths.items()]))


if __name__ == "__main__":
    main()
