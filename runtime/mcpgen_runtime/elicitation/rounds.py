"""Calls that ask: in a session, or in rounds (revision 2026-07-28), in which a result asks and the
call is repeated with the answers.

The state that a client returns is sealed by the SDK, bound to caller, tool and arguments, accepted once and for
a limited time: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..result import Result
from ..server.client_channel import (
    Answer,
    ClientChannel,
    ClientChannels,
    Context,
    FetchContext,
    InputRequired,
    NoAnswer,
    WantsLog,
    caller_in,
    get_context,
    meta_of,
    to_wire,
)
from ..server.middleware import Middleware
from ..server.request_states import RequestStates, StatesInMemory, StoreUnavailable
from ..settings import ServerSettings
from ..tool import Json
from .asking_channel import AskingChannel, QuestionLimits, RequestRound

logger = logging.getLogger(__name__)


def open_questions(
    server: str, settings: ServerSettings, rules: Sequence[Middleware], wants_log: WantsLog
) -> ClientChannels:
    """The channels of a server whose calls may ask their clients. Used states are recorded in the
    store of the first rule with `states`, otherwise in the memory of the process."""
    stores = (getattr(rule, "states", None) for rule in rules)
    used: RequestStates = next(filter(None, stores), StatesInMemory())
    return AskingChannels(server, settings, used, wants_log)


class AskingChannels(ClientChannels):
    """Opens and checks the request state of repeated calls. `used` is shared by all processes that
    accept the same state."""

    def __init__(
        self, server: str, settings: ServerSettings, used: RequestStates, wants_log: WantsLog
    ) -> None:
        super().__init__(wants_log)
        seconds, key = settings.answer_seconds, settings.state_key.get_secret_value()
        security = RequestStateSecurity(keys=[key], ttl=seconds, bind_principal=_mark)
        self._boundary = RequestStateBoundary(security, default_audience=server)
        self._seconds = seconds
        self._used = used
        self._limits = QuestionLimits(seconds, settings.questions_at_once)

    def open(self, fetch_context: FetchContext, meta: Mapping[str, Json] | None) -> ClientChannel:
        """The channel of a first call."""
        return AskingChannel(self._limits, RequestRound(), fetch_context, meta, self._wants_log)

    async def respond(self, context: Context, answer: Answer) -> dict[str, Any]:
        """The answer of the round, with the state of a question sealed.

        Raises `MCPError` for a state of another server, caller or call, for an expired or used
        state, while the store is unreachable, and if the client cannot be asked.
        """
        sealed = (context.params or {}).get("requestState")

        async def answer_round(context: Context) -> dict[str, Any]:
            if sealed is not None:
                await self._use(sealed)
            round = _round(context.params or {})
            fetch = partial(get_context, context)
            client = AskingChannel(self._limits, round, fetch, meta_of(context), self._wants_log)
            try:
                result = await answer(client)
            except InputRequired as question:
                return question.result.wire()
            except NoAnswer as fault:
                raise _no_answer_error(fault.result, context) from None
            if isinstance(result, Result) and result.needs is not None and _is_modern(context):
                raise _no_answer_error(result, context)
            return to_wire(result)

        wire = await self._boundary(context, answer_round)
        assert isinstance(wire, dict)
        return wire

    def end_questions(self) -> None:
        """Ends unanswered questions."""
        self._limits.shutdown.set()

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


def _no_answer_error(result: Result, context: Context) -> MCPError:
    """The error of a request whose client was not or cannot be asked."""
    text = str(result.content[0]["text"])
    if result.needs is None or not _is_modern(context):
        return MCPError(INVALID_REQUEST, text)
    needs = {"requiredCapabilities": result.needs}
    return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, needs)


def _is_modern(context: Context) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


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
