"""Questions to the resource server, and what becomes of those it does not answer."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.reading.ambiguity import AMBIGUOUS, ambiguous
from mcp_adapter.reading.results import told
from mcp_adapter.runtime.hooks import Call, Handler, HandlerResponse, Json, Result


class Failure(Exception):
    """A question without an answer; `result` is what the client is told."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


async def ask(
    call: Call,
    path: str,
    values: Mapping[str, Json] = {},
    **query: Json,
) -> Mapping[str, Json]:
    """The answer of the resource server to one request with the caller's own grant. Raises
    `Failure`."""
    if query.get("fields") == []:
        # In an address, no name is the same as no wish: all of the record would come.
        raise Failure(typed("invalid_argument", "fields has at least one name, or is left out"))
    answered = await call.request("GET", path, values=values, query=query)
    if answered.status == 200 and isinstance(answered.body, dict):
        return answered.body
    raise Failure(_refused(answered))


def failing(handler: Handler) -> Handler:
    """A handler whose failures are results."""

    async def answering(call: Call) -> Result:
        try:
            return await handler(call)
        except Failure as failure:
            return failure.result

    return answering


def typed(code: str, message: str, **more: Json) -> Result:
    """A failure with a code, which a client can act on by itself."""
    return told({"code": code, "message": message, **more}, f"{code}: {message}", failed=True)


def _refused(answered: HandlerResponse) -> Result:
    """What a client is told of an answer that is none to go on with."""
    body = answered.body if isinstance(answered.body, dict) else {}
    problem = body.get("error")
    if not isinstance(problem, dict) or "code" not in problem:
        return answered.failure or typed("no_answer", "the resource server gave no answer")
    if problem["code"] == AMBIGUOUS:
        return ambiguous(problem)
    return typed(str(problem["code"]), str(problem.get("message", "")))
