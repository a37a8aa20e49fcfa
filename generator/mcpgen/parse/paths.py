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
    queries: tuple[PathQueryParameter, ...] = ()
    variant: str = ""
    repairs: str = ""
    fault: str = ""

    @property
    def shape(self) -> str:
        """The path without the names of its parameters: what an HTTP server sees of it."""
        return _NAMED.sub("{}", self.path)


def parse_path_key(text: str) -> RequestPath:
    """How a key of `paths` is read."""
    before_fragment, _, fragment = text.partition("#")
    before_query, _, query = _EXPANDED.sub("", before_fragment).partition("?")
    path = before_query if before_query.startswith("/") else f"/{before_query}"
    pairs = parse_qsl(query, keep_blank_values=True)
    fixed = tuple((name, value) for name, value in pairs if not _WHOLE.fullmatch(value))
    queries = _path_queries(before_fragment, pairs)
    repairs = {
        "it begins with a slash": path != before_query,
        "its query becomes fixed parameters": fixed,
        "what its query leaves open becomes query parameters": queries,
        "a fragment is never sent": fragment,
    }
    return RequestPath(
        path,
        tuple(dict.fromkeys(_NAMED.findall(path))),
        fixed,
        queries,
        text[len(before_query) :],
        ", ".join(reason for reason, holds in repairs.items() if holds),
        _fault(path, fixed, queries),
    )


def _path_queries(text: str, pairs: Iterable[tuple[str, str]]) -> tuple[PathQueryParameter, ...]:
    """The query parameters whose values a path leaves open: `?a={b}` and `{?a,b}`."""
    queries = [
        PathQueryParameter(name, open_[1])
        for name, value in pairs
        if (open_ := _WHOLE.fullmatch(value))
    ]
    expression = _EXPANDED.search(text)
    expression_names = expression[1].split(",") if expression else ()
    names = dict.fromkeys(_MODIFIER.sub("", name) for name in expression_names)
    return (*queries, *(PathQueryParameter(name, name, required=False) for name in names))


def fixed_parameters(template: RequestPath, node: Node) -> tuple[Parameter, ...]:
    """The query written into a path, as parameters with a single value."""
    return tuple(
        Parameter(
            name, Place.QUERY, Schema({"type": "string", "const": value}, node.at), True, node.at
        )
        for name, value in template.fixed
    )


def _fault(
    path: str, fixed: Iterable[tuple[str, str]], queries: Iterable[PathQueryParameter]
) -> str:
    """Why a path cannot be requested, or `""`."""
    literal_text = _NAMED.sub("", path)
    if "{" in literal_text or "}" in literal_text:
        return "its braces do not come in pairs"
    if "" in _NAMED.findall(path):
        return "a pair of braces is empty"
    if _CONTROL.search(literal_text):
        return "it has white space or control characters in it"
    if "\\" in literal_text or "//" in path or any(part in (".", "..") for part in path.split("/")):
        return "it has a segment that servers understand differently (empty, `.`, `..` or `\\`)"
    if not all(query_parameter.name for query_parameter in queries):
        return "a parameter of its query has no name"
    query = "".join(
        [
            *(name + value for name, value in fixed),
            *(query_parameter.name for query_parameter in queries),
        ]
    )
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
    context: ParseContext

    def layer(self, key: str) -> Node:
        """The uppermost of the layers that has a key; the item itself if none has."""
        return next((layer for layer in self.layers if layer.has(key)), self.node)

    def operations(self) -> Iterator[tuple[str, Node]]:
        """The methods with their operations, in document order; those that have a field of their own
        are in capitals."""
        operations: dict[str, Node] = {}
        for layer in reversed(self.layers):
            operations |= {
                key.upper(): operation
                for key, operation in layer.members()
                if key in self.context.rules.methods
            }
            if self.context.rules.additional_operations:
                operations |= self._additional(layer)
        yield from operations.items()

    def _additional(self, layer: Node) -> dict[str, Node]:
        """The operations of methods that have no field of their own."""
        additional = mapping(self.context, layer, "additionalOperations")
        operations = {}
        for method, operation in additional.members() if additional is not None else ():
            if method.lower() in self.context.rules.methods or not _METHOD.fullmatch(method):
                method_node = Node(method, operation.document, operation.path)
                expected = "a method of letters, digits and hyphens that has no field of its own"
                self.context.ignored(method_node, "additionalOperations", expected)
            else:
                operations[method] = operation
        return operations


def path_items(context: ParseContext, paths: Node) -> Iterator[PathItem]:
    """The path items in document order, extensions aside; each with its template set right."""
    texts_by_identity: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for text, node in paths.members():
        if text.startswith("x-"):
            continue
        template = parse_path_key(text)
        item_context = context.within(template.path)
        fault = template.fault
        identity = template.path + template.variant
        if not fault and identity in texts_by_identity:
            fault = f"it is the same as `{format_value(texts_by_identity[identity])}`"
        if fault:
            item_context.fail(codes.ILLEGAL_PATH, node, path=format_value(text, 200), reason=fault)
        elif template.repairs:
            repaired_path = format_value(template.path, 200)
            item_context.report(
                codes.MENDED_PATH,
                node,
                path=format_value(text, 200),
                mended=repaired_path,
                reason=template.repairs,
            )
        texts_by_identity.setdefault(identity, text)
        # A query or a fragment behind a path tells it apart; MG211 says what becomes of it.
        equivalent = text if template.variant else shapes.setdefault(template.shape, text)
        if not fault and equivalent != text:
            item_context.report(
                codes.EQUIVALENT_PATHS,
                node,
                path=format_value(text, 200),
                other=format_value(equivalent, 200),
            )
        yield PathItem(node, template, _layers(item_context, node, text), item_context)


def _layers(context: ParseContext, node: Node, text: str) -> tuple[Node, ...]:
    """The path item and, below it, what it refers to."""
    if not isinstance(node.value, dict):
        if node.value is not None:
            context.malformed(node, "the path item", "a mapping")
        return (node,)
    if not node.has("$ref"):
        return (node,)
    target = context.follow(node)
    if target is None:
        return (node,)
    if not isinstance(target.value, dict):
        context.malformed(target, "the path item", "a mapping")
    return (node, target)
