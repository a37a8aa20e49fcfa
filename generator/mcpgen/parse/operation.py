"""One Operation Object; https://spec.openapis.org/oas/v3.1.1.html#operation-object."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import (
    ApiSecurityScheme,
    ApiServer,
    MediaType,
    Operation,
    Parameter,
    Place,
    RequestBody,
    Response,
    Schema,
    Security,
    Style,
)
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import media_types
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.parameters import parse_parameters
from mcpgen.parse.paths import PathQueryParameter, RequestPath, fixed_parameters
from mcpgen.parse.scalars import mapping, read_flag_key, read_text_key, read_texts_key
from mcpgen.parse.security import security
from mcpgen.parse.servers import servers
from mcpgen.parse.x_mcp import extension


@dataclass(frozen=True, slots=True)
class OperationDefaults:
    """What an operation takes from the document and its path item where it says nothing itself."""

    template: RequestPath
    path_item: Node
    servers: tuple[ApiServer, ...]
    security: Security
    schemes: Mapping[str, ApiSecurityScheme]
    declared: frozenset[str]


@dataclass(frozen=True, slots=True)
class DialectParts:
    """What the generations of the language write differently; path ones among the parameters are
    not yet set right against the path."""

    parameters: tuple[Parameter, ...]
    body: RequestBody | None
    responses: tuple[Response, ...]
    servers: tuple[ApiServer, ...]


def parse_operation(
    scope: ParseContext, method: str, node: Node, around: OperationDefaults
) -> Operation:
    """The operation that stands at `node`; it counts only if the scope has no faults after it."""
    parts = DialectParts(
        parameters=parse_parameters(scope, node, around.path_item),
        body=_body(scope, node.child("requestBody")),
        responses=responses(scope, node, _representations),
        servers=servers(scope, node) or around.servers,
    )
    return build_operation(scope, method, node, around, parts)


def _representations(scope: ParseContext, response: Node) -> tuple[MediaType, ...]:
    """Those of an answer, which many operations may give."""
    return scope.once("response", response, lambda: media_types(scope, response))


def build_operation(
    scope: ParseContext, method: str, node: Node, around: OperationDefaults, parts: DialectParts
) -> Operation:
    """An operation out of its parts and of what every generation of the language says alike."""
    own_security = security(scope, node, around.schemes, around.declared)
    return Operation(
        id=read_text_key(scope, node, "operationId"),
        method=method,
        path=around.template.path,
        parameters=(
            *reconcile_path_parameters(scope, parts.parameters, node, around.template),
            *fixed_parameters(around.template, node),
        ),
        body=parts.body,
        responses=parts.responses,
        security=around.security if own_security is None else own_security,
        servers=parts.servers,
        at=node.at,
        summary=read_text_key(scope, node, "summary"),
        description=read_text_key(scope, node, "description"),
        tags=read_texts_key(scope, node, "tags"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        extension=extension(scope, node),
        variant=around.template.variant,
    )


def reconcile_path_parameters(
    scope: ParseContext, declared: tuple[Parameter, ...], node: Node, template: RequestPath
) -> tuple[Parameter, ...]:
    """The parameters whose path ones are exactly those the path has braces for; those it has in its
    query are query ones."""
    named = {each.name for each in declared if each.place is Place.PATH}
    missing = [name for name in template.names if name not in named]
    asked = {each.parameter for each in template.asked}
    queries = {each.name for each in declared if each.place is Place.QUERY}
    undeclared = [each for each in template.asked if each.name not in queries]
    renamed = {(Place.QUERY, each.parameter) for each in undeclared}
    renamed -= {(Place.QUERY, each.name) for each in template.asked}
    kept = list(_queried(scope, declared, undeclared, node))
    for parameter in declared:
        place, name = parameter.place, parameter.name
        is_sent = name in template.names if place is Place.PATH else (place, name) not in renamed
        if is_sent:
            kept.append(parameter)
        elif place is Place.PATH and name not in asked:
            scope.diagnostics.add(
                codes.UNUSED_PATH_PARAMETER,
                parameter.at,
                name=format_value(name),
                operation=scope.operation,
                nearest=closest_match(name, missing),
            )
    for name in missing:
        _tell_undeclared(scope, name, Place.PATH, node)
        kept.append(_text(name, Place.PATH, node))
    return tuple(kept)


def _queried(
    scope: ParseContext,
    declared: tuple[Parameter, ...],
    asked: Sequence[PathQueryParameter],
    node: Node,
) -> Iterator[Parameter]:
    """The parameters that the query of a path asks for and that are not declared as query ones."""
    known = {each.name: each for each in declared if each.place in (Place.PATH, Place.QUERY)}
    for each in asked:
        found = known.get(each.parameter)
        if found is None and each.required:
            _tell_undeclared(scope, each.name, Place.QUERY, node)
        if found is None or found.place is Place.PATH:
            found = replace(found or _text(each.name, Place.PATH, node), style=Style.FORM)
            found = replace(found, required=each.required)
        yield replace(found, name=each.name, place=Place.QUERY)


def _tell_undeclared(scope: ParseContext, name: str, place: Place, node: Node) -> None:
    operation = scope.operation
    code = codes.UNDECLARED_PATH_PARAMETER
    scope.tell(code, node, name=format_value(name), place=place, operation=operation)


def _text(name: str, place: Place, node: Node) -> Parameter:
    """A parameter of which only the name is known."""
    schema = Schema({"type": "string"}, node.at)
    return Parameter(name, place, schema, True, node.at, style=Style.SIMPLE, explode=False)


def _body(scope: ParseContext, node: Node) -> RequestBody | None:
    """The request body, or None where the operation has none."""
    if node.value is None:
        return None
    described = scope.follow(node)
    if described is None:
        return None
    if not isinstance(described.value, dict):
        scope.malformed(described, "`requestBody`", "a mapping")
        return None
    media = media_types(scope, described)
    if not media:
        scope.tell(codes.EMPTY_BODY, node, operation=scope.operation)
        return None
    required = read_flag_key(scope, described, "required")
    return RequestBody(required, media, node.at, read_text_key(scope, described, "description"))


_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)|default")


def responses(
    scope: ParseContext, node: Node, media: Callable[[ParseContext, Node], tuple[MediaType, ...]]
) -> tuple[Response, ...]:
    """The answers by status, in document order; `media` reads the representations of one.

    A fault in a response is a warning: the request does not depend on the response.
    """
    scope = scope.for_responses()
    listed = mapping(scope, node, "responses")
    found = []
    for status, each in listed.members() if listed is not None else ():
        if status.startswith("x-"):
            continue
        written = status if status == "default" else status.upper()
        if not _STATUS.fullmatch(written):
            scope.tell(
                codes.NO_STATUS, each, status=format_value(status), operation=scope.operation
            )
            continue
        described = scope.follow(each)
        if described is None:
            continue
        if not isinstance(described.value, dict):
            scope.ignored(described, f"responses/{status}", "a mapping")
            continue
        found.append(
            Response(
                written,
                read_text_key(scope, described, "description")
                or read_text_key(scope, described, "summary"),
                media(scope, described),
                each.at,
            )
        )
        _follow_unused(scope, described)
    return tuple(found)


def _follow_unused(scope: ParseContext, response: Node) -> None:
    """Tells references that lead nowhere in parts of a response that no tool needs."""
    for key in ("headers", "links"):
        unused = mapping(scope, response, key)
        for _, each in unused.members() if unused is not None else ():
            if each.has("$ref"):
                scope.follow(each, needed=False)
