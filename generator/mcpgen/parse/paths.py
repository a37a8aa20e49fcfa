"""Parses the keys of `paths`, and Path Item Objects.

https://spec.openapis.org/oas/v3.1.1.html#path-item-object
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_mapping_key

_NAMED = re.compile(r"\{([^{}]*)\}")
_EXPANDED = re.compile(r"\{[?&]([^{}]*)\}$")
_MODIFIER = re.compile(r"\*|:[0-9]+$")
_WHOLE = re.compile(r"\{([^{}]+)\}")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class PathQueryParameter:
    """A query parameter in a path key: its name in the request, and the parameter that holds its
    value.

    Parameters of an expression (`{?a,b}`) are optional.
    """

    name: str
    parameter: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class RequestPath:
    """A path as sent: `path` begins with a slash, and has neither query nor fragment.

    `names`: parameters in the path, in order, each once. `fixed`: query parameters with their
    values. `queries`: query parameters without value. `variant`: the text after the path.
    `repairs`: words for the repairs, or `""`. `fault`: reason for an unusable path, or `""`.
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
        """The path with `{}` for each parameter, as HTTP servers match paths."""
        return _NAMED.sub("{}", self.path)


def parse_path_key(text: str) -> RequestPath:
    """Parses a key of `paths`. Example: `pets?kind={k}#top` gives the path `/pets` and a query
    parameter `kind`."""
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
        _path_fault(path, fixed, queries),
    )


def _path_queries(text: str, pairs: Iterable[tuple[str, str]]) -> tuple[PathQueryParameter, ...]:
    """Query parameters without value: `?a={b}` and `{?a,b}`."""
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
    """Fixed query parameters of a path in order, as parameters with a single value."""
    return tuple(
        Parameter(
            name, Place.QUERY, Schema({"type": "string", "const": value}, node.at), True, node.at
        )
        for name, value in template.fixed
    )


def _path_fault(
    path: str, fixed: Iterable[tuple[str, str]], queries: Iterable[PathQueryParameter]
) -> str:
    """Reason for an unusable path, or `""`."""
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
    """A path with its item, and the item behind a `$ref`.

    `layers`: the item, then the target of its `$ref`. `context`: has faults if the whole item is
    unusable.
    """

    node: Node
    template: RequestPath
    layers: tuple[Node, ...]
    context: ParseContext

    def layer(self, key: str) -> Node:
        """First layer with a key; the item itself if no layer has the key."""
        return next((layer for layer in self.layers if layer.has(key)), self.node)

    def operations(self) -> Iterator[tuple[str, Node]]:
        """Yields methods and operations in document order; standard methods are in upper case."""
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
        """Operations of methods without their own field (OpenAPI 3.2, `additionalOperations`)."""
        additional = read_mapping_key(self.context, layer, "additionalOperations")
        operations = {}
        for method, operation in additional.members() if additional is not None else ():
            if method.lower() in self.context.rules.methods or not _METHOD.fullmatch(method):
                method_node = Node(method, operation.document, operation.path)
                self.context.report_ignored(
                    method_node,
                    "additionalOperations",
                    "a method of letters, digits, `.`, `_` and `-` that has no field of its own",
                    what="a key of `additionalOperations`",
                    outcome="the operation is left out",
                )
            else:
                operations[method] = operation
        return operations


def parse_path_items(context: ParseContext, paths: Node) -> Iterator[PathItem]:
    """Yields path items in document order, without extensions.

    Adds ILLEGAL_PATH, MENDED_PATH and EQUIVALENT_PATHS.
    """
    texts_by_identity: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for text, node in paths.members():
        if text.startswith("x-"):
            continue
        template = parse_path_key(text)
        item_context = context.for_operation(template.path)
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
        yield PathItem(node, template, _layers(item_context, node), item_context)


def _layers(context: ParseContext, node: Node) -> tuple[Node, ...]:
    """The path item, and the target of its `$ref`."""
    if not isinstance(node.value, dict):
        if node.value is not None:
            context.fail_malformed(node, "the path item", "a mapping")
        return (node,)
    if not node.has("$ref"):
        return (node,)
    target = context.follow(node)
    if target is None:
        return (node,)
    if not isinstance(target.value, dict):
        context.fail_malformed(target, "the path item", "a mapping")
    return (node, target)
