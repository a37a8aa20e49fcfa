"""What an assertion may look at, and what may be claimed about each: the tables of the grammar."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.openspec.companion.keys import (
    ANY,
    COUNTED,
    LIST,
    METHOD,
    PATH,
    PATTERN,
    POSITIVE,
    ROUTE,
    CompanionKey,
    CompanionType,
    Keys,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.model.companion import AssertionTarget

TRUE = CompanionKey(CompanionType.FLAG, False, lambda found: found is True, "true, or left out")
_BOUND = CompanionKey(
    CompanionType.ANY, False, lambda found: type(found) in (int, float), "a number"
)
_WORD = (lambda found: found != "", "a text that is not empty")
_ANYTHING = CompanionKey(
    CompanionType.ANY, False, lambda found: found not in ("", []), "a value that is not empty"
)
_WORDS: Keys = {
    "contains": texts_key(_WORD),
    "lacks": texts_key(_WORD),
    "matches": text_key(PATTERN),
}
_ORDER = CompanionKey(CompanionType.LIST, False, lambda found: found != [], "at least one value")
_COUNTS: Keys = {
    "count": number_key(COUNTED),
    "at_least": number_key(COUNTED),
    "at_most": number_key(COUNTED),
}

CLAIMS: Mapping[AssertionTarget, Keys] = {
    AssertionTarget.PATH: {
        "equals": ANY,
        "absent": TRUE,
        "present": TRUE,
        "contains": _ANYTHING,
        "lacks": _ANYTHING,
        "matches": text_key(PATTERN),
        "count": number_key(COUNTED),
        "at_least": _BOUND,
        "at_most": _BOUND,
        "order": _ORDER,
        "unique": TRUE,
        "keys": LIST,
        "mirrors": text_key(PATH),
    },
    AssertionTarget.TEXT: _WORDS,
    AssertionTarget.HEADER: {"equals": text_key(), "absent": TRUE, "present": TRUE, **_WORDS},
    AssertionTarget.BYTES: {
        "at_most": CompanionKey(CompanionType.ANY),
        "at_least": number_key(COUNTED),
    },
    AssertionTarget.TOOLS: {
        "exactly": texts_key(_WORD),
        "include": texts_key(_WORD),
        "exclude": texts_key(_WORD),
    },
    AssertionTarget.ARGUMENTS: {
        "of": texts_key(_WORD, needed=True),
        "include": texts_key(_WORD),
        "exclude": texts_key(_WORD),
    },
    AssertionTarget.UPSTREAM: {
        **_COUNTS,
        "method": text_key(METHOD),
        "path": text_key(ROUTE),
        "query": CompanionKey(CompanionType.MAPPING),
    },
}
"""The claims about each subject; for those that are not here, the subject's own value is the claim."""

VALUES: Mapping[AssertionTarget, tuple[CompanionKey, str]] = {
    AssertionTarget.IS_ERROR: (CompanionKey(CompanionType.FLAG), "equals"),
    AssertionTarget.CODE: (CompanionKey(CompanionType.NUMBER), "equals"),
    AssertionTarget.STATUS: (
        number_key((lambda found: 0 <= found <= 599, "an HTTP status or an exit code")),
        "equals",
    ),
    AssertionTarget.TIME: (number_key(POSITIVE), "at_most"),
}
"""The subjects whose value is the claim: its type, and the operator it stands for."""

MEASURED = ("result", "tools/list")
"""What `bytes` measures."""

NONE = "none"
"""`upstream: none`: no request at all."""

CALL = "at_call"
EVERY = "every"
