"""`Authorization` as a header parameter: a credential that no security scheme describes.

OpenAPI 3 ignores such a parameter, and Swagger 2.0 would have it filled by whoever calls. Neither
reaches the API: what goes there is a credential, which a model must not hold. The server takes it
from its environment instead, whole, as it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiSecurityScheme, Operation, Parameter, Place, SchemeKind, SchemeUse

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
