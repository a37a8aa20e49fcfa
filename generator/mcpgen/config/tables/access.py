"""Keys about callers: authentication, scopes, roles, and opt-in features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, one_of, switch, text, within
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


@dataclass(frozen=True, slots=True)
class AuthenticationConfig:
    """The authentication of callers, if required. Environment variables override the URLs."""

    required: bool = False
    issuer: str = ""
    jwks_url: str = ""
    audience: str = ""
    introspection_url: str = ""
    algorithms: tuple[str, ...] = ALGORITHMS
    key_header: str = ""
    scope_claim: str = "scope"
    role_claim: str = "roles"
    unscoped: UnscopedTokens = UnscopedTokens.NOTHING
    operator_roles: tuple[str, ...] = ()
    path_claims: Mapping[str, str] = field(default_factory=dict)
    owner_prefixes: tuple[str, ...] = ()
    owner_claims: Mapping[str, str] = field(default_factory=dict)
    error_code: int = 0
    documentation_url: str = ""
    policy_url: str = ""
    signing_algorithms: tuple[str, ...] = ()
    challenge: tuple[str, ...] = ()


def read_authentication(values: Mapping[str, Any]) -> AuthenticationConfig:
    """The authentication configured by the keys."""
    chosen = {key.path.rpartition(".")[2]: values[key.path] for key in AUTHENTICATION_KEYS}
    chosen["algorithms"] = tuple(chosen["algorithms"]) or ALGORITHMS
    chosen["unscoped"] = UnscopedTokens(chosen["unscoped"])
    return AuthenticationConfig(**chosen)


_is_header = ValueRule(
    pattern=r"[A-Za-z0-9-]{1,64}",
    also=lambda name: name.lower() not in ("authorization", "cookie"),
)
"""A header that may carry keys; `Authorization` and `Cookie` have other meanings."""


def _claims(path: str, meaning: str, example: str) -> KeySpec:
    """A key for a table of claims."""
    return KeySpec(path, KeyType.CHOICES, {}, meaning, "a word", validators.is_word, example)


AUTHENTICATION_KEYS = (
    switch(
        "authentication.required",
        "Whether callers have to prove who they are; a server then refuses to start without a way.",
    ),
    text(
        "authentication.issuer",
        "Who issues the tokens of callers: their claim `iss`.",
        "a text without spaces",
        validators.is_word,
        "caller_issuer",
    ),
    text(
        "authentication.jwks_url",
        "Where the issuer publishes the keys that sign tokens.",
        _URL,
        validators.is_safe_url,
        "caller_jwks_url",
    ),
    text(
        "authentication.audience",
        "The claim `aud` of tokens for this server; its public address if empty.",
        "a text without spaces",
        validators.is_word,
        "caller_audience",
    ),
    text(
        "authentication.introspection_url",
        "Where the issuer tells what an opaque token is worth.",
        _URL,
        validators.is_safe_url,
        "caller_introspection_url",
    ),
    KeySpec(
        "authentication.algorithms",
        KeyType.TEXTS,
        ALGORITHMS,
        "Signatures of tokens that are taken.",
        *one_of(_KNOWN),
    ),
    text(
        "authentication.key_header",
        "Header that may carry a caller's key beside `Authorization`, such as `X-API-Key`.",
        "the name of a header other than `Authorization` and `Cookie`",
        _is_header,
    ),
    KeySpec(
        "authentication.scope_claim",
        KeyType.STRING,
        "scope",
        "The claim with the scopes of a token.",
        "a word",
        validators.is_word,
    ),
    KeySpec(
        "authentication.role_claim",
        KeyType.STRING,
        "roles",
        "The claim with the roles of a token's bearer.",
        "a word",
        validators.is_word,
    ),
    choice(
        "authentication.unscoped",
        "What a token may do that has no claim with scopes.",
        UnscopedTokens,
    ),
    KeySpec(
        "authentication.operator_roles",
        KeyType.TEXTS,
        (),
        "Roles whose bearers need no scopes.",
        "a word",
        validators.is_word,
    ),
    KeySpec(
        "authentication.owner_prefixes",
        KeyType.TEXTS,
        (),
        "How credentials of owners begin, which are refused before anything is looked at.",
        "a word",
        validators.is_word,
    ),
    KeySpec(
        "authentication.error_code",
        KeyType.INTEGER,
        0,
        "The JSON-RPC code of a rejection; 0 for the HTTP status.",
        "from -99999 to 99999",
        within(-99_999, 99_999),
    ),
    text(
        "authentication.documentation_url",
        "A page for those who write clients, named in the metadata of the server.",
        _URL,
        validators.is_safe_url,
    ),
    text(
        "authentication.policy_url",
        "A page on what clients may do with what they get, named there too.",
        _URL,
        validators.is_safe_url,
    ),
    KeySpec(
        "authentication.signing_algorithms",
        KeyType.TEXTS,
        (),
        "Signatures that answers of the server bear, where somebody signs them; named there too.",
        *one_of(_KNOWN),
    ),
    KeySpec(
        "authentication.challenge",
        KeyType.TEXTS,
        (),
        "What the challenge tells besides, for clients older than RFC 9728.",
        *one_of(_CHALLENGE),
    ),
    _claims(
        "authentication.path_claims",
        "Claims that parameters in the path of the endpoint must agree with, by parameter.",
        '# "workspaceId" = "workspace"',
    ),
    _claims(
        "authentication.owner_claims",
        "Claims, each with its value, that make a token an owner's, which is refused.",
        '# "token_use" = "control-plane"',
    ),
)


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

    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    feature_needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known_scopes: tuple[str, ...] = ()
    known_roles: tuple[str, ...] = ()
    resource_scopes: tuple[str, ...] = ()
    prompt_scopes: tuple[str, ...] = ()
    from_security: bool = False
    hide: bool = False
    step_up: bool = False


def authorisation(values: Mapping[str, Any]) -> AuthorizationConfig:
    """The authorization configured by the keys."""
    return AuthorizationConfig(
        **{key.path.rpartition(".")[2]: values[key.path] for key in AUTHORIZATION_KEYS}
    )


AUTHORIZATION_KEYS = (
    KeySpec(
        "authorisation.known_scopes",
        KeyType.TEXTS,
        (),
        "All scopes there are; a name that is not among them is then a mistake.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    ),
    KeySpec(
        "authorisation.known_roles",
        KeyType.TEXTS,
        (),
        "All roles there are; a name that is not among them is then a mistake.",
        "a word",
        validators.is_word,
    ),
    KeySpec(
        "authorisation.resource_scopes",
        KeyType.TEXTS,
        (),
        "Scopes that callers need to find and read resources.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    ),
    KeySpec(
        "authorisation.prompt_scopes",
        KeyType.TEXTS,
        (),
        "Scopes that callers need to find and get prompts.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    ),
    switch(
        "authorisation.from_security",
        "Whether callers need the OAuth scopes that the API description asks for.",
    ),
    switch("authorisation.hide", "Whether tools are hidden from callers who lack their scopes."),
    switch(
        "authorisation.step_up",
        "Whether a call without its scopes gets HTTP 403 with a challenge, not a denied result.",
    ),
    KeySpec(
        "scopes",
        KeyType.FIELDS,
        {},
        "Scopes that callers need, by tool, operationId, `GET /pets/{id}`, or `*` for all others.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
        '# "delete_pet" = ["write:pets"]',
    ),
    KeySpec(
        "roles",
        KeyType.FIELDS,
        {},
        "Roles of which callers need one, likewise; for others the tool does not exist.",
        "a word",
        validators.is_word,
        '# "purge_pets" = ["admin"]',
    ),
    KeySpec(
        "features",
        KeyType.FIELDS,
        {},
        "Tools that are there only if the environment names their feature.",
        "the name of a tool",
        validators.is_line,
        '# "chat" = ["chat_send"]',
    ),
    KeySpec(
        "feature_needs",
        KeyType.FIELDS,
        {},
        "Settings that must have a value for a feature to be there.",
        "a lower-case Python name",
        validators.is_setting,
        '# "chat" = ["chat_model"]',
    ),
)
