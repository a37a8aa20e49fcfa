"""Calls in rounds (revision 2026-07-28): a result asks, and the call is repeated with the answers.

The state that a client returns is sealed by the SDK, bound to caller, tool and arguments, accepted once and for
a limited time: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from ..caller import ANYBODY, Caller, caller_of
from ..server.request_states import RequestStates, StoreUnavailable
from ..tool import Json
from .client_channel import Context, RequestRound

logger = logging.getLogger(__name__)


class RequestRounds:
    """Opens and checks the request state of repeated calls. `used` is shared by all processes that
    accept the same state."""

    def __init__(self, server: str, key: str, seconds: float, used: RequestStates) -> None:
        security = RequestStateSecurity(keys=[key], ttl=seconds, bind_principal=_mark)
        self._boundary = RequestStateBoundary(security, default_audience=server)
        self._seconds = seconds
        self._used = used

    async def answered(
        self, context: Context, made: Callable[[RequestRound], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Runs `made` with the answers of the round and seals the state of the result.

        Raises `MCPError` for a state of another server, caller or call, for an expired or used
        state, and while the store is unreachable.
        """
        sealed = (context.params or {}).get("requestState")

        async def opened(context: Context) -> dict[str, Any]:
            if sealed is not None:
                await self._use(sealed)
            return await made(_round(context.params or {}))

        wire = await self._boundary(context, opened)
        assert isinstance(wire, dict)
        return wire

    async def _use(self, sealed: str) -> None:
        mark = hashlib.sha256(sealed.encode()).digest()
        try:
            is_first = await self._used.use(mark, self._seconds)
        except StoreUnavailable as fault:
            logger.error("The store of used states fails (%s): an answer is refused", fault)
            message = (
                "The server cannot check now whether this requestState was used; try again later"
            )
            raise MCPError(INTERNAL_ERROR, message) from fault
        if not is_first:
            raise MCPError(INVALID_PARAMS, "This requestState was answered before")


def caller_in(context: Context) -> Caller:
    """The sender of the current message."""
    return caller_of(context.request.scope) if context.request else ANYBODY


def _mark(context: Context) -> str:
    return caller_in(context).mark


def _round(params: Mapping[str, Json]) -> RequestRound:
    """The answers and opened state of a request."""
    answers = params.get("inputResponses")
    answers = answers if isinstance(answers, dict) else {}
    if params.get("requestState") is None:
        return RequestRound(answers)
    state = json.loads(params["requestState"])
    return RequestRound(answers, state["asked"], state["kept"])
