# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The channel of a call that may ask the client: for forms, visits of a URL, sampling and roots.

In a session of an older revision, a question is sent at once and the call waits for the answer. Since revision
2026-07-28 the call ends with the questions, and the client repeats the call with the answers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import REQUEST_TIMEOUT
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from ..result import Result
from ..server.client_channel import (
    ClientChannel,
    Context,
    FetchContext,
    InputRequired,
    NoAnswer,
    WantsLog,
)
from ..tool import Json
from ..validation.validate import LazyValidator, describe_violation, format_place
from .forms import Question

# The reasons why an answer is not usable may contain text of the client, and are shown to the model.
_MAX_REASON_LENGTH = 300  # Maximum characters of one reason
_MAX_REASONS = 5  # Maximum number of reasons for an invalid answer

STREAM_STARTED_KEY = "stream_started"
"""Key in an ASGI scope: an `asyncio.Event`, set when the first bytes of the response body are sent."""

MAX_STATE_LENGTH = 64 * 1024
"""Maximum characters of the state that the client returns with the answers, before the state is
sealed. The state contains all earlier answers, and every request of the call has the state."""

_ONE_WAY = (
    "The user cannot be asked over this connection: this server keeps no session with the client. Its"
    " operator can switch sessions on; clients of revision 2026-07-28 need none."
)
_INVALID_ANSWER = "The client's answer is not what was asked for:"


@dataclass
class QuestionLimits:
    """Limits and state of the questions of one process: `seconds` per answer, at most `max_open`
    questions at a time, and the number `open_count` of questions that now wait for an answer."""

    seconds: float
    max_open: int
    open_count: int = 0
    shutdown: asyncio.Event = field(default_factory=asyncio.Event)
    """Set before the process ends: no call waits for an answer any longer."""


@dataclass(frozen=True)
class RequestRound:
    """The answers that a client sends with a call, since revision 2026-07-28.

    `answers`: the new answers, by key of the question. For a repeated call, `asked` has the digests of
    the questions asked in the round before, by key, and `settled` has the answers of all earlier
    rounds, by `"DIGEST KEY"`, because two questions of a call may have the same key.
    """

    answers: Mapping[str, Json] = field(default_factory=dict)
    asked: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[str, Json] = field(default_factory=dict)


class AskingChannel(ClientChannel):
    """The client of a call, who may be asked within `limits`. `round` has the answers that the client
    sent with the call."""

    def __init__(
        self,
        limits: QuestionLimits,
        round: RequestRound,
        fetch_context: FetchContext | None,
        meta: Mapping[str, Json] | None,
        wants_log: WantsLog,
    ) -> None:
        super().__init__(fetch_context, meta, wants_log)
        self._limits = limits
        self._round = round
        self._question_count = 0
        self._settled: dict[str, Json] = {}
        """The answers used in this round, as in `RequestRound.settled`."""

    @property
    def is_repeated(self) -> bool:
        """True for a repeated call with an answer to an earlier question."""
        return not self._round.answers.keys().isdisjoint(self._round.asked)

    async def close_stream(self) -> None:
        """Closes the event stream of the call, if the client can resume the stream."""
        context = await self._fetch_context() if self._fetch_context else None
        # The SDK gives the function only for a stream that can be resumed.
        if context and context.close_sse_stream:
            scope = context.request.scope if context.request else {}
            if stream_started := scope.get(STREAM_STARTED_KEY):
                await stream_started.wait()
            await context.close_sse_stream()

    async def _context(self) -> Context:
        if self._fetch_context is None:
            raise self._cannot_ask_error()
        return await self._fetch_context()

    async def hears(self, question: Question) -> bool:
        """True if the client has declared the capability for a question. Raises `NoAnswer` in a
        nested call."""
        context = await self._context()
        return question.fits(context.session.client_capabilities)

    async def ask_for(self, kind: str, *content: Any, **options: Any) -> dict[str, Any]:
        """The answer to one question, in MCP format. The constructor `Question.KIND` makes the
        question of `content` and `options`. Raises as `ask` does."""
        (answer,) = await self.ask(getattr(Question, kind)(*content, **options))
        return answer

    async def ask(self, *questions: Question) -> list[dict[str, Any]]:
        """The answers to questions, in order and in MCP format. Raises `NoAnswer` if a question has no
        usable answer, and `InputRequired` if the client must repeat the call with answers."""
        context = await self._context()
        for question in questions:
            if not question.fits(context.session.client_capabilities):
                raise _missing_capability_error(question, context)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._ask_in_rounds(questions)
        return [await self._ask_now(question, context) for question in questions]

    async def _ask_now(self, question: Question, context: Context) -> dict[str, Any]:
        """Sends the question on the stream of the call and waits for the answer."""
        limits = self._limits
        if limits.open_count >= limits.max_open:
            raise NoAnswer("Too many questions are open at once; try again later.")
        limits.open_count += 1
        try:
            answer = await _await_answer(
                limits,
                context.session.send_request(
                    question.request,  # type: ignore[arg-type]
                    question.answer,
                    limits.seconds,
                    ServerMessageMetadata(related_request_id=context.request_id),
                ),
            )
        except NoBackChannelError:
            raise NoAnswer(_ONE_WAY) from None
        except ValidationError as fault:
            raise _malformed_answer_error(fault) from None
        except MCPError as fault:
            if fault.error.code == REQUEST_TIMEOUT:
                raise NoAnswer(f"Nobody answered within {limits.seconds:g} seconds.") from None
            reason = " ".join(fault.error.message.split())[:_MAX_REASON_LENGTH]
            raise NoAnswer(f"The client did not ask its user: {reason}") from None
        finally:
            limits.open_count -= 1
        return _check_answer(question, answer)

    def _ask_in_rounds(self, questions: tuple[Question, ...]) -> list[dict[str, Any]]:
        """The answers that the client sent with the call. Raises `InputRequired` with all questions
        that have no answer yet."""
        answers: list[dict[str, Any]] = []
        unanswered: dict[str, Question] = {}
        for question in questions:
            self._question_count += 1
            key = question.key or f"question{self._question_count}"
            raw = self._sent_answer(key, question)
            if raw is None:
                unanswered[key] = question
            else:
                answers.append(_check_answer(question, _parse_answer(question, raw)))
                self._settled[f"{question.digest} {key}"] = raw
        if not unanswered:
            return answers
        if self.has_written:
            # The repeated call would send the request a second time.
            raise RuntimeError(
                "a handler must ask before it sends a request that changes something"
            )
        digests = {key: question.digest for key, question in unanswered.items()}
        # `rounds` seals the state, and reads the state of the repeated call.
        state = {"asked": digests, "kept": self._settled}
        if len(text := json.dumps(state)) > MAX_STATE_LENGTH:
            raise NoAnswer("The answers so far are too large to go on with.")
        requests = {key: question.wire for key, question in unanswered.items()}
        raise InputRequired(Result((), asks={"inputRequests": requests, "requestState": text}))

    def _sent_answer(self, key: str, question: Question) -> Json:
        """The answer that the client sent to a question, None if absent. An answer with the key of the
        question counts if the same question was asked in the round before, or if no question with the
        key was asked and the question allows an early answer."""
        answer = self._round.settled.get(f"{question.digest} {key}")
        if answer is not None:
            return answer
        is_early = question.early and key not in self._round.asked
        if is_early or self._round.asked.get(key) == question.digest:
            return self._round.answers.get(key)
        return None


