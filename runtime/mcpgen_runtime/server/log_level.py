"""The minimum level of log messages sent to clients.

https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from mcp_types import SetLevelRequestParams

from .client_channel import Context, Level
from .feature import Feature, FeatureMethod, ServerContext, session_of

LEVELS: tuple[str, ...] = get_args(Level)
"""Log levels in increasing severity, as in RFC 5424."""

MAX_SESSIONS = 10_000
"""Maximum number of sessions with a level; the oldest is dropped."""


class LogLevels(Feature):
    """Log levels by session. Without a session, a level is accepted and ignored: the next request
    may come from another client."""

    def __init__(self) -> None:
        self._levels: dict[str, str] = {}

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The method that sets the level, before revision 2026-07-28; since then each request names
        a level."""
        return {"logging/setLevel": FeatureMethod(SetLevelRequestParams, self._set)}

    def wants_log(self, context: Context, level: Level) -> bool:
        """True if the session of a request wants a level; by default all levels."""
        minimum = self._levels.get(session_of(context), LEVELS[0])
        return LEVELS.index(level) >= LEVELS.index(minimum)

    async def _set(self, context: Context, params: SetLevelRequestParams) -> dict[str, Any]:
        if session := session_of(context):
            self._levels.pop(session, None)
            while len(self._levels) >= MAX_SESSIONS:
                del self._levels[next(iter(self._levels))]
            self._levels[session] = params.level
        return {}
