"""Credentials that an operation requires as a parameter beside its security schemes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, Operation, Parameter, SchemeUse
from mcpgen.lower.flatten.reserved_parameters import carries


def with_credentials(api: ApiDescription) -> ApiDescription:
    """The API with the scheme of every required parameter that a scheme carries among the security
    of its operation, so that the server sends it."""
    operations = tuple(_with_schemes(each, api.security_schemes) for each in api.operations)
    return replace(api, operations=operations)


def _with_schemes(operation: Operation, schemes: Mapping[str, ApiSecurityScheme]) -> Operation:
    for parameter in operation.parameters:
        if parameter.required:
            operation = _with_scheme(operation, parameter, schemes)
    return operation


def _with_scheme(
    operation: Operation, parameter: Parameter, schemes: Mapping[str, ApiSecurityScheme]
) -> Operation:
    known = [id for id, scheme in schemes.items() if carries(parameter, scheme)]
    if not known:
        return operation
    completed = tuple(
        uses if any(use.scheme in known for use in uses) else (*uses, SchemeUse(known[0]))
        for uses in operation.security or ((),)
    )
    return replace(operation, security=completed)
