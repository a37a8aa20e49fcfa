"""Requests to the resource server, and the error results of requests that fail."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.reading.ambiguity import AMBIGUOUS, ambiguity_result
from mcp_adapter.reading.results import object_result
from mcp_adapter.runtime.hooks import Call, Handler, HandlerResponse, Json, Result


class Failure(Exception):
    """A request without a usable answer; `result` is the error result for the client."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


async def request_json(
    call: Call,
    path: str,
    values: Mapping[str, Json] = {},
    **query: Json,
) -> Mapping[str, Json]:
    """Returns the JSON object that the resource server answers to a request with the caller's own
    grant. Raises `Failure` for every other answer."""
    if query.get("fields") == []:
        # A query without `fields` selects every field, and a query cannot hold an empty list.
        raise Failure(
            error_result("invalid_argument", "fields has at least one name, or is left out")
        )
    response = await call.request("GET", path, values=values, query=query)
    if response.status == 200 and isinstance(response.body, dict):
        return response.body
    raise Failure(_failure_result(response))


def failures_as_results(handler: Handler) -> Handler:
    """Returns the handler with every `Failure` as an error result."""

    async def handle(call: Call) -> Result:
        try:
            return await handler(call)
        except Failure as failure:
            return failure.result

    return handle


def error_result(code: str, message: str, **more: Json) -> Result:
    """Returns an error result with a `code` that a program can act on."""
    return object_result(
        {"code": code, "message": message, **more}, f"{code}: {message}", failed=True
    )


def _failure_result(response: HandlerResponse) -> Result:
    """Returns the error result for an answer of the resource server that is not a success."""
    body = response.body if isinstance(response.body, dict) else {}
    problem = body.get("error")
    if not isinstance(problem, dict) or "code" not in problem:
        return response.failure or error_result("no_answer", "the resource server gave no answer")
    if problem["code"] == AMBIGUOUS:
        return ambiguity_result(problem)
    return error_result(str(problem["code"]), str(problem.get("message", "")))
