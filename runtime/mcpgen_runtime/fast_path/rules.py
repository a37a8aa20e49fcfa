"""Decides which requests the fast path may answer. When in doubt: the SDK."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mcp.server.streamable_http import CONTENT_TYPE_JSON, check_accept_headers
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundModernRoute,
    classify_inbound_request,
)
from mcp_types import (
    DEFAULT_NEGOTIATED_VERSION,
    CallToolRequestParams,
    PaginatedRequestParams,
    RequestParams,
)
from mcp_types.jsonrpc import JSONRPC_VERSION
from mcp_types.methods import validate_client_request
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import from_json, to_json
from starlette.requests import Request

from ..server.asgi import IncomingBody, Scope
from ..tool import Json

LIST, CALL = "tools/list", "tools/call"

MAX_BODY_BYTES = 256 * 1024
"""Maximum bytes of a plain request."""

_PARAMS = {LIST: frozenset(("_meta",)), CALL: frozenset(("_meta", "name", "arguments"))}
"""Allowed members of the parameters, by method."""

_READ_AS: dict[str, type[RequestParams]] = {
    LIST: PaginatedRequestParams,
    CALL: CallToolRequestParams,
}
_accepted_keys: set[tuple[object, ...]] = set()
"""Keys of requests that passed validation, without arguments."""

_NAME = (str, type(None))
"""Types of the tool name; None for lists."""

_MAX_CACHED_KEYS, _MAX_KEY_BYTES = 1000, 1000

_MAX_ID_LENGTH = 256
_JSON = CONTENT_TYPE_JSON.encode()
_REVISION = MCP_PROTOCOL_VERSION_HEADER.encode()
_REVISIONS: dict[bytes | None, str] = {
    None: DEFAULT_NEGOTIATED_VERSION,
    **{revision.encode(): revision for revision in KNOWN_PROTOCOL_VERSIONS},
}
_REPEATING_HEADERS = {
    name.encode(): name
    for name in (MCP_PROTOCOL_VERSION_HEADER, MCP_METHOD_HEADER, MCP_NAME_HEADER)
}
"""Headers that repeat parts of the body."""

HeaderValues = tuple[bytes | None, ...]
"""The values of these headers, empty for revisions without such headers."""


class FastPathRequest(NamedTuple):
    """A plain request. `name` is the called tool, None for a list."""

    revision: str
    message: dict[str, Any]
    name: str | None = None
    arguments: Mapping[str, Json] = {}


def parse_request(scope: Scope, body: IncomingBody, *, events: bool) -> FastPathRequest | str:
    """The plain request, or the reason why the SDK must answer. `events`: the SDK's application
    would answer with events."""
    headers = dict(scope["headers"])
    revision = _REVISIONS.get(headers.get(_REVISION))
    if len(headers) < len(scope["headers"]):
        return "a header stands twice"
    if headers.get(b"content-type") != _JSON:
        return "the body may be something else than JSON"
    if not _accepts_response(headers.get(b"accept", b""), events):
        return "the client would not read the answer"
    if revision is None:
        return "the revision is not known"
    if len(body.raw) > MAX_BODY_BYTES:
        return "the body is large"
    is_modern = revision in MODERN_PROTOCOL_VERSIONS
    message = body.content if is_modern else _read_strictly(body.raw)
    if not isinstance(message, dict) or not _is_request(message):
        return "the body is not a request, or is more than that"
    method, params = message["method"], message.get("params", {})
    if method not in _PARAMS:
        return "the method is another"
    if not isinstance(params, dict) or not params.keys() <= _PARAMS[method]:
        return "the parameters say more, such as a cursor"
    header_values = tuple(map(headers.get, _REPEATING_HEADERS)) if is_modern else ()
    if not _meets_rules(revision, header_values, message, params):
        return "headers and parameters do not meet the rules"
    return FastPathRequest(revision, message, params.get("name"), params.get("arguments") or {})


def _is_request(message: dict[str, Any]) -> bool:
    """True for a JSON-RPC request without extra members, with an id that all JSON encoders write
    alike."""
    id, method = message.get("id"), message.get("method")
    if isinstance(id, str):
        fits = len(id) <= _MAX_ID_LENGTH and id.isascii()
    else:
        fits = type(id) is int and abs(id) < 2**53
    return (
        fits
        and isinstance(method, str)
        and message.get("jsonrpc") == JSONRPC_VERSION
        and len(message) == (4 if "params" in message else 3)
    )


def _meets_rules(
    revision: str, header_values: HeaderValues, message: dict[str, Any], params: dict[str, Any]
) -> bool:
    """True if the SDK accepts the request; `header_values` are the headers of the newest revision
    that repeat the body.

    Accepted requests are cached without arguments: clients repeat the same requests, and the
    protocol only demands that arguments are an object.
    """
    method, name = message["method"], params.get("name")
    if type(params.get("arguments", {})) is not dict or not isinstance(name, _NAME):
        return False
    try:
        meta = to_json(params.get("_meta"))
    except ValueError:
        return False
    key = (revision, header_values, method, name, meta)
    if key in _accepted_keys:
        return True
    if header_values and not _headers_match_body(header_values, message):
        return False
    try:
        validate_client_request(method, revision, params)
        _READ_AS[method].model_validate(params, by_name=False)
    except ValidationError:
        return False
    if (
        len(name or "") + len(meta) + sum(len(value or b"") for value in header_values)
        <= _MAX_KEY_BYTES
    ):
        if len(_accepted_keys) >= _MAX_CACHED_KEYS:
            _accepted_keys.clear()
        _accepted_keys.add(key)
    return True


def _headers_match_body(header_values: HeaderValues, message: dict[str, Any]) -> bool:
    """True if headers and body agree."""
    pairs = zip(_REPEATING_HEADERS.values(), header_values, strict=True)
    headers = {name: value.decode("latin-1") for name, value in pairs if value is not None}
    return isinstance(classify_inbound_request(message, headers=headers), InboundModernRoute)


def _read_strictly(raw: bytes) -> Json:
    """The body as the SDK parses it in older revisions, None if invalid."""
    try:
        return from_json(raw)
    except ValueError:
        return None


@lru_cache(maxsize=256)
def _accepts_response(accept: bytes, events: bool) -> bool:
    """True if the client accepts the response, by the SDK's reading of `Accept`."""
    headers = [(b"accept", accept)]
    reads_json, reads_events = check_accept_headers(Request({"type": "http", "headers": headers}))
    return reads_json and (reads_events or not events)
