# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""A request to the API and its response, and the errors of a request that is not sent or not
answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ssl import SSLContext

from ..extensions import Stream

# Some Python codecs raise despite `errors`, or take seconds for small inputs (idna, punycode,
# unicode_escape), so an API may choose only from this list.
_CHARSET = re.compile(
    r"utf-?8|utf-?16(-?[lb]e)?|(us-)?ascii|latin-?1|iso-?8859-\d+|(cp|windows-)125\d"
    r"|shift_jis|euc-jp|gb2312|gbk|gb18030|big5|koi8-r"
)
_XML_ENCODING = re.compile(rb"""<\?xml[^<>]{0,200}?encoding\s*=\s*["']([\w.-]{1,40})["']""")


class InvalidArguments(Exception):
    """Arguments for which no request may be sent; `problems` are messages for the model, one per
    line."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


# Not frozen: created for each call, and a frozen dataclass takes five times as long to create.
@dataclass(slots=True)
class UpstreamRequest:
    """One request relative to a base URL. `path` and `query` are percent-encoded and sent
    unchanged; `cookies` are encoded `name=value` pairs. `base_url` is set if the operation has its
    own base URL. `tls` is the context of a client certificate. `template` is the path
    without values, if different from the tool's route."""

    method: str
    path: str
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[str, ...] = ()
    body: bytes | None = None
    base_url: str = ""
    tls: SSLContext | None = None
    template: str = ""


class UpstreamError(Exception):
    """No response arrived; the message may be shown to the model. `passing`: a retry may succeed.
    `sent`: the API may have received the request."""

    def __init__(self, why: str, *, passing: bool = False, sent: bool = False) -> None:
        super().__init__(why)
        self.passing = passing
        self.sent = sent


# Not frozen: created for each call, and a frozen dataclass takes five times as long to create.
@dataclass(slots=True)
class UpstreamResponse:
    """A response of the API. `headers` have lower-case names; `body` is decompressed, and truncated
    if `complete` is false. `path` is the requested path. A streamed response has a `stream` and no
    body."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    complete: bool
    path: str
    stream: Stream | None = None

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case; `""` if absent."""
        return content_essence(self.headers.get("content-type", ""))

    @property
    def text(self) -> str:
        """The body as text, in the declared charset if allowed, otherwise UTF-8."""
        charset = self._charset()
        if not _CHARSET.fullmatch(charset):
            charset = "utf-8"
        try:
            return self.body.decode(charset, "replace").removeprefix("\ufeff")
        except LookupError:
            # `iso-8859-99` matches the pattern but does not exist.
            return self.body.decode("utf-8", "replace")

    def _charset(self) -> str:
        _, _, claimed = self.headers.get("content-type", "").lower().partition("charset=")
        charset = claimed.partition(";")[0].strip(" \"'")
        if not charset and self.media_type.endswith(("/xml", "+xml")):
            declared = _XML_ENCODING.match(self.body[:300])
            charset = declared[1].decode("ascii").lower() if declared else ""
        return charset


def content_essence(content_type: str) -> str:
    """A content type without parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()