async def _await_answer(
    limits: QuestionLimits, request: Coroutine[Any, Any, BaseModel]
) -> BaseModel:
    """Sends a request to the client and waits for the answer. Raises `NoAnswer` if the process is
    about to end."""
    answer = asyncio.ensure_future(request)
    shutdown = asyncio.ensure_future(limits.shutdown.wait())
    try:
        await asyncio.wait((answer, shutdown), return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        raise NoAnswer("The server is about to end, and waits for no answers; try again later.")
    finally:
        answer.cancel()
        shutdown.cancel()


def _missing_capability_error(question: Question, context: Context) -> NoAnswer:
    """The error for a client without the needed capability. A client without a session has declared no
    capabilities to the server, and cannot be asked."""
    if not context.session.can_send_request and context.session.client_capabilities is None:
        return NoAnswer(_ONE_WAY, needs=question.needs)
    (name,) = question.needs  # Each question needs one capability.
    mode = question.params.get("mode", "")
    label = f"`{name}`{f' in mode `{mode}`' if mode else ''}"
    return NoAnswer(
        f"This call has to ask the client, which has not declared that it can be: {label} is"
        " missing among its capabilities.",
        needs=question.needs,
    )


def _parse_answer(question: Question, raw: Json) -> BaseModel:
    """The answer as the SDK's model. Raises `NoAnswer` for an answer that is not in MCP format."""
    try:
        return question.answer.model_validate(raw, by_name=False)
    except ValidationError as fault:
        raise _malformed_answer_error(fault) from None


def _malformed_answer_error(fault: ValidationError) -> NoAnswer:
    """The error for an answer that is not in MCP format, without the values of the answer, which may
    be long."""
    return _invalid_answer_error(
        f"{format_place(tuple(item['loc'])) or 'answer'}: {item['msg']}" for item in fault.errors()
    )


def _invalid_answer_error(reasons: Iterable[str]) -> NoAnswer:
    first_reasons = list(reasons)[:_MAX_REASONS]
    return NoAnswer(_INVALID_ANSWER, *(reason[:_MAX_REASON_LENGTH] for reason in first_reasons))


def _check_answer(question: Question, answer: BaseModel) -> dict[str, Any]:
    """The answer in MCP format. Raises `NoAnswer` if the user accepted a form with content that is
    invalid for the schema of the form."""
    reply = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
    if question.schema is None or reply.get("action") != "accept":
        return reply
    # A form has no fields besides `properties`, also if the schema omits `additionalProperties`.
    schema = {**question.schema, "additionalProperties": False}
    if problems := LazyValidator(lambda: schema).problems(reply.get("content", {})):
        raise _invalid_answer_error(
            f"{format_place(problem.path) or 'answer'}: {describe_violation(problem)}"
            for problem in problems
        )
    return reply
