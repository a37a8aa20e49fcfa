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

from mcp_adapter.resource.aggregation import Aggregate, aggregated
from mcp_adapter.resource.archive import opened
from mcp_adapter.resource.grants import Reader, bearer, reader_of, whole
from mcp_adapter.resource.problems import Problem, invalid, unknown
from mcp_adapter.resource.records import PUBLIC, Query, fetch, read
from mcp_adapter.resource.schemas import index, scoped
from mcp_adapter.resource.searching import hits

AUDIENCE = "urn:example:mcp-adapter"
"""Whom the bearers of grants are for."""

CLIENT = ("mcp-adapter", "sample-secret")
"""Who may ask what a bearer is worth. It opens nothing else."""

Answering = Callable[[sqlite3.Connection, Reader, Request], dict[str, Any]]


def create(introspection: str = "/introspect") -> Starlette:
    """The resource server; `introspection` is the path at which it tells what a bearer is worth."""
    archive = opened()
    numbers = count(1)

    def answered(answering: Answering) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> JSONResponse:
            request_id = f"req_{next(numbers):06}"
            try:
                reader = reader_of(archive, request.headers.get("authorization", ""))
                body, status = answering(archive, reader, request), 200
            except Problem as problem:
                body, status = {"error": problem.body}, problem.status
            return JSONResponse({**body, "request_id": request_id}, status)

        return endpoint

    async def introspect(request: Request) -> JSONResponse:
        if not _is_adapter(request):
            return JSONResponse({"error": "invalid_client"}, 401)
        form = parse_qs((await request.body()).decode("latin-1"))
        return JSONResponse(_worth(archive, form.get("token", [""])[0]))

    routes = [Route(path, answered(answering)) for path, answering in PATHS.items()]
    return Starlette(routes=[Route(introspection, introspect, methods=["POST"]), *routes])


def _is_adapter(request: Request) -> bool:
    expected = f"Basic {b64encode(':'.join(CLIENT).encode()).decode()}"
    shown = request.headers.get("authorization", "")
    return compare_digest(shown.encode(), expected.encode())


def _worth(archive: sqlite3.Connection, token: str) -> dict[str, Any]:
    """What a bearer is worth (RFC 7662); `authority` is `owner` for all that opens more than a
    grant."""
    found = bearer(archive, token)
    if found is None:
        return {"active": False}
    return {
        "active": True,
        "iss": PUBLIC,
        "sub": found["subject"],
        "aud": AUDIENCE,
        "scope": "archive:read",
        "kind": found["kind"],
        "authority": "client" if found["kind"] == "grant" else "owner",
    }


def _schema(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    asked = request.query_params
    connection_id, detail = asked.get("connection_id", ""), asked.get("detail", "compact")
    if stream := asked.get("stream"):
        return scoped(reader, stream, connection_id, detail)
    if detail != "compact":
        raise invalid("detail `full` takes a stream")
    return index(archive, reader, connection_id)


def _records(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    asked = request.query_params
    source, stream = reader.single(request.path_params["stream"], asked.get("connection_id", ""))
    query = Query(
        filter=asked.getlist("filter"),
        fields=asked.getlist("fields"),
        sort=asked.get("sort", ""),
        limit=whole(asked.get("limit"), 20, 100),
        cursor=asked.get("cursor", ""),
        changes_since=asked.get("changes_since", ""),
        count=asked.get("count") == "exact",
        expand=asked.getlist("expand"),
    )
    return read(archive, source, stream, query)


def _record(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    asked, path = request.query_params, request.path_params
    source, stream = reader.single(path["stream"], asked.get("connection_id", ""))
    return fetch(archive, source, stream, path["record_id"], asked.getlist("fields"))


def _aggregate(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    asked = request.query_params
    source, stream = reader.single(request.path_params["stream"], asked.get("connection_id", ""))
    wanted = Aggregate(
        function=asked.get("function", "count"),
        field=asked.get("field", ""),
        group_by=asked.get("group_by", ""),
        filter=asked.getlist("filter"),
        limit=whole(asked.get("limit"), 20, 100),
    )
    return aggregated(archive, source, stream, wanted)


def _search(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    asked = request.query_params
    return hits(
        archive,
        reader,
        asked.get("q", ""),
        connection_id=asked.get("connection_id", ""),
        stream=asked.get("stream", ""),
        limit=whole(asked.get("limit"), 10, 50),
        cursor=asked.get("cursor", ""),
    )


def _connections(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    return {"data": [source.told for source in reader.sources], "total": len(reader.sources)}


def _health(archive: sqlite3.Connection, reader: Reader, request: Request) -> dict[str, Any]:
    source = reader.named(request.path_params["connection_id"])
    newest = archive.execute(
        "SELECT max(emitted_at) FROM records WHERE connection_id = ?", (source.connection_id,)
    ).fetchone()[0]
    if newest is None:
        raise unknown("record", source.connection_id)
    return {"data": {"connection_id": source.connection_id, "status": "ok", "newest": newest}}


PATHS: dict[str, Answering] = {
    "/v1/schema": _schema,
    "/v1/connections": _connections,
    "/v1/connections/{connection_id}/health": _health,
    "/v1/search": _search,
    "/v1/streams/{stream}/records": _records,
    "/v1/streams/{stream}/records/{record_id}": _record,
    "/v1/streams/{stream}/aggregate": _aggregate,
}
"""What is read where, by GET and with the bearer of a grant."""
