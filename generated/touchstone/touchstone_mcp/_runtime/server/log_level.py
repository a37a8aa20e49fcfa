"""From which level on clients want to read what the server logs for them.

https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from mcp_types import SetLevelRequestParams

from ..elicitation.client_channel import Context, Level
from .feature import Feature, FeatureMethod, ServerContext, session_of

LEVELS: tuple[str, ...] = get_args(Level)
"""From the least to the most serious, as in RFC 5424."""

MOST = 10_000
"""Sessions whose level is known; the oldest gives way."""


class LogLevels(Feature):
    """The level that each session has set. Without sessions it is taken and holds for nothing: the
    next request may be anybody's."""

    def __init__(self) -> None:
        self._levels: dict[str, str] = {}

    def methods(self, inside: ServerContext) -> Mapping[str, FeatureMethod]:
        """What sets it, in revisions before 2026-07-28; there, each request names its own."""
        return {"logging/setLevel": FeatureMethod(SetLevelRequestParams, self._set)}

    def hears(self, context: Context, level: Level) -> bool:
        """Whether the session of a request wants to read a level; one that said nothing does."""
        least = self._levels.get(session_of(context), LEVELS[0])
        return LEVELS.index(level) >= LEVELS.index(least)

    async def _set(self, context: Context, params: SetLevelRequestParams) -> dict[str, Any]:
        if session := session_of(context):
            self._levels.pop(session, None)
            while len(self._levels) >= MOST:
                del self._levels[next(iter(self._levels))]
            self._levels[session] = params.level
        return {}
