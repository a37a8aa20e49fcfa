"""Keys about callers: authentication, scopes, roles, and opt-in features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    KeyType,
    key,
    keys_of,
    one_of,
    within,
)
from mcpgen.config.validators import ValueRule

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""The signature algorithms accepted by default."""

_KNOWN = sorted(
    ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
)
_CHALLENGE = ("realm", "resource", "authorization_server")
_URL = "an https URL without user and fragment, or an http one of this machine"


class UnscopedTokens(StrEnum):
    """The rights of a token without scopes."""

    NOTHING = "nothing"
    EVERYTHING = "everything"


_is_header = ValueRule(
    pattern=r"[A-Za-z0-9-]{1,64}",
    also=lambda name: name.lower() not in ("authorization", "cookie"),
)
"""A header that may carry keys; `Authorization` and `Cookie` have other meanings."""


def _claims_key(path: str, meaning: str, example: str) -> Any:
    """A key for a table of claims."""
    return key(
        path,
        {},
        meaning,
        "a word",
        validators.is_word,
        kind=KeyType.CHOICES,
        example=example,
    )


@dataclass(frozen=True, slots=True)
class AuthenticationConfig:
    """The authentication of callers, if required. Environment variables override the URLs."""

    required: bool = key(
        "authentication.required",
        False,
        "Whether callers have to authenticate; without a method, the server refuses to start.",
    )
    issuer: str = key(
        "authentication.issuer",
        "",
        "Issuer of the tokens of callers, claim `iss`.",
        "a text without spaces",
        validators.is_word,
        variable="caller_issuer",
    )
    jwks_url: str = key(
        "authentication.jwks_url",
        "",
        "URL of the keys that sign tokens.",
        _URL,
        validators.is_safe_url,
        variable="caller_jwks_url",
    )
    audience: str = key(
        "authentication.audience",
        "",
        "Claim `aud` of tokens for this server; the public address if empty.",
        "a text without spaces",
        validators.is_word,
        variable="caller_audience",
    )
    introspection_url: str = key(
        "authentication.introspection_url",
        "",
        "URL of the issuer's introspection endpoint (RFC 7662).",
        _URL,
        validators.is_safe_url,
        variable="caller_introspection_url",
    )
    algorithms: tuple[str, ...] = key(
        "authentication.algorithms",
        ALGORITHMS,
        "Accepted signature algorithms of tokens.",
        *one_of(_KNOWN),
        convert=lambda names: tuple(names) or ALGORITHMS,
    )
    key_header: str = key(
        "authentication.key_header",
        "",
        "Header that may carry a caller's key beside `Authorization`, such as `X-API-Key`.",
        "the name of a header other than `Authorization` and `Cookie`",
        _is_header,
    )
    scope_claim: str = key(
        "authentication.scope_claim",
        "scope",
        "The claim with the scopes of a token.",
        "a word",
        validators.is_word,
    )
    role_claim: str = key(
        "authentication.role_claim",
        "roles",
        "The claim with the roles of a token's bearer.",
        "a word",
        validators.is_word,
    )
    unscoped: UnscopedTokens = key(
        "authentication.unscoped",
        # The first member, NOTHING, is the default.
        UnscopedTokens,
        "Rights of a token without a claim with scopes.",
    )
    operator_roles: tuple[str, ...] = key(
        "authentication.operator_roles",
        (),
        "Roles whose bearers need no scopes.",
        "a word",
        validators.is_word,
    )
    owner_prefixes: tuple[str, ...] = key(
        "authentication.owner_prefixes",
        (),
        "Prefixes of credentials of the server's owner, which agents must not use; they are refused "
        "before any other check.",
        "a word",
        validators.is_word,
    )
    error_code: int = key(
        "authentication.error_code",
        0,
        "The JSON-RPC code of a rejection; 0 means that the code is the HTTP status.",
        "from -99999 to 99999",
        within(-99_999, 99_999),
    )
    documentation_url: str = key(
        "authentication.documentation_url",
        "",
        "A page for those who write clients, named in the metadata of the server.",
        _URL,
        validators.is_safe_url,
    )
    policy_url: str = key(
        "authentication.policy_url",
        "",
        "A page about the permitted use of results, also named in the metadata.",
        _URL,
        validators.is_safe_url,
    )
    signing_algorithms: tuple[str, ...] = key(
        "authentication.signing_algorithms",
        (),
        "Signature algorithms of signed answers of the server, also named in the metadata.",
        *one_of(_KNOWN),
    )
    challenge: tuple[str, ...] = key(
        "authentication.challenge",
        (),
        "Further parameters of the challenge, for clients older than RFC 9728.",
        *one_of(_CHALLENGE),
    )
    path_claims: Mapping[str, str] = _claims_key(
        "authentication.path_claims",
        "Claims that parameters in the path of the endpoint must agree with, by parameter.",
        '# "workspaceId" = "workspace"',
    )
    owner_claims: Mapping[str, str] = _claims_key(
        "authentication.owner_claims",
        "Claims, each with its value, that mark a token of the server's owner, which agents must not "
        "use; such a token is refused.",
        '# "token_use" = "control-plane"',
    )


