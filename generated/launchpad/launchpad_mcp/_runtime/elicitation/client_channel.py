# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Questions from a call to its client: forms, visits, sampling and roots."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
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

_MAX_REASON_LENGTH = 300

STREAM_BEGUN = "stream_begun"
"""Key in an ASGI scope: the event that the first bytes of the response are sent."""

MAX_STATE_LENGTH = 64 * 1024
"""Maximum characters of the state that a repeated call returns with the answers."""


@dataclass
class QuestionLimits:
    """Limits of the questions of one process: `seconds` per answer, `max_open` open questions."""

    seconds: float
    max_open: int
    open_count: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the process is about to end and stops waiting for answers."""


@dataclass(frozen=True)
class RequestRound:
    """The answers of a repeated call: `answers` to the questions of the `previous` round (digest by
    key), and the answers of `earlier` rounds by digest and key, since two questions of a call may
    share a key."""

    answers: Mapping[str, Json] = field(default_factory=dict)
    previous: Mapping[str, str] = field(default_factory=dict)
    earlier: Mapping[str, Json] = field(default_factory=dict)


class AskingChannel(ClientChannel):
    """The client of a call that may ask questions, within `limits`, in one round of a call."""

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
        self._number = 0
        self._settled: dict[str, Json] = {}

    @property
    def is_repeated(self) -> bool:
        """True for a repeated call with an answer to an earlier question."""
        return not self._round.answers.keys().isdisjoint(self._round.previous)

    async def close_stream(self) -> None:
        """Closes the event stream of the call, if the client can resume the stream."""
        context = await self._fetch_context() if self._fetch_context else None
        if context and context.close_sse_stream:
            if context.request and (stream_begun := context.request.scope.get(STREAM_BEGUN)):
                await stream_begun.wait()
            await context.close_sse_stream()

    async def _context(self) -> Context:
        if self._fetch_context is None:
            raise self._cannot_ask_error()
        return await self._fetch_context()

    async def hears(self, question: Question) -> bool:
        """True if the client has declared the capability for a question."""
        context = await self._context()
        return question.fits(context.session.client_capabilities)

    async def ask_for(self, kind: str, *content: Any, **options: Any) -> dict[str, Any]:
        """The answer to one question, made by the constructor `kind` of `Question`."""
        (answer,) = await self.ask(getattr(Question, kind)(*content, **options))
        return answer

    async def ask(self, *questions: Question) -> list[dict[str, Any]]:
        """The answers to questions, in MCP format. Raises `NoAnswer` on failure."""
        context = await self._context()
        for question in questions:
            if not question.fits(context.session.client_capabilities):
                raise _missing_capability_error(question, context)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._ask_in_rounds(questions)
        return [await self._ask_now(question, context, self._limits) for question in questions]

    async def _ask_now(
        self, question: Question, context: Context, limits: QuestionLimits
    ) -> dict[str, Any]:
        """Sends the question on the stream of the call and waits for the answer."""
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
            raise _invalid_answer_error(fault) from None
        except MCPError as fault:
            if fault.error.code == REQUEST_TIMEOUT:
                raise NoAnswer(f"Nobody answered within {limits.seconds:g} seconds.") from None
            reason = " ".join(fault.error.message.split())[:_MAX_REASON_LENGTH]
            raise NoAnswer(f"The client did not ask its user: {reason}") from None
        finally:
            limits.open_count -= 1
        return _check_answer(question, answer)

    def _ask_in_rounds(self, questions: tuple[Question, ...]) -> list[dict[str, Any]]:
        """The answers given with the repeated call. Raises `InputRequired` if some are missing."""
        answers: list[dict[str, Any]] = []
        open: dict[str, Question] = {}
        for question in questions:
            self._number += 1
            key = question.key or f"question{self._number}"
            raw = self._round_answer(key, question)
            if raw is None:
                open[key] = question
            else:
                answers.append(_check_answer(question, _validate_answer(question, raw)))
                self._settled[f"{question.digest} {key}"] = raw
        if not open:
            return answers
        if self.has_written:
            # The repeated call would send the request a second time.
            raise RuntimeError(
                "a handler must ask before it sends a request that changes something"
            )
        digests = {key: question.digest for key, question in open.items()}
        state = {"asked": digests, "kept": self._settled}
        if len(text := json.dumps(state)) > MAX_STATE_LENGTH:
            raise NoAnswer("The answers so far are too large to go on with.")
        requests = {key: question.wire for key, question in open.items()}
        raise InputRequired(Result((), asks={"inputRequests": requests, "requestState": text}))

    def _round_answer(self, key: str, question: Question) -> Json:
        """The answer to a question in this round, None if absent."""
        answer = self._round.earlier.get(f"{question.digest} {key}")
        if answer is not None:
            return answer
        is_early = question.early and key not in self._round.previous
        if is_early or self._round.previous.get(key) == question.digest:
            return self._round.answers.get(key)
        return None


async def _await_answer(limits: QuestionLimits, task: Coroutine[Any, Any, BaseModel]) -> BaseModel:
    """Waits for an answer. Raises `NoAnswer` if the process ends first."""
    answer = asyncio.ensure_future(task)
    shutdown = asyncio.ensure_future(limits.over.wait())
    try:
        await asyncio.wait((answer, shutdown), return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        raise NoAnswer("The server is about to end, and waits for no answers; try again later.")
    finally:
        answer.cancel()
        shutdown.cancel()


_ONE_WAY = (
    "The user cannot be asked over this connection: this server keeps no session with the client. Its"
    " operator can switch sessions on; clients of revision 2026-07-28 need none."
)


def _missing_capability_error(question: Question, context: Context) -> NoAnswer:
    """The error for a client without the needed capability."""
    if not context.session.can_send_request and context.session.client_capabilities is None:
        return NoAnswer(_ONE_WAY, needs=question.needs)
    (name,) = question.needs
    mode = question.params.get("mode", "")
    label = f"`{name}`{f' in mode `{mode}`' if mode else ''}"
    return NoAnswer(
        f"This call has to ask the client, which has not declared that it can be: {label} is"
        " missing among its capabilities.",
        needs=question.needs,
    )


def _validate_answer(question: Question, raw: Json) -> BaseModel:
    try:
        return question.answer.model_validate(raw, by_name=False)
    except ValidationError as fault:
        raise _invalid_answer_error(fault) from None


def _invalid_answer_error(fault: ValidationError) -> NoAnswer:
    """The error for an invalid answer, without the answer's values, which may be long."""
    lines = [
        f"{format_place(tuple(item['loc'])) or 'answer'}: {item['msg']}" for item in fault.errors()
    ]
    return NoAnswer(_NO_ANSWER, *(line[:_MAX_REASON_LENGTH] for line in lines[:5]))


def _check_answer(question: Question, answer: BaseModel) -> dict[str, Any]:
    """The answer, if valid for the question's schema. Raises `NoAnswer` otherwise."""
    reply = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
    if question.schema is None or reply.get("action") != "accept":
        return reply
    problems = LazyValidator(lambda: _without_additional_properties(question.schema)).problems(
        reply.get("content", {})
    )
    if problems:
        lines = [
            f"{format_place(problem.path) or 'answer'}: {describe_violation(problem)}"
            for problem in problems
        ]
        raise NoAnswer(_NO_ANSWER, *(line[:_MAX_REASON_LENGTH] for line in lines[:5]))
    return reply


def _without_additional_properties(schema: Mapping[str, Json] | None) -> dict[str, Json]:
    """The schema without additional properties."""
    return {**(schema or {}), "additionalProperties": False}


_NO_ANSWER = "The client's answer is not what was asked for:"
