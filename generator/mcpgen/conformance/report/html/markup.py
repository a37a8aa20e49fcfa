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
"""The start of a workflow command without its last character."""

NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
"""Valid names of elements and attributes."""

LINK = re.compile(r"https?://|#")
"""Allowed starts of `href`; `javascript:` is not allowed."""

VOID = frozenset({"br", "hr", "meta", "input", "circle", "line", "rect", "path"})
"""Elements without a closing tag, and SVG shapes."""

Value = str | int | bool | None
"""An attribute value; True: an attribute without a value, False and None: no attribute."""

SIGNS = {
    CheckStatus.FAILED: "✗",
    CheckStatus.WARNING: "!",
    CheckStatus.KNOWN: "≈",
    CheckStatus.BLOCKED: "⊘",
    CheckStatus.PASSED: "✓",
    CheckStatus.NOT_APPLICABLE: "–",
}
"""A symbol for each status, so that color is never the only signal."""


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is valid markup."""

    text: str


Child = Markup | str | int | None | Iterable["Child"]
"""A child of an element: markup unchanged, text escaped, None omitted."""


def element(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """`<name>` with attributes and children.

    In attribute names `_` becomes `-`, a trailing `_` is dropped (`class_`). Example:
    `element("code", "a<b").text` is `<code>a&lt;b</code>`.
    """
    assert NAME.fullmatch(name)
    start = "".join([name, *(_attribute(key, value) for key, value in attributes.items())])
    if name in VOID:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{fragment(*children).text}</{name}>")


def fragment(*children: Child) -> Markup:
    """The children one after another."""
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
    """The text as HTML. CI systems execute log lines with `::` and `##[`, so these become character
    references.
    """
    escaped = html.escape(mark_invisible(text.replace("\r\n", "\n").replace("\r", " ")))
    return COMMAND.sub(lambda match: f"&#{ord(match[0])};", escaped)


def css(status: CheckStatus) -> str:
    """The CSS class of a status."""
    return status.value.replace(" ", "-")


def sign(status: CheckStatus) -> list[Markup]:
    """The symbol of a status, and its word for screen readers."""
    return [
        element("span", SIGNS[status], aria_hidden="true"),
        element("span", status.value, class_="spoken"),
    ]


def badge(status: CheckStatus) -> Markup:
    """The word of a status in its color."""
    symbol = element("span", SIGNS[status], aria_hidden="true")
    return element("span", symbol, " ", status.value, class_=f"badge {css(status)}")


def chips(words: Iterable[str]) -> list[Markup]:
    """Words in gray boxes."""
    return [element("span", word, class_="chip") for word in words]


def bar(counts: Mapping[CheckStatus, int]) -> Markup:
    """The shares of the statuses as a colored line, worst first. The page shows the numbers next
    to the line.
    """
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
    """The id of an element on the page; `identifier` is a check id or a number."""
    return f"{name}-{identifier}"


def prose(text: str) -> list[Markup | str]:
    """A text with words between backticks as `<code>`."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return [text]
    return [element("code", piece) if at % 2 else piece for at, piece in enumerate(pieces)]
