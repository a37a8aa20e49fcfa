"""Parses security schemes and security requirements, and replaces `Authorization` header
parameters.

https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import (
    ApiSecurityScheme,
    ApiServer,
    Operation,
    Parameter,
    Place,
    SchemeKind,
    SchemeUse,
    Security,
)
from mcpgen.parse.context import DOCUMENT, ParseContext
from mcpgen.parse.node import Node, format_value, value_kind
from mcpgen.parse.scalars import read_mapping_key, read_text_key, read_texts_key

_KEY_PLACES = {"query": Place.QUERY, "header": Place.HEADER, "cookie": Place.COOKIE}
_HTTP = {"bearer": SchemeKind.BEARER, "basic": SchemeKind.BASIC}
_PLAIN = {"openIdConnect": SchemeKind.OPENID, "mutualTLS": SchemeKind.MUTUAL_TLS}
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_NO_URL = re.compile(r"[\x00-\x20\x7f\\<>\"`^|{}]")


SchemeReader = Callable[[ParseContext, str, Node, tuple[ApiServer, ...]], ApiSecurityScheme | str]
"""Parses a scheme: (context, id, node, servers of the document) to a scheme or the reason against
it."""


def parse_security_schemes(
    context: ParseContext, node: Node, servers: tuple[ApiServer, ...], parse: SchemeReader
) -> dict[str, ApiSecurityScheme]:
    """Usable schemes by id, in document order; `servers` are the base of relative token URLs.

    Adds UNSUPPORTED_SCHEME.
    """
    schemes = {}
    for id_, member in node.members():
        definition = context.follow(member)
        if definition is None or (id_.startswith("x-") and not _is_scheme(definition)):
            continue
        scheme = parse(context, id_, definition, servers)
        if isinstance(scheme, str):
            context.scheme_faults[id_] = scheme
            context.report(
                codes.UNSUPPORTED_SCHEME, member, scheme=format_value(id_), reason=scheme
            )
        else:
            schemes[id_] = scheme
    return schemes


def _is_scheme(node: Node) -> bool:
    """True for a member such as `x-api-key` that looks like an extension but is a scheme."""
    return isinstance(node.value, dict) and "type" in node.value


def parse_security(
    context: ParseContext,
    node: Node,
    schemes: Mapping[str, ApiSecurityScheme],
    declared: frozenset[str],
) -> Security | None:
    """Alternatives of a `security` field; None if the field is absent.

    An alternative with an unusable scheme is dropped. If no alternative is left, the usable schemes
    of each alternative are sent, since a proxy or a hook may add the others. `declared`: ids of all
    schemes, usable or not. Adds UNDEFINED_SCHEME.
    """
    requirements = node.child("security")
    if requirements.value is None:
        return None
    if not isinstance(requirements.value, list):
        outcome = (
            _without_credential(context)
            if context.operation == DOCUMENT
            else "the `security` of the document applies"
        )
        context.report_ignored(requirements, "security", "a list", outcome=outcome)
        return None
    alternatives = []
    partial = []
    unusable: list[tuple[Node, str]] = []
    malformed: list[Node] = []
    for element in requirements.elements():
        if not isinstance(element.value, dict):
            malformed.append(element)
            continue
        unknown = [id_ for id_ in element.value if id_ not in schemes]
        unusable.extend((element, id_) for id_ in unknown)
        scheme_ids = [id_ for id_ in element.value if id_ in schemes]
        uses = tuple(SchemeUse(id_, read_texts_key(context, element, id_)) for id_ in scheme_ids)
        if not unknown:
            alternatives.append(uses)
        elif uses:
            partial.append(uses)
    for element in malformed:
        context.report_ignored(
            element,
            "security",
            "a mapping",
            what="an item of `security`",
            outcome=("it is ignored" if alternatives or partial else _without_credential(context)),
        )
    outcome = (
        "its other alternatives are used"
        if alternatives
        else (
            "only the other schemes of the same entry are sent"
            if partial
            else "calls go without a credential"
        )
    )
    for element, id_ in unusable:
        _report_unusable_scheme(context, element, id_, declared, outcome)
    return tuple(alternatives or dict.fromkeys(partial))


def _without_credential(context: ParseContext) -> str:
    """Returns what follows from a `security` without a usable item, in words."""
    if context.operation == DOCUMENT:
        return "operations without `security` are called without a credential"
    return "calls go without a credential"


def _report_unusable_scheme(
    context: ParseContext, element: Node, id_: str, declared: frozenset[str], outcome: str
) -> None:
    """Counts the use of an unusable scheme; uses with the same outcome share one finding."""
    is_declared = id_ in declared
    hint = closest_match(id_, declared) or f"define it under `{context.rules.schemes}`"
    reason = context.scheme_faults.get(id_, "")
    context.schemas.tally.count(
        codes.UNDEFINED_SCHEME,
        f"{id_} {outcome}",
        element.at,
        who=context.operation if context.operation == DOCUMENT else f"`{context.operation}`",
        scheme=format_value(id_),
        reason=(
            (f"cannot be used: {reason}" if reason else "cannot be used")
            if is_declared
            else "the document does not define"
        ),
        outcome=outcome,
        hint="add the credential in `hooks.py`" if is_declared else hint,
    )


def parse_scheme(
    context: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme | str:
    """A scheme of OpenAPI 3, or the reason for an unusable scheme."""
    if not isinstance(node.value, dict):
        return f"it must be a mapping, but it is {value_kind(node.value)}"
    kind = read_text_key(context, node, "type")
    description = read_text_key(context, node, "description")
    if kind == "apiKey":
        return _api_key(context, id_, node, description)
    if kind == "http":
        name = read_text_key(context, node, "scheme").lower()
        if name in _HTTP:
            return ApiSecurityScheme(id_, _HTTP[name], node.at, description=description)
        return f"the HTTP scheme `{format_value(name)}` is not supported"
    if kind in _PLAIN:
        return ApiSecurityScheme(id_, _PLAIN[kind], node.at, description=description)
    if kind == "oauth2":
        return _oauth2(context, id_, node, description, servers)
    return f"its type `{format_value(kind)}` does not exist"


def _api_key(
    context: ParseContext, id_: str, node: Node, description: str
) -> ApiSecurityScheme | str:
    name, place = read_text_key(context, node, "name"), _KEY_PLACES.get(str(node.get("in")))
    if place is None:
        return "`in` must be one of: " + ", ".join(_KEY_PLACES)
    if not name or (place is not Place.QUERY and not _TOKEN.fullmatch(name)):
        return f"its name cannot be that of a {place} parameter"
    return ApiSecurityScheme(
        id_, SchemeKind.API_KEY, node.at, place=place, name=name, description=description
    )


def _oauth2(
    context: ParseContext, id_: str, node: Node, description: str, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme:
    flows = read_mapping_key(context, node, "flows")
    scopes: dict[str, None] = {}
    urls = {"clientCredentials": "", "password": ""}
    for name, flow in flows.members() if flows is not None else ():
        scope_map = None if name.startswith("x-") else read_mapping_key(context, flow, "scopes")
        scopes.update(dict.fromkeys(scope_map.value if scope_map is not None else ()))
        if name in urls:
            urls[name] = token_url(context, id_, flow.child("tokenUrl"), servers)
    return ApiSecurityScheme(
        id_,
        SchemeKind.OAUTH2,
        node.at,
        token_url=urls["clientCredentials"],
        password_url=urls["password"],
        scopes=tuple(scopes),
        description=description,
    )


def token_url(context: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]) -> str:
    """Token URL, absolute or a path below the API's base URL; `""` after TEMPLATED_TOKEN_URL or
    UNUSABLE_TOKEN_URL."""
    url = node.value if isinstance(node.value, str) else ""
    if "{" in url:
        context.report(
            codes.TEMPLATED_TOKEN_URL, node, url=format_value(url), scheme=format_value(id_)
        )
        return ""
    try:
        parts = urlsplit(url)
        if parts.netloc and not parts.scheme and servers:
            url = urljoin(servers[0].url, url)
            parts = urlsplit(url)
        is_path = not parts.scheme and not parts.netloc
        is_usable = is_path or (parts.scheme in ("http", "https") and bool(parts.hostname))
    except ValueError:
        is_usable = False
    if not url or not is_usable or _NO_URL.search(url):
        context.report(
            codes.UNUSABLE_TOKEN_URL, node, url=format_value(url), scheme=format_value(id_)
        )
        return ""
    return url


_AUTHORIZATION = "Authorization"

LiftedOperations = tuple[tuple[Operation, ...], Mapping[str, ApiSecurityScheme]]


def lift_authorization_headers(
    operations: Iterable[Operation],
    schemes: Mapping[str, ApiSecurityScheme],
    declared: frozenset[str],
    diagnostics: Diagnostics,
) -> LiftedOperations:
    """Replaces the header parameter `Authorization` by a security scheme, so that no model handles
    a credential.

    OpenAPI 3 ignores such a parameter, and Swagger 2.0 lets the caller fill the parameter. Here the
    server takes the whole header value from its environment. An operation with its own security
    only loses the parameter. `declared`: ids in use by the document. Adds RESERVED_HEADER and
    ASSUMED_CREDENTIAL.
    """
    id_ = _AUTHORIZATION
    while id_ in declared:
        id_ += "Header"
    lifted: list[Operation] = []
    scheme: ApiSecurityScheme | None = None
    users: list[str] = []
    for operation in operations:
        parameter = next(filter(is_authorization, operation.parameters), None)
        if parameter is None:
            lifted.append(operation)
            continue
        parameters = tuple(other for other in operation.parameters if not is_authorization(other))
        if operation.security:
            diagnostics.add(
                codes.RESERVED_HEADER,
                parameter.at,
                name=parameter.name,
                operation=operation.key,
            )
            lifted.append(replace(operation, parameters=parameters))
            continue
        scheme = scheme or _header_key_scheme(id_, parameter)
        users.append(operation.key)
        requirement = (SchemeUse(id_),)
        security = (requirement,) if parameter.required else (requirement, ())
        lifted.append(replace(operation, parameters=parameters, security=security))
    if scheme is not None:
        more = f" and {len(users) - 1} more" if len(users) > 1 else ""
        facts = {"name": _AUTHORIZATION, "operation": users[0], "more": more}
        diagnostics.add(codes.ASSUMED_CREDENTIAL, scheme.at, severity=None, **facts)
    return tuple(lifted), schemes if scheme is None else {**schemes, id_: scheme}


def is_authorization(parameter: Parameter) -> bool:
    """True for the header parameter `Authorization`, in any case."""
    name = parameter.name.strip().lower()
    return parameter.place is Place.HEADER and name == _AUTHORIZATION.lower()


def _header_key_scheme(id_: str, parameter: Parameter) -> ApiSecurityScheme:
    return ApiSecurityScheme(
        id_,
        SchemeKind.API_KEY,
        parameter.at,
        place=Place.HEADER,
        name=_AUTHORIZATION,
        description=parameter.description,
    )
