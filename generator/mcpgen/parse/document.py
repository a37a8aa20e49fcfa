"""Parses documents: paths, path items, operations, tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, ApiServer, Operation, Tag
from mcpgen.ir.source import Source
from mcpgen.parse.context import DOCUMENT, ParseContext
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Node, format_value, value_kind
from mcpgen.parse.operation import OperationDefaults, parse_operation
from mcpgen.parse.paths import PathItem, parse_path_items
from mcpgen.parse.reachability import OperationCandidate, drop_unusable, find_response_faults
from mcpgen.parse.references import MemberLocations, References
from mcpgen.parse.scalars import read_mapping_key, read_text_key
from mcpgen.parse.schemas import SchemaRegistry
from mcpgen.parse.security import (
    SchemeReader,
    lift_authorization_headers,
    parse_scheme,
    parse_security,
    parse_security_schemes,
)
from mcpgen.parse.servers import parse_servers
from mcpgen.parse.x_mcp import parse_prompts


@dataclass(frozen=True, slots=True)
class Grammar:
    """Parts of a document that Swagger 2.0 and OpenAPI 3 write differently.

    `servers`: servers of the document. `local_servers`: parses the servers of a path item.
    `schemes`: node of the security schemes, with value None if absent. `scheme`: parses a security
    scheme. `operation`: parses an operation.
    """

    servers: tuple[ApiServer, ...]
    local_servers: Callable[[ParseContext, Node], tuple[ApiServer, ...]]
    schemes: Node
    scheme: SchemeReader
    operation: Callable[[ParseContext, str, Node, OperationDefaults], Operation]


def parse_openapi(
    source: Source, rules: DialectRules, diagnostics: Diagnostics
) -> ApiDescription | None:
    """Parses an OpenAPI 3 document; None after an error if there is no API."""
    context, root = open_document(source, rules, diagnostics)
    schemes = _declared_schemes(context, root)
    return parse_document(
        context,
        root,
        Grammar(
            parse_servers(context, root), parse_servers, schemes, parse_scheme, parse_operation
        ),
    )


def open_document(
    source: Source, rules: DialectRules, diagnostics: Diagnostics
) -> tuple[ParseContext, Node]:
    """Context for a document, and the root node."""
    refused = frozenset(f.at.file for f in diagnostics if f.code in codes.REFUSED_REFERENCES)
    references = References(source, refused)
    members = MemberLocations(references)
    for document in source.documents.values():
        diagnostics.set_reference_finder(document.name, members.find)
    schemas = SchemaRegistry(source, rules, references, diagnostics)
    context = ParseContext(rules, references, schemas, diagnostics, DOCUMENT)
    return context, Node(source.root.tree, source.root, ())


def parse_document(context: ParseContext, root: Node, grammar: Grammar) -> ApiDescription | None:
    """Parses a document by a grammar; None after an error if there is no API. Adds
    NOTHING_TO_BUILD."""
    paths = _paths_node(context, root)
    if paths is None:
        return None
    info = context.follow(root.child("info")) or root.child("info")
    schemes = parse_security_schemes(context, grammar.schemes, grammar.servers, grammar.scheme)
    ids = frozenset(id_ for id_, _ in grammar.schemes.members())
    document_security = parse_security(context, root, schemes, ids) or ()
    candidates: list[OperationCandidate] = []
    for item in parse_path_items(context, paths):
        defaults = OperationDefaults(
            template=item.template,
            path_item=item.layer("parameters"),
            servers=grammar.local_servers(item.context, item.layer("servers")) or grammar.servers,
            security=document_security,
            schemes=schemes,
            declared=ids,
        )
        candidates.extend(_candidates(item, defaults, grammar))
    _report_inbound_requests(context, root, paths)
    if not candidates:
        context.report(codes.NOTHING_TO_BUILD, paths, what="no operations under `paths`")
        return None
    definitions = context.schemas.finish()
    built, missing, names = drop_unusable(candidates, definitions)
    context.diagnostics.soften(codes.PER_OPERATION, find_response_faults(candidates, definitions))
    operations, all_schemes = lift_authorization_headers(built, schemes, ids, context.diagnostics)
    report_duplicate_ids(operations, context.diagnostics)
    return ApiDescription(
        title=read_text_key(context, info, "title"),
        version=read_text_key(context, info, "version"),
        description=read_text_key(context, info, "description"),
        dialect=context.rules.dialect,
        servers=grammar.servers,
        operations=operations,
        definitions={name: definitions[name].schema for name in names},
        security_schemes=all_schemes,
        at=root.at,
        missing=missing,
        tags=parse_tags(context, root),
        prompts=parse_prompts(context, root),
        servers_at=next((server.at for server in root.child("servers").elements()), None),
    )


def _paths_node(context: ParseContext, root: Node) -> Node | None:
    """Mapping of paths; None after an error."""
    node = root.child("paths")
    if node.value is None or node.value == {}:
        what = "no `paths`" if node.value is None else "no operations under `paths`"
        at = root if node.value is None else node
        context.report(codes.NOTHING_TO_BUILD, at, what=what)
        return None
    paths = context.follow(node)
    if paths is None:
        # A broken reference is a fault of one operation; here no operation is left.
        context.report(codes.NOTHING_TO_BUILD, node, what="no `paths` that can be read")
        return None
    if isinstance(paths.value, dict):
        return paths
    context.report(
        codes.MALFORMED_DOCUMENT,
        paths,
        what="paths",
        expected="a mapping",
        actual=value_kind(paths.value),
    )
    return None


def _declared_schemes(context: ParseContext, root: Node) -> Node:
    """Mapping of security schemes; a node with value None if absent."""
    components = read_mapping_key(context, root, "components") or root.child("components")
    components = context.follow(components) or components
    schemes = read_mapping_key(context, components, "securitySchemes")
    return (context.follow(schemes) if schemes is not None else None) or Node(
        None, root.document, ()
    )


def _candidates(
    item: PathItem, defaults: OperationDefaults, grammar: Grammar
) -> Iterator[OperationCandidate]:
    """Yields the operations of a path item in document order, valid or not."""
    if item.context.fault_reasons:
        yield OperationCandidate(item.template.path, item.node.at, item.context, None)
        return
    for method, reference_or_operation in item.operations():
        name = f"{method} {item.template.path}{item.template.variant}"
        context = item.context.for_operation(name)
        node = context.follow(reference_or_operation)
        if node is None:
            yield OperationCandidate(name, reference_or_operation.at, context, None)
        elif not isinstance(node.value, dict):
            context.fail_malformed(node, "the operation", "a mapping")
            yield OperationCandidate(name, reference_or_operation.at, context, None)
        else:
            operation = grammar.operation(context, method, node, defaults)
            yield OperationCandidate(name, node.at, context, operation)


def _report_inbound_requests(context: ParseContext, root: Node, paths: Node) -> None:
    """Notes webhooks and callbacks: requests that the API sends. Adds NOT_A_REQUEST."""
    webhooks = read_mapping_key(context, root, "webhooks")
    counts = {
        "webhook": len(webhooks.value) if webhooks is not None else 0,
        "callback": sum(
            len(operation.get("callbacks") or ())
            for _, item in paths.members()
            for _, operation in item.members()
            if isinstance(operation.get("callbacks"), dict)
        ),
    }
    phrases = [f"{count} {word}{'s' * (count > 1)}" for word, count in counts.items() if count]
    if phrases:
        context.report(codes.NOT_A_REQUEST, root, what=" and ".join(phrases))


def report_duplicate_ids(operations: Iterable[Operation], diagnostics: Diagnostics) -> None:
    """Reports operations with the same `operationId`, each at its own location."""
    first: dict[str, Operation] = {}
    for operation in operations:
        duplicate = first.setdefault(operation.id, operation)
        if operation.id and duplicate is not operation:
            diagnostics.add(
                codes.DUPLICATE_OPERATION_ID,
                operation.at / "operationId",
                id=format_value(operation.id),
                operation=operation.key,
                other=duplicate.key,
                place=(
                    f" in `{duplicate.at.file}`" if duplicate.at.file != operation.at.file else ""
                ),
            )


def parse_tags(context: ParseContext, root: Node) -> tuple[Tag, ...]:
    """Tags of the document in order. A parent must be declared, and must not be a descendant.

    https://spec.openapis.org/oas/v3.2.0.html#tag-object
    """
    tag_list = root.child("tags")
    if tag_list.value is not None and not isinstance(tag_list.value, list):
        context.report_ignored(tag_list, "tags", "a list")
    tags_by_name: dict[str, Tag] = {}
    nodes = [node for node in tag_list.elements() if isinstance(node.get("name"), str)]
    nodes_by_name = {str(node.get("name")): node for node in nodes}
    for name, node in nodes_by_name.items():
        tags_by_name[name] = Tag(
            name,
            node.at,
            summary=read_text_key(context, node, "summary"),
            description=read_text_key(context, node, "description"),
            kind=read_text_key(context, node, "kind"),
            parent=_parent_tag(context, name, nodes_by_name),
        )
    return tuple(tags_by_name.values())


def _parent_tag(context: ParseContext, name: str, nodes_by_name: dict[str, Node]) -> str:
    """Name of a tag's parent, or `""`."""
    node = nodes_by_name[name]
    parent = read_text_key(context, node, "parent")
    if parent and parent not in nodes_by_name:
        hint = closest_match(parent, nodes_by_name).removesuffix("?")
        expected = f"the name of a declared tag{f' ({hint}?)' if hint else ''}"
        context.report_ignored(node.child("parent"), "parent", expected)
        return ""
    above, visited = parent, {name}
    while above:
        if above in visited:
            expected = "another tag that is not below this tag"
            context.report_ignored(node.child("parent"), "parent", expected)
            return ""
        visited.add(above)
        next_one = nodes_by_name[above].get("parent") if above in nodes_by_name else ""
        above = next_one if isinstance(next_one, str) else ""
    return parent
