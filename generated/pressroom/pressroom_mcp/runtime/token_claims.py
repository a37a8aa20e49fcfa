"""A caller as the claims of a token describe it."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from .auth_config import AuthConfig
from .auth_errors import AuthError, forbidden_error
from .caller import Caller
from .tool import Json


def caller_of_claims(
    claims: Mapping[str, Json], token: str, access: AuthConfig, path: Mapping[str, str]
) -> Caller:
    """The bearer of a token at an endpoint with these values in its path.

    Raises `AuthError` for an owner's token, and for one that is good for other values.
    """
    for claim, value in access.owner_claims.items():
        if value in claim_words(claims.get(claim)):
            raise forbidden_error("The credential of an owner must not be used here")
    for parameter, claim in access.path_claims.items():
        if path.get(parameter) not in _names(claims.get(claim)):
            raise forbidden_error("The credential is not for this path")
    subject = claims.get("sub") or claims.get("client_id")
    if not isinstance(subject, str):
        raise AuthError("The token does not say whose it is")
    roles = frozenset(claim_words(claims.get(access.role_claim)))
    scopes = _scopes(claims, roles, access)
    return Caller(subject, scopes, roles, credential=token, path=path, token=True)


def _scopes(
    claims: Mapping[str, Json], roles: frozenset[str], access: AuthConfig
) -> frozenset[str] | None:
    if not roles.isdisjoint(access.operator_roles):
        return None
    if access.scope_claim not in claims:
        return None if access.unscoped else frozenset()
    return frozenset(claim_words(claims[access.scope_claim]))


def _names(claim: Json) -> list[str]:
    """The texts of a claim, each of which is one name, also with spaces in it."""
    return [one for one in (claim if isinstance(claim, list) else [claim]) if isinstance(one, str)]


def end(claims: Mapping[str, Json]) -> float:
    """When a good token ends, in seconds since 1970; never, for a time that is beyond all reckoning."""
    try:
        return float(claims.get("exp") or inf)
    except OverflowError:
        return inf


def claim_words(claim: Json) -> list[str]:
    """The words of a claim, which may be a list, or one text with spaces between them."""
    if isinstance(claim, list):
        return [one for one in claim if isinstance(one, str)]
    return claim.split() if isinstance(claim, str) else []
