"""The matrix of scenarios: the status of every scenario, as JSON, Markdown and HTML."""

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

SYMBOLS = {
    "failed": "❌",
    "stale": "🕰️",
    "pending": "⏳",
    "partial": "◐",
    "manual": "👤",
    "passed": "✅",
}

_MARKDOWN_SYNTAX = re.compile(r"[\\`*_\[\]<>#|~&$]|:(?=//)")


@dataclass(frozen=True)
class MatrixRow:
    """A scenario. The field names are the keys of the JSON matrix, which `mcpgen scenarios` reads.

    `bound` of `count` steps passed; `steps` are the steps that the run reached. `at` is the
    position in the document, such as `spec.md:16`. `told` is the reason for another status than passed.
    """

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
    def status_label(self) -> str:
        """The status, for example `passed`, or `partial 2/3` if 2 of 3 steps passed."""
        is_incomplete = self.status in ("partial", "pending")
        return f"{self.status} {self.bound}/{self.count}" if is_incomplete else self.status

    @property
    def sort_key(self) -> tuple[str, int]:
        """The name of the document, and the line."""
        document, _, line = self.at.rpartition(":")
        return document, int(line) if line.isdigit() else 0


@dataclass(frozen=True)
class Matrix:
    """The scenarios of a run, by document and line."""

    rows: tuple[MatrixRow, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of scenarios by status, the worst status first."""
        counter = Counter(row.status for row in self.rows)
        return {status: counter[status] for status in STATUSES}

    @property
    def percent(self) -> float:
        """The percentage of steps that passed; steps of stale scenarios count as not passed.

        Rounded down to 0.1, so that 100 means every step.
        """
        bound = sum(row.bound for row in self.rows if row.status != "stale")
        return 1000 * bound // max(1, sum(row.count for row in self.rows)) / 10

    @property
    def open_rows(self) -> tuple[MatrixRow, ...]:
        """The scenarios with unchecked steps, or with bindings for an earlier text."""
        return tuple(row for row in self.rows if row.status in ("stale", "pending", "partial"))

    @property
    def summary(self) -> str:
        """The number of scenarios by status, on a single line."""
        parts = [f"{count} {status}" for status, count in self.counts.items() if count]
        return f"{', '.join(reversed(parts)) or 'none'}; {self.percent:g} % of the steps passed"


def make_matrix(rows: Iterable[MatrixRow]) -> Matrix:
    """Returns the matrix of the rows, which may be in any order."""
    return Matrix(tuple(sorted(rows, key=lambda row: row.sort_key)))


def render_json(matrix: Matrix) -> str:
    """Renders the matrix for programs."""
    tree = {
        "version": 1,
        "counts": matrix.counts,
        "percent": matrix.percent,
        "scenarios": [asdict(row) for row in matrix.rows],
    }
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def render_markdown(matrix: Matrix) -> str:
    """Renders the matrix as a table."""
    lines = ["# Scenarios", "", matrix.summary, "", "| requirement | scenario | status | |"]
    lines.append("| --- | --- | --- | --- |")
    for row in matrix.rows:
        texts = (row.requirement, row.scenario, row.status_label, row.told)
        cells = [_MARKDOWN_SYNTAX.sub(r"\\\g<0>", _one_line(text)) for text in texts]
        cells[2] = f"{SYMBOLS[row.status]} {cells[2]}"
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def render_html(matrix: Matrix) -> str:
    """Renders the matrix as a self-contained HTML page."""
    rows = "".join(
        f'<tr class="{row.status}"><td>{escape(row.requirement)}</td><td>{escape(row.scenario)}</td>'
        f"<td>{SYMBOLS[row.status]} {row.status_label}</td>"
        f"<td>{escape(_one_line(row.told))}</td></tr>\n"
        for row in matrix.rows
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Scenarios</title>\n'
        "<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}"
        "table{border-collapse:collapse;width:100%}td,th{border:1px solid #8886;padding:.3rem .6rem;"
        "text-align:left;vertical-align:top}</style></head>\n"
        f"<body><h1>Scenarios</h1><p>{matrix.summary}</p>\n"
        "<table><thead><tr><th>requirement</th><th>scenario</th><th>status</th><th></th></tr></thead>"
        f"\n<tbody>\n{rows}</tbody></table></body></html>\n"
    )


RENDERERS = {".json": render_json, ".md": render_markdown, ".html": render_html}
"""The functions that render the matrix, by suffix of the file."""


def _one_line(text: str) -> str:
    return " ".join(text.split())
