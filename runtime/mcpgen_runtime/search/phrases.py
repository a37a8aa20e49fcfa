"""Phrases and abbreviations with the words that APIs use instead.

General English and technical jargon; not taken from any single API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_PHRASES = {
    "pr": "pull request",
    "prs": "pull requests",
    "mr": "merge request",
    "ci": "workflow build",
    "cd": "deployment",
    "k8s": "kubernetes",
    "2fa": "two factor authentication",
    "mfa": "multi factor authentication",
    "sso": "single sign on",
    "faq": "questions",
    "eta": "estimated arrival",
    "whoami": "current user",
    "who am": "current user",
    "how many": "count",
    "how much": "amount",
    "how long": "duration",
    "how often": "frequency",
    "how old": "age",
    "left to do": "todo",
    "have to do": "todo",
    "to do": "todo",
    "going on": "active",
    "due date": "deadline",
    "garbage collection": "prune",
    "price list": "prices",
    "short link": "permalink",
    "read aloud": "speech",
    "at once": "bulk",
    "all at once": "bulk",
    "not yet": "pending",
    "be able to": "can",
    "get rid of": "delete",
    "get rid": "delete",
    "do away with": "delete",
    "give me": "get",
    "tell me": "get",
    "hand me": "get",
    "let me see": "show",
    "let me know": "notify",
    "make sure": "check",
    "find out": "get",
    "have a look at": "show",
    "look at": "show",
    "look for": "search",
    "look through": "search",
    "look up": "find",
    "keep track of": "track",
    "keep an eye on": "watch",
    "listen to": "subscribe",
    "ask for": "request",
    "get out of": "close",
    "get out": "exit",
    "get into": "enter",
    "go back to": "restore",
    "go back": "revert",
    "run again": "rerun",
    "start again": "restart",
    "start over": "restart",
    "try again": "retry",
    "do again": "retry",
    "get hold of": "get",
    "take part in": "join",
    "take over": "transfer",
    "take down": "delete",
    "give access to": "grant",
    "let go": "release",
    "let in": "allow",
    "opt in": "subscribe",
    "opt out": "unsubscribe",
    "check in": "checkin",
    "check out": "checkout",
    "carry on": "resume",
    "go on": "resume",
    "carry out": "execute",
    "log in": "login",
    "logged in": "login",
    "sign in": "login",
    "signed in": "login",
    "signing in": "login",
    "logging in": "login",
    "log on": "login",
    "work with": "use",
    "on call": "oncall",
    "time off": "vacation",
    "top up": "deposit",
    "cash out": "withdraw",
    "mark as": "update",
    "get in touch with": "contact",
    "up and running": "health",
    "out of date": "outdated",
    "up to date": "sync",
    "behind schedule": "late",
    "sold out": "unavailable",
    "left over": "remaining",
}
"""By phrase, with all words in sequence: the replacement."""

_SEPARABLE = {
    "add": {"up": "sum"},
    "back": {"up": "backup"},
    "bring": {"back": "restore", "up": "start", "down": "stop"},
    "call": {"off": "cancel", "back": "call"},
    "clean": {"up": "prune", "out": "empty"},
    "clear": {"out": "empty", "up": "prune"},
    "close": {"down": "close"},
    "cut": {"off": "disconnect", "down": "reduce"},
    "fill": {"in": "complete", "out": "complete"},
    "give": {"back": "return", "up": "release", "away": "transfer"},
    "hand": {"in": "submit", "over": "transfer", "out": "distribute"},
    "hang": {"up": "end"},
    "kick": {"out": "remove", "off": "start"},
    "leave": {"out": "exclude"},
    "log": {"out": "logout", "off": "logout"},
    "pay": {"out": "payout", "back": "refund"},
    "pull": {"down": "download", "out": "remove"},
    "put": {"on": "add", "back": "restore", "off": "postpone", "in": "insert", "up": "create"},
    "roll": {"back": "rollback", "out": "deploy"},
    "send": {"back": "return", "out": "send", "off": "send", "in": "submit", "over": "send"},
    "set": {"up": "configure"},
    "shut": {"down": "shutdown", "off": "disable"},
    "sign": {"out": "logout", "off": "approve", "up": "register"},
    "spin": {"up": "create", "down": "stop"},
    "start": {"up": "start"},
    "switch": {"on": "enable", "off": "disable"},
    "take": {
        "away": "revoke",
        "back": "revoke",
        "down": "delete",
        "off": "remove",
        "out": "remove",
    },
    "throw": {"away": "delete", "out": "remove"},
    "turn": {"on": "enable", "off": "disable", "down": "reject", "into": "convert"},
    "write": {"down": "record"},
}
"""By verb and particle: the replacement of both. Words may stand between verb and particle, as in
`throw an order away`."""

_MAX_PARTICLE_DISTANCE = 4
"""Maximum distance of a particle from the verb, in words; 1 is the next word."""

_REPLACEMENTS: Mapping[tuple[str, ...], str] = {
    tuple(phrase.split()): replacement for phrase, replacement in _PHRASES.items()
}
"""`_PHRASES` by the words of each phrase."""

_MAX_PHRASE_WORDS = max(map(len, _REPLACEMENTS))


def replace_phrases(words: list[str]) -> Iterator[str]:
    """The words of a query, with phrases replaced; the longest phrase wins. Words between a verb
    and a particle follow the replacement: `throw an order away` becomes `delete an order`."""
    remaining = list(words)
    while remaining:
        length = _phrase_length(remaining)
        if length:
            yield from _REPLACEMENTS[tuple(remaining[:length])].split()
            del remaining[:length]
            continue
        word = remaining.pop(0)
        particles = _SEPARABLE.get(word, {})
        following = enumerate(remaining[:_MAX_PARTICLE_DISTANCE])
        position = next((at for at, particle in following if particle in particles), None)
        yield word if position is None else particles[remaining.pop(position)]


def _phrase_length(words: list[str]) -> int:
    """The number of words of the longest phrase at the beginning, 0 without a phrase."""
    lengths = range(_MAX_PHRASE_WORDS, 0, -1)
    return next((length for length in lengths if tuple(words[:length]) in _REPLACEMENTS), 0)
