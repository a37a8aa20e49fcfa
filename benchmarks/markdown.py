"""Tables and figures as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NONE = "–"
"""The cell of a figure that does not exist."""


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; columns after the first are aligned to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)) + "\n"


def seconds(value: float) -> str:
    """A duration with two or three digits: `12.3 s`, `0.45 s`, `7 ms`."""
    if value < 0.0995:
        return f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value >= 9.995 else f"{value:.2f} s"


def decimal_size(value: float) -> str:
    """A number of bytes in decimal units: `480 B`, `12 kB`, `1.8 MB`."""
    if value < 1000:
        return f"{value:.0f} B"
    return f"{value / 1000:.0f} kB" if value < 999_500 else f"{value / 1e6:.1f} MB"
