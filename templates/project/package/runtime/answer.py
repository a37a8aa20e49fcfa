"""What the API answered, and the ways in which it does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# Python has codecs that raise whatever `errors` says, or that take seconds for what a client sends
# in no time (idna, punycode, unicode_escape), so an API may not choose among all of them.
_CHARSET = re.compile(
    r"utf-?8|utf-?16(-?[lb]e)?|(us-)?ascii|latin-?1|iso-?8859-\d+|(cp|windows-)125\d"
    r"|shift_jis|euc-jp|gb2312|gbk|gb18030|big5|koi8-r"
)


class Unanswered(Exception):
    """No answer came; the message says why in words that may be shown."""


@dataclass(frozen=True)
class Answer:
    """An answer of the API. `headers` have lower-case names; `body` is decompressed, and only its
    beginning if `complete` is false. `path` is the one that was asked for."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    complete: bool
    path: str

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case; `""` if none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text, in the charset it claims if that is a known one, else in UTF-8."""
        _, _, claimed = self.headers.get("content-type", "").lower().partition("charset=")
        charset = claimed.partition(";")[0].strip(" \"'")
        if not _CHARSET.fullmatch(charset):
            charset = "utf-8"
        try:
            return self.body.decode(charset, "replace")
        except LookupError:
            # `iso-8859-99` looks like a charset and is none.
            return self.body.decode("utf-8", "replace")
