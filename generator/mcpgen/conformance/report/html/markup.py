"""Markup that is escaped by construction: text becomes markup only through `element`.

A report shows text of unknown servers. No function here takes a text for markup, so no text can become an
element, an attribute or a script.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.conformance.exchange import mark_invisible
from mcpgen.conformance.model import CheckStatus

COMMAND = re.compile(r":(?=:)|#(?=#)")
"""The signs with which commands of CI systems begin, but for the last one of each."""

NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
"""Names of elements and attributes, which are ours."""

LINK = re.compile(r"https?://|#")
"""What an address may begin with; `javascript:` it may not."""

VOID = frozenset({"br", "hr", "meta", "input", "circle", "line", "rect", "path"})
"""Elements without a closing tag, and shapes, which are closed at once."""


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is markup already."""

    text: str


Child = Markup | str | int | None | Iterable["Child"]
"""What may stand in an element: markup as it is, text escaped, None not at all."""

Value = str | int | bool | None
"""The value of an attribute; True is one without a value, False and None are none."""


def element(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """`<name>` with these children. In attribute names `_` stands for `-`, and one at the end for
    nothing, so that `class_` can be written."""
    assert NAME.fullmatch(name)
    opened = "".join([name, *(_attribute(key, value) for key, value in attributes.items())])
    if name in VOID:
        return Markup(f"<{opened}/>")
    return Markup(f"<{opened}>{fragment(*children).text}</{name}>")


def fragment(*children: Child) -> Markup:
    """The children, one after the other."""
    return Markup("".join(_render(child) for child in children))


def _render(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child.text
    if isinstance(child, str | int):
        return _escape(str(child))
    return "".join(_render(part) for part in child)


def _attribute(key: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    assert NAME.fullmatch(name)
    assert not name.startswith("on")
    if value is True:
        return f" {name}"
    if name == "href" and not LINK.match(str(value)):
        return ""
    return f' {name}="{_escape(str(value))}"'


def _escape(text: str) -> str:
    """The text as HTML. A page may be printed to the log of a CI system, which obeys lines that begin with `::` and
    `##[` anywhere; as references, the signs mean the same to a browser."""
    escaped = html.escape(mark_invisible(text.replace("\r\n", "\n").replace("\r", " ")))
    return COMMAND.sub(lambda match: f"&#{ord(match[0])};", escaped)


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
    total = sum(counts.values()) or 1
    pieces, start = [], 0.0
    for status, count in counts.items():
        width = 100 * count / total
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
