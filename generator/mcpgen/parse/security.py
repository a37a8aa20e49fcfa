"""Security schemes and the requirements that name them;
https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object."""

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
from mcpgen.parse.scalars import mapping, read_text_key, read_texts_key

_KEY_PLACES = {"query": Place.QUERY, "header": Place.HEADER, "cookie": Place.COOKIE}
_HTTP = {"bearer": SchemeKind.BEARER, "basic": SchemeKind.BASIC}
_PLAIN = {"openIdConnect": SchemeKind.OPENID, "mutualTLS": SchemeKind.MUTUAL_TLS}
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_NO_URL = re.compile(r"[\x00-\x20\x7f\\<>\"`^|{}]")


SchemeReader = Callable[[ParseContext, str, Node, tuple[ApiServer, ...]], ApiSecurityScheme | str]
"""Reads the scheme of an id: (scope, id, its node, the document's servers) to the scheme, or why it
cannot be used."""


def security_schemes(
    scope: ParseContext, node: Node, servers: tuple[ApiServer, ...], read: SchemeReader
) -> dict[str, ApiSecurityScheme]:
    """The usable schemes of a mapping of schemes, by id, in document order.

    `servers` are what a relative token URL is resolved against.
    """
    found = {}
    for id_, each in node.members():
        described = scope.follow(each)
        if described is None or (id_.startswith("x-") and not _is_scheme(described)):
            continue
        usable = read(scope, id_, described, servers)
        if isinstance(usable, str):
            scope.unusable[id_] = usable
            scope.tell(codes.UNSUPPORTED_SCHEME, each, scheme=format_value(id_), reason=usable)
        else:
            found[id_] = usable
    return found


def _is_scheme(node: Node) -> bool:
    """True if a member with the name of an extension, such as `x-api-key`, is a scheme all the same."""
    return isinstance(node.value, dict) and "type" in node.value


def security(
    scope: ParseContext,
    node: Node,
    schemes: Mapping[str, ApiSecurityScheme],
    declared: frozenset[str],
) -> Security | None:
    """The alternatives that the `security` of a document or operation allows; None if it has none.

    An alternative that names a scheme which cannot be used is left out. Where none is left, the usable
    schemes of each alternative are sent, since a proxy or a hook may add the others. `declared` are all
    schemes of the document, usable or not.
    """
    listed = node.child("security")
    if listed.value is None:
        return None
    if not isinstance(listed.value, list):
        scope.ignored(listed, "security", "a list")
        return None
    alternatives = []
    partial = []
    unusable: list[tuple[Node, str]] = []
    for element in listed.elements():
        if not isinstance(element.value, dict):
            scope.ignored(element, "security", "a list of mappings")
            continue
        unknown = [id_ for id_ in element.value if id_ not in schemes]
        unusable.extend((element, id_) for id_ in unknown)
        known = [id_ for id_ in element.value if id_ in schemes]
        uses = tuple(SchemeUse(id_, read_texts_key(scope, element, id_)) for id_ in known)
        if not unknown:
            alternatives.append(uses)
        elif uses:
            partial.append(uses)
    outcome = (
        "its other alternatives are used"
        if alternatives
        else "the credentials beside it are sent" if partial else "calls go without a credential"
    )
    for element, id_ in unusable:
        _tell_unusable(scope, element, id_, declared, outcome)
    return tuple(alternatives or dict.fromkeys(partial))


def _tell_unusable(
    scope: ParseContext, element: Node, id_: str, declared: frozenset[str], outcome: str
) -> None:
    """Counts a scheme that cannot be used; all places with the same outcome are one finding."""
    known = id_ in declared
    hint = closest_match(id_, declared) or f"define it under `{scope.rules.schemes}`"
    reason = scope.unusable.get(id_, "")
    scope.schemas.tally.count(
        codes.UNDEFINED_SCHEME,
        f"{id_} {outcome}",
        element.at,
        who=scope.operation if scope.operation == DOCUMENT else f"`{scope.operation}`",
        scheme=format_value(id_),
        reason=(
            (f"cannot be used: {reason}" if reason else "cannot be used")
            if known
            else "the document does not define"
        ),
        outcome=outcome,
        hint="add the credential in `hooks.py`" if known else hint,
    )


