"""Names that stand for something no model should pass on: credentials and numbers of a person."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote

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
    found = set()
    if user := USER.match(url):
        password = user[1].partition(":")[2]
        found |= {password, unquote(password)}
    query = url.partition("?")[2].partition("#")[0]
    found |= {value for name, value in parse_qsl(query) if secretive(name)}
    return frozenset(found - {""})


def secretive(name: str) -> bool:
    """Whether an argument, a query parameter or a header of this name carries a secret."""
    words = [word.lower() for word in WORDS.findall(name)]
    spelled = f" {' '.join(words)} "
    return (
        "".join(words) in WHOLE
        or not ALONE.isdisjoint(words)
        or any(f" {pair} " in spelled for pair in TOGETHER)
    )