AUTHENTICATION_KEYS = keys_of(AuthenticationConfig)


@dataclass(frozen=True, slots=True)
class AuthorizationConfig:
    """Scopes and roles by tool, operationId, `GET /pets/{id}` or `*`; tools by feature, and the
    settings of each feature.

    `known_scopes` and `known_roles` list all existing scopes and roles, where configured.
    `resource_scopes` and `prompt_scopes` are required for every request about resources or prompts.
    `from_security` also takes scopes from the document's `security`; `hide` hides tools from
    callers without the right to call them; `step_up` asks for missing scopes with HTTP 403 instead
    of denying the call.
    """

    known_scopes: tuple[str, ...] = key(
        "authorization.known_scopes",
        (),
        "All scopes there are; a name that is not among them is then a mistake.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    )
    known_roles: tuple[str, ...] = key(
        "authorization.known_roles",
        (),
        "All roles there are; a name that is not among them is then a mistake.",
        "a word",
        validators.is_word,
    )
    resource_scopes: tuple[str, ...] = key(
        "authorization.resource_scopes",
        (),
        "Scopes that callers need to find and read resources.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    )
    prompt_scopes: tuple[str, ...] = key(
        "authorization.prompt_scopes",
        (),
        "Scopes that callers need to find and get prompts.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    )
    from_security: bool = key(
        "authorization.from_security",
        False,
        "Whether callers need the OAuth scopes that the API description asks for.",
    )
    hide: bool = key(
        "authorization.hide", False, "Whether tools are hidden from callers who lack their scopes."
    )
    step_up: bool = key(
        "authorization.step_up",
        False,
        "Whether a call without its scopes gets HTTP 403 with a challenge, not a denied result.",
    )
    scopes: Mapping[str, tuple[str, ...]] = key(
        "scopes",
        {},
        "Scopes that callers need, by tool, operationId, `GET /pets/{id}`, or `*` for all others.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
        example='# "delete_pet" = ["write:pets"]',
        kind=KeyType.FIELDS,
    )
    roles: Mapping[str, tuple[str, ...]] = key(
        "roles",
        {},
        "Roles by tool, operationId, `GET /pets/{id}` or `*`; callers without one of the roles do "
        "not see the tool.",
        "a word",
        validators.is_word,
        example='# "purge_pets" = ["admin"]',
        kind=KeyType.FIELDS,
    )
    features: Mapping[str, tuple[str, ...]] = key(
        "features",
        {},
        "Tools by feature; a tool is announced only if the server's environment names its feature.",
        "the name of a tool",
        validators.is_line,
        example='# "chat" = ["chat_send"]',
        kind=KeyType.FIELDS,
    )
    feature_needs: Mapping[str, tuple[str, ...]] = key(
        "feature_needs",
        {},
        "Settings that must have a value for a feature to be there.",
        "a lower-case Python name",
        validators.is_setting,
        example='# "chat" = ["chat_model"]',
        kind=KeyType.FIELDS,
    )


AUTHORIZATION_KEYS = keys_of(AuthorizationConfig)
