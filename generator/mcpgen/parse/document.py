"""The walk through a document: paths, path items, operations."""

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
from mcpgen.parse.member_location import MemberLocations
from mcpgen.parse.node import Node, format_value, value_kind
from mcpgen.parse.operation import OperationDefaults, parse_operation
from mcpgen.parse.paths import PathItem, path_items
from mcpgen.parse.reachability import OperationCandidate, drop_unusable, faults_of_responses
from mcpgen.parse.references import References
from mcpgen.parse.scalars import mapping, read_text_key
from mcpgen.parse.schemas import SchemaRegistry
from mcpgen.parse.security import (
    SchemeReader,
    lift_authorization_headers,
    parse_scheme,
    security,
    security_schemes,
)
from mcpgen.parse.servers import servers
from mcpgen.parse.x_mcp import announced_prompts


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a document says what each generation of the language says in its own way.

    `servers` are the document's; `local_servers` reads those of a path item. `schemes` is the
    mapping of security schemes, a node that holds None where there is none; `parse_scheme` reads one of
    them. `parse_operation` reads an operation.
    """

    servers: tuple[ApiServer, ...]
    local_servers: Callable[[ParseContext, Node], tuple[ApiServer, ...]]
    schemes: Node
    scheme: SchemeReader
    operation: Callable[[ParseContext, str, Node, OperationDefaults], Operation]


def parse_openapi(
    source: Source, rules: DialectRules, diagnostics: Diagnostics
) -> ApiDescription | None:
    """The API that an OpenAPI 3 document describes; None, with an error told, if there is none."""
    scope, root = open_document(source, rules, diagnostics)
    schemes = _declared_schemes(scope, root)
    return parse_document(
        scope, root, Grammar(servers(scope, root), servers, schemes, parse_scheme, parse_operation)
    )


def open_document(
    source: Source, rules: DialectRules, diagnostics: Diagnostics
) -> tuple[ParseContext, Node]:
    """What a document is read with, and its root."""
    refused = frozenset(f.at.file for f in diagnostics if f.code in codes.REFUSED_REFERENCES)
    references = References(source, refused)
    members = MemberLocations(references)
    for document in source.documents.values():
        diagnostics.follow(document.name, members.find)
    schemas = SchemaRegistry(source, rules, references, diagnostics)
    scope = ParseContext(rules, references, schemas, diagnostics, DOCUMENT)
    return scope, Node(source.root.tree, source.root, ())


def parse_document(scope: ParseContext, root: Node, grammar: Grammar) -> ApiDescription | None:
    """The API that a document describes; None, with an error told, if there is none."""
    paths = _paths(scope, root)
    if paths is None:
        return None
    info = scope.follow(root.child("info")) or root.child("info")
    schemes = security_schemes(scope, grammar.schemes, grammar.servers, grammar.scheme)
    ids = frozenset(id_ for id_, _ in grammar.schemes.members())
    document_security = security(scope, root, schemes, ids) or ()
    candidates: list[OperationCandidate] = []
    for item in path_items(scope, paths):
        around = OperationDefaults(
            template=item.template,
            path_item=item.layer("parameters"),
            servers=grammar.local_servers(item.scope, item.layer("servers")) or grammar.servers,
            security=document_security,
            schemes=schemes,
            declared=ids,
        )
        candidates.extend(_candidates(item, around, grammar))
    _tell_inbound(scope, root, paths)
    if not candidates:
        scope.tell(codes.NOTHING_TO_BUILD, paths, what="no operations under `paths`")
        return None
    definitions = scope.schemas.finish()
    read, missing, names = drop_unusable(candidates, definitions)
    scope.diagnostics.soften(codes.PER_OPERATION, faults_of_responses(candidates, definitions))
    operations, all_schemes = lift_authorization_headers(read, schemes, ids, scope.diagnostics)
    report_duplicate_ids(operations, scope.diagnostics)
    return ApiDescription(
        title=read_text_key(scope, info, "title"),
        version=read_text_key(scope, info, "version"),
        description=read_text_key(scope, info, "description"),
        dialect=scope.rules.dialect,
        servers=grammar.servers,
        operations=operations,
        definitions={name: definitions[name].schema for name in names},
        security_schemes=all_schemes,
        at=root.at,
        missing=missing,
        tags=tags(scope, root),
        prompts=announced_prompts(scope, root),
    )


def _paths(scope: ParseContext, root: Node) -> Node | None:
    """The mapping of paths; None, with an error told, if there is none."""
    written = root.child("paths")
    if written.value is None or written.value == {}:
        what = "no `paths`" if written.value is None else "no operations under `paths`"
        at = root if written.value is None else written
        scope.tell(codes.NOTHING_TO_BUILD, at, what=what)
        return None
    paths = scope.follow(written)
    if paths is None:
        # The reference is told as an error that concerns operations; here it concerns them all.
        scope.tell(codes.NOTHING_TO_BUILD, written, what="no `paths` that can be read")
        return None
    if isinstance(paths.value, dict):
        return paths
    scope.tell(
        codes.MALFORMED_DOCUMENT,
        paths,
        what="paths",
        expected="a mapping",
        actual=value_kind(paths.value),
    )
    return None


def _declared_schemes(scope: ParseContext, root: Node) -> Node:
    """The mapping of security schemes; a node that holds None where there is none."""
    components = mapping(scope, root, "components") or root.child("components")
    components = scope.follow(components) or components
    declared = mapping(scope, components, "securitySchemes")
    return (scope.follow(declared) if declared is not None else None) or Node(
        None, root.document, ()
    )


def _candidates(
    item: PathItem, around: OperationDefaults, grammar: Grammar
) -> Iterator[OperationCandidate]:
    """The operations of one path item, in document order, whether they can be built or not."""
    if item.scope.faults:
        yield OperationCandidate(item.template.path, item.node.at, item.scope, None)
        return
    for method, written in item.operations():
        name = f"{method} {item.template.path}{item.template.variant}"
        scope = item.scope.within(name)
        node = scope.follow(written)
        if node is None:
            yield OperationCandidate(name, written.at, scope, None)
        elif not isinstance(node.value, dict):
            scope.malformed(node, "the operation", "a mapping")
            yield OperationCandidate(name, written.at, scope, None)
        else:
            found = grammar.operation(scope, method, node, around)
            yield OperationCandidate(name, node.at, scope, found)


def _tell_inbound(scope: ParseContext, root: Node, paths: Node) -> None:
    """Notes the requests that the API itself makes."""
    webhooks = mapping(scope, root, "webhooks")
    counts = {
        "webhook": len(webhooks.value) if webhooks is not None else 0,
        "callback": sum(
            len(operation.get("callbacks") or ())
            for _, item in paths.members()
            for _, operation in item.members()
            if isinstance(operation.get("callbacks"), dict)
        ),
    }
    told = [f"{count} {word}{'s' * (count > 1)}" for word, count in counts.items() if count]
    if told:
        scope.tell(codes.NOT_A_REQUEST, root, what=" and ".join(told))


def report_duplicate_ids(operations: Iterable[Operation], diagnostics: Diagnostics) -> None:
    """Warns of each operation whose id an earlier one has, with the file of that one if it is another."""
    first: dict[str, Operation] = {}
    for operation in operations:
        other = first.setdefault(operation.id, operation)
        if operation.id and other is not operation:
            diagnostics.add(
                codes.DUPLICATE_OPERATION_ID,
                operation.at / "operationId",
                id=format_value(operation.id),
                operation=operation.key,
                other=other.key,
                place=f" in `{other.at.file}`" if other.at.file != operation.at.file else "",
            )


def tags(scope: ParseContext, root: Node) -> tuple[Tag, ...]:
    """The tags a document declares, in its order. A parent counts if it is declared too, and if no
    tag is its own ancestor by it."""
    listed = root.child("tags")
    if listed.value is not None and not isinstance(listed.value, list):
        scope.ignored(listed, "tags", "a list")
    found: dict[str, Tag] = {}
    nodes = [each for each in listed.elements() if isinstance(each.get("name"), str)]
    declared = {str(each.get("name")): each for each in nodes}
    for name, node in declared.items():
        found[name] = Tag(
            name,
            node.at,
            summary=read_text_key(scope, node, "summary"),
            description=read_text_key(scope, node, "description"),
            kind=read_text_key(scope, node, "kind"),
            parent=_parent(scope, name, declared),
        )
    return tuple(found.values())


def _parent(scope: ParseContext, name: str, declared: dict[str, Node]) -> str:
    """The name of a tag's parent, or `""`."""
    node = declared[name]
    parent = read_text_key(scope, node, "parent")
    if parent and parent not in declared:
        hint = closest_match(parent, declared).removesuffix("?")
        expected = f"the name of a tag that is declared{f' ({hint}?)' if hint else ''}"
        scope.ignored(node.child("parent"), "parent", expected)
        return ""
    above, seen = parent, {name}
    while above:
        if above in seen:
            scope.ignored(node.child("parent"), "parent", "a tag that is not below this one")
            return ""
        seen.add(above)
        next_one = declared[above].get("parent") if above in declared else ""
        above = next_one if isinstance(next_one, str) else ""
    return parent
