"""Small pieces that several parts of the page are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcpgen.conformance.model import CheckStatus
from mcpgen.conformance.report.html.markup import Markup, element

SIGNS = {
    CheckStatus.FAILED: "✗",
    CheckStatus.WARNING: "!",
    CheckStatus.KNOWN: "≈",
    CheckStatus.PASSED: "✓",
    CheckStatus.NOT_APPLICABLE: "–",
}
"""What stands for a status where there is no room for its word: never the colour alone."""


def css(status: CheckStatus) -> str:
    """The class that gives a status its colour."""
    return status.value.replace(" ", "-")


def sign(status: CheckStatus) -> list[Markup]:
    """The sign of a status for the eye, and its word for a screen reader."""
    return [
        element("span", SIGNS[status], aria_hidden="true"),
        element("span", status.value, class_="spoken"),
    ]


def badge(status: CheckStatus) -> Markup:
    """The word of a status on its colour."""
    shown = element("span", SIGNS[status], aria_hidden="true")
    return element("span", shown, " ", status.value, class_=f"badge {css(status)}")


def chips(words: Iterable[str]) -> list[Markup]:
    """Words on a grey ground."""
    return [element("span", word, class_="chip") for word in words]


def bar(counts: Mapping[CheckStatus, int]) -> Markup:
    """The shares of the statuses as one coloured line, the worst first. The counts stand beside it."""
    whole = sum(counts.values()) or 1
    pieces, start = [], 0.0
    for status, count in counts.items():
        width = 100 * count / whole
        shape = element(
            "rect", x=f"{start:.2f}", y=0, width=f"{width:.2f}", height=1, class_=css(status)
        )
        pieces.append(shape if count else None)
        start += width
    return element(
        "svg",
        pieces,
        class_="bar",
        viewBox="0 0 100 1",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def anchor(name: str, identifier: str) -> str:
    """The id of the place where something is told; `identifier` is a check's id or a number."""
    return f"{name}-{identifier}"


def prose(text: str) -> list[Markup | str]:
    """A text whose words between backticks are shown as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return [text]
    return [element("code", piece) if at % 2 else piece for at, piece in enumerate(pieces)]
