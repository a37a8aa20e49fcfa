"""Secrets: names that carry one, and their removal from reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import parse_qsl, quote, quote_plus, unquote

from mcpgen.conformance.model import Report
from mcpgen.conformance.strict_json import Json

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
ALONE = frozenset(
    {
        *("password", "passwd", "passphrase", "secret", "credential", "credentials"),
        *("authorization", "bearer", "cookie", "apikey", "jwt", "otp", "cvv", "cvc", "ssn"),
    }
)
"""Words that make a name secret wherever they stand in it."""

TOGETHER = (
    *("api key", "access key", "private key", "signing key", "encryption key", "session key"),
    *("access token", "auth token", "refresh token", "id token", "bearer token", "api token"),
    *("session token", "security token", "session id", "client secret", "social security"),
    *("card number", "credit card", "passport number"),
)
"""Words that make a name secret when they follow each other."""

WHOLE = frozenset({"token", "pwd", "pin", "auth"})
"""Names that are secret as a whole: `token` is, `page_token` and `max_tokens` are not."""


USER = re.compile(r"[a-z]+://([^/?#]*)@", re.IGNORECASE)
"""What stands before the host in an address, be it otherwise a URL or not."""


def in_address(url: str) -> frozenset[str]:
    """The secrets that an address carries: a password, and the values of secret parameters."""
    secrets = set()
    if user := USER.match(url):
        password = user[1].partition(":")[2]
        secrets |= {password, unquote(password)}
    query = url.partition("?")[2].partition("#")[0]
    secrets |= {value for name, value in parse_qsl(query) if secretive(name)}
    return frozenset(secrets - {""})


def secretive(name: str) -> bool:
    """Whether an argument, a query parameter or a header of this name carries a secret."""
    words = [word.lower() for word in WORDS.findall(name)]
    spelled = f" {' '.join(words)} "
    return (
        "".join(words) in WHOLE
        or not ALONE.isdisjoint(words)
        or any(f" {pair} " in spelled for pair in TOGETHER)
    )


HIDDEN = "[redacted]"
SHORTEST = 4
"""Characters of a secret; what is shorter stands in every second word, and is no secret."""


def redact_report(report: Report, secrets: Iterable[str]) -> Report:
    """The report with `[redacted]` for each secret, also where a text was cut in the middle of one."""
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
    """The text with `[redacted]` for each secret."""
    pattern = _secrets_pattern(secrets)
    return text if pattern is None else pattern.sub(HIDDEN, text)


def _secrets_pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """Every spelling of the secrets, the longest first; a beginning of one counts before an
    ellipsis, because there a text was cut."""
    spellings = {
        spelling
        for secret in secrets
        if len(secret) >= SHORTEST
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
    cut = [
        f"{re.escape(spelling[:length])}(?=…)"
        for spelling in longest_first
        for length in range(len(spelling) - 1, SHORTEST - 1, -1)
    ]
    return re.compile("|".join([*map(re.escape, longest_first), *cut]))


def _redact_value(value: Json, pattern: re.Pattern[str]) -> Json:
    """A JSON value whose texts and keys hold no secret."""
    if isinstance(value, str):
        return pattern.sub(HIDDEN, value)
    if isinstance(value, list):
        return [_redact_value(item, pattern) for item in value]
    if isinstance(value, dict):
        return {
            pattern.sub(HIDDEN, key): _redact_value(item, pattern) for key, item in value.items()
        }
    return value
