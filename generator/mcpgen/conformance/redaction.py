"""Secrets: names of arguments and headers that carry secrets, and the removal of secrets from
reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import parse_qsl, quote, quote_plus, unquote

from mcpgen.conformance.model import Report
from mcpgen.conformance.strict_json import Json

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
SECRET_WORDS = frozenset(
    {
        *("password", "passwd", "passphrase", "secret", "credential", "credentials"),
        *("authorization", "bearer", "cookie", "apikey", "jwt", "otp", "cvv", "cvc", "ssn"),
    }
)
"""Words that make a name secret at any position."""

SECRET_PHRASES = (
    *("api key", "access key", "private key", "signing key", "encryption key", "session key"),
    *("access token", "auth token", "refresh token", "id token", "bearer token", "api token"),
    *("session token", "security token", "session id", "client secret", "social security"),
    *("card number", "credit card", "passport number"),
)
"""Consecutive words that make a name secret."""

SECRET_NAMES = frozenset({"token", "pwd", "pin", "auth"})
"""Whole names that are secret: `token`, but not `page_token` or `max_tokens`."""


USER = re.compile(r"[a-z]+://([^/?#]*)@", re.IGNORECASE)
"""The user information before the host of a URL."""

HIDDEN = "[redacted]"
MIN_LENGTH = 4
"""Minimum length of a secret; a shorter text occurs in ordinary words."""


def in_address(url: str) -> frozenset[str]:
    """The secrets in a URL: the password and the values of secret parameters."""
    secrets = set()
    if user := USER.match(url):
        password = user[1].partition(":")[2]
        secrets |= {password, unquote(password)}
    query = url.partition("?")[2].partition("#")[0]
    secrets |= {value for name, value in parse_qsl(query) if secretive(name)}
    return frozenset(secrets - {""})


def secretive(name: str) -> bool:
    """True if an argument, query parameter or header with this name carries a secret.

    Example: `secretive("apiKey")` is true, `secretive("page_token")` is false.
    """
    words = [word.lower() for word in WORDS.findall(name)]
    spelled = f" {' '.join(words)} "
    return (
        "".join(words) in SECRET_NAMES
        or not SECRET_WORDS.isdisjoint(words)
        or any(f" {pair} " in spelled for pair in SECRET_PHRASES)
    )


def redact_report(report: Report, secrets: Iterable[str]) -> Report:
    """Replaces each secret in a report by `[redacted]`, also a secret cut short by an ellipsis.

    Servers may return a secret in an error text or a result.
    """
    pattern = _secrets_pattern(secrets)
    if pattern is None:
        return report
    outcomes = tuple(
        replace(
            outcome,
            expected=pattern.sub(HIDDEN, outcome.expected),
            saw=pattern.sub(HIDDEN, outcome.saw),
            tool=pattern.sub(HIDDEN, outcome.tool),
        )
        for outcome in report.outcomes
    )
    return replace(
        report,
        target=pattern.sub(HIDDEN, report.target),
        outcomes=outcomes,
        notes=tuple(pattern.sub(HIDDEN, note) for note in report.notes),
        tools=tuple(_redact_value(tool, pattern) for tool in report.tools),
    )


def redact_text(text: str, secrets: Iterable[str]) -> str:
    """Replaces each secret in a text by `[redacted]`.

    Example: `redact_text("token abcd", ("abcd",))` is `token [redacted]`.
    """
    pattern = _secrets_pattern(secrets)
    return text if pattern is None else pattern.sub(HIDDEN, text)


def _secrets_pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """Matches every spelling of the secrets, longest first, and prefixes before an ellipsis."""
    spellings = {
        spelling
        for secret in secrets
        if len(secret) >= MIN_LENGTH
        for spelling in (
            secret,
            quote(secret, safe=""),
            quote_plus(secret),
            json.dumps(secret)[1:-1],
        )
    }
    if not spellings:
        return None
    longest_first = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    truncated = [
        f"{re.escape(spelling[:length])}(?=…)"
        for spelling in longest_first
        for length in range(len(spelling) - 1, MIN_LENGTH - 1, -1)
    ]
    return re.compile("|".join([*map(re.escape, longest_first), *truncated]))


def _redact_value(value: Json, pattern: re.Pattern[str]) -> Json:
    """Redacts texts and keys of a JSON value."""
    if isinstance(value, str):
        return pattern.sub(HIDDEN, value)
    if isinstance(value, list):
        return [_redact_value(item, pattern) for item in value]
    if isinstance(value, dict):
        return {
            pattern.sub(HIDDEN, key): _redact_value(item, pattern) for key, item in value.items()
        }
    return value
