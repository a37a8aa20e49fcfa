"""Markup that is escaped by construction: text becomes markup only through `element`.

A report shows what a stranger's server said. There is no function here that takes a text for markup,
so none of it can become an element, an attribute or a script, whatever it spells.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.conformance.report.escape import mark_invisible

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
    return Markup("".join(_written(child) for child in children))


def _written(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child.text
    if isinstance(child, str | int):
        return _escaped(str(child))
    return "".join(_written(one) for one in child)


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
    return f' {name}="{_escaped(str(value))}"'


def _escaped(text: str) -> str:
    """The text as HTML. A page may be printed to the log of a CI system, which obeys lines that begin with `::` and
    `##[` anywhere; as references, the signs mean the same to a browser."""
    seen = html.escape(mark_invisible(text.replace("\r\n", "\n").replace("\r", " ")))
    return COMMAND.sub(lambda found: f"&#{ord(found[0])};", seen)
