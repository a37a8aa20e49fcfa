"""URIs with variables in them: what one looks like, and the values that stand in one.

https://www.rfc-editor.org/rfc/rfc6570#section-1.2 (level 1: `{name}` and nothing else)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote_to_bytes

LONGEST = 8192
"""Characters of a URI that are looked at; a longer one is none of ours."""

_VARIABLE = re.compile(r"\{(\w+)\}", re.ASCII)
_VALUE = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
"""What level 1 makes of a value: unreserved characters, and escapes for all others."""


@dataclass(frozen=True)
class UriTemplate:
    """A URI, or the template of many. Between two variables stands a reserved character, so that a
    URI is matched in one way and in one pass."""

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its variables in order, none of a plain URI."""
        return tuple(_VARIABLE.findall(self.text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = _VARIABLE.split(self.text)
        return re.compile("".join(_VALUE if i % 2 else re.escape(p) for i, p in enumerate(pieces)))

    def values(self, uri: str) -> dict[str, str] | None:
        """The values that stand in a URI, decoded once; None if it is not made by the template."""
        found = self._pattern.fullmatch(uri) if len(uri) <= LONGEST else None
        if found is None:
            return None
        try:
            decoded = [unquote_to_bytes(value).decode() for value in found.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(self.names, decoded, strict=True))

    def uri(self, values: Mapping[str, str]) -> str:
        """The URI in which these values stand. Raises `KeyError` for a variable that has none."""
        return _VARIABLE.sub(lambda found: quote(values[found[1]], safe=""), self.text)