def parse_scheme(
    scope: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme | str:
    """A scheme of OpenAPI 3, or why it cannot be used."""
    if not isinstance(node.value, dict):
        return f"it must be a mapping, but it is {value_kind(node.value)}"
    written = read_text_key(scope, node, "type")
    description = read_text_key(scope, node, "description")
    if written == "apiKey":
        return _api_key(scope, id_, node, description)
    if written == "http":
        name = read_text_key(scope, node, "scheme").lower()
        if name in _HTTP:
            return ApiSecurityScheme(id_, _HTTP[name], node.at, description=description)
        return f"the HTTP scheme `{format_value(name)}` is not supported"
    if written in _PLAIN:
        return ApiSecurityScheme(id_, _PLAIN[written], node.at, description=description)
    if written == "oauth2":
        return _oauth2(scope, id_, node, description, servers)
    return f"its type `{format_value(written)}` does not exist"


def _api_key(
    scope: ParseContext, id_: str, node: Node, description: str
) -> ApiSecurityScheme | str:
    name, place = read_text_key(scope, node, "name"), _KEY_PLACES.get(str(node.get("in")))
    if place is None:
        return "`in` must be one of: " + ", ".join(_KEY_PLACES)
    if not name or (place is not Place.QUERY and not _TOKEN.fullmatch(name)):
        return f"its name cannot be that of a {place} parameter"
    return ApiSecurityScheme(
        id_, SchemeKind.API_KEY, node.at, place=place, name=name, description=description
    )


def _oauth2(
    scope: ParseContext, id_: str, node: Node, description: str, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme:
    flows = mapping(scope, node, "flows")
    scopes: dict[str, None] = {}
    urls = {"clientCredentials": "", "password": ""}
    for name, flow in flows.members() if flows is not None else ():
        declared = None if name.startswith("x-") else mapping(scope, flow, "scopes")
        scopes.update(dict.fromkeys(declared.value if declared is not None else ()))
        if name in urls:
            urls[name] = token_url(scope, id_, flow.child("tokenUrl"), servers)
    return ApiSecurityScheme(
        id_,
        SchemeKind.OAUTH2,
        node.at,
        token_url=urls["clientCredentials"],
        password_url=urls["password"],
        scopes=tuple(scopes),
        description=description,
    )


def token_url(scope: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]) -> str:
    """A token URL, absolute or a path that is relative to the base URL of the API; `""`, told, if
    unusable."""
    written = node.value if isinstance(node.value, str) else ""
    if "{" in written:
        scope.tell(
            codes.TEMPLATED_TOKEN_URL, node, url=format_value(written), scheme=format_value(id_)
        )
        return ""
    try:
        parts = urlsplit(written)
        if parts.netloc and not parts.scheme and servers:
            written = urljoin(servers[0].url, written)
            parts = urlsplit(written)
        is_path = not parts.scheme and not parts.netloc
        usable = is_path or (parts.scheme in ("http", "https") and bool(parts.hostname))
    except ValueError:
        usable = False
    if not written or not usable or _NO_URL.search(written):
        scope.tell(
            codes.UNUSABLE_TOKEN_URL, node, url=format_value(written), scheme=format_value(id_)
        )
        return ""
    return written


_NAME = "Authorization"

Authorized = tuple[tuple[Operation, ...], Mapping[str, ApiSecurityScheme]]


def lift_authorization_headers(
    operations: Iterable[Operation],
    schemes: Mapping[str, ApiSecurityScheme],
    taken: frozenset[str],
    diagnostics: Diagnostics,
) -> Authorized:
    """The operations with the parameter as a security requirement, and the schemes with the one
    that carries it. Operations with a security of their own lose the parameter; the scheme counts.

    `taken` are the ids that the document gives away, whether its schemes can be used or not.
    """
    id_ = _NAME
    while id_ in taken:
        id_ += "Header"
    found: list[Operation] = []
    carried: ApiSecurityScheme | None = None
    users: list[str] = []
    for operation in operations:
        parameter = next(filter(is_authorization, operation.parameters), None)
        if parameter is None:
            found.append(operation)
            continue
        rest = tuple(each for each in operation.parameters if not is_authorization(each))
        if operation.security:
            diagnostics.add(
                codes.RESERVED_HEADER,
                parameter.at,
                name=parameter.name,
                operation=operation.key,
            )
            found.append(replace(operation, parameters=rest))
            continue
        carried = carried or _scheme(id_, parameter)
        users.append(operation.key)
        used = (SchemeUse(id_),)
        security = (used,) if parameter.required else (used, ())
        found.append(replace(operation, parameters=rest, security=security))
    if carried is not None:
        more = f" and {len(users) - 1} more" if len(users) > 1 else ""
        facts = {"name": _NAME, "operation": users[0], "more": more}
        diagnostics.add(codes.ASSUMED_CREDENTIAL, carried.at, severity=None, **facts)
    return tuple(found), schemes if carried is None else {**schemes, id_: carried}


def is_authorization(parameter: Parameter) -> bool:
    """Whether a parameter is the header that carries credentials."""
    name = parameter.name.strip().lower()
    return parameter.place is Place.HEADER and name == _NAME.lower()


def _scheme(id_: str, parameter: Parameter) -> ApiSecurityScheme:
    return ApiSecurityScheme(
        id_,
        SchemeKind.API_KEY,
        parameter.at,
        place=Place.HEADER,
        name=_NAME,
        description=parameter.description,
    )
