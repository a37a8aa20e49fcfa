"""The settings for the credentials of an API's security schemes."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcpgen.config import KEYS
from mcpgen.emit.literal import CallExpr
from mcpgen.ir.api import ApiSecurityScheme, Place, SchemeKind
from mcpgen.ir.server import Server


@dataclass(frozen=True, slots=True)
class CredentialSetting:
    """A credential: the field of the settings, and the meaning of the value."""

    field: str
    meaning: str
    secret: bool


_SUFFIXES: dict[SchemeKind, tuple[tuple[str, str, bool], ...]] = {
    SchemeKind.API_KEY: (("", "API key", True),),
    SchemeKind.BEARER: (("", "bearer token", True),),
    SchemeKind.OPENID: (("", "access token", True),),
    SchemeKind.OAUTH2: (("", "access token", True),),
    SchemeKind.BASIC: (("_username", "user name", True), ("_password", "password", True)),
    SchemeKind.MUTUAL_TLS: (
        ("_certificate", "path of the client certificate (PEM)", False),
        ("_key", "path of its private key (PEM)", False),
    ),
}
"""The fields by kind of scheme: suffix of the name, meaning, and whether the value is secret."""

_USER = (("_username", "OAuth 2 user name", True), ("_password", "its password", True))
_CLIENT = (("_client_id", "OAuth 2 client id", True), ("_client_secret", "its secret", True))
_CLIENT_OF_USER = (
    ("_client_id", "OAuth 2 client id, if the issuer asks for one", True),
    ("_client_secret", "its secret, if it has one", True),
)

SERVER = frozenset(
    {
        "allowed_hosts",
        "allowed_origins",
        "answer_seconds",
        "audit_file",
        "body_seconds",
        "caller_anonymous",
        "caller_introspection_client_id",
        "caller_introspection_client_secret",
        "caller_keys",
        "caller_keys_file",
        "calls_at_once",
        "confirm_calls",
        "connections_at_once",
        "docs_bytes",
        "drain_seconds",
        "exchange_client_id",
        "exchange_client_secret",
        "exchange_tokens",
        "expose",
        "fast_path",
        "grace_seconds",
        "hang_seconds",
        "header_seconds",
        "host",
        "idle_seconds",
        "limit_store",
        "limits",
        "log_level",
        "metrics_host",
        "metrics_port",
        "port",
        "questions_at_once",
        "registers",
        "registry_token",
        "reload_breaking",
        "request_bytes",
        "script_bytes",
        "script_calls",
        "script_calls_at_once",
        "script_cpu_seconds",
        "script_deno",
        "script_log_characters",
        "script_megabytes",
        "script_result_bytes",
        "script_seconds",
        "script_warm",
        "scripts_at_once",
        "send_seconds",
        "session_idle_seconds",
        "sessions",
        "sessions_at_once",
        "sessions_per_caller",
        "several_instances",
        "state_key",
        "stdio_token",
        "stream_items",
        "stream_seconds",
        "timeout_seconds",
        "trusted_proxies",
        "variable",
        "workers",
    }
    | {key.variable for key in KEYS if key.variable}
)
"""Fields and methods of every server's settings, besides the credentials."""

_PYDANTIC = (
    "construct",
    "copy",
    "dict",
    "from_orm",
    "json",
    "model_",
    "parse_",
    "schema",
    "settings_",
    "update_forward_refs",
    "validate",
)
"""Prefixes of the names that pydantic reserves."""

_MAX_NAME = 40
"""The characters of a scheme's id kept in the names of settings."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def stems(schemes: Sequence[ApiSecurityScheme], others: Sequence[str] = ()) -> dict[str, str]:
    """The stem of each scheme's fields, by scheme id, in lower snake case. No field equals another
    field, a name of `SERVER` or a name of `others`."""
    taken = {*SERVER, *others}
    chosen: dict[str, str] = {}
    for scheme in schemes:
        words = "_".join(word.lower() for word in _WORDS.findall(scheme.id))
        words = words[:_MAX_NAME].rstrip("_") or "credential"
        if not words[0].isalpha() or words.startswith(_PYDANTIC) or keyword.iskeyword(words):
            words = f"auth_{words}"
        stem, number = words, 2
        while not taken.isdisjoint({stem, *_scheme_fields(scheme, stem)}):
            stem, number = f"{words}_{number}", number + 1
        taken.update({stem, *_scheme_fields(scheme, stem)})
        chosen[scheme.id] = stem
    return chosen


def settings(
    schemes: Sequence[ApiSecurityScheme], others: Sequence[str] = ()
) -> tuple[CredentialSetting, ...]:
    """The fields of all schemes, in order of the schemes; no field has a name of `others`."""
    named = stems(schemes, others)
    return tuple(
        CredentialSetting(f"{named[scheme.id]}{suffix}", meaning, secret)
        for scheme in schemes
        for suffix, meaning, secret in _suffixes(scheme)
    )


def feature_settings(server: Server) -> dict[str, str]:
    """The settings that only features need, mapped to the first feature that names the setting."""
    shown = settings(server.security_schemes, [setting.name for setting in server.settings])
    own = {setting.field for setting in shown}
    needs: dict[str, str] = {}
    for feature in server.policy.features:
        for need in feature.needs:
            if need not in own | SERVER:
                needs.setdefault(need, feature.name)
    return needs


def is_general(scheme: ApiSecurityScheme) -> bool:
    """True unless the scheme is a bearer token or an API key in a header."""
    if scheme.kind is SchemeKind.API_KEY:
        return scheme.place is not Place.HEADER
    return scheme.kind not in (SchemeKind.BEARER, SchemeKind.OPENID)


def scheme_call(scheme: ApiSecurityScheme, stem: str) -> CallExpr:
    """`HeaderScheme(id, kind, …)`, or `SecurityScheme(…)`."""
    facts = (
        ("place", str(scheme.place or "") if is_general(scheme) else ""),
        ("name", scheme.name),
        ("token_url", scheme.token_url),
        ("password_url", scheme.password_url),
        ("scopes", scheme.scopes),
        ("setting", stem),
    )
    return CallExpr(
        "SecurityScheme" if is_general(scheme) else "HeaderScheme",
        (scheme.id, str(scheme.kind)),
        tuple(fact for fact in facts if fact[1]),
    )


def _suffixes(scheme: ApiSecurityScheme) -> tuple[tuple[str, str, bool], ...]:
    """The endings of a scheme's fields."""
    client = _CLIENT if scheme.token_url else ()
    if not scheme.password_url:
        return _SUFFIXES[scheme.kind] + client
    return _SUFFIXES[scheme.kind] + _USER + (client or _CLIENT_OF_USER)


def _scheme_fields(scheme: ApiSecurityScheme, stem: str) -> list[str]:
    """The fields of a scheme with this stem."""
    return [f"{stem}{suffix}" for suffix, _, _ in _suffixes(scheme)]
