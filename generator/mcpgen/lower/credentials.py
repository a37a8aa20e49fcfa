"""Credentials that an operation requires as a parameter instead of by a security scheme."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.ir.api import (
    Api,
    Operation,
    Parameter,
    SchemeKind,
    SchemeUse,
    SecurityScheme,
)
from mcpgen.lower.flatten.forbidden import carries, is_authorization

_IN_AUTHORIZATION = (SchemeKind.BASIC, SchemeKind.BEARER, SchemeKind.OAUTH2, SchemeKind.OPENID)


def with_credentials(api: Api) -> Api:
    """The API with a scheme for every required parameter that is a credential, so that the server
    sends it: the document's own where one carries it, else a new one, named like the header."""
    schemes = dict(api.security_schemes)
    operations = tuple(_with_schemes(each, schemes) for each in api.operations)
    return replace(api, operations=operations, security_schemes=schemes)


def _with_schemes(operation: Operation, schemes: dict[str, SecurityScheme]) -> Operation:
    for parameter in operation.parameters:
        if parameter.required:
            operation = _with_scheme(operation, parameter, schemes)
    return operation


def _with_scheme(
    operation: Operation, parameter: Parameter, schemes: dict[str, SecurityScheme]
) -> Operation:
    known = [id for id, scheme in schemes.items() if carries(parameter, scheme)]
    if not known:
        if not is_authorization(parameter) or _is_authorized(operation, schemes):
            return operation
        known = [_added(parameter, schemes)]
    alternatives = operation.security or ((),)
    completed = tuple(
        uses if any(use.scheme in known for use in uses) else (*uses, SchemeUse(known[0]))
        for uses in alternatives
    )
    return replace(operation, security=completed)


def _is_authorized(operation: Operation, schemes: dict[str, SecurityScheme]) -> bool:
    """Whether a scheme of the operation fills `Authorization` already."""
    used = {use.scheme for uses in operation.security for use in uses} & schemes.keys()
    return any(schemes[id].kind in _IN_AUTHORIZATION for id in used)


def _added(parameter: Parameter, schemes: dict[str, SecurityScheme]) -> str:
    id = parameter.name
    while id in schemes:
        id = f"{id}_header"
    schemes[id] = SecurityScheme(
        id=id,
        kind=SchemeKind.API_KEY,
        at=parameter.at,
        place=parameter.place,
        name=parameter.name,
        description=parameter.description,
    )
    return id
