"""Authorization of callers: scopes, roles, and opt-in features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, switch


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
    return AuthorizationConfig(**{key.path.rpartition(".")[2]: values[key.path] for key in KEYS})


KEYS = (
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
