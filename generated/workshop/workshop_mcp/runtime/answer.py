"""What the API answered, and the ways in which it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
        """The body as text, in the charset it claims."""
        _, _, claimed = self.headers.get("content-type", "").lower().partition("charset=")
        charset = claimed.partition(";")[0].strip(" \"'") or "utf-8"
        try:
            return self.body.decode(charset, "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")
