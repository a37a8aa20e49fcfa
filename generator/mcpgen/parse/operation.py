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
    context: ParseContext, method: str, node: Node, defaults: OperationDefaults
) -> Operation:
    """The operation that stands at `node`; it counts only if the scope has no faults after it."""
    parts = DialectParts(
        parameters=parse_parameters(context, node, defaults.path_item),
        body=_body(context, node.child("requestBody")),
        responses=responses(context, node, _representations),
        servers=servers(context, node) or defaults.servers,
    )
    return build_operation(context, method, node, defaults, parts)


def _representations(context: ParseContext, response: Node) -> tuple[MediaType, ...]:
    """Those of an answer, which many operations may give."""
    return context.once("response", response, lambda: media_types(context, response))


def build_operation(
    context: ParseContext, method: str, node: Node, defaults: OperationDefaults, parts: DialectParts
) -> Operation:
    """An operation out of its parts and of what every generation of the language says alike."""
    own_security = security(context, node, defaults.schemes, defaults.declared)
    return Operation(
        id=read_text_key(context, node, "operationId"),
        method=method,
        path=defaults.template.path,
        parameters=(
            *reconcile_path_parameters(context, parts.parameters, node, defaults.template),
            *fixed_parameters(defaults.template, node),
        ),
        body=parts.body,
        responses=parts.responses,
        security=defaults.security if own_security is None else own_security,
        servers=parts.servers,
        at=node.at,
        summary=read_text_key(context, node, "summary"),
        description=read_text_key(context, node, "description"),
        tags=read_texts_key(context, node, "tags"),
        deprecated=read_flag_key(context, node, "deprecated"),
        extension=extension(context, node),
        variant=defaults.template.variant,
    )


def reconcile_path_parameters(
    context: ParseContext, declared: tuple[Parameter, ...], node: Node, template: RequestPath
) -> tuple[Parameter, ...]:
    """The parameters whose path ones are exactly those the path has braces for; those it has in its
    query are query ones."""
    path_names = {parameter.name for parameter in declared if parameter.place is Place.PATH}
    missing = [name for name in template.names if name not in path_names]
    query_sources = {query.parameter for query in template.queries}
    query_names = {parameter.name for parameter in declared if parameter.place is Place.QUERY}
    undeclared = [query for query in template.queries if query.name not in query_names]
    renamed = {(Place.QUERY, query.parameter) for query in undeclared}
    renamed -= {(Place.QUERY, query.name) for query in template.queries}
    parameters = list(_path_query_parameters(context, declared, undeclared, node))
    for parameter in declared:
        place, name = parameter.place, parameter.name
        is_sent = name in template.names if place is Place.PATH else (place, name) not in renamed
        if is_sent:
            parameters.append(parameter)
        elif place is Place.PATH and name not in query_sources:
            context.diagnostics.add(
                codes.UNUSED_PATH_PARAMETER,
                parameter.at,
                name=format_value(name),
                operation=context.operation,
                nearest=closest_match(name, missing),
            )
    for name in missing:
        _report_undeclared(context, name, Place.PATH, node)
        parameters.append(_string_parameter(name, Place.PATH, node))
    return tuple(parameters)


def _path_query_parameters(
    context: ParseContext,
    declared: tuple[Parameter, ...],
    path_queries: Sequence[PathQueryParameter],
    node: Node,
) -> Iterator[Parameter]:
    """The parameters that the query of a path asks for and that are not declared as query ones."""
    by_name = {
        path_query.name: path_query
        for path_query in declared
        if path_query.place in (Place.PATH, Place.QUERY)
    }
    for path_query in path_queries:
        parameter = by_name.get(path_query.parameter)
        if parameter is None and path_query.required:
            _report_undeclared(context, path_query.name, Place.QUERY, node)
        if parameter is None or parameter.place is Place.PATH:
            parameter = replace(
                parameter or _string_parameter(path_query.name, Place.PATH, node), style=Style.FORM
            )
            parameter = replace(parameter, required=path_query.required)
        yield replace(parameter, name=path_query.name, place=Place.QUERY)


def _report_undeclared(context: ParseContext, name: str, place: Place, node: Node) -> None:
    operation = context.operation
    code = codes.UNDECLARED_PATH_PARAMETER
    context.report(code, node, name=format_value(name), place=place, operation=operation)


def _string_parameter(name: str, place: Place, node: Node) -> Parameter:
    """A parameter of which only the name is known."""
    schema = Schema({"type": "string"}, node.at)
    return Parameter(name, place, schema, True, node.at, style=Style.SIMPLE, explode=False)


def _body(context: ParseContext, node: Node) -> RequestBody | None:
    """The request body, or None where the operation has none."""
    if node.value is None:
        return None
    body = context.follow(node)
    if body is None:
        return None
    if not isinstance(body.value, dict):
        context.malformed(body, "`requestBody`", "a mapping")
        return None
    media = media_types(context, body)
    if not media:
        context.report(codes.EMPTY_BODY, node, operation=context.operation)
        return None
    required = read_flag_key(context, body, "required")
    return RequestBody(required, media, node.at, read_text_key(context, body, "description"))


_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)|default")


def responses(
    context: ParseContext, node: Node, media: Callable[[ParseContext, Node], tuple[MediaType, ...]]
) -> tuple[Response, ...]:
    """The answers by status, in document order; `media` reads the representations of one.

    A fault in a response is a warning: the request does not depend on the response.
    """
    context = context.for_responses()
    response_map = mapping(context, node, "responses")
    parsed = []
    for status, response in response_map.members() if response_map is not None else ():
        if status.startswith("x-"):
            continue
        status_key = status if status == "default" else status.upper()
        if not _STATUS.fullmatch(status_key):
            context.report(
                codes.NO_STATUS, response, status=format_value(status), operation=context.operation
            )
            continue
        target = context.follow(response)
        if target is None:
            continue
        if not isinstance(target.value, dict):
            context.ignored(target, f"responses/{status}", "a mapping")
            continue
        parsed.append(
            Response(
                status_key,
                read_text_key(context, target, "description")
                or read_text_key(context, target, "summary"),
                media(context, target),
                response.at,
            )
        )
        _follow_unused(context, target)
    return tuple(parsed)


def _follow_unused(context: ParseContext, response: Node) -> None:
    """Tells references that lead nowhere in parts of a response that no tool needs."""
    for key in ("headers", "links"):
        unused = mapping(context, response, key)
        for _, member in unused.members() if unused is not None else ():
            if member.has("$ref"):
                context.follow(member, is_required=False)
