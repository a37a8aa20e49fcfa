"""Mutants of a single fact of an HTTP exchange: status, header, error, event, order, bytes, time.

Each function changes an answer of the plain server and returns True if the answer has the fact.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.servers.plain import (
    HANDSHAKE,
    PREFIX,
    STATELESS,
    Answer,
    Exchange,
    StreamEvent,
)
from benchmarks.mutation.wire_members import Change, messages

ALL = (*HANDSHAKE, STATELESS)
STREAMABLE = ALL[1:]
SESSIONS = HANDSHAKE[1:]
ANY = ("",)
"""For facts of exchanges that belong to no revision."""

Encode = Callable[[Exchange, bytes], bytes]

_CHANGES: list[tuple[str, str, tuple[str, ...], str, Change]] = []
_ENCODINGS: list[tuple[str, str, tuple[str, ...], str, Encode]] = []


def change(
    name: str, area: str, revisions: Iterable[str], breaks: str
) -> Callable[[Change], Change]:
    """Registers a change of an answer in each of the revisions."""

    def register(function: Change) -> Change:
        _CHANGES.append((name, area, tuple(revisions), breaks, function))
        return function

    return register


def encoding(
    name: str, area: str, revisions: Iterable[str], breaks: str
) -> Callable[[Encode], Encode]:
    """Registers a change of the bytes of an answer in each of the revisions."""

    def register(function: Encode) -> Encode:
        _ENCODINGS.append((name, area, tuple(revisions), breaks, function))
        return function

    return register


def exchange_changes() -> dict[str, tuple[Mutant, Change | None, Encode | None]]:
    """Every mutant with its change of the answer or of the bytes, by id."""
    result: dict[str, tuple[Mutant, Change | None, Encode | None]] = {}
    for name, area, revisions, breaks, function in _CHANGES:
        for revision in revisions:
            mutant = _mutant(name, area, revision, breaks)
            result[mutant.id] = (mutant, _only_in(revision, function), None)
    for name, area, revisions, breaks, encode in _ENCODINGS:
        for revision in revisions:
            mutant = _mutant(name, area, revision, breaks)
            result[mutant.id] = (mutant, None, encode)
    return result


def _mutant(name: str, area: str, revision: str, breaks: str) -> Mutant:
    operator = name.partition("-")[0]
    id = f"wire:{revision or 'any'}:{name}"
    return Mutant(id, "plain", "wire", area, f"exchange {operator}", breaks, revision)


def _only_in(revision: str, function: Change) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        is_meant = not revision or revision_of(exchange) == revision
        return is_meant and function(exchange, answer)

    return change_answer


def revision_of(exchange: Exchange) -> str:
    """The revision of an exchange, also of one that the server refused."""
    version = exchange.request.headers.get("mcp-protocol-version", "")
    return exchange.revision or (version if version in ALL else HANDSHAKE[-1])


def _result_of(exchange: Exchange, answer: Answer, method: str = "") -> dict[str, Any] | None:
    """The result in an answer to `method`, or None."""
    if method and exchange.method != method:
        return None
    results = [m["result"] for m in messages(answer) if isinstance(m.get("result"), dict)]
    return results[0] if results else None


def _error_of(answer: Answer, *codes: int) -> dict[str, Any] | None:
    """The error in an answer with one of the codes (default: any), or None."""
    for message in messages(answer):
        error = message.get("error")
        if isinstance(error, dict) and (not codes or error["code"] in codes):
            return message
    return None


def _update(messages_to_update: list[dict[str, Any]], **members: Any) -> bool:
    """Replaces members of each message; True if there is a message."""
    for message in messages_to_update:
        message.update(members)
    return bool(messages_to_update)


def _set_status(answer: Answer, status: int) -> bool:
    answer.status = status
    return True


def _notification(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


# JSON-RPC


@change("rpc-version-missing", "JSON-RPC", ALL, "`jsonrpc` is missing")
def _rpc_version_missing(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if "jsonrpc" in m]
    for message in result:
        del message["jsonrpc"]
    return bool(result)


@change("rpc-version-number", "JSON-RPC", ALL, "`jsonrpc` is the number 2.0")
def _rpc_version_number(exchange: Exchange, answer: Answer) -> bool:
    return _update(messages(answer), jsonrpc=2.0)


@change("rpc-id-text", "JSON-RPC", ALL, "an id that is a number comes back as text")
def _rpc_id_text(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if isinstance(m.get("id"), int)]
    for message in result:
        message["id"] = str(message["id"])
    return bool(result)


@change("rpc-id-number", "JSON-RPC", ALL, "an id of digits comes back as a number")
def _rpc_id_number(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if str(m.get("id")).isdigit()]
    for message in result:
        message["id"] = int(message["id"])
    return bool(result)


@change("rpc-id-lower", "JSON-RPC", ALL, "an id of letters comes back in lower case")
def _rpc_id_lower(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if isinstance(m.get("id"), str)]
    for message in result:
        message["id"] = message["id"].lower()
    return bool(result)


@change("rpc-id-float", "JSON-RPC", ALL, "an id that is a number comes back with `.5`")
def _rpc_id_float(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if isinstance(m.get("id"), int)]
    for message in result:
        message["id"] += 0.5
    return bool(result)


@change("rpc-id-null", "JSON-RPC", ALL, "results have the id null")
def _rpc_id_null(exchange: Exchange, answer: Answer) -> bool:
    return _update([m for m in messages(answer) if "result" in m], id=None)


@change("rpc-error-id-null", "JSON-RPC", ALL, "errors of requests have the id null")
def _rpc_error_id_null(exchange: Exchange, answer: Answer) -> bool:
    result = [m for m in messages(answer) if "error" in m and m.get("id") is not None]
    return _update(result, id=None)


@change("rpc-both", "JSON-RPC", ALL, "results come with an error")
def _rpc_both(exchange: Exchange, answer: Answer) -> bool:
    error = {"code": 0, "message": "none"}
    return _update([m for m in messages(answer) if "result" in m], error=error)


@change("rpc-error-null", "JSON-RPC", ALL, "results come with `error: null`")
def _rpc_error_null(exchange: Exchange, answer: Answer) -> bool:
    return _update([m for m in messages(answer) if "result" in m], error=None)


@change("rpc-result-null-with-error", "JSON-RPC", ALL, "errors come with `result: null`")
def _rpc_result_null_with_error(exchange: Exchange, answer: Answer) -> bool:
    return _update([m for m in messages(answer) if "error" in m], result=None)


@change("rpc-error-code-text", "JSON-RPC", ALL, "the code of an error is text")
def _rpc_error_code_text(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        message["error"]["code"] = str(message["error"]["code"])
    return message is not None


@change("rpc-error-code-float", "JSON-RPC", ALL, "the code of an error is no integer")
def _rpc_error_code_float(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        message["error"]["code"] -= 0.5
    return message is not None


@change("rpc-error-message-missing", "JSON-RPC", ALL, "an error has no message")
def _rpc_error_message_missing(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        del message["error"]["message"]
    return message is not None


@change("rpc-error-message-null", "JSON-RPC", ALL, "the message of an error is null")
def _rpc_error_message_null(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        message["error"]["message"] = None
    return message is not None


@change("rpc-error-as-text", "JSON-RPC", ALL, "an error is a text")
def _rpc_error_as_text(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        message["error"] = message["error"]["message"]
    return message is not None


@change("rpc-error-as-result", "JSON-RPC", ALL, "errors are sent as results")
def _rpc_error_as_result(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer):
        message["result"] = message.pop("error")
    return message is not None


@change("rpc-in-list", "JSON-RPC", ALL, "the answer to one request is a list")
def _rpc_in_list(exchange: Exchange, answer: Answer) -> bool:
    if answer.body is None or isinstance(answer.body, list):
        return False
    answer.body = [answer.body]
    return True


@change("rpc-unwrapped", "JSON-RPC", ALL, "the result is sent without its message")
def _rpc_unwrapped(exchange: Exchange, answer: Answer) -> bool:
    if not isinstance(answer.body, dict) or "result" not in answer.body:
        return False
    answer.body = answer.body["result"]
    return True


@change("rpc-empty", "JSON-RPC", ALL, "requests are answered with an empty body")
def _rpc_empty(exchange: Exchange, answer: Answer) -> bool:
    if not isinstance(answer.body, dict) or "result" not in answer.body:
        return False
    answer.body = None
    return True


@change("rpc-parse-error-code", "JSON-RPC", ALL, "broken JSON gets another code than -32700")
def _rpc_parse_error_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32700)
    return message is not None and message["error"].update(code=-32000) is None


@change("rpc-invalid-request-code", "JSON-RPC", ALL, "an invalid request gets the code -32603")
def _rpc_invalid_request_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32600)
    return message is not None and message["error"].update(code=-32603) is None


@change("rpc-unknown-method-code", "JSON-RPC", ALL, "an unknown method gets the code -32600")
def _rpc_unknown_method_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32601)
    return message is not None and message["error"].update(code=-32600) is None


@change("rpc-unknown-method-result", "JSON-RPC", ALL, "an unknown method gets an empty result")
def _rpc_unknown_method_result(exchange: Exchange, answer: Answer) -> bool:
    if message := _error_of(answer, -32601):
        del message["error"]
        message["result"] = {}
        answer.status = 200
    return message is not None


@change("rpc-invalid-params-code", "JSON-RPC", ALL, "invalid parameters get the code -32603")
def _rpc_invalid_params_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602)
    return message is not None and message["error"].update(code=-32603) is None


@change("rpc-defined-code", "JSON-RPC", ALL, "errors have a code of the reserved range")
def _rpc_defined_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer)
    return message is not None and message["error"].update(code=-32768) is None


@change("rpc-ping-result", "JSON-RPC", HANDSHAKE, "the result of `ping` has a member")
def _rpc_ping_result(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "ping")
    return result is not None and result.update(pong=True) is None


@change("rpc-ping-error", "JSON-RPC", HANDSHAKE, "`ping` is an unknown method")
def _rpc_ping_error(exchange: Exchange, answer: Answer) -> bool:
    return _result_of(exchange, answer, "ping") is not None and _fail(answer, -32601)


def _fail(answer: Answer, code: int) -> bool:
    """Replaces the results of an answer by an error."""
    for message in messages(answer):
        if message.pop("result", None) is not None:
            message["error"] = {"code": code, "message": "Failed"}
    return True


# Lifecycle


@change("lifecycle-unknown-version", "lifecycle", HANDSHAKE, "the version is no published one")
def _lifecycle_unknown_version(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "initialize")
    return result is not None and result.update(protocolVersion="2025-11-26") is None


@change("lifecycle-newest-version", "lifecycle", HANDSHAKE[:-1], "another version than asked for")
def _lifecycle_newest_version(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "initialize")
    return result is not None and result.update(protocolVersion=HANDSHAKE[-1]) is None


@change("lifecycle-echo", "lifecycle", HANDSHAKE[-1:], "every asked version is agreed to")
def _lifecycle_echo(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "initialize")
    asked_version = exchange.message["params"]["protocolVersion"] if result else ""
    return result is not None and result.update(protocolVersion=asked_version) is None


@change("lifecycle-initialize-202", "lifecycle", HANDSHAKE, "`initialize` gets 202 and no body")
def _lifecycle_initialize_202(exchange: Exchange, answer: Answer) -> bool:
    if _result_of(exchange, answer, "initialize") is None:
        return False
    answer.body = None
    return _set_status(answer, 202)


@change("lifecycle-initialize-error", "lifecycle", HANDSHAKE, "`initialize` fails with -32603")
def _lifecycle_initialize_error(exchange: Exchange, answer: Answer) -> bool:
    return _result_of(exchange, answer, "initialize") is not None and _fail(answer, -32603)


@change("lifecycle-page", "lifecycle", ALL, "the first request is answered with a web page")
def _lifecycle_page(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method not in ("initialize", "server/discover"):
        return False
    answer.body = "<!doctype html><title>Welcome</title>"
    answer.headers["Content-Type"] = "text/html"
    return True


@change("lifecycle-initialized-200", "lifecycle", SESSIONS, "a notification gets 200 and no body")
def _lifecycle_initialized_200(exchange: Exchange, answer: Answer) -> bool:
    is_notification = exchange.method.startswith("notifications/") and answer.status == 202
    return is_notification and _set_status(answer, 200)


@change("lifecycle-initialized-404", "lifecycle", SESSIONS, "a notification gets 404")
def _lifecycle_initialized_404(exchange: Exchange, answer: Answer) -> bool:
    is_notification = exchange.method.startswith("notifications/") and answer.status == 202
    return is_notification and _set_status(answer, 404)


@change("lifecycle-initialized-result", "lifecycle", SESSIONS, "a notification gets a result")
def _lifecycle_initialized_result(exchange: Exchange, answer: Answer) -> bool:
    if not exchange.method.startswith("notifications/") or answer.status != 202:
        return False
    answer.body = {"jsonrpc": "2.0", "id": None, "result": {}}
    answer.headers["Content-Type"] = "application/json"
    return _set_status(answer, 200)


def _undeclared(capability: str) -> Change:
    """Removes a capability from the declaration."""

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        if exchange.method not in ("initialize", "server/discover"):
            return False
        result = _result_of(exchange, answer)
        if result is None:
            return False
        capabilities = result["capabilities"]
        result["capabilities"] = {n: v for n, v in capabilities.items() if n != capability}
        return True

    return change_answer


for _name in ("tools", "resources", "prompts", "completions", "logging"):
    _revisions = ALL if _name not in ("completions",) else ALL[1:]
    change(
        f"lifecycle-undeclared-{_name}",
        "lifecycle",
        _revisions,
        f"`{_name}` is offered and not declared",
    )(_undeclared(_name))


def _unserved(area: str, method: str) -> Change:
    """Refuses a declared method as unknown."""

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        if _result_of(exchange, answer, method) is None:
            return False
        if exchange.revision == STATELESS:
            answer.status = 404
        return _fail(answer, -32601)

    return change_answer


for _area, _method in (
    ("tools", "tools/list"),
    ("tool calls", "tools/call"),
    ("resources", "resources/list"),
    ("resources", "resources/templates/list"),
    ("resources", "resources/read"),
    ("prompts", "prompts/list"),
    ("prompts", "prompts/get"),
    ("completion", "completion/complete"),
):
    change(f"lifecycle-unserved-{_method}", _area, ALL, f"`{_method}` is declared and unknown")(
        _unserved(_area, _method)
    )
for _area, _method in (("logging", "logging/setLevel"), ("resources", "resources/subscribe")):
    change(
        f"lifecycle-unserved-{_method}", _area, HANDSHAKE, f"`{_method}` is declared and unknown"
    )(_unserved(_area, _method))


@change("lifecycle-discover-versions", "lifecycle", (STATELESS,), "the own version is not listed")
def _lifecycle_discover_versions(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "server/discover")
    return result is not None and result.update(supportedVersions=["2099-01-01"]) is None


@change("lifecycle-discover-error", "lifecycle", (STATELESS,), "`server/discover` fails")
def _lifecycle_discover_error(exchange: Exchange, answer: Answer) -> bool:
    return _result_of(exchange, answer, "server/discover") is not None and _fail(answer, -32603)


@change("lifecycle-result-type", "lifecycle", (STATELESS,), "`resultType` is `done` in all results")
def _lifecycle_result_type(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer)
    return result is not None and result.update(resultType="done") is None


@change("lifecycle-missing-meta-200", "lifecycle", (STATELESS,), "missing `_meta` gets HTTP 200")
def _lifecycle_missing_meta_200(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32602) is not None and _set_status(answer, 200)


@change("lifecycle-missing-meta-code", "lifecycle", (STATELESS,), "missing `_meta` gets -32600")
def _lifecycle_missing_meta_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602)
    is_meta = message is not None and "_meta" in message["error"]["message"]
    return is_meta and message is not None and message["error"].update(code=-32600) is None


@change("lifecycle-version-error-code", "lifecycle", (STATELESS,), "an unknown version gets -32602")
def _lifecycle_version_error_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32022)
    return message is not None and message["error"].update(code=-32602) is None


@change("lifecycle-version-error-status", "lifecycle", (STATELESS,), "an unknown version gets 200")
def _lifecycle_version_error_status(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32022) is not None and _set_status(answer, 200)


@change("lifecycle-version-error-data", "lifecycle", (STATELESS,), "-32022 has no data")
def _lifecycle_version_error_data(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32022)
    return message is not None and bool(message["error"].pop("data"))


@change("lifecycle-version-error-supported", "lifecycle", (STATELESS,), "-32022 lists no version")
def _lifecycle_version_error_supported(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32022)
    return message is not None and message["error"]["data"].update(supported=[]) is None


@change("lifecycle-version-error-requested", "lifecycle", (STATELESS,), "-32022 names another")
def _lifecycle_version_error_requested(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32022)
    return message is not None and message["error"]["data"].update(requested="1") is None


@change("lifecycle-server-info-body", "lifecycle", (STATELESS,), "`serverInfo` in `_meta` is text")
def _lifecycle_server_info_body(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer)
    if result is None or "_meta" not in result:
        return False
    result["_meta"] = {PREFIX + "serverInfo": "mutation 1.0.0"}
    return True


# HTTP


@change("http-content-type-text", "headers", STREAMABLE, "JSON is sent as text/plain")
def _http_content_type_text(exchange: Exchange, answer: Answer) -> bool:
    if answer.body is None:
        return False
    answer.headers["Content-Type"] = "text/plain"
    return True


@change("http-content-type-missing", "headers", STREAMABLE, "answers have no content type")
def _http_content_type_missing(exchange: Exchange, answer: Answer) -> bool:
    return answer.body is not None and answer.headers.pop("Content-Type", "") != ""


@change("http-content-type-stream", "headers", STREAMABLE, "JSON is called an event stream")
def _http_content_type_stream(exchange: Exchange, answer: Answer) -> bool:
    if answer.body is None:
        return False
    answer.headers["Content-Type"] = "text/event-stream"
    return True


@change("http-stream-as-json", "event streams", STREAMABLE, "an event stream is called JSON")
def _http_stream_as_json(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None:
        return False
    answer.headers["Content-Type"] = "application/json"
    return True


@change("http-status-result-201", "headers", STREAMABLE, "results come with 201")
def _http_status_result_201(exchange: Exchange, answer: Answer) -> bool:
    return _result_of(exchange, answer) is not None and _set_status(answer, 201)


@change("http-status-result-500", "headers", STREAMABLE, "results come with 500")
def _http_status_result_500(exchange: Exchange, answer: Answer) -> bool:
    return _result_of(exchange, answer) is not None and _set_status(answer, 500)


@change("http-get-page", "headers", STREAMABLE, "GET is answered with a web page")
def _http_get_page(exchange: Exchange, answer: Answer) -> bool:
    if exchange.request.method != "GET" or exchange.request.path != "/mcp":
        return False
    answer.events, answer.is_open, answer.body = None, False, "<!doctype html>"
    answer.headers["Content-Type"] = "text/html"
    return _set_status(answer, 200)


@change("http-get-404", "headers", STREAMABLE, "GET is answered with 404")
def _http_get_404(exchange: Exchange, answer: Answer) -> bool:
    if exchange.request.method != "GET" or exchange.request.path != "/mcp":
        return False
    answer.events, answer.is_open = None, False
    return _set_status(answer, 404)


@change("http-get-no-allow", "headers", (STATELESS,), "405 comes without `Allow`")
def _http_get_no_allow(exchange: Exchange, answer: Answer) -> bool:
    return answer.status == 405 and answer.headers.pop("Allow", "") != ""


@change("http-delete-200", "headers", (STATELESS,), "DELETE is answered with 200")
def _http_delete_200(exchange: Exchange, answer: Answer) -> bool:
    return exchange.request.method == "DELETE" and _set_status(answer, 200)


@change("http-unknown-method-200", "headers", (STATELESS,), "an unknown method has HTTP 200")
def _http_unknown_method_200(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32601) is not None and _set_status(answer, 200)


@change("http-unknown-method-404", "headers", HANDSHAKE, "an unknown method has HTTP 500")
def _http_unknown_method_404(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32601) is not None and _set_status(answer, 500)


@change("http-mismatch-200", "headers", (STATELESS,), "a header mismatch has HTTP 200")
def _http_mismatch_200(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32020) is not None and _set_status(answer, 200)


@change("http-mismatch-code", "headers", (STATELESS,), "a header mismatch has the code -32600")
def _http_mismatch_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32020)
    return message is not None and message["error"].update(code=-32600) is None


@change("http-parse-error-200", "headers", STREAMABLE, "broken JSON has HTTP 200")
def _http_parse_error_200(exchange: Exchange, answer: Answer) -> bool:
    return _error_of(answer, -32700) is not None and _set_status(answer, 200)


@change("http-origin-400", "security", ("2025-11-25", STATELESS), "a foreign origin gets 400")
def _http_origin_400(exchange: Exchange, answer: Answer) -> bool:
    is_foreign = "origin" in exchange.request.headers and answer.status == 403
    return is_foreign and _set_status(answer, 400)


@change("http-origin-200", "security", STREAMABLE, "a foreign origin is answered")
def _http_origin_200(exchange: Exchange, answer: Answer) -> bool:
    if "origin" not in exchange.request.headers or answer.status != 403:
        return False
    answer.body = {"jsonrpc": "2.0", "id": 1, "result": {}}
    answer.headers["Content-Type"] = "application/json"
    return _set_status(answer, 200)


@change("http-version-header-404", "headers", SESSIONS[1:], "an unknown version header gets 404")
def _http_version_header_404(exchange: Exchange, answer: Answer) -> bool:
    version = exchange.request.headers.get("mcp-protocol-version", "")
    return version not in ("", *ALL) and answer.status == 400 and _set_status(answer, 404)


@change("http-session-in-stateless", "sessions", (STATELESS,), "a session is issued")
def _http_session_in_stateless(exchange: Exchange, answer: Answer) -> bool:
    answer.headers["Mcp-Session-Id"] = "f00dfeedf00dfeedf00dfeedf00dfeed"
    return True


# Sessions


def _session_id(value: str) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        if "Mcp-Session-Id" not in answer.headers:
            return False
        answer.headers["Mcp-Session-Id"] = value
        return True

    return change_answer


for _name, _value, _breaks in (
    ("space", "a session", "the session id has a space"),
    ("letter", "sitzung-ü", "the session id has a letter beyond ASCII"),
    ("empty", "", "the session id is empty"),
    ("control", "a\tsession", "the session id has a tab"),
    ("foreign", "f00dfeedf00dfeedf00dfeedf00dfeed", "the issued session id is unknown"),
):
    change(f"session-id-{_name}", "sessions", SESSIONS, _breaks)(_session_id(_value))


def _session_status(was: int, status: int, method: str = "POST") -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        headers, sent_method = exchange.request.headers, exchange.request.method
        has_session = "mcp-session-id" in headers or was == 400
        if (
            sent_method != method
            or answer.status != was
            or answer.body is not None
            or not has_session
        ):
            return False
        return _set_status(answer, status)

    return change_answer


change("session-unknown-400", "sessions", SESSIONS, "an ended session gets 400")(
    _session_status(404, 400)
)
change("session-unknown-200", "sessions", SESSIONS, "an ended session gets 200 without a body")(
    _session_status(404, 200)
)
change("session-missing-404", "sessions", SESSIONS, "a request without a session gets 404")(
    _session_status(400, 404)
)
change("session-missing-401", "sessions", SESSIONS, "a request without a session gets 401")(
    _session_status(400, 401)
)
change("session-delete-500", "sessions", SESSIONS, "the end of a session gets 500")(
    _session_status(204, 500, "DELETE")
)
change("session-delete-405", "sessions", SESSIONS, "the end of a session gets 404")(
    _session_status(204, 404, "DELETE")
)


@change("session-on-every-answer", "sessions", SESSIONS, "each answer has another session id")
def _session_on_every_answer(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method == "initialize" or "mcp-session-id" not in exchange.request.headers:
        return False
    answer.headers["Mcp-Session-Id"] = f"another-{time.monotonic_ns()}"
    return True


# StreamEvent streams


@change("event-name", "event streams", STREAMABLE, "events have another name")
def _event_name(exchange: Exchange, answer: Answer) -> bool:
    for event in answer.events or ():
        event.name = "response"
    return bool(answer.events)


@change("event-ids-repeat", "event streams", SESSIONS, "streams of a session repeat event ids")
def _event_ids_repeat(exchange: Exchange, answer: Answer) -> bool:
    events = [event for event in answer.events or () if event.id]
    for number, event in enumerate(events):
        event.id = str(number)
    return bool(events)


@change("event-ids-equal", "event streams", SESSIONS, "the events of a stream have one id")
def _event_ids_equal(exchange: Exchange, answer: Answer) -> bool:
    events = [event for event in answer.events or () if event.id]
    for event in events:
        event.id = events[0].id
    return len(events) > 1


@change("event-priming-missing", "event streams", SESSIONS[-1:], "the first event has a message")
def _event_priming_missing(exchange: Exchange, answer: Answer) -> bool:
    if not answer.events or answer.events[0].message is not None:
        return False
    del answer.events[0]
    return True


@change("event-response-missing", "event streams", STREAMABLE, "a stream ends without the answer")
def _event_response_missing(exchange: Exchange, answer: Answer) -> bool:
    before = list(answer.events or ())
    answer.events = None if answer.events is None else [e for e in before if not _is_response(e)]
    return len(before) != len(answer.events or ())


@change("event-response-twice", "event streams", STREAMABLE, "a stream has the answer twice")
def _event_response_twice(exchange: Exchange, answer: Answer) -> bool:
    events = [event for event in answer.events or () if _is_response(event)]
    if answer.events is not None:
        answer.events += [StreamEvent(event.message) for event in events]
    return bool(events)


@change("event-foreign-response", "event streams", STREAMABLE, "a stream has a foreign answer")
def _event_foreign_response(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None or answer.is_open:
        return False
    answer.events.insert(0, StreamEvent({"jsonrpc": "2.0", "id": "nobody", "result": {}}))
    return True


@change("event-stays-open", "event streams", STREAMABLE, "a stream stays open after the answer")
def _event_stays_open(exchange: Exchange, answer: Answer) -> bool:
    is_match = answer.events is not None and not answer.is_open
    answer.is_open = answer.is_open or is_match
    return is_match


@change("event-request", "event streams", ALL, "the server asks for roots that nobody declared")
def _event_request(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None or answer.is_open:
        return False
    answer.events.insert(0, StreamEvent(_notification("roots/list") | {"id": "server-1"}))
    return True


@change("event-get-response", "event streams", SESSIONS, "an answer comes on the stream of GET")
def _event_get_response(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None or exchange.request.method != "GET":
        return False
    answer.events.append(StreamEvent({"jsonrpc": "2.0", "id": 1, "result": {}}))
    return True


@change("event-buffered", "event streams", (STATELESS,), "proxies may buffer a stream")
def _event_buffered(exchange: Exchange, answer: Answer) -> bool:
    return answer.events is not None and answer.headers.pop("X-Accel-Buffering", "") != ""


@change("event-stream-for-json", "event streams", STREAMABLE, "a stream for clients without them")
def _event_stream_for_json(exchange: Exchange, answer: Answer) -> bool:
    accept_header = exchange.request.headers.get("accept", "*/*")
    if not isinstance(answer.body, dict) or "text/event-stream" in accept_header:
        return False
    answer.events, answer.body = [StreamEvent(answer.body)], None
    answer.headers["Content-Type"] = "text/event-stream"
    return True


def _is_response(event: StreamEvent) -> bool:
    return event.message is not None and "method" not in event.message


# Notifications


@change("progress-unasked", "progress", ALL, "progress that nobody asked for")
def _progress_unasked(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None or exchange.method != "tools/call":
        return False
    params = {"progressToken": "unasked", "progress": 1}
    answer.events.insert(0, StreamEvent(_notification("notifications/progress", **params)))
    return True


def _progress(function: Callable[[list[dict[str, Any]]], None]) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        steps = [m["params"] for m in messages(answer) if "progressToken" in m.get("params", {})]
        if steps:
            function(steps)
        return bool(steps)

    return change_answer


def _descend(steps: list[dict[str, Any]]) -> None:
    for number, step in enumerate(steps):
        step["progress"] = 100 - number


def _stand(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        step["progress"] = 1


def _another_token(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        step["progressToken"] = "another"


def _text_token(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        token = step["progressToken"]
        step["progressToken"] = str(token) if isinstance(token, int) else token + "x"


change("progress-descends", "progress", ALL, "progress goes down")(_progress(_descend))
change("progress-stands", "progress", ALL, "progress stands still")(_progress(_stand))
change("progress-token-another", "progress", ALL, "progress has another token")(
    _progress(_another_token)
)
change("progress-token-text", "progress", ALL, "the token comes back as another type or text")(
    _progress(_text_token)
)


@change("progress-after-answer", "progress", ALL, "progress comes after the answer")
def _progress_after_answer(exchange: Exchange, answer: Answer) -> bool:
    events = [
        e for e in answer.events or () if (e.message or {}).get("method", "").endswith("gress")
    ]
    if answer.events is not None and events:
        last = dict(events[-1].message or {})
        last["params"] = last["params"] | {"progress": 101}
        answer.events.append(StreamEvent(last))
    return bool(events)


@change("log-unasked", "logging", (STATELESS,), "a log message that nobody asked for")
def _log_unasked(exchange: Exchange, answer: Answer) -> bool:
    if not isinstance(answer.body, dict) or exchange.method != "tools/call":
        return False
    log = _notification("notifications/message", level="info", data="unasked")
    answer.events, answer.body = [StreamEvent(log), StreamEvent(answer.body)], None
    answer.headers = {"X-Accel-Buffering": "no"}
    return True


@change("log-below-level", "logging", ALL, "a log message below the level that was set")
def _log_below_level(exchange: Exchange, answer: Answer) -> bool:
    if answer.events is None or exchange.method != "tools/call":
        return False
    level = exchange.message["params"].get("_meta", {}).get(PREFIX + "logLevel")
    level = exchange.session.level if exchange.session else level
    if level in ("debug", None):
        return False
    log = _notification("notifications/message", level="debug", data="too low")
    answer.events.insert(0, StreamEvent(log))
    return True


@change("log-level-any", "logging", ALL, "an unknown log level is taken")
def _log_level_any(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602)
    if message is None or message["error"]["message"] != "Unknown log level":
        return False
    del message["error"]
    message["result"] = {}
    return _set_status(answer, 200)


@change("listen-unacknowledged", "subscriptions", (STATELESS,), "a subscription is not confirmed")
def _listen_unacknowledged(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    answer.events = []
    return True


@change("listen-id-missing", "subscriptions", (STATELESS,), "a confirmation has no id")
def _listen_id_missing(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    answer.events[0].message["params"].pop("_meta")  # type: ignore[index]
    return True


@change("listen-id-another", "subscriptions", (STATELESS,), "a confirmation has another id")
def _listen_id_another(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    meta = {PREFIX + "subscriptionId": "another"}
    answer.events[0].message["params"]["_meta"] = meta  # type: ignore[index]
    return True


@change("listen-filter-missing", "subscriptions", (STATELESS,), "the granted filter is missing")
def _listen_filter_missing(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    answer.events[0].message["params"].pop("notifications")  # type: ignore[index]
    return True


@change("listen-more-granted", "subscriptions", (STATELESS,), "more is granted than asked for")
def _listen_more_granted(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    params = answer.events[0].message["params"]  # type: ignore[index]
    params["notifications"] = {"promptsListChanged": True, "resourcesListChanged": True}
    return True


@change("listen-other-first", "subscriptions", (STATELESS,), "another notification comes first")
def _listen_other_first(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    answer.events.insert(0, StreamEvent(_notification("notifications/tools/list_changed")))
    return True


@change("listen-unasked-kind", "subscriptions", (STATELESS,), "a kind that was not asked for")
def _listen_unasked_kind(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    meta = {PREFIX + "subscriptionId": exchange.message["id"]}
    answer.events.append(
        StreamEvent(_notification("notifications/prompts/list_changed", _meta=meta))
    )
    return True


@change("listen-ends", "subscriptions", (STATELESS,), "the stream ends after the confirmation")
def _listen_ends(exchange: Exchange, answer: Answer) -> bool:
    if exchange.method != "subscriptions/listen" or not answer.events:
        return False
    answer.is_open = False
    return True


# Tools, resources, prompts and completion


def _list_entries(exchange: Exchange, answer: Answer, method: str) -> list[Any] | None:
    result = _result_of(exchange, answer, method)
    return next((v for v in result.values() if isinstance(v, list)), None) if result else None


_LISTS = {
    "tools/list": ("tools", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resources", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
}


def _double_entry(method: str) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        entries = _list_entries(exchange, answer, method)
        if entries is None:
            return False
        entries.append(dict(entries[0]))
        return True

    return change_answer


def _endless(method: str) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        result = _result_of(exchange, answer, method)
        if result is None:
            return False
        asked_cursor = (
            exchange.message["params"].get("cursor") if "params" in exchange.message else None
        )
        result["nextCursor"] = asked_cursor or "again"
        return True

    return change_answer


def _any_cursor(method: str) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        message = _error_of(answer, -32602) if exchange.method == method else None
        if message is None or message["error"]["message"] != "Unknown cursor":
            return False
        del message["error"]
        key = {"resources/templates/list": "resourceTemplates"}.get(method, method.split("/")[0])
        message["result"] = {key: []}
        if exchange.revision == STATELESS:
            message["result"] |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
        return _set_status(answer, 200)

    return change_answer


def _shuffle_entries(method: str) -> Change:
    count = itertools.count()

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        entries = _list_entries(exchange, answer, method)
        if entries is None or len(entries) < 2:
            return False
        if next(count) % 2:
            entries.reverse()
        return True

    return change_answer


def _remove_member(method: str, member: str) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        entries = _list_entries(exchange, answer, method)
        return entries is not None and entries[0].update({member: ""}) is None

    return change_answer


for _method, (_area, _member) in _LISTS.items():
    for _name, _make, _breaks in (
        ("doubled", _double_entry, "an entry is listed twice"),
        ("endless", _endless, "the pages never end"),
        ("any-cursor", _any_cursor, "an unknown cursor gets an empty page"),
    ):
        change(f"list-{_name}-{_method}", _area, ALL, f"{_method}: {_breaks}")(_make(_method))
    change(f"list-empty-{_member}-{_method}", _area, ALL, f"{_method}: `{_member}` is empty")(
        _remove_member(_method, _member)
    )
change("list-order-tools/list", "tools", (STATELESS,), "the order of tools changes")(
    _shuffle_entries("tools/list")
)


def _replace_tool_members(name: str, /, **members: Any) -> Change:
    """Replaces members of the announced tool `name`."""

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        for tool in _list_entries(exchange, answer, "tools/list") or ():
            if tool["name"] == name:
                tools = _list_entries(exchange, answer, "tools/list")
                assert tools is not None
                tools[tools.index(tool)] = tool | members
                return True
        return False

    return change_answer


_TOOLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("schema-root-array", {"inputSchema": {"type": "array"}}, "the input schema is of a list"),
    ("schema-without-type", {"inputSchema": {"properties": {}}}, "the input schema has no type"),
    ("schema-true", {"inputSchema": True}, "the input schema is `true`"),
    (
        "schema-broken",
        {"inputSchema": {"type": "object", "properties": {"left": {"type": "int"}}}},
        "the input schema has an unknown type",
    ),
    (
        "schema-dangling",
        {"inputSchema": {"type": "object", "properties": {"left": {"$ref": "#/$defs/none"}}}},
        "the input schema refers to nothing",
    ),
    (
        "schema-required-unknown",
        {"inputSchema": {"type": "object", "properties": {}, "required": ["none"]}},
        "the input schema requires an undeclared argument",
    ),
    ("name-space", {"name": "add numbers"}, "a tool's name has a space"),
    ("name-long", {"name": "a" * 200}, "a tool's name has 200 characters"),
    ("header-number", {"x-mcp-header": 1}, "an unknown member beside the schema"),
)
for _name, _members, _breaks in _TOOLS:
    change(f"tool-{_name}", "tools", ALL, _breaks)(_replace_tool_members("add", **_members))
for _name, _header, _breaks in (
    ("header-space", "My Region", "the mirrored header has a space"),
    ("header-empty", "", "the mirrored header is empty"),
):
    change(f"tool-{_name}", "tools", (STATELESS,), _breaks)(
        _replace_tool_members(
            "region_report",
            inputSchema={
                "type": "object",
                "properties": {"region": {"type": "string", "x-mcp-header": _header}},
            },
        )
    )


def _replace_result_members(name: str, /, **members: Any) -> Change:
    """Replaces members of the successful results of the tool `name`."""

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        result = _result_of(exchange, answer, "tools/call")
        if result is None or exchange.message["params"]["name"] != name:
            return False
        return not result.get("isError") and result.update(members) is None

    return change_answer


_RESULTS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("structured-wrong", "add", {"structuredContent": {"sum": "3"}}, "`sum` is text"),
    ("structured-extra", "add", {"structuredContent": {"sum": 3, "x": 1}}, "an undeclared member"),
    ("structured-empty", "add", {"structuredContent": {}}, "`sum` is missing"),
    ("structured-null", "add", {"structuredContent": None}, "`structuredContent` is null"),
    (
        "image-not-base64",
        "test_image_content",
        {"content": [{"type": "image", "data": "not base64!", "mimeType": "image/png"}]},
        "the data of an image is not base64",
    ),
    (
        "image-url-base64",
        "test_image_content",
        {"content": [{"type": "image", "data": "_-_-", "mimeType": "image/png"}]},
        "the data of an image is in another base64",
    ),
    (
        "unknown-block",
        "test_simple_text",
        {"content": [{"type": "video", "data": "AA==", "mimeType": "video/mp4"}]},
        "a block of an unknown type",
    ),
    ("no-content", "test_simple_text", {"content": []}, "the content is empty"),
    ("string-content", "test_simple_text", {"content": ["text"]}, "a block is a text"),
    ("flagged", "test_simple_text", {"isError": True}, "a success is called an error"),
)
for _name, _tool_name, _members, _breaks in _RESULTS:
    _revisions_of_change: tuple[str, ...] = ALL[2:] if _name.startswith("structured") else ALL
    change(f"call-{_name}", "tool calls", _revisions_of_change, f"{_tool_name}: {_breaks}")(
        _replace_result_members(_tool_name, **_members)
    )


@change("call-structured-missing", "tool calls", ALL[2:], "add: `structuredContent` is missing")
def _call_structured_missing(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "tools/call")
    return result is not None and result.pop("structuredContent", None) is not None


@change("call-unknown-tool-result", "tool calls", ALL, "an unknown tool gets a failed result")
def _call_unknown_tool_result(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602)
    if message is None or not message["error"]["message"].startswith("Unknown tool"):
        return False
    text = message.pop("error")["message"]
    message["result"] = {"content": [{"type": "text", "text": text}], "isError": True}
    if exchange.revision == STATELESS:
        message["result"]["resultType"] = "complete"
    return _set_status(answer, 200)


@change("call-unknown-tool-code", "tool calls", ALL, "an unknown tool gets the code -32601")
def _call_unknown_tool_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602)
    is_tool = message is not None and message["error"]["message"].startswith("Unknown tool")
    return is_tool and message is not None and message["error"].update(code=-32601) is None


@change("call-bad-arguments-accepted", "tool calls", ALL, "bad arguments are accepted")
def _call_bad_arguments_accepted(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "tools/call")
    is_bad = result is not None and result.get("isError") is True
    if not is_bad or exchange.message["params"]["name"] == "test_error_handling":
        return False
    assert result is not None
    result["isError"] = False
    return True


@change("call-bad-arguments-error", "tool calls", ALL[3:], "bad arguments get -32602")
def _call_bad_arguments_error(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "tools/call")
    is_bad = result is not None and result.get("isError") is True
    if not is_bad or exchange.message["params"]["name"] == "test_error_handling":
        return False
    return _fail(answer, -32602)


@change("call-bad-arguments-crash", "tool calls", ALL, "bad arguments get -32603")
def _call_bad_arguments_crash(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "tools/call")
    is_bad = result is not None and result.get("isError") is True
    if not is_bad or exchange.message["params"]["name"] == "test_error_handling":
        return False
    return _fail(answer, -32603)


@change("call-error-silent", "tool calls", ALL, "a failed call is called a success")
def _call_error_silent(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "tools/call")
    if result is None or exchange.message["params"]["name"] != "test_error_handling":
        return False
    return result.pop("isError", None) is not None


@change("read-unknown-empty", "resources", ALL, "an unknown resource has no contents")
def _read_unknown_empty(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32002, -32602) if exchange.method == "resources/read" else None
    if message is None:
        return False
    del message["error"]
    message["result"] = {"contents": []}
    if exchange.revision == STATELESS:
        message["result"] |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
    return _set_status(answer, 200)


@change("read-unknown-code", "resources", ALL, "an unknown resource gets the code -32603")
def _read_unknown_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32002, -32602) if exchange.method == "resources/read" else None
    return message is not None and message["error"].update(code=-32603) is None


@change("read-unknown-old-code", "resources", (STATELESS,), "an unknown resource gets -32002")
def _read_unknown_old_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602) if exchange.method == "resources/read" else None
    return message is not None and message["error"].update(code=-32002) is None


def _change_resource_contents(change_contents: Callable[[dict[str, Any]], object]) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        result = _result_of(exchange, answer, "resources/read")
        if not result:
            return False
        contents = dict(result["contents"][0])
        result["contents"] = [contents]
        return change_contents(contents) is not False

    return change_answer


def _other_uri(contents: dict[str, Any]) -> None:
    contents["uri"] = "test://another"


def _relative_uri(contents: dict[str, Any]) -> None:
    contents["uri"] = "static-text"


def _hex_blob(contents: dict[str, Any]) -> bool:
    return "blob" in contents and contents.update(blob="0x00 0x01") is None


def _other_type(contents: dict[str, Any]) -> None:
    contents["mimeType"] = "no type"


change("read-other-uri", "resources", ALL, "the contents have another URI")(
    _change_resource_contents(_other_uri)
)
change("read-relative-uri", "resources", ALL, "the URI of contents is no URI")(
    _change_resource_contents(_relative_uri)
)
change("read-hex-blob", "resources", ALL, "a blob is not base64")(
    _change_resource_contents(_hex_blob)
)
change("read-media-type", "resources", ALL, "the media type is no media type")(
    _change_resource_contents(_other_type)
)


@change("prompt-unknown-empty", "prompts", ALL, "an unknown prompt has no messages")
def _prompt_unknown_empty(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602) if exchange.method == "prompts/get" else None
    if message is None or message["error"]["message"] != "Unknown prompt":
        return False
    del message["error"]
    message["result"] = {"messages": []}
    if exchange.revision == STATELESS:
        message["result"]["resultType"] = "complete"
    return _set_status(answer, 200)


@change("prompt-unknown-code", "prompts", ALL, "an unknown prompt gets the code -32601")
def _prompt_unknown_code(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602) if exchange.method == "prompts/get" else None
    return message is not None and message["error"].update(code=-32601) is None


@change("prompt-missing-argument", "prompts", ALL, "a prompt needs none of its arguments")
def _prompt_missing_argument(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602) if exchange.method == "prompts/get" else None
    if message is None or "is missing" not in message["error"]["message"]:
        return False
    del message["error"]
    text = {"role": "user", "content": {"type": "text", "text": "Nothing."}}
    message["result"] = {"messages": [text]}
    if exchange.revision == STATELESS:
        message["result"]["resultType"] = "complete"
    return _set_status(answer, 200)


@change("prompt-role-system", "prompts", ALL, "a message has the role `system`")
def _prompt_role_system(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "prompts/get")
    return result is not None and result["messages"][0].update(role="system") is None


@change("completion-many", "completion", ALL, "101 values are suggested")
def _completion_many(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "completion/complete")
    values = [str(number) for number in range(101)]
    return result is not None and result["completion"].update(values=values) is None


@change("completion-unknown", "completion", ALL, "an unknown prompt is completed")
def _completion_unknown(exchange: Exchange, answer: Answer) -> bool:
    message = _error_of(answer, -32602) if exchange.method == "completion/complete" else None
    if message is None:
        return False
    del message["error"]
    message["result"] = {"completion": {"values": []}}
    if exchange.revision == STATELESS:
        message["result"]["resultType"] = "complete"
    return _set_status(answer, 200)


@change("completion-total", "completion", ALL, "`total` is less than the number of values")
def _completion_total(exchange: Exchange, answer: Answer) -> bool:
    result = _result_of(exchange, answer, "completion/complete")
    return result is not None and result["completion"].update(total=1) is None


# Authorization


def _challenge(function: Callable[[str], str]) -> Change:
    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        if "WWW-Authenticate" not in answer.headers:
            return False
        answer.headers["WWW-Authenticate"] = function(answer.headers["WWW-Authenticate"])
        return True

    return change_answer


@change("auth-no-challenge", "authorization", ANY, "401 comes without a challenge")
def _auth_no_challenge(exchange: Exchange, answer: Answer) -> bool:
    return answer.headers.pop("WWW-Authenticate", None) is not None


@change("auth-403", "authorization", ANY, "a missing token gets 403")
def _auth_403(exchange: Exchange, answer: Answer) -> bool:
    return answer.status == 401 and _set_status(answer, 403)


@change("auth-400", "authorization", ANY, "a missing token gets 400")
def _auth_400(exchange: Exchange, answer: Answer) -> bool:
    return answer.status == 401 and _set_status(answer, 400)


change("auth-basic", "authorization", ANY, "the challenge is for Basic")(
    _challenge(lambda value: value.replace("Bearer", "Basic"))
)
change("auth-no-metadata", "authorization", ANY, "the challenge names no metadata")(
    _challenge(lambda value: "Bearer")
)
change("auth-no-scope", "authorization", ANY, "the challenge names no scope")(
    _challenge(lambda value: value.replace(', scope="mcp"', ""))
)
change("auth-offline-access", "authorization", ANY, "the challenge asks for offline access")(
    _challenge(lambda value: value.replace('"mcp"', '"mcp offline_access"'))
)
change("auth-unquoted", "authorization", ANY, "the challenge is not in the syntax")(
    _challenge(lambda value: value.replace('"', "'"))
)
change("auth-other-metadata", "authorization", ANY, "the named metadata is elsewhere")(
    _challenge(lambda value: value.replace("/.well-known/", "/known/"))
)


def _metadata(**members: Any) -> Change:
    """Replaces members of the Protected Resource Metadata; `None` removes a member."""

    def change_answer(exchange: Exchange, answer: Answer) -> bool:
        if not isinstance(answer.body, dict) or "authorization_servers" not in answer.body:
            return False
        body = answer.body | members
        answer.body = {name: value for name, value in body.items() if value is not None}
        return True

    return change_answer


_METADATA: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("resource-missing", {"resource": None}, "`resource` is missing"),
    ("resource-other", {"resource": "https://elsewhere.example/mcp"}, "`resource` is elsewhere"),
    ("resource-number", {"resource": 7}, "`resource` is a number"),
    ("servers-missing", {"authorization_servers": None}, "no authorization servers"),
    ("servers-empty", {"authorization_servers": []}, "an empty list of authorization servers"),
    ("servers-text", {"authorization_servers": "https://a.example"}, "the servers are a text"),
    ("servers-relative", {"authorization_servers": ["/authorization"]}, "a server is no URL"),
    ("scopes-text", {"scopes_supported": "mcp"}, "the scopes are a text"),
    ("methods-text", {"bearer_methods_supported": "header"}, "the bearer methods are a text"),
)
for _name, _members, _breaks in _METADATA:
    change(f"auth-metadata-{_name}", "authorization", ANY, f"the metadata: {_breaks}")(
        _metadata(**_members)
    )


@change("auth-metadata-404", "authorization", ANY, "there is no metadata")
def _auth_metadata_404(exchange: Exchange, answer: Answer) -> bool:
    if "/.well-known/" not in exchange.request.path:
        return False
    answer.body = None
    return _set_status(answer, 404)


@change("auth-metadata-page", "authorization", ANY, "the metadata is a web page")
def _auth_metadata_page(exchange: Exchange, answer: Answer) -> bool:
    if "/.well-known/" not in exchange.request.path:
        return False
    answer.headers["Content-Type"] = "text/html"
    return True


# Bytes and time


def _split_body(data: bytes) -> tuple[bytes, bytes]:
    head, _, body = data.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n", body


def _with_length(head: bytes, body: bytes) -> bytes:
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-length")]
    has_length = len(lines) != len(head.split(b"\r\n"))
    if has_length:
        lines.insert(1, b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + body


@encoding("bytes-length-short", "headers", STREAMABLE, "the body is longer than its length")
def _bytes_length_short(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    short = b"Content-Length: %d" % (len(body) // 2)
    return head.replace(b"Content-Length: %d" % len(body), short) + body if body else data


@encoding("bytes-length-long", "headers", STREAMABLE, "the body is shorter than its length")
def _bytes_length_long(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    long = b"Content-Length: %d" % (len(body) + 9)
    return head.replace(b"Content-Length: %d" % len(body), long) + body if body else data


@encoding("bytes-bom", "JSON-RPC", ALL, "a byte order mark precedes the JSON")
def _bytes_bom(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, b"\xef\xbb\xbf" + body) if body.startswith(b"{") else data


@encoding("bytes-utf-16", "JSON-RPC", ALL, "the JSON is in UTF-16")
def _bytes_utf_16(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, body.decode().encode("utf-16")) if body.startswith(b"{") else data


@encoding("bytes-latin-1", "JSON-RPC", ALL, "the text of a result is in Latin-1")
def _bytes_latin_1(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, body.replace(b"Returns", b"Returns \xfc")) if body else data


@encoding("bytes-trailing", "JSON-RPC", ALL, "another value follows the JSON")
def _bytes_trailing(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, body + b"\n{}") if body.startswith(b"{") else data


@encoding("bytes-cut", "JSON-RPC", ALL, "the JSON is cut")
def _bytes_cut(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, body[:-1]) if body.startswith(b"{") else data


@encoding("bytes-nan", "JSON-RPC", ALL, "a number is NaN")
def _bytes_nan(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    changed_body = body.replace(b'"priority": 1', b'"priority": NaN')
    return _with_length(head, changed_body) if body else data


@encoding("bytes-duplicate", "JSON-RPC", ALL, "a member is there twice")
def _bytes_duplicate(exchange: Exchange, data: bytes) -> bytes:
    head, body = _split_body(data)
    return _with_length(head, body.replace(b'{"jsonrpc"', b'{"id": 0, "jsonrpc"', 1))


@encoding("bytes-event-cut", "event streams", STREAMABLE, "the last event is not ended")
def _bytes_event_cut(exchange: Exchange, data: bytes) -> bytes:
    return data[:-1] if b"text/event-stream" in data and data.endswith(b"\n\n") else data


@encoding("bytes-event-split", "event streams", STREAMABLE, "a message is cut into two events")
def _bytes_event_split(exchange: Exchange, data: bytes) -> bytes:
    return data.replace(b'"result": ', b'"result":\n\ndata: ') if b"event-stream" in data else data


@encoding("bytes-event-latin-1", "event streams", STREAMABLE, "an event is in Latin-1")
def _bytes_event_latin_1(exchange: Exchange, data: bytes) -> bytes:
    return data.replace(b'"text": "', b'"text": "\xfc') if b"event-stream" in data else data


@encoding("bytes-http-1.0", "headers", STREAMABLE, "the status line has no version")
def _bytes_http_1_0(exchange: Exchange, data: bytes) -> bytes:
    return data.replace(b"HTTP/1.1 ", b"HTTP ", 1)


@encoding("bytes-header-newline", "headers", STREAMABLE, "a header has no colon")
def _bytes_header_newline(exchange: Exchange, data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\r\nBroken header\r\n", 1)


@encoding("time-slow", "latency", ALL, "every answer takes three seconds")
def _time_slow(exchange: Exchange, data: bytes) -> bytes:
    if exchange.method == "tools/list":
        time.sleep(3)
    return data + b""


@encoding("time-silent", "latency", ALL, "calls are never answered")
def _time_silent(exchange: Exchange, data: bytes) -> bytes:
    return b"" if exchange.method == "tools/call" else data
