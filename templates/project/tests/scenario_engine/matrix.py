"""The result of every scenario, as JSON, Markdown and HTML."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

STATUSES = ("failed", "stale", "pending", "partial", "manual", "passed")
"""The statuses of scenarios, the worst first."""

SIGNS = {
    "failed": "❌",
    "stale": "🕰️",
    "pending": "⏳",
    "partial": "◐",
    "manual": "👤",
    "passed": "✅",
}

_MARKS = re.compile(r"[\\`*_\[\]<>#|~&$]|:(?=//)")


@dataclass(frozen=True)
class MatrixRow:
    """A scenario: `bound` of `count` steps were checked; `told` is the reason for a gap or failure.
    `at` is the position in the document, and `steps` are the steps reached."""

    requirement: str
    scenario: str
    status: str
    bound: int
    count: int
    at: str = ""
    test: str = ""
    told: str = ""
    steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def spoken(self) -> str:
        """The status, with the share of bound steps for an incomplete scenario."""
        partly = self.status in ("partial", "pending")
        return f"{self.status} {self.bound}/{self.count}" if partly else self.status

    @property
    def place(self) -> tuple[str, int]:
        """The sort key of rows: document and line."""
        document, _, line = self.at.rpartition(":")
        return document, int(line) if line.isdigit() else 0


@dataclass(frozen=True)
class Matrix:
    """The scenarios of a run, in the order of the document."""

    rows: tuple[MatrixRow, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of scenarios by status."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES}

    @property
    def percent(self) -> float:
        """The percentage of checked steps, rounded down; steps of stale scenarios do not count."""
        bound = sum(row.bound for row in self.rows if row.status != "stale")
        return 1000 * bound // max(1, sum(row.count for row in self.rows)) / 10

    @property
    def unbound(self) -> tuple[MatrixRow, ...]:
        """The scenarios with unbound steps, or with bindings for an earlier text."""
        return tuple(row for row in self.rows if row.status in ("stale", "pending", "partial"))

    @property
    def spoken(self) -> str:
        """The number of scenarios by status, on a line."""
        parts = [f"{count} {status}" for status, count in self.counts.items() if count]
        return f"{', '.join(reversed(parts)) or 'none'}; {self.percent:g} % of the steps shown"


def matrix(rows: Iterable[MatrixRow]) -> Matrix:
    """The matrix of some rows."""
    return Matrix(tuple(sorted(rows, key=lambda row: row.place)))


def as_json(found: Matrix) -> str:
    """The matrix for programs."""
    tree = {
        "version": 1,
        "counts": found.counts,
        "percent": found.percent,
        "scenarios": [asdict(row) for row in found.rows],
    }
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def as_markdown(found: Matrix) -> str:
    """The matrix as a table."""
    lines = ["# Scenarios", "", found.spoken, "", "| requirement | scenario | status | |"]
    lines.append("| --- | --- | --- | --- |")
    for row in found.rows:
        cells = (row.requirement, row.scenario, row.spoken, row.told)
        shown = [_MARKS.sub(r"\\\g<0>", _one_line(cell)) for cell in cells]
        shown[2] = f"{SIGNS[row.status]} {shown[2]}"
        lines.append(f"| {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def as_html(found: Matrix) -> str:
    """The matrix as a self-contained HTML page."""
    rows = "".join(
        f'<tr class="{row.status}"><td>{escape(row.requirement)}</td><td>{escape(row.scenario)}</td>'
        f"<td>{SIGNS[row.status]} {row.spoken}</td><td>{escape(_one_line(row.told))}</td></tr>\n"
        for row in found.rows
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Scenarios</title>\n'
        "<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}"
        "table{border-collapse:collapse;width:100%}td,th{border:1px solid #8886;padding:.3rem .6rem;"
        "text-align:left;vertical-align:top}</style></head>\n"
        f"<body><h1>Scenarios</h1><p>{found.spoken}</p>\n"
        "<table><thead><tr><th>requirement</th><th>scenario</th><th>status</th><th></th></tr></thead>"
        f"\n<tbody>\n{rows}</tbody></table></body></html>\n"
    )


FORMS = {".json": as_json, ".md": as_markdown, ".html": as_html}
"""The writers of the matrix, by suffix of the file."""


def _one_line(text: str) -> str:
    return " ".join(text.split())
