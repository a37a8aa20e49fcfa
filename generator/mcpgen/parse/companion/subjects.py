"""What an assertion may look at, and what may be claimed about each: the tables of the grammar."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.ir.companion import Subject
from mcpgen.parse.companion.keys import (
    ANY,
    COUNTED,
    LIST,
    METHOD,
    PATH,
    PATTERN,
    POSITIVE,
    ROUTE,
    Key,
    Keys,
    Kind,
    number,
    text,
    texts,
)

TRUE = Key(Kind.FLAG, False, lambda found: found is True, "true, or left out")
_BOUND = Key(Kind.ANY, False, lambda found: type(found) in (int, float), "a number")
_WORD = (lambda found: found != "", "a text that is not empty")
_ANYTHING = Key(Kind.ANY, False, lambda found: found not in ("", []), "a value that is not empty")
_WORDS: Keys = {"contains": texts(_WORD), "lacks": texts(_WORD), "matches": text(PATTERN)}
_ORDER = Key(Kind.LIST, False, lambda found: found != [], "at least one value")
_COUNTS: Keys = {"count": number(COUNTED), "at_least": number(COUNTED), "at_most": number(COUNTED)}

CLAIMS: Mapping[Subject, Keys] = {
    Subject.PATH: {
        "equals": ANY,
        "absent": TRUE,
        "present": TRUE,
        "contains": _ANYTHING,
        "lacks": _ANYTHING,
        "matches": text(PATTERN),
        "count": number(COUNTED),
        "at_least": _BOUND,
        "at_most": _BOUND,
        "order": _ORDER,
        "unique": TRUE,
        "keys": LIST,
        "mirrors": text(PATH),
    },
    Subject.TEXT: _WORDS,
    Subject.HEADER: {"equals": text(), "absent": TRUE, "present": TRUE, **_WORDS},
    Subject.BYTES: {
        "at_most": Key(Kind.ANY),
        "at_least": number(COUNTED),
    },
    Subject.TOOLS: {"exactly": texts(_WORD), "include": texts(_WORD), "exclude": texts(_WORD)},
    Subject.ARGUMENTS: {
        "of": texts(_WORD, needed=True),
        "include": texts(_WORD),
        "exclude": texts(_WORD),
    },
    Subject.UPSTREAM: {
        **_COUNTS,
        "method": text(METHOD),
        "path": text(ROUTE),
        "query": Key(Kind.MAPPING),
    },
}
"""The claims about each subject; for those that are not here, the subject's own value is the claim."""

VALUES: Mapping[Subject, tuple[Key, str]] = {
    Subject.IS_ERROR: (Key(Kind.FLAG), "equals"),
    Subject.CODE: (Key(Kind.NUMBER), "equals"),
    Subject.STATUS: (
        number((lambda found: 0 <= found <= 599, "an HTTP status or an exit code")),
        "equals",
    ),
    Subject.TIME: (number(POSITIVE), "at_most"),
}
"""The subjects whose value is the claim: its type, and the operator it stands for."""

MEASURED = ("result", "tools/list")
"""What `bytes` measures."""

NONE = "none"
"""`upstream: none`: no request at all."""

CALL = "at_call"
EVERY = "every"
