"""The templates of `paths`: what they may look like, and the parameters they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import mapping

_NAMED = re.compile(r"\{([^{}]*)\}")
_EXPANDED = re.compile(r"\{[?&]([^{}]*)\}$")
_MODIFIER = re.compile(r"\*|:[0-9]+$")
_WHOLE = re.compile(r"\{([^{}]+)\}")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class PathQueryParameter:
    """A query parameter written behind a path: its name in the request, and that of the parameter
    whose value it takes. Those of an expression (`{?a,b}`) may be left out."""

    name: str
    parameter: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class RequestPath:
    """A path as it is requested: `path` begins with a slash and has neither query nor fragment.

    `names` are the parameters in it, in order, each once. `fixed` are the query parameters written
    behind it, with their values, and `asked` those whose values are left open; `variant` is all that
    is written behind it. `mended` says what was done to the text, `fault` why it cannot be used; each
    may be `""`.
    """

    path: str
    names: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    asked: tuple[PathQueryParameter, ...] = ()
    variant: str = ""
    mended: str = ""
    fault: str = ""

    @property
    def shape(self) -> str:
        """The path without the names of its parameters: what an HTTP server sees of it."""
        return _NAMED.sub("{}", self.path)


def parse_path_key(text: str) -> RequestPath:
    """How a key of `paths` is read."""
    rest, _, fragment = text.partition("#")
    written, _, query = _EXPANDED.sub("", rest).partition("?")
    path = written if written.startswith("/") else f"/{written}"
    pairs = parse_qsl(query, keep_blank_values=True)
    fixed = tuple((name, value) for name, value in pairs if not _WHOLE.fullmatch(value))
    asked = _asked(rest, pairs)
    told = {
        "it begins with a slash": path != written,
        "its query becomes fixed parameters": fixed,
        "what its query leaves open becomes query parameters": asked,
        "a fragment is never sent": fragment,
    }
    return RequestPath(
        path,
        tuple(dict.fromkeys(_NAMED.findall(path))),
        fixed,
        asked,
        text[len(written) :],
        ", ".join(reason for reason, holds in told.items() if holds),
        _fault(path, fixed, asked),
    )


def _asked(text: str, pairs: Iterable[tuple[str, str]]) -> tuple[PathQueryParameter, ...]:
    """The query parameters whose values a path leaves open: `?a={b}` and `{?a,b}`."""
    found = [
        PathQueryParameter(name, open_[1])
        for name, value in pairs
        if (open_ := _WHOLE.fullmatch(value))
    ]
    expression = _EXPANDED.search(text)
    written = expression[1].split(",") if expression else ()
    names = dict.fromkeys(_MODIFIER.sub("", name) for name in written)
    return (*found, *(PathQueryParameter(name, name, required=False) for name in names))


def fixed_parameters(found: RequestPath, node: Node) -> tuple[Parameter, ...]:
    """The query written into a path, as parameters with a single value."""
    return tuple(
        Parameter(
            name, Place.QUERY, Schema({"type": "string", "const": value}, node.at), True, node.at
        )
        for name, value in found.fixed
    )


def _fault(path: str, fixed: Iterable[tuple[str, str]], asked: Iterable[PathQueryParameter]) -> str:
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
    if not all(each.name for each in asked):
        return "a parameter of its query has no name"
    query = "".join([*(name + value for name, value in fixed), *(each.name for each in asked)])
    if "{" in query or "}" in query:
        return "its query names parameters; declare them with `in: query`"
    return ""


_METHOD = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,30}")


@dataclass(frozen=True, slots=True)
class PathItem:
    """One path with what it holds: the item itself and, below it, the one it refers to.

    `scope` has faults if nothing of it can be built.
    """

    node: Node
    template: RequestPath
    layers: tuple[Node, ...]
    scope: ParseContext

    def layer(self, key: str) -> Node:
        """The uppermost of the layers that has a key; the item itself if none has."""
        return next((each for each in self.layers if each.has(key)), self.node)

    def operations(self) -> Iterator[tuple[str, Node]]:
        """The methods with their operations, in document order; those that have a field of their own
        are in capitals."""
        found: dict[str, Node] = {}
        for layer in reversed(self.layers):
            found |= {
                key.upper(): each
                for key, each in layer.members()
                if key in self.scope.rules.methods
            }
            if self.scope.rules.additional_operations:
                found |= self._additional(layer)
        yield from found.items()

    def _additional(self, layer: Node) -> dict[str, Node]:
        """The operations of methods that have no field of their own."""
        listed = mapping(self.scope, layer, "additionalOperations")
        found = {}
        for method, each in listed.members() if listed is not None else ():
            if method.lower() in self.scope.rules.methods or not _METHOD.fullmatch(method):
                written = Node(method, each.document, each.path)
                expected = "a method of letters, digits and hyphens that has no field of its own"
                self.scope.ignored(written, "additionalOperations", expected)
            else:
                found[method] = each
        return found


def path_items(scope: ParseContext, paths: Node) -> Iterator[PathItem]:
    """The path items in document order, extensions aside; each with its template set right."""
    taken: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for text, node in paths.members():
        if text.startswith("x-"):
            continue
        found = parse_path_key(text)
        own = scope.within(found.path)
        fault = found.fault
        identity = found.path + found.variant
        if not fault and identity in taken:
            fault = f"it is the same as `{format_value(taken[identity])}`"
        if fault:
            own.fail(codes.ILLEGAL_PATH, node, path=format_value(text, 200), reason=fault)
        elif found.mended:
            mended = format_value(found.path, 200)
            own.tell(
                codes.MENDED_PATH,
                node,
                path=format_value(text, 200),
                mended=mended,
                reason=found.mended,
            )
        taken.setdefault(identity, text)
        # A query or a fragment behind a path tells it apart; MG211 says what becomes of it.
        other = text if found.variant else shapes.setdefault(found.shape, text)
        if not fault and other != text:
            own.tell(
                codes.EQUIVALENT_PATHS,
                node,
                path=format_value(text, 200),
                other=format_value(other, 200),
            )
        yield PathItem(node, found, _layers(own, node, text), own)


def _layers(scope: ParseContext, node: Node, text: str) -> tuple[Node, ...]:
    """The path item and, below it, what it refers to."""
    if not isinstance(node.value, dict):
        if node.value is not None:
            scope.malformed(node, "the path item", "a mapping")
        return (node,)
    if not node.has("$ref"):
        return (node,)
    target = scope.follow(node)
    if target is None:
        return (node,)
    if not isinstance(target.value, dict):
        scope.malformed(target, "the path item", "a mapping")
    return (node, target)
