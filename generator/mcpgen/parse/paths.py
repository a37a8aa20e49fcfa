"""The templates of `paths`: what they may look like, and the parameters they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from mcpgen.ir.api import Parameter, Place, Schema
from mcpgen.parse.node import Node

_NAMED = re.compile(r"\{([^{}]*)\}")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class Template:
    """A path as it is requested: `path` begins with a slash and has neither query nor fragment.

    `names` are the parameters in it, in order, each once. `fixed` are the query parameters written
    behind it, with their values; `variant` is all that is written behind it. `mended` says what was done to the text, `fault` why it cannot be
    used; each may be `""`.
    """

    path: str
    names: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    variant: str = ""
    mended: str = ""
    fault: str = ""

    @property
    def shape(self) -> str:
        """The path without the names of its parameters: what an HTTP server sees of it."""
        return _NAMED.sub("{}", self.path)


def template(text: str) -> Template:
    """How a key of `paths` is read."""
    rest, _, fragment = text.partition("#")
    path, _, query = rest.partition("?")
    reasons = []
    if not path.startswith("/"):
        path = f"/{path}"
        reasons.append("it begins with a slash")
    if query:
        reasons.append("its query becomes fixed parameters")
    if fragment:
        reasons.append("a fragment is never sent")
    return Template(
        path,
        tuple(dict.fromkeys(_NAMED.findall(path))),
        tuple(parse_qsl(query, keep_blank_values=True)),
        text[len(rest.partition("?")[0]) :],
        ", ".join(reasons),
        _fault(path, query),
    )


def fixed_parameters(found: Template, node: Node) -> tuple[Parameter, ...]:
    """The query written into a path, as parameters with a single value."""
    return tuple(
        Parameter(
            name, Place.QUERY, Schema({"type": "string", "const": value}, node.at), True, node.at
        )
        for name, value in found.fixed
    )


def _fault(path: str, query: str) -> str:
    """Why a path cannot be requested, or `""`."""
    rest = _NAMED.sub("", path)
    if "{" in rest or "}" in rest:
        return "its braces do not come in pairs"
    if "" in _NAMED.findall(path):
        return "a pair of braces is empty"
    if _CONTROL.search(rest):
        return "it has white space or control characters in it"
    if "\\" in rest or "//" in path or any(part in (".", "..") for part in path.split("/")):
        return "it has a segment that servers understand differently (empty, `.`, `..` or `\\`)"
    if "{" in query or "}" in query:
        return "its query names parameters; declare them with `in: query`"
    return ""
