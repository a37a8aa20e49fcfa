"""One Operation Object; https://spec.openapis.org/oas/v3.1.1.html#operation-object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.frozen import frozen
from mcpgen.ir.api import (
    ApiServer,
    Body,
    MediaType,
    Operation,
    Parameter,
    Place,
    Response,
    Schema,
    Security,
    SecurityScheme,
    Style,
)
from mcpgen.parse.extension import extension
from mcpgen.parse.media import media_types
from mcpgen.parse.near import nearest
from mcpgen.parse.node import Node, shown
from mcpgen.parse.parameters import parameters
from mcpgen.parse.paths import Asked, Template, fixed_parameters
from mcpgen.parse.responses import responses
from mcpgen.parse.scope import Scope
from mcpgen.parse.security import security
from mcpgen.parse.servers import servers
from mcpgen.parse.values import flag, text, texts


@frozen
class Surroundings:
    """What an operation takes from the document and its path item where it says nothing itself."""

    template: Template
    path_item: Node
    servers: tuple[ApiServer, ...]
    security: Security
    schemes: Mapping[str, SecurityScheme]
    declared: frozenset[str]


@frozen
class Parts:
    """What the generations of the language write differently; path ones among the parameters are
    not yet set right against the path."""

    parameters: tuple[Parameter, ...]
    body: Body | None
    responses: tuple[Response, ...]
    servers: tuple[ApiServer, ...]


def operation(scope: Scope, method: str, node: Node, around: Surroundings) -> Operation:
    """The operation that stands at `node`; it counts only if the scope has no faults after it."""
    parts = Parts(
        parameters=parameters(scope, node, around.path_item),
        body=_body(scope, node.child("requestBody")),
        responses=responses(scope, node, _representations),
        servers=servers(scope, node) or around.servers,
    )
    return assembled(scope, method, node, around, parts)


def _representations(scope: Scope, response: Node) -> tuple[MediaType, ...]:
    """Those of an answer, which many operations may give."""
    return scope.once("response", response, lambda: media_types(scope, response))


def assembled(
    scope: Scope, method: str, node: Node, around: Surroundings, parts: Parts
) -> Operation:
    """An operation out of its parts and of what every generation of the language says alike."""
    own_security = security(scope, node, around.schemes, around.declared)
    return Operation(
        id=text(scope, node, "operationId"),
        method=method,
        path=around.template.path,
        parameters=(
            *fitted(scope, parts.parameters, node, around.template),
            *fixed_parameters(around.template, node),
        ),
        body=parts.body,
        responses=parts.responses,
        security=around.security if own_security is None else own_security,
        servers=parts.servers,
        at=node.at,
        summary=text(scope, node, "summary"),
        description=text(scope, node, "description"),
        tags=texts(scope, node, "tags"),
        deprecated=flag(scope, node, "deprecated"),
        extension=extension(scope, node),
        variant=around.template.variant,
    )


def fitted(
    scope: Scope, declared: tuple[Parameter, ...], node: Node, template: Template
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
                name=shown(name),
                operation=scope.operation,
                nearest=nearest(name, missing),
            )
    for name in missing:
        _tell_undeclared(scope, name, Place.PATH, node)
        kept.append(_text(name, Place.PATH, node))
    return tuple(kept)


def _queried(
    scope: Scope, declared: tuple[Parameter, ...], asked: Sequence[Asked], node: Node
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


def _tell_undeclared(scope: Scope, name: str, place: Place, node: Node) -> None:
    operation = scope.operation
    code = codes.UNDECLARED_PATH_PARAMETER
    scope.tell(code, node, name=shown(name), place=place, operation=operation)


def _text(name: str, place: Place, node: Node) -> Parameter:
    """A parameter of which only the name is known."""
    schema = Schema({"type": "string"}, node.at)
    return Parameter(name, place, schema, True, node.at, style=Style.SIMPLE, explode=False)


def _body(scope: Scope, node: Node) -> Body | None:
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
    required = flag(scope, described, "required")
    return Body(required, media, node.at, text(scope, described, "description"))
