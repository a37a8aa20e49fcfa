"""Every scenario with what was shown of it, as JSON, Markdown and a page."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

STATUSES = ("failed", "stale", "pending", "partial", "manual", "passed")
"""What can become of a scenario, the worst first."""

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
    """One scenario: `bound` of its `count` steps were shown; `told` says why not all. `at` is its place
    in the document, and `steps` are those that were reached."""

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
        """The status, with how much of the scenario it is about where that is not all."""
        partly = self.status in ("partial", "pending")
        return f"{self.status} {self.bound}/{self.count}" if partly else self.status

    @property
    def place(self) -> tuple[str, int]:
        """What rows are ordered by: document and line."""
        document, _, line = self.at.rpartition(":")
        return document, int(line) if line.isdigit() else 0


@dataclass(frozen=True)
class Matrix:
    """The scenarios that were performed, in the order of the document."""

    rows: tuple[MatrixRow, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many scenarios have each status."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES}

    @property
    def percent(self) -> float:
        """How many of a hundred steps were shown, rounded down; those of a stale scenario are not."""
        bound = sum(row.bound for row in self.rows if row.status != "stale")
        return 1000 * bound // max(1, sum(row.count for row in self.rows)) / 10

    @property
    def unbound(self) -> tuple[MatrixRow, ...]:
        """The scenarios with something that nobody bound, or bound for another text."""
        return tuple(row for row in self.rows if row.status in ("stale", "pending", "partial"))

    @property
    def spoken(self) -> str:
        """How many scenarios have which status, in a line."""
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
        shown = [_MARKS.sub(r"\\\g<0>", _line(cell)) for cell in cells]
        shown[2] = f"{SIGNS[row.status]} {shown[2]}"
        lines.append(f"| {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def as_html(found: Matrix) -> str:
    """The matrix as a page that needs nothing but a browser."""
    rows = "".join(
        f'<tr class="{row.status}"><td>{escape(row.requirement)}</td><td>{escape(row.scenario)}</td>'
        f"<td>{SIGNS[row.status]} {row.spoken}</td><td>{escape(_line(row.told))}</td></tr>\n"
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
"""How the matrix is written, by the ending of the file."""


def _line(text: str) -> str:
    return " ".join(text.split())
