"""Parses Operation Objects and Responses Objects.

https://spec.openapis.org/oas/v3.1.1.html#operation-object
"""

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
from mcpgen.parse.media import parse_media_types
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.parameters import parse_parameters
from mcpgen.parse.paths import PathQueryParameter, RequestPath, fixed_parameters
from mcpgen.parse.scalars import read_flag_key, read_mapping_key, read_text_key, read_texts_key
from mcpgen.parse.security import parse_security
from mcpgen.parse.servers import parse_servers
from mcpgen.parse.x_mcp import parse_extension


@dataclass(frozen=True, slots=True)
class OperationDefaults:
    """Values from the document and the path item, for an operation without its own.

    `declared`: ids of all security schemes, usable or not.
    """

    template: RequestPath
    path_item: Node
    servers: tuple[ApiServer, ...]
    security: Security
    schemes: Mapping[str, ApiSecurityScheme]
    declared: frozenset[str]


@dataclass(frozen=True, slots=True)
class DialectParts:
    """Parts of an operation that Swagger 2.0 and OpenAPI 3 write differently.

    The path parameters are not yet reconciled with the path.
    """

    parameters: tuple[Parameter, ...]
    body: RequestBody | None
    responses: tuple[Response, ...]
    servers: tuple[ApiServer, ...]


def parse_operation(
    context: ParseContext, method: str, node: Node, defaults: OperationDefaults
) -> Operation:
    """Parses the operation at `node`; invalid if `context.fault_reasons` is not empty afterwards."""
    parts = DialectParts(
        parameters=parse_parameters(context, node, defaults.path_item),
        body=_request_body(context, node.child("requestBody")),
        responses=parse_responses(context, node, _representations),
        servers=parse_servers(context, node) or defaults.servers,
    )
    return build_operation(context, method, node, defaults, parts)


def _representations(context: ParseContext, response: Node) -> tuple[MediaType, ...]:
    """Media types of a response, parsed once for all operations that refer to the response."""
    return context.parse_once("response", response, lambda: parse_media_types(context, response))


def build_operation(
    context: ParseContext, method: str, node: Node, defaults: OperationDefaults, parts: DialectParts
) -> Operation:
    """Builds an operation from the parts of a dialect and the fields that all dialects share."""
    own_security = parse_security(context, node, defaults.schemes, defaults.declared)
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
        extension=parse_extension(context, node),
        variant=defaults.template.variant,
    )


def reconcile_path_parameters(
    context: ParseContext, declared: tuple[Parameter, ...], node: Node, template: RequestPath
) -> tuple[Parameter, ...]:
    """Adds missing and drops unused path parameters; `{name}` in the query part of the path becomes
    a query parameter.

    Adds UNUSED_PATH_PARAMETER and UNDECLARED_PATH_PARAMETER.
    """
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
    """Yields query parameters from the query part of a path, unless declared in the query."""
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
    """A required string parameter, known by name only."""
    schema = Schema({"type": "string"}, node.at)
    return Parameter(name, place, schema, True, node.at, style=Style.SIMPLE, explode=False)


def _request_body(context: ParseContext, node: Node) -> RequestBody | None:
    """The request body, or None if the operation has no usable body."""
    if node.value is None:
        return None
    body = context.follow(node)
    if body is None:
        return None
    if not isinstance(body.value, dict):
        context.fail_malformed(body, "`requestBody`", "a mapping")
        return None
    media = parse_media_types(context, body)
    if not media:
        context.report(codes.EMPTY_BODY, node, operation=context.operation)
        return None
    required = read_flag_key(context, body, "required")
    return RequestBody(required, media, node.at, read_text_key(context, body, "description"))


_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)|default")


def parse_responses(
    context: ParseContext, node: Node, media: Callable[[ParseContext, Node], tuple[MediaType, ...]]
) -> tuple[Response, ...]:
    """Responses by status in document order; `media` parses the media types of a response.

    A fault in a response is a warning, since no request depends on a response. Adds NO_STATUS.
    """
    context = context.for_responses()
    response_map = read_mapping_key(context, node, "responses")
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
            context.report_ignored(target, f"responses/{status}", "a mapping")
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
    """Reports broken references in `headers` and `links` of a response, which no tool needs."""
    for key in ("headers", "links"):
        unused = read_mapping_key(context, response, key)
        for _, member in unused.members() if unused is not None else ():
            if member.has("$ref"):
                context.follow(member, is_required=False)
