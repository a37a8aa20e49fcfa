"""Messages from the server beside the awaited response, and defects of responses."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.strict_json import Json

META_LEVEL = "io.modelcontextprotocol/logLevel"


@dataclass(frozen=True, slots=True)
class ServerMessage:
    """A message other than the awaited response: a request, a notification, or a foreign response.
    `method` and `token` belong to the client's request; `has_log_level`: the request has a log level.
    """

    method: str
    token: Json
    message: dict[str, Json]
    has_log_level: bool = False


def server_messages(request: Json, awaits: Json, exchange: HttpExchange) -> list[ServerMessage]:
    """The messages of an exchange other than the response to `awaits`, in order."""
    method, token = request_method(request)
    messages = [message for message in exchange.flat_messages() if isinstance(message, dict)]
    own = next((m for m in messages if "method" not in m and _answers(m, awaits)), None)
    # A single response with another id is meant as the answer, though it is not recognized as such.
    return [
        ServerMessage(method, token, message, META_LEVEL in _meta_of(request))
        for message in messages
        if "method" in message or (own is not None and message is not own)
    ]


def response_problem(message: Json) -> str:
    """The defect of a JSON-RPC response, or `""`."""
    if not isinstance(message, dict):
        return f"a response is {printable(message)!r}"
    if message.get("jsonrpc") != "2.0":
        return f"`jsonrpc` is {printable(message.get('jsonrpc'))!r}"
    if ("result" in message) == ("error" in message):
        return f"there is not one of `result` and `error`: {printable(message)}"
    if "error" not in message:
        return "" if message.get("id") is not None else "a result has no id"
    error = message["error"]
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return f"`error` is {printable(error)!r}"
    code = error.get("code")
    if not isinstance(code, int) or isinstance(code, bool):
        return f"the code of an error is {printable(code)!r}"
    return ""


def response_problems(
    request: Json, awaits: Json, exchange: HttpExchange, *, may_batch: bool = False
) -> list[str]:
    """The defects of all responses in an exchange. `may_batch`: the revision has batches.

    With an HTTP error only JSON-RPC bodies count, since OAuth and gateways have own error formats.
    A result may return the null id of its request.
    """
    problems = []
    # 2025-03-26 Transports, "Sending Messages to the Server", 6: the messages of an event stream MAY be
    # batched, and Overview, Batching: a client MUST receive batches. A JSON body is one object.
    batches = may_batch and (exchange.is_event_stream or exchange.is_stdio)
    if (
        isinstance(request, dict)
        and not batches
        and any(isinstance(message, list) for message in exchange.messages)
    ):
        problems.append("the answer to a single message is a list")
    echo = isinstance(request, dict) and "id" in request and request["id"] is None
    for message in exchange.flat_messages():
        says_so = isinstance(message, dict) and "jsonrpc" in message
        expected = awaits is not None and exchange.status == 200
        is_other = isinstance(message, dict) and "method" in message
        if is_other or not (says_so or expected):
            continue
        if echo and isinstance(message, dict) and message.get("id") is None:
            message = {**message, "id": "null"}
        if problem := response_problem(message):
            problems.append(problem)
    return problems


def request_method(request: Json) -> tuple[str, Json]:
    """Method and progress token of a request, `""` and None if absent."""
    if not isinstance(request, dict):
        return "", None
    return str(request.get("method", "")), _meta_of(request).get("progressToken")


def _meta_of(request: Json) -> dict[str, Json]:
    params = request.get("params") if isinstance(request, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _answers(message: dict[str, Json], awaits: Json) -> bool:
    identifier = message.get("id")
    return awaits is not None and identifier == awaits and type(identifier) is type(awaits)
