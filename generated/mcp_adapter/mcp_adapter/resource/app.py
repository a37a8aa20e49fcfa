"""The resource server as an ASGI application."""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Callable
from hmac import compare_digest
from itertools import count
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from mcp_adapter.resource.aggregation import Aggregate, aggregate_records
from mcp_adapter.resource.archive import open_archive
from mcp_adapter.resource.grants import Reader, authenticate, find_bearer, parse_limit
from mcp_adapter.resource.problems import Problem, invalid_argument, not_found
from mcp_adapter.resource.records import PUBLIC_URL, Query, fetch, read
from mcp_adapter.resource.schemas import schema_index, stream_schema
from mcp_adapter.resource.searching import search_records

AUDIENCE = "urn:example:mcp-adapter"
"""The audience of every token (`aud`)."""

CLIENT = ("mcp-adapter", "sample-secret")
"""Client id and secret for token introspection; the archive has no other use of them."""

Read = Callable[[sqlite3.Connection, Reader, Request], dict[str, Any]]
"""Answers a request of a reader. Raises `Problem`."""
"""Answers a request of a reader. Raises `Problem`."""


def create(introspection: str = "/introspect") -> Starlette:
    """Returns the resource server; `introspection` is the path of token introspection (RFC
    7662)."""
    archive = open_archive()
    request_numbers = count(1)

    def endpoint_of(read_archive: Read) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> JSONResponse:
            request_id = f"req_{next(request_numbers):06}"
            try:
                reader = authenticate(archive, request.headers.get("authorization", ""))
                body, status = read_archive(archive, reader, request), 200
            except Problem as problem:
                body, status = {"error": problem.body}, problem.status
            return JSONResponse({**body, "request_id": request_id}, status)

        return endpoint

    async def introspect(request: Request) -> JSONResponse:
        if not _is_adapter(request):
            return JSONResponse({"error": "invalid_client"}, 401)
        form = parse_qs((await request.body()).decode("latin-1"))
        return JSONResponse(_introspection(archive, form.get("token", [""])[0]))

    routes = [Route(path, endpoint_of(read_archive)) for path, read_archive in PATHS.items()]
    return Starlette(routes=[Route(introspection, introspect, methods=["POST"]), *routes])


def _is_adapter(request: Request) -> bool:
    expected = f"Basic {b64encode(':'.join(CLIENT).encode()).decode()}"
    actual = request.headers.get("authorization", "")
    return compare_digest(actual.encode(), expected.encode())


def _introspection(archive: sqlite3.Connection, token: str) -> dict[str, Any]:
    """Returns the introspection response of a token (RFC 7662); `authority` is `client` for the
    token of a grant, and `owner` for a token that opens every connection."""
    row = find_bearer(archive, token)
    if row is None:
        return {"active": False}
    return {
        "active": True,
        "iss": PUBLIC_URL,
        "sub": row["subject"],
        "aud": AUDIENCE,
        "scope": "archive:read",
        "kind": row["kind"],
        "authority": "client" if row["kind"] == "grant" else "owner",
    }


def _schema(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    parameters = request.query_params
    connection_id, detail = parameters.get("connection_id", ""), parameters.get("detail", "compact")
    if stream := parameters.get("stream"):
        return stream_schema(reader, stream, connection_id, detail)
    if detail != "compact":
        raise invalid_argument("detail `full` takes a stream")
    return schema_index(archive, reader, connection_id)


def _records(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    parameters = request.query_params
    source, stream = reader.single_source(
        request.path_params["stream"], parameters.get("connection_id", "")
    )
    query = Query(
        filter=parameters.getlist("filter"),
        fields=parameters.getlist("fields"),
        sort=parameters.get("sort", ""),
        limit=parse_limit(parameters.get("limit"), 20, 100),
        cursor=parameters.get("cursor", ""),
        changes_since=parameters.get("changes_since", ""),
        count=parameters.get("count") == "exact",
        expand=parameters.getlist("expand"),
    )
    return read(archive, source, stream, query)


def _record(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    parameters, path = request.query_params, request.path_params
    source, stream = reader.single_source(path["stream"], parameters.get("connection_id", ""))
    return fetch(archive, source, stream, path["record_id"], parameters.getlist("fields"))


def _aggregate(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    parameters = request.query_params
    source, stream = reader.single_source(
        request.path_params["stream"], parameters.get("connection_id", "")
    )
    aggregate = Aggregate(
        function=parameters.get("function", "count"),
        field=parameters.get("field", ""),
        group_by=parameters.get("group_by", ""),
        filter=parameters.getlist("filter"),
        limit=parse_limit(parameters.get("limit"), 20, 100),
    )
    return aggregate_records(archive, source, stream, aggregate)


def _search(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    parameters = request.query_params
    return search_records(
        archive,
        reader,
        parameters.get("q", ""),
        connection_id=parameters.get("connection_id", ""),
        stream=parameters.get("stream", ""),
        limit=parse_limit(parameters.get("limit"), 10, 50),
        cursor=parameters.get("cursor", ""),
    )


def _connections(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    return {"data": [source.identity for source in reader.sources], "total": len(reader.sources)}


def _health(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    source = reader.source_with_id(request.path_params["connection_id"])
    newest = archive.execute(
        "SELECT max(emitted_at) FROM records WHERE connection_id = ?", (source.connection_id,)
    ).fetchone()[0]
    if newest is None:
        raise not_found("record", source.connection_id)
    return {"data": {"connection_id": source.connection_id, "status": "ok", "newest": newest}}


PATHS: dict[str, Read] = {
    "/v1/schema": _schema,
    "/v1/connections": _connections,
    "/v1/connections/{connection_id}/health": _health,
    "/v1/search": _search,
    "/v1/streams/{stream}/records": _records,
    "/v1/streams/{stream}/records/{record_id}": _record,
    "/v1/streams/{stream}/aggregate": _aggregate,
}
"""The reads by path, each a GET request with a bearer token."""
